//! The way out of exact arithmetic: doubles for designs, tables and JSON, rounded in a named direction.
//!
//! Nothing that leaves through here comes back to decide a privacy question.

use super::{Direction, Rational};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The double next to `value` in the given direction.
///
/// # Example
/// ```
/// use lookalike_core::exact::{Direction, parse_rational, to_f64};
/// let tenth = parse_rational("0.1")?;
/// assert_eq!(to_f64(&tenth, Direction::Nearest), 0.1);
/// assert!(to_f64(&tenth, Direction::Down) < to_f64(&tenth, Direction::Up));
/// # Ok::<(), lookalike_core::Error>(())
/// ```
pub fn to_f64(value: &Rational, direction: Direction) -> f64 {
    let negative = value.is_negative();
    let magnitude = match (direction, negative) {
        (Direction::Up, true) => magnitude_bits(value, Direction::Down),
        (Direction::Down, true) => magnitude_bits(value, Direction::Up),
        _ => magnitude_bits(value, direction),
    };
    f64::from_bits(magnitude | (u64::from(negative) << 63))
}

/// Least exponent of a unit in the last place: that of the subnormal numbers.
const LEAST_EXPONENT: i64 = -1074;
const GREATEST_BITS: u64 = f64::MAX.to_bits();

/// The bits of |value| rounded away from or towards zero, or to nearest even. Since the bits of doubles are ordered
/// like the doubles, rounding up is adding one to them.
fn magnitude_bits(value: &Rational, direction: Direction) -> u64 {
    if value.is_zero() {
        return 0;
    }
    let numerator = value.numer().abs();
    // 2^(exponent) is at most the unit in the last place of the 53-bit result.
    let length = numerator.bits() as i64 - value.denom().bits() as i64;
    let mut exponent = (length - 53).max(LEAST_EXPONENT);
    let (mut mantissa, mut remainder, mut divisor) = divide(&numerator, value.denom(), exponent);
    if mantissa.bits() > 53 {
        exponent += 1;
        (mantissa, remainder, divisor) = divide(&numerator, value.denom(), exponent);
    }
    let mantissa = mantissa.to_u64().unwrap_or(u64::MAX);
    // A normal number drops its leading bit and stores exponent + 1075; a subnormal one has neither.
    let biased = exponent + 1075;
    let bits = if biased >= 2047 {
        return if direction == Direction::Down { GREATEST_BITS } else { f64::INFINITY.to_bits() };
    } else if mantissa >= 1 << 52 {
        (biased as u64) << 52 | (mantissa & ((1 << 52) - 1))
    } else {
        mantissa
    };
    let twice = remainder.clone() << 1u32;
    let away = match direction {
        Direction::Down => false,
        Direction::Up => !remainder.is_zero(),
        Direction::Nearest => twice > divisor || (twice == divisor && mantissa.is_odd()),
    };
    bits + u64::from(away)
}

/// `numerator / (denominator · 2^exponent)` as quotient, remainder and the divisor it is a remainder of.
fn divide(numerator: &BigInt, denominator: &BigInt, exponent: i64) -> (BigInt, BigInt, BigInt) {
    let power = BigInt::one() << exponent.unsigned_abs();
    let (numerator, divisor) =
        if exponent >= 0 { (numerator.clone(), denominator * power) } else { (numerator * power, denominator.clone()) };
    let (quotient, remainder) = numerator.div_rem(&divisor);
    (quotient, remainder, divisor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::parse_rational;
    use proptest::prelude::*;

    #[test]
    fn ends_of_the_range_are_right() {
        for text in ["1.7976931348623157e308", "2.2250738585072014e-308", "5e-324", "1e-400", "1e400", "0", "1", "-0.1"]
        {
            let exact = parse_rational(text).unwrap();
            assert_eq!(to_f64(&exact, Direction::Nearest), text.parse::<f64>().unwrap(), "{text}");
        }
        assert_eq!(to_f64(&parse_rational("1e400").unwrap(), Direction::Down), f64::MAX);
        assert_eq!(to_f64(&parse_rational("1e-400").unwrap(), Direction::Up), 5e-324);
    }

    proptest! {
        // The standard library's parser rounds correctly; it is the independent oracle here.
        #[test]
        fn nearest_agrees_with_the_standard_library(digits in "[1-9][0-9]{0,30}", exponent in -330i32..300) {
            let text = format!("{digits}e{exponent}");
            let exact = parse_rational(&text).unwrap();
            prop_assert_eq!(to_f64(&exact, Direction::Nearest), text.parse::<f64>().unwrap());
        }

        #[test]
        fn down_and_up_are_neighbours_around_the_value(n in any::<i64>(), d in 1i64..) {
            let exact = Rational::new(n.into(), d.into());
            let (down, up) = (to_f64(&exact, Direction::Down), to_f64(&exact, Direction::Up));
            let back = |x: f64| Rational::from_float(x).unwrap();
            prop_assert!(back(down) <= exact && exact <= back(up));
            prop_assert!(up == down || up == down.next_up());
        }
    }
}
