//! Probabilities as floats, for estimates that only choose where to look.

use crate::exact::Natural;
use crate::model::{Column, Distribution};

/// The probabilities to about the nearest double.
pub(super) fn floats(law: &Distribution) -> Vec<f64> {
    (0..law.len()).map(|place| float(law, place)).collect()
}

/// One probability to about the nearest double.
pub(super) fn float(law: &Distribution, place: usize) -> f64 {
    quotient(&law.numerator(place), &law.denominator())
}

/// The probabilities of an output under every secret, to about 2^−53 each; with limits the largest.
pub(super) fn column_floats(column: &Column<'_>) -> Vec<f64> {
    column.floors().iter().map(|&floor| floor as f64 / (1u64 << 62) as f64).collect()
}

/// The same with limits the least.
pub(super) fn least_floats(column: &Column<'_>) -> Vec<f64> {
    column.least_floors().iter().map(|&floor| floor as f64 / (1u64 << 62) as f64).collect()
}

/// a/b, with three roundings.
pub(super) fn quotient(a: &Natural, b: &Natural) -> f64 {
    if let (Some(a), Some(b)) = (a.to_u64(), b.to_u64()) {
        return a as f64 / b as f64;
    }
    let ((a, a_more), (b, b_more)) = (a.leading_bits(), b.leading_bits());
    (a as f64 / b as f64) * 2f64.powi((a_more as i64 - b_more as i64) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::{Rational, parse_rational};

    #[test]
    fn both_representations_give_the_same_floats() {
        let tenth = parse_rational("0.1").unwrap();
        let one = Rational::from_integer(1.into());
        assert_eq!(floats(&Distribution::new(&[tenth.clone(), &one - &tenth]).unwrap()), [0.1, 0.9]);
        for (text, float) in [("1e-25", 1e-25), ("1e-100", 1e-100), ("1e-300", 1e-300)] {
            let tiny = parse_rational(text).unwrap();
            let wide = floats(&Distribution::new(&[tiny.clone(), &one - tiny]).unwrap());
            assert!((wide[0] / float - 1.0).abs() < 4.0 * f64::EPSILON && wide[1] == 1.0, "{wide:?}");
        }
    }
}
