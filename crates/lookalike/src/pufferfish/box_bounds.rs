//! The approximate quilt bound of a box of binary chains.

use super::spectral::inapplicable;
use super::{BinaryBox, Calibration, Initial, Mixing};
use crate::Result;
use crate::exact::{Epsilon, Rational};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

impl Mixing {
    /// How fast every chain of a box forgets. A chain on two states is reversible, its other eigenvalue is 1 − p − q,
    /// and its stationary law q : p, so that the ends of the box decide.
    ///
    /// # Errors
    /// The bound does not apply: a chain of the box never leaves a state, or always leaves both.
    pub fn of_box(limits: &BinaryBox) -> Result<Mixing> {
        let ([up_low, up_high], [down_low, down_high]) = (limits.up(), limits.down());
        if up_low.is_zero() || down_low.is_zero() {
            return Err(inapplicable("a chain of the box never leaves a state"));
        }
        let least = (down_low / (up_high + down_low)).min(up_low / (up_low + down_high));
        let one = Rational::one();
        let eigenvalue = (&one - up_low - down_low).abs().max((&one - up_high - down_high).abs());
        let gap = (one - eigenvalue) * BigInt::from(2);
        if gap.is_zero() {
            return Err(inapplicable("a chain of the box leaves its state at every step, so that it never mixes"));
        }
        Mixing::from_bounds(least, gap, matches!(limits.initial(), Initial::Stationary))
    }
}

/// The scale that hides every node of a chain of `length` nodes, whichever chain of the box the data came from, by the
/// bounds of [`approximate`](super::approximate).
///
/// # Errors
/// As [`Mixing::of_box`], and a length outside 1 to 2^40.
///
/// # Example
/// ```
/// use lookalike::{exact::parse_rational, pufferfish::{BinaryBox, Initial, approximate_of_box}};
/// let ends = ["0.4", "0.6"].map(|text| parse_rational(text).unwrap());
/// let limits = BinaryBox::new(Initial::Arbitrary, ends.clone(), ends)?;
/// let found = approximate_of_box(&limits, 100, &"1".parse()?)?;
/// assert!(found.scale < parse_rational("12.11")?);
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn approximate_of_box(limits: &BinaryBox, length: u64, epsilon: &Epsilon) -> Result<Calibration> {
    Mixing::of_box(limits)?.calibrate(length, epsilon)
}

#[cfg(test)]
mod tests {
    use super::super::spectral::tests::chain;
    use super::super::{ExactOptions, contract, exact_of_box, gk16};
    use super::*;
    use crate::exact::parse_rational;

    fn of(low: &str, high: &str, initial: Initial) -> BinaryBox {
        let ends = [low, high].map(|text| parse_rational(text).unwrap());
        BinaryBox::new(initial, ends.clone(), ends).unwrap()
    }

    #[test]
    fn the_box_of_the_synthetic_chains() {
        let mixing = Mixing::of_box(&of("0.1", "0.9", Initial::Arbitrary)).unwrap();
        assert_eq!((mixing.least().to_string(), mixing.gap().to_string()), ("1/10".into(), "2/5".into()));
        for (low, high, reason) in [("0", "0.9", "never leaves a state"), ("1", "1", "at every step")] {
            let error = Mixing::of_box(&of(low, high, Initial::Arbitrary)).unwrap_err();
            assert!(error.is_inapplicable() && error.to_string().contains(reason), "{error}");
        }
    }

    #[test]
    fn the_orders_hold_for_boxes_too() {
        for initial in [Initial::Arbitrary, Initial::Stationary] {
            for (low, high, text) in [("0.2", "0.5", "1"), ("0.3", "0.7", "1/2"), ("0.4", "0.5", "4")] {
                let (chains, epsilon) = (of(low, high, initial.clone()), text.parse().unwrap());
                let approximate = approximate_of_box(&chains, 40, &epsilon).unwrap().scale;
                let exact = exact_of_box(&chains, 40, &epsilon, &ExactOptions::default()).unwrap();
                assert!(
                    exact.at_least <= approximate && approximate <= super::super::group_scale(40, &epsilon).unwrap()
                );
                assert!(exact.calibration.scale <= approximate * parse_rational("1.00001").unwrap());
            }
        }
    }

    #[test]
    fn every_chain_of_a_box_is_covered_by_its_corners() {
        let (corners, epsilon) = (of("0.35", "0.6", Initial::Arbitrary).corners(), "1".parse().unwrap());
        let (by_step, by_matrix) = (contract(&corners, 1000, &epsilon).unwrap(), gk16(&corners, &epsilon).unwrap());
        assert_eq!((corners.len(), by_step.chain), (4, 0), "0.65·0.65 over 0.35·0.35 is the largest");
        for (p, q) in (35..=60u64).flat_map(|p| (35..=60u64).map(move |q| (p, q))) {
            let inside = [chain(Initial::Arbitrary, &[vec![100 - p, p], vec![q, 100 - q]])];
            let needed = contract(&inside, 1000, &epsilon).unwrap().scale;
            assert!(needed <= by_step.scale && by_step.scale <= by_matrix.scale);
        }
    }
}
