//! Codes that are drawn without a look at any record.

use super::chance::{Chance, FromWords};
use super::random::RandomKey;

/// A number below each of the bounds, all equally likely and independent of each other, for a row of the run.
///
/// Uses words that no draw for a record uses: what stands in for a record that is not to be looked at is independent of
/// everything else that is drawn under the key.
///
/// # Panics
/// For a bound of 0, or a row beyond 2^62.
///
/// # Example
/// ```
/// use lookalike_core::sample::{RandomKey, uniform};
/// let [profile, value] = uniform(&RandomKey::from_seed(1), 7, [3, 10]);
/// assert!(profile < 3 && value < 10);
/// ```
pub fn uniform<const N: usize>(key: &RandomKey, row: u64, bounds: [u32; N]) -> [u32; N] {
    let mut chance = FromWords::new(key.words_beside_row(row));
    bounds.map(|bound| chance.below(bound.into()) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pairs_are_equally_likely_and_rows_differ() {
        // A chi-square with 14 degrees of freedom over 60,000 rows; 54.5 is exceeded by chance once in a million.
        let (key, mut counts) = (RandomKey::from_seed(3), [[0u32; 5]; 3]);
        for row in 0..60_000 {
            let [first, second] = uniform(&key, row, [3, 5]);
            counts[first as usize][second as usize] += 1;
        }
        let statistic: f64 = counts.iter().flatten().map(|&seen| (f64::from(seen) - 4_000.0).powi(2) / 4_000.0).sum();
        assert!(statistic < 54.5, "{statistic}");
        let first_bits =
            |key: u64| (0..64).map(|row| uniform(&RandomKey::from_seed(key), row, [2])[0]).collect::<Vec<_>>();
        assert_ne!(first_bits(1), first_bits(2));
        assert_eq!(first_bits(1), first_bits(1));
    }

    #[test]
    fn no_other_draw_uses_the_same_words() {
        let key = RandomKey::from_seed(5);
        let beside = key.words_beside_row(1).next();
        let others = [key.words_from(1).next(), key.other_words().next(), key.words_of_row(1).next()];
        assert!(!others.contains(&beside) && beside != key.words_beside_row(2).next());
    }
}
