//! Uniform permutations, to hide the order of rows.

use super::random::RandomKey;

/// A uniformly random order of `0..count` for a uniform key: all `count!` orders are equally likely.
///
/// Uses words that no row uses, so that one key serves both the rows and their order.
///
/// # Example
/// ```
/// use lookalike::sample::{RandomKey, permutation};
/// let mut order = permutation(&RandomKey::from_seed(1), 5);
/// order.sort();
/// assert_eq!(order, [0, 1, 2, 3, 4]);
/// ```
///
/// # Reference
/// Fisher and Yates; Durstenfeld 1964.
pub fn permutation(key: &RandomKey, count: u32) -> Vec<u32> {
    let mut words = key.other_words();
    let mut order: Vec<u32> = (0..count).collect();
    for place in (1..count).rev() {
        order.swap(place as usize, below(u64::from(place) + 1, || words.next()) as usize);
    }
    order
}

/// A number below `bound`, each equally likely: words from the incomplete last stretch of multiples are drawn again.
pub(super) fn below(bound: u64, mut next: impl FnMut() -> u64) -> u64 {
    let whole = u64::MAX - u64::MAX % bound;
    loop {
        let word = next();
        if word < whole {
            return word % bound;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_beyond_the_last_whole_multiple_are_drawn_again() {
        let mut words = [u64::MAX, u64::MAX - 1, 7].into_iter();
        assert_eq!(below(5, || words.next().unwrap()), (u64::MAX - 1) % 5);
        let mut words = [u64::MAX, 8].into_iter();
        assert_eq!(below(3, || words.next().unwrap()), 2, "2^64 - 1 is a multiple of 3 itself, so it is beyond");
    }

    #[test]
    fn all_orders_of_three_are_equally_likely() {
        // A chi-square with 5 degrees of freedom over 60,000 keys; 35.9 is exceeded by chance once in a million.
        let mut counts = std::collections::BTreeMap::new();
        for seed in 0..60_000 {
            *counts.entry(permutation(&RandomKey::from_seed(seed), 3)).or_insert(0u32) += 1;
        }
        let statistic: f64 = counts.values().map(|&seen| (f64::from(seen) - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(counts.len() == 6 && statistic < 35.9, "{statistic}");
    }

    #[test]
    fn empty_and_single_orders_work() {
        assert!(permutation(&RandomKey::from_seed(1), 0).is_empty());
        assert_eq!(permutation(&RandomKey::from_seed(1), 1), [0]);
    }
}
