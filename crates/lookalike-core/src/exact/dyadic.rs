//! Numbers of the form m·2^e: the end points of intervals.

use super::{Direction, Rational};
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

/// The number `mantissa · 2^exponent`, exactly.
///
/// Sums and products are exact; [`Dyadic::round`] and [`Dyadic::quotient`] take a number of bits and a direction.
#[derive(Debug, Clone)]
pub struct Dyadic {
    mantissa: BigInt,
    exponent: i64,
}

impl Dyadic {
    /// `mantissa · 2^exponent`.
    pub fn new(mantissa: BigInt, exponent: i64) -> Self {
        if mantissa.is_zero() {
            return Dyadic { mantissa, exponent: 0 };
        }
        // Odd mantissas keep numbers short and make equal numbers equal in form.
        let zeros = mantissa.trailing_zeros().unwrap_or(0);
        let exponent = exponent + i64::try_from(zeros).expect("a mantissa has fewer than 2^63 bits");
        Dyadic { mantissa: mantissa >> zeros, exponent }
    }

    /// Zero.
    pub fn zero() -> Self {
        Dyadic { mantissa: BigInt::zero(), exponent: 0 }
    }

    /// One.
    pub fn one() -> Self {
        Dyadic { mantissa: BigInt::one(), exponent: 0 }
    }

    /// The odd mantissa (0 for zero).
    pub fn mantissa(&self) -> &BigInt {
        &self.mantissa
    }

    /// The power of two that multiplies the mantissa.
    pub fn exponent(&self) -> i64 {
        self.exponent
    }

    /// −1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match self.mantissa.sign() {
            Sign::Minus => -1,
            Sign::NoSign => 0,
            Sign::Plus => 1,
        }
    }

    /// Both mantissas over the smaller of the two exponents, and that exponent.
    fn aligned(&self, other: &Dyadic) -> (BigInt, BigInt, i64) {
        let least = self.exponent.min(other.exponent);
        let whole = |value: &Dyadic| &value.mantissa << (value.exponent - least).unsigned_abs();
        (whole(self), whole(other), least)
    }

    /// The number as a fraction.
    pub fn to_rational(&self) -> Rational {
        let power = BigInt::one() << self.exponent.unsigned_abs();
        if self.exponent >= 0 {
            Rational::from_integer(&self.mantissa * power)
        } else {
            // The mantissa is odd, so this is in lowest terms.
            Rational::new_raw(self.mantissa.clone(), power)
        }
    }

    /// `floor` or `ceil` of `self · 2^bits`: the fixed-point form with `bits` fractional bits.
    pub fn to_fixed(&self, bits: u64, up: bool) -> BigInt {
        let shift = self.exponent + bits as i64;
        shift_rounded(&self.mantissa, shift, up)
    }

    /// The nearest number with at most `bits` bits of mantissa in the given direction (nearest counts as down).
    #[must_use]
    pub fn round(&self, bits: u64, direction: Direction) -> Dyadic {
        let excess = self.mantissa.bits().saturating_sub(bits) as i64;
        let mantissa = shift_rounded(&self.mantissa, -excess, direction == Direction::Up);
        Dyadic::new(mantissa, self.exponent + excess)
    }

    /// `self / divisor` to at least `bits` bits, rounded in the given direction; the divisor is not zero.
    pub(super) fn over(&self, divisor: &Dyadic, bits: u64, direction: Direction) -> Dyadic {
        let sign = BigInt::from(divisor.signum());
        let quotient = Dyadic::quotient(&(&self.mantissa * &sign), &(&divisor.mantissa * &sign), bits, direction);
        Dyadic::new(quotient.mantissa, quotient.exponent + self.exponent - divisor.exponent)
    }

    /// `numerator / denominator` to at least `bits` bits, rounded in the given direction (nearest counts as down).
    pub fn quotient(numerator: &BigInt, denominator: &BigInt, bits: u64, direction: Direction) -> Dyadic {
        let shift = (bits + 1 + denominator.bits()).saturating_sub(numerator.bits());
        let (numerator, up) = (numerator << shift, direction == Direction::Up);
        let quotient = if up { numerator.div_ceil(denominator) } else { numerator.div_floor(denominator) };
        Dyadic::new(quotient, -(shift as i64))
    }
}

