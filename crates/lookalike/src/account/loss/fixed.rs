//! Masses as fixed-point integers, and products of them that are rounded in a named direction.

use crate::exact::{Dyadic, Rational};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, ToPrimitive, Zero};

/// A mass is a whole number of units of 2^−92. Sums of products of two lists of masses then stay below 2^189, the product
/// of the three primes of [`super::convolution`], and 10⁹ releases round away less than 2^−50.
pub(super) const MASS_BITS: u32 = 92;
/// The mass 1.
pub(super) const ONE: u128 = 1 << MASS_BITS;
/// Fractions by which masses are multiplied are whole numbers of units of 2^−127.
const FRACTION_BITS: u32 = 127;

/// a·b as `[high, low]`: 2^128·high + low.
fn product(a: u128, b: u128) -> [u128; 2] {
    const LOW: u128 = u64::MAX as u128;
    let ([a_high, a_low], [b_high, b_low]) = ([a >> 64, a & LOW], [b >> 64, b & LOW]);
    let (low, cross) = (a_low * b_low, [a_high * b_low, a_low * b_high]);
    let middle = (low >> 64) + (cross[0] & LOW) + (cross[1] & LOW);
    [a_high * b_high + (cross[0] >> 64) + (cross[1] >> 64) + (middle >> 64), (middle << 64) | (low & LOW)]
}

/// The product of two masses, rounded up.
pub(super) fn times_up(a: u128, b: u128) -> u128 {
    let [high, low] = product(a, b);
    let floor = (high << (128 - MASS_BITS)) | (low >> MASS_BITS);
    floor + u128::from(low & (ONE - 1) != 0)
}

/// A mass times a [`fraction_below`], rounded down.
pub(super) fn times_down(mass: u128, fraction: u128) -> u128 {
    let [high, low] = product(mass, fraction);
    (high << (128 - FRACTION_BITS)) | (low >> FRACTION_BITS)
}

/// A number from 0 to 1 in units of 2^−127, rounded down.
pub(super) fn fraction_below(value: &Dyadic) -> u128 {
    value.to_fixed(FRACTION_BITS.into(), false).to_u128().expect("a number from 0 to 1").min(1 << FRACTION_BITS)
}

/// A probability in units of 2^−92, rounded up; what is below 0 counts as 0.
pub(super) fn mass_above(value: &Dyadic) -> u128 {
    value.to_fixed(MASS_BITS.into(), true).max(BigInt::zero()).to_u128().expect("a number of at most a few units")
}

/// A fraction of at most 1 in units of 2^−92, rounded down.
pub(super) fn mass_below(value: &Rational) -> u128 {
    debug_assert!(!value.is_negative());
    (value * BigInt::from(ONE)).floor().to_integer().to_u128().expect("a number of at most 1")
}

/// The mass as a fraction.
pub(super) fn rational(mass: u128) -> Rational {
    Dyadic::new(mass.into(), -i64::from(MASS_BITS)).to_rational()
}

/// `numerator / denominator`, without looking for common divisors that nobody needs.
pub(super) fn quotient(numerator: &BigUint, denominator: &BigUint) -> Rational {
    if numerator.is_zero() {
        return Rational::zero();
    }
    if numerator == denominator {
        return Rational::one();
    }
    // The denominators are powers, often of two: shifting first leaves little for the slow search.
    let zeros = numerator.trailing_zeros().unwrap_or(0).min(denominator.trailing_zeros().unwrap_or(0));
    let [numerator, denominator] = [numerator, denominator].map(|number| BigInt::from(number >> zeros));
    if denominator.magnitude().trailing_zeros().is_some_and(|zeros| zeros + 1 == denominator.bits()) {
        return Rational::new_raw(numerator, denominator);
    }
    Rational::new(numerator, denominator)
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_integer::Integer;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn products_agree_with_big_integers(a in any::<u128>(), b in any::<u128>()) {
            let [high, low] = product(a, b);
            prop_assert_eq!((BigUint::from(high) << 128u32) + low, BigUint::from(a) * b);
            // Masses of at most two, and fractions of at most one.
            let (mass, other, fraction) = (a >> 35, b >> 35, b >> 1);
            prop_assert_eq!(BigUint::from(times_up(mass, other)), (BigUint::from(mass) * other).div_ceil(&(BigUint::from(1u32) << MASS_BITS)));
            prop_assert_eq!(BigUint::from(times_down(mass, fraction)), (BigUint::from(mass) * fraction) >> FRACTION_BITS);
        }

        #[test]
        fn quotients_are_in_lowest_terms(a in any::<u32>(), b in 1u32.., by in 0u32..40) {
            let (n, d) = (BigUint::from(a) << by, BigUint::from(b) << by);
            let found = quotient(&n, &d);
            let expected = Rational::new(a.into(), b.into());
            prop_assert_eq!((found.numer(), found.denom()), (expected.numer(), expected.denom()));
        }
    }
}
