//! The same work done well: each is exactly as private as it claims, with nothing to spare.

use super::{Exhibit, all_pairs, flipped_bits, k_rr, star, warner};
use lookalike::audit::Text;

pub fn all() -> Vec<Exhibit> {
    let bits = Exhibit::new("bits flipped with care", 40_000, star(33, 2.0 * 9f64.ln()), |words, secret| {
        Text::new(&flipped_bits(words, secret, 32, 0.1, |_| false))
    });
    few_secrets().into_iter().chain([bits]).collect()
}

/// Those with so few secrets that a few thousand draws tell something.
pub fn few_secrets() -> Vec<Exhibit> {
    let alpha = (-2f64).exp();
    vec![
        Exhibit::new("Warner's coin", 100_000, all_pairs(2, 3f64.ln()), warner),
        Exhibit::new("noise of one length", 10_000, all_pairs(4, 1e-9), |words, _| {
            let letters = (0..8).map(|_| char::from(b'a' + (words.word() % 26) as u8));
            Text::new(&letters.collect::<String>())
        }),
        Exhibit::new("randomized response over eight values", 10_000, all_pairs(8, 1.0), |words, secret| {
            k_rr(words, secret, 8, 1.0)
        }),
        Exhibit::new("geometric noise", 20_000, all_pairs(2, 2.0), move |words, secret| {
            i64::from(secret) + words.geometric(alpha) - words.geometric(alpha)
        }),
    ]
}
