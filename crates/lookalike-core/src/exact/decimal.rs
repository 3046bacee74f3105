//! Decimal texts for people, rounded in a named direction.

use super::{Direction, Rational};
use num_bigint::BigInt;
use num_traits::{Pow, Signed};

/// The number with a fixed number of decimals, rounded in the given direction: a bound that is shown stays a bound.
///
/// # Example
/// ```
/// use lookalike_core::exact::{Direction, decimal, parse_rational};
/// let third = parse_rational("1/3")?;
/// assert_eq!(decimal(&third, 4, Direction::Down), "0.3333");
/// assert_eq!(decimal(&third, 4, Direction::Up), "0.3334");
/// assert_eq!(decimal(&-third, 1, Direction::Down), "-0.4");
/// # Ok::<(), lookalike_core::Error>(())
/// ```
pub fn decimal(value: &Rational, decimals: u32, direction: Direction) -> String {
    let scaled = value * BigInt::from(10u32).pow(decimals);
    let units = match direction {
        Direction::Down => scaled.floor(),
        Direction::Up => scaled.ceil(),
        Direction::Nearest => scaled.round(),
    }
    .to_integer();
    let sign = if units.is_negative() { "-" } else { "" };
    let digits = format!("{:0>width$}", units.abs().to_string(), width = decimals as usize + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals as usize);
    let point = if decimals == 0 { "" } else { "." };
    format!("{sign}{whole}{point}{fraction}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::parse_rational;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_text_is_a_bound_within_one_unit(n in any::<i64>(), d in 1i64.., decimals in 0u32..15) {
            let value = Rational::new(n.into(), d.into());
            let read = |direction| parse_rational(&decimal(&value, decimals, direction)).unwrap();
            let (down, nearest, up) = (read(Direction::Down), read(Direction::Nearest), read(Direction::Up));
            prop_assert!(down <= value && value <= up && down <= nearest && nearest <= up);
            prop_assert!((up - down) * BigInt::from(10u32).pow(decimals) <= Rational::from_integer(1.into()));
        }
    }
}
