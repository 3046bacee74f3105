//! Fixed-point numbers for closed forms: enough digits that what is cut off never reaches a weight.

use super::Alpha;
use crate::exact::Direction;
use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};

/// Bits behind the point.
const BITS: u64 = 192;
/// Bits behind the point of a [`Probability`].
pub(super) const PROBABILITY_BITS: u32 = 74;

/// A probability in units of 2^−74: a 2^21st of a weight, so that a product with 2^53 fits 128 bits.
pub(super) type Probability = u128;

/// A number at least 0, rounded down to 192 bits behind the point.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fixed(BigUint);

impl Fixed {
    /// 0.
    pub(super) fn zero() -> Self {
        Fixed(BigUint::zero())
    }

    /// numerator/denominator.
    pub(super) fn ratio(numerator: usize, denominator: usize) -> Self {
        Fixed((BigUint::from(numerator) << BITS) / denominator)
    }

    /// 1, α, α², … up to α^last; none is larger than the one before.
    pub(super) fn powers(alpha: &Alpha, last: usize) -> Vec<Fixed> {
        let alpha = Fixed(alpha.scaled(BITS, Direction::Down));
        let mut powers = vec![Fixed(BigUint::one() << BITS)];
        for k in 0..last {
            powers.push(powers[k].times(&alpha));
        }
        powers
    }

    pub(super) fn plus(&self, other: &Fixed) -> Fixed {
        Fixed(&self.0 + &other.0)
    }

    /// The difference, or 0 where it would be negative.
    pub(super) fn minus(&self, other: &Fixed) -> Fixed {
        Fixed(if self.0 > other.0 { &self.0 - &other.0 } else { BigUint::zero() })
    }

    pub(super) fn times(&self, other: &Fixed) -> Fixed {
        Fixed((&self.0 * &other.0) >> BITS)
    }

    pub(super) fn over(&self, other: &Fixed) -> Fixed {
        Fixed((&self.0 << BITS) / &other.0)
    }

    /// The probability, rounded down.
    pub(super) fn probability(&self) -> Probability {
        (&self.0 >> (BITS - u64::from(PROBABILITY_BITS))).to_u128().expect("a probability is at most 1")
    }
}
