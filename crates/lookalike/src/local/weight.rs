//! The one weight behind every closed form.

use crate::exact::{Natural, exceeds};
use crate::model::{Epsilon, TOTAL};

/// The largest weight w out of T = 2^53 with `w·against ≤ e^ε·(T − w)·per`, decided exactly: one unit more would not be
/// private.
///
/// The left side grows with w and the right one falls, so halving finds it in 53 questions.
pub(super) fn largest_weight(epsilon: &Epsilon, against: u32, per: u32) -> u64 {
    let product = |weight: u64, times: u32| Natural::from(weight).times(&u64::from(times).into());
    let is_private = |weight: u64| !exceeds(&product(weight, against), epsilon, &product(TOTAL - weight, per));
    let (mut private, mut exposed) = (0, TOTAL);
    while exposed - private > 1 {
        let middle = private + (exposed - private) / 2;
        if is_private(middle) { private = middle } else { exposed = middle }
    }
    private
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(epsilon: &str, against: u32, per: u32) -> u64 {
        largest_weight(&epsilon.parse().unwrap(), against, per)
    }

    #[test]
    fn rational_powers_are_met_exactly() {
        assert_eq!(weight("ln(3)", 1, 1), 3 * (TOTAL / 4));
        assert_eq!(weight("ln(7)", 7, 1), TOTAL / 2);
        assert_eq!(weight("ln(3)", 2, 6), 9 * (TOTAL / 10) + 9 * (TOTAL % 10) / 10, "rounded down");
    }

    #[test]
    fn the_ends_are_a_unit_of_noise_and_none_of_use() {
        assert_eq!(weight("100000", 1, 1), TOTAL - 1);
        assert_eq!(weight("1e-30", 1, 1), TOTAL / 2);
        assert_eq!(weight("1e-30", 3, 1), TOTAL / 4);
    }
}
