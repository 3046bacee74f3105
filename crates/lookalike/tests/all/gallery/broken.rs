//! The liars.

use super::{Exhibit, Words, all_pairs, flipped_bits, k_rr, star, warner};
use lookalike::audit::Text;

/// Warner's coin for ln 3, one in four, drawn a tenth too seldom.
pub fn flip_off_by_a_tenth() -> Exhibit {
    Exhibit::new("a flip probability off by 10 %", 100_000, all_pairs(2, 3f64.ln()), |words, secret| {
        if words.coin(0.225) { 1 - secret } else { secret }
    })
}

/// Randomized response on a vector of bits whose loop ends one too early.
pub fn last_bit_in_clear() -> Exhibit {
    let epsilon = (0.9f64 / 0.1).ln();
    Exhibit::new("the last bit released in clear", 40_000, star(33, epsilon), |words, secret| {
        Text::new(&flipped_bits(words, secret, 32, 0.1, |place| place == 32))
    })
}

/// Nothing but noise, as much of it as the secret says.
pub fn length_of_the_secret() -> Exhibit {
    Exhibit::new("output length that depends on the secret", 10_000, all_pairs(4, 0.1), |words, secret| {
        let letters = (0..8 + secret).map(|_| char::from(b'a' + (words.word() % 26) as u8));
        Text::new(&letters.collect::<String>())
    })
}

/// The textbook's Laplace noise on 0 and 1: scale × sign × ln(uniform), a float added to a float.
pub fn float_laplace() -> Exhibit {
    Exhibit::new("a float Laplace", 40_000, all_pairs(2, 1.0), |words, secret| {
        let centred = words.uniform() - 0.5;
        f64::from(secret) - centred.signum() * (1.0 - 2.0 * centred.abs()).ln()
    })
}

/// Warner's coin from a generator that begins with the same seed whenever the program starts.
pub fn reused_seed() -> Exhibit {
    Exhibit::stateful("a re-used seed", 100_000, all_pairs(2, 3f64.ln()), |start, _, secret| {
        if Words::new(&[42, start.number]).coin(0.25) { 1 - secret } else { secret }
    })
}

/// Randomized response over eight values that draws an answer for each value once and gives it to all who have it.
pub fn cached_answer() -> Exhibit {
    Exhibit::stateful("a cached answer keyed on the secret", 10_000, all_pairs(8, 1.0), |start, _, secret| {
        k_rr(&mut Words::new(&[start.seed, start.run as u64, secret.into()]), secret, 8, 1.0)
    })
}

/// Geometric noise for ε = 2 with the scale 1/ε².
pub fn scale_divided_twice() -> Exhibit {
    let alpha = (-4f64).exp();
    Exhibit::new("noise scale divided by ε twice", 20_000, all_pairs(2, 2.0), move |words, secret| {
        i64::from(secret) + words.geometric(alpha) - words.geometric(alpha)
    })
}

/// Warner's coin, thrown once for two calls in a row.
pub fn one_coin_for_two_calls() -> Exhibit {
    Exhibit::stateful("one coin for two calls", 10_000, all_pairs(2, 3f64.ln()), |start, _, secret| {
        warner(&mut Words::new(&[start.seed, start.run as u64, start.number / 2]), secret)
    })
}

/// Noise on numbers that calls 1 and 2 share, 3 and 4, and so on, but for a little of their own.
pub fn one_noise_for_two_calls() -> Exhibit {
    let alpha = (-1f64).exp();
    Exhibit::stateful("one noise for two calls", 20_000, all_pairs(3, 2.0), move |start, own, secret| {
        let mut words = Words::new(&[start.seed, start.run as u64, start.number.div_ceil(2)]);
        let shared = (words.geometric(alpha) - words.geometric(alpha)) as f64 + words.uniform();
        f64::from(secret) + shared + 0.1 * own.uniform()
    })
}

/// Warner's coin, which gives the answer before once more in one call of four.
pub fn answer_before() -> Exhibit {
    Exhibit::program("the answer before, given again", 100_000, all_pairs(2, 3f64.ln()), |seed, run| {
        let mut words = Words::new(&[seed, run as u64]);
        let mut before = None;
        move |secret| {
            let own = warner(&mut words, secret);
            let answer = before.filter(|_| words.coin(0.25)).unwrap_or(own);
            before = Some(answer);
            answer
        }
    })
}

/// Warner's coin with an answer that is kept while the secret stays the same.
pub fn answer_kept_while_the_secret_stays() -> Exhibit {
    Exhibit::program("an answer kept while the secret stays", 20_000, all_pairs(2, 3f64.ln()), |seed, run| {
        let mut words = Words::new(&[seed, run as u64]);
        let mut kept = None;
        move |secret| {
            let answer = match kept {
                Some((before, answer)) if before == secret => answer,
                _ => warner(&mut words, secret),
            };
            kept = Some((secret, answer));
            answer
        }
    })
}

/// Warner's coin with fresh noise on the secret of the call before.
pub fn answer_to_the_call_before() -> Exhibit {
    Exhibit::program("an answer to the call before", 20_000, all_pairs(2, 3f64.ln()), |seed, run| {
        let mut words = Words::new(&[seed, run as u64]);
        let mut before = 0;
        move |secret| warner(&mut words, std::mem::replace(&mut before, secret))
    })
}

/// Eight random digits to base 16, two of which differ by the secret.
pub fn difference_of_two_characters() -> Exhibit {
    Exhibit::new("the secret as the XOR of two characters", 10_000, all_pairs(4, 0.1), |words, secret| {
        let mut digits: Vec<u32> = (0..8).map(|_| (words.word() % 16) as u32).collect();
        digits[6] = digits[1] ^ secret;
        Text::new(&digits.into_iter().map(|digit| char::from_digit(digit, 16).unwrap()).collect::<String>())
    })
}

/// Warner's coin as a function of the secret and of how often it was called, the same after every start.
pub fn noise_by_secret_and_count() -> Exhibit {
    Exhibit::program("noise by secret and count", 20_000, all_pairs(2, 3f64.ln()), |_, _| {
        let mut counts = [0; 2];
        move |secret| {
            counts[secret as usize] += 1;
            warner(&mut Words::new(&[42, secret.into(), counts[secret as usize]]), secret)
        }
    })
}

pub fn all() -> Vec<Exhibit> {
    vec![
        flip_off_by_a_tenth(),
        last_bit_in_clear(),
        length_of_the_secret(),
        float_laplace(),
        reused_seed(),
        cached_answer(),
        scale_divided_twice(),
        one_coin_for_two_calls(),
        one_noise_for_two_calls(),
        answer_before(),
        answer_kept_while_the_secret_stays(),
        answer_to_the_call_before(),
        difference_of_two_characters(),
        noise_by_secret_and_count(),
    ]
}
