//! Rationals, and the one parser that turns text into them.

use crate::error::{Error, Result};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Pow, Zero};

/// A fraction of two integers of any size, in lowest terms.
pub type Rational = BigRational;

/// Longest number text that is read; longer ones are a mistake or an attack.
const LONGEST_TEXT: usize = 1_000;
/// Largest decimal exponent that is read, either sign.
const LARGEST_EXPONENT: i64 = 1_000;

/// The rational that `text` denotes: an integer, a decimal, a decimal with exponent, or a quotient of two of these.
///
/// `0.1` is exactly 1/10, never the double nearest to it.
///
/// # Errors
/// Anything else, a zero denominator, more than 1,000 characters or a decimal exponent beyond ±1,000.
///
/// # Example
/// ```
/// use lookalike_core::exact::parse_rational;
/// assert_eq!(parse_rational("0.1")?, parse_rational("1/10")?);
/// assert_eq!(parse_rational("1e-3")?.to_string(), "1/1000");
/// assert!(parse_rational("nan").is_err());
/// # Ok::<(), lookalike_core::Error>(())
/// ```
pub fn parse_rational(text: &str) -> Result<Rational> {
    if text.len() > LONGEST_TEXT {
        return Err(Error::input(format!("a number of {} characters, expected at most {LONGEST_TEXT}", text.len())));
    }
    let wrong = || Error::input(format!("{text:?} is not a number, expected a form like 0.25, 1e-3 or 1/3"));
    match text.split_once('/') {
        None => parse_decimal(text.trim()).ok_or_else(wrong),
        Some((numerator, denominator)) => {
            let numerator = parse_decimal(numerator.trim()).ok_or_else(wrong)?;
            let denominator = parse_decimal(denominator.trim()).ok_or_else(wrong)?;
            if denominator.is_zero() {
                return Err(Error::input(format!("{text:?} divides by zero")));
            }
            Ok(numerator / denominator)
        }
    }
}

/// `[+-] digits [. digits] [e [+-] digits]` with at least one digit before the exponent.
fn parse_decimal(text: &str) -> Option<Rational> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
        None => (text, 0),
    };
    let (negative, mantissa) = match mantissa.as_bytes().first()? {
        b'-' => (true, &mantissa[1..]),
        b'+' => (false, &mantissa[1..]),
        _ => (false, mantissa),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole, fraction].concat();
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let value: BigInt = digits.parse().ok()?;
    let value = Rational::from_integer(if negative { -value } else { value });
    let shift = exponent - i64::try_from(fraction.len()).ok()?;
    let power = Rational::from_integer(BigInt::from(10u32).pow(shift.unsigned_abs()));
    Some(if shift < 0 { value / power } else { value * power })
}

fn parse_exponent(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || digits.len() > 4 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let exponent: i64 = text.parse().ok()?;
    (exponent.abs() <= LARGEST_EXPONENT).then_some(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(input: &str) -> String {
        parse_rational(input).map_or_else(|error| error.to_string(), |value| value.to_string())
    }

    #[test]
    fn decimals_exponents_and_fractions_are_exact() {
        for (input, expected) in [
            ("0.1", "1/10"),
            ("1e-3", "1/1000"),
            ("1/3", "1/3"),
            ("-2.50", "-5/2"),
            ("+7", "7"),
            (".5", "1/2"),
            ("5.", "5"),
            ("1.5E2", "150"),
            (" 2 / 4 ", "1/2"),
            ("0.3/0.6", "1/2"),
            ("0.30000000000000004", "7500000000000001/25000000000000000"),
        ] {
            assert_eq!(text(input), expected, "{input}");
        }
    }

    #[test]
    fn everything_else_is_refused_with_the_text_and_the_way_out() {
        for input in
            ["", ".", "-", "nan", "inf", "1e", "1e+", "0x10", "1_000", "1/2/3", "1 2", "ln(3)", "1e99999", "e5", "١"]
        {
            let message = text(input);
            assert!(message.contains("expected a form like 0.25, 1e-3 or 1/3"), "{input}: {message}");
        }
        assert_eq!(text("1/0"), "\"1/0\" divides by zero");
        assert_eq!(text(&"1".repeat(1001)), "a number of 1001 characters, expected at most 1000");
    }

    proptest! {
        // The number library against plain 128-bit integer arithmetic: a wrong division would bias every sampler.
        #[test]
        fn the_number_library_agrees_with_integer_arithmetic(a in -1_000_000_000i128..1_000_000_000, b in 1i128..1_000_000_000,
                                                             c in -1_000_000_000i128..1_000_000_000, d in 1i128..1_000_000_000) {
            let rational = |n: i128, d: i128| Rational::new(n.into(), d.into());
            let (x, y) = (rational(a, b), rational(c, d));
            let same = |value: &Rational, n: i128, d: i128| value.numer() * BigInt::from(d) == value.denom() * BigInt::from(n);
            prop_assert!(same(&(&x + &y), a * d + c * b, b * d));
            prop_assert!(same(&(&x - &y), a * d - c * b, b * d));
            prop_assert!(same(&(&x * &y), a * c, b * d));
            if c != 0 {
                prop_assert!(same(&(&x / &y), a * d * c.signum(), b * c.abs()));
            }
            prop_assert_eq!(x.cmp(&y), (a * d).cmp(&(c * b)));
            prop_assert_eq!(x.floor().to_integer(), BigInt::from(a.div_euclid(b)));
            prop_assert_eq!(x.ceil().to_integer(), BigInt::from(-(-a).div_euclid(b)));
        }

        #[test]
        fn big_division_undoes_multiplication(a in prop::collection::vec(any::<u32>(), 1..30), b in prop::collection::vec(any::<u32>(), 1..20),
                                              r in prop::collection::vec(any::<u32>(), 1..20)) {
            use num_bigint::BigUint;
            use num_integer::Integer;
            let (a, b, r) = (BigUint::new(a), BigUint::new(b) + 1u32, BigUint::new(r));
            let r = r % &b;
            let (quotient, remainder) = (&a * &b + &r).div_rem(&b);
            prop_assert_eq!(quotient, a);
            prop_assert_eq!(remainder, r);
        }

        #[test]
        fn text_of_a_rational_reads_back(n in any::<i64>(), d in 1i64..) {
            let value = Rational::new(n.into(), d.into());
            prop_assert_eq!(parse_rational(&value.to_string()).unwrap(), value);
        }

        #[test]
        fn no_text_makes_the_parser_panic(input in ".*") {
            if let Err(error) = parse_rational(&input) {
                prop_assert!(error.is_input());
            }
        }
    }
}