/// `value · 2^shift` rounded to an integer, up or down.
fn shift_rounded(value: &BigInt, shift: i64, up: bool) -> BigInt {
    let distance = shift.unsigned_abs();
    if shift >= 0 {
        value << distance
    } else if distance > value.bits() {
        // A long shift of a short number must not build the power of two.
        match (up, value.is_negative(), value.is_zero()) {
            (_, _, true) => BigInt::zero(),
            (true, false, _) => BigInt::one(),
            (false, true, _) => -BigInt::one(),
            _ => BigInt::zero(),
        }
    } else if up {
        -((-value) >> distance)
    } else {
        value >> distance
    }
}

impl PartialEq for Dyadic {
    fn eq(&self, other: &Self) -> bool {
        self.mantissa == other.mantissa && self.exponent == other.exponent
    }
}

impl Eq for Dyadic {}

impl Ord for Dyadic {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_sign = self.signum().cmp(&other.signum());
        if by_sign != Ordering::Equal || self.signum() == 0 {
            return by_sign;
        }
        // Compare magnitudes by their leading bit first: exponents may be far apart.
        let leading = |value: &Dyadic| value.mantissa.bits() as i64 + value.exponent;
        let by_magnitude = leading(self).cmp(&leading(other)).then_with(|| {
            let (a, b, _) = self.aligned(other);
            a.abs().cmp(&b.abs())
        });
        if self.signum() > 0 { by_magnitude } else { by_magnitude.reverse() }
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Add for &Dyadic {
    type Output = Dyadic;
    fn add(self, other: &Dyadic) -> Dyadic {
        let (a, b, least) = self.aligned(other);
        Dyadic::new(a + b, least)
    }
}

impl Sub for &Dyadic {
    type Output = Dyadic;
    fn sub(self, other: &Dyadic) -> Dyadic {
        let (a, b, least) = self.aligned(other);
        Dyadic::new(a - b, least)
    }
}

impl Mul for &Dyadic {
    type Output = Dyadic;
    fn mul(self, other: &Dyadic) -> Dyadic {
        Dyadic::new(&self.mantissa * &other.mantissa, self.exponent + other.exponent)
    }
}

impl Neg for &Dyadic {
    type Output = Dyadic;
    fn neg(self) -> Dyadic {
        Dyadic { mantissa: -&self.mantissa, exponent: self.exponent }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn dyadics() -> impl Strategy<Value = Dyadic> {
        (any::<i64>(), -80i64..80).prop_map(|(mantissa, exponent)| Dyadic::new(mantissa.into(), exponent))
    }

    proptest! {
        #[test]
        fn arithmetic_and_order_agree_with_fractions(a in dyadics(), b in dyadics()) {
            let (x, y) = (a.to_rational(), b.to_rational());
            prop_assert_eq!((&a + &b).to_rational(), &x + &y);
            prop_assert_eq!((&a - &b).to_rational(), &x - &y);
            prop_assert_eq!((&a * &b).to_rational(), &x * &y);
            prop_assert_eq!(a.cmp(&b), x.cmp(&y));
        }

        #[test]
        fn rounding_is_in_the_named_direction_and_tight(a in dyadics(), bits in 1u64..70) {
            let down = a.round(bits, Direction::Down);
            let up = a.round(bits, Direction::Up);
            prop_assert!(down <= a && a <= up);
            prop_assert!(down.mantissa().bits() <= bits && up.mantissa().bits() <= bits);
            // Within one unit of the last place kept.
            let unit = Dyadic::new(BigInt::one(), a.exponent() + (a.mantissa().bits() as i64 - bits as i64).max(0));
            prop_assert!(&up - &down <= unit);
        }

        #[test]
        fn quotients_enclose(n in any::<i64>(), d in 1i64.., bits in 1u64..200) {
            let exact = Rational::new(n.into(), d.into());
            let down = Dyadic::quotient(&n.into(), &d.into(), bits, Direction::Down).to_rational();
            let up = Dyadic::quotient(&n.into(), &d.into(), bits, Direction::Up).to_rational();
            prop_assert!(down <= exact && exact <= up);
            prop_assert!((up - down) * (BigInt::one() << bits) <= exact.abs());
        }

        #[test]
        fn fixed_point_forms_enclose(a in dyadics(), bits in 0u64..100) {
            let scaled = a.to_rational() * (BigInt::one() << bits);
            prop_assert_eq!(a.to_fixed(bits, false), scaled.floor().to_integer());
            prop_assert_eq!(a.to_fixed(bits, true), scaled.ceil().to_integer());
        }
    }

    #[test]
    fn exponents_far_apart_are_compared_without_building_the_power() {
        let huge = Dyadic::new(1.into(), i64::MAX / 4);
        assert!(huge > Dyadic::one() && -&huge < Dyadic::one());
    }
}
