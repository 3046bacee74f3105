//! A channel from somebody's own matrix of probabilities.

use super::rounding::largest_remainder;
use crate::exact::{Natural, Rational};
use crate::model::{Channel, Distribution, TOTAL, TOTAL_BITS};
use crate::{Error, Result};
use num_traits::{One, Signed};

/// Whether a matrix may be changed so that it can be drawn from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    /// Every probability is a multiple of 2^−53 as it is.
    Refused,
    /// Each probability may move by less than 2^−53, once a row that sums to nearly 1 has been scaled to 1.
    Nearest,
}

/// How far from 1 a row may be that is scaled, as a power of two: far more than sums of doubles are off, far less than
/// anything that somebody means.
const SLACK_BITS: u32 = 30;

/// The channel whose rows are these, and whether it is exactly that.
///
/// # Errors
/// No row, rows of different length, a negative entry, a row that does not sum to 1 (nearly, where it may be rounded), or
/// a probability that is no multiple of 2^−53 where rounding is refused.
///
/// # Example
/// ```
/// use lookalike::{design::{Rounding, channel_of}, exact::parse_rational};
/// let matrix = |texts: [[&str; 2]; 2]| texts.map(|row| row.map(|text| parse_rational(text).unwrap()).to_vec());
/// let (channel, exact) = channel_of(&matrix([["3/4", "1/4"], ["1/4", "3/4"]]), Rounding::Refused)?;
/// assert!(exact && channel.probability(0, 0).to_string() == "3/4");
/// let thirds = matrix([["2/3", "1/3"], ["1/3", "2/3"]]);
/// assert!(channel_of(&thirds, Rounding::Refused).is_err());
/// assert!(!channel_of(&thirds, Rounding::Nearest)?.1);
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn channel_of(rows: &[Vec<Rational>], rounding: Rounding) -> Result<(Channel, bool)> {
    let mut exact = true;
    let row = |(at, row): (usize, &Vec<Rational>)| {
        let (weights, is_exact) = weights(row, rounding).map_err(|error| error.at(format_args!("row {}", at + 1)))?;
        exact &= is_exact;
        Ok(weights)
    };
    let weights = rows.iter().enumerate().map(row).collect::<Result<Vec<_>>>()?;
    Ok((Channel::rows(weights)?, exact))
}

fn weights(row: &[Rational], rounding: Rounding) -> Result<(Vec<u64>, bool)> {
    let sum: Rational = row.iter().sum();
    let slack = Rational::new(1.into(), (1u64 << SLACK_BITS).into());
    let is_near = (&sum - Rational::one()).abs() <= slack;
    let law = match rounding {
        Rounding::Nearest if is_near => Distribution::normalized(row)?,
        _ if !sum.is_one() => return Err(Error::input(format!("probabilities sum to {sum}, expected 1"))),
        _ => Distribution::new(row)?,
    };
    let (numerators, denominator) = (law.numerators().map(|n| n.to_big()).collect::<Vec<_>>(), law.denominator());
    let divides = |n: &num_bigint::BigUint| (n * TOTAL) % denominator.to_big() == Natural::ZERO.to_big();
    let exact = sum.is_one() && numerators.iter().all(divides);
    if !exact && rounding == Rounding::Refused {
        return Err(Error::input(format!("a probability that is no multiple of 2^-{TOTAL_BITS}, expected only such")));
    }
    Ok((largest_remainder(&numerators, &denominator.to_big()), exact))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::parse_rational;

    fn row(texts: &[&str]) -> Vec<Rational> {
        texts.iter().map(|text| parse_rational(text).unwrap()).collect()
    }

    #[test]
    fn rounding_moves_a_probability_by_less_than_a_unit_and_keeps_zeros() {
        let given = row(&["1/3", "0", "2/7", "8/21"]);
        let (channel, exact) = channel_of(std::slice::from_ref(&given), Rounding::Nearest).unwrap();
        let unit = Rational::new(1.into(), TOTAL.into());
        assert!(!exact && channel.weight(0, 1) == 0);
        for (y, p) in given.iter().enumerate() {
            assert!((channel.probability(0, y) - p).abs() < unit, "output {y}");
        }
    }

    #[test]
    fn sums_of_doubles_are_scaled_and_others_refused() {
        let nearly = [row(&["0.3333333333333333", "0.6666666666666666"])];
        assert!(!channel_of(&nearly, Rounding::Nearest).unwrap().1);
        let message = |rows: &[Vec<Rational>], rounding| channel_of(rows, rounding).unwrap_err().to_string();
        assert_eq!(message(&[row(&["1/2", "1/3"])], Rounding::Nearest), "row 1: probabilities sum to 5/6, expected 1");
        assert!(message(&nearly, Rounding::Refused).starts_with("row 1: probabilities sum to "));
        let thirds = [row(&["1", "0"]), row(&["1/3", "2/3"])];
        let expected = "row 2: a probability that is no multiple of 2^-53, expected only such";
        assert_eq!(message(&thirds, Rounding::Refused), expected);
        assert!(channel_of(&[row(&["3/2", "-1/2"])], Rounding::Refused).is_err());
        assert!(channel_of(&[row(&["1"]), row(&["1/2", "1/2"])], Rounding::Refused).is_err());
        assert!(channel_of(&[], Rounding::Refused).is_err());
    }
}
