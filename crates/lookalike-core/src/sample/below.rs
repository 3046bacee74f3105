//! A number below a bound, exactly.

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
}
