//! The liars.

use super::{Exhibit, Words, all_pairs, flipped_bits, k_rr, star};
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

pub fn all() -> Vec<Exhibit> {
    vec![
        flip_off_by_a_tenth(),
        last_bit_in_clear(),
        length_of_the_secret(),
        float_laplace(),
        reused_seed(),
        cached_answer(),
        scale_divided_twice(),
    ]
}
