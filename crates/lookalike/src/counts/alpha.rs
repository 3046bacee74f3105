//! The privacy of counts: α or ε.

use crate::exact::{Direction, Epsilon, Rational, parse_rational, to_f64};
use crate::{Error, Result};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed};
use std::fmt;
use std::str::FromStr;

/// e^ε is written out as a fraction up to this many bits.
const LONGEST: u64 = 4096;

/// How alike neighbouring counts must look: neighbouring probabilities differ at most by the factor α in (0, 1).
///
/// α = e^−ε, exactly: the rational α is held as ε = ln(1/α), and an ε whose exponential is rational gives it back. For
/// any other ε, α is irrational and known by bounds, each with its direction. A smaller α protects less.
///
/// # Errors
/// An α outside (0, 1); ε as [`Epsilon`] refuses it.
///
/// # Example
/// ```
/// use lookalike::counts::Alpha;
/// let alpha: Alpha = "0.9".parse()?;
/// assert_eq!(alpha.epsilon().to_string(), "ln(10/9)");
/// assert_eq!(Alpha::from_epsilon("2*ln(3)".parse()?).to_string(), "1/9");
/// assert_eq!(Alpha::from_epsilon("1/2".parse()?).to_string(), "exp(-1/2)");
/// assert_eq!("1".parse::<Alpha>().unwrap_err().to_string(),
///            "alpha = 1, expected a number above 0 and below 1; at 1 nothing can be told, so no noise is enough");
/// # Ok::<(), lookalike::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alpha {
    epsilon: Epsilon,
    exact: Option<Rational>,
}

impl Alpha {
    /// This α.
    ///
    /// # Errors
    /// A number that is not above 0 and below 1, and one so small that ε = ln(1/α) is refused.
    pub fn new(alpha: Rational) -> Result<Self> {
        if !alpha.is_positive() || alpha >= Rational::one() {
            let why = match alpha {
                ref one if one.is_one() => "; at 1 nothing can be told, so no noise is enough",
                ref above if above.is_positive() => "; alpha is e^-epsilon",
                _ => "; at 0 nothing is protected",
            };
            return Err(Error::input(format!("alpha = {alpha}, expected a number above 0 and below 1{why}")));
        }
        let epsilon = Epsilon::ln(Rational::one(), alpha.recip()).map_err(|error| error.at("alpha"))?;
        Ok(Alpha { epsilon, exact: Some(alpha) })
    }

    /// α = e^−ε.
    pub fn from_epsilon(epsilon: Epsilon) -> Self {
        let exact = epsilon.rational_exp(LONGEST).map(|exp| exp.recip());
        Alpha { epsilon, exact }
    }

    /// ε = ln(1/α).
    pub fn epsilon(&self) -> &Epsilon {
        &self.epsilon
    }

    /// α where it is rational.
    pub fn exact(&self) -> Option<&Rational> {
        self.exact.as_ref()
    }

    /// The double nearest to α, to show.
    pub fn to_f64(&self) -> f64 {
        to_f64(&self.bound(80, Direction::Down), Direction::Nearest)
    }

    /// α·2^bits, rounded down or up.
    ///
    /// # Panics
    /// For the direction `Nearest`, which bounds nothing.
    pub(super) fn scaled(&self, bits: u64, direction: Direction) -> BigUint {
        let scaled = self.bound(bits, direction) * (BigInt::one() << bits);
        let whole = if direction == Direction::Up { scaled.ceil() } else { scaled.floor() };
        whole.to_integer().to_biguint().expect("alpha is positive")
    }

    /// A bound of α on the named side within a relative 2^−bits, or α itself where it is rational.
    fn bound(&self, bits: u64, direction: Direction) -> Rational {
        assert_ne!(direction, Direction::Nearest, "a bound has a side");
        self.exact.clone().unwrap_or_else(|| {
            let exp = self.epsilon.exp(bits + 2);
            let end = if direction == Direction::Up { exp.lower() } else { exp.upper() };
            end.to_rational().recip()
        })
    }
}

impl FromStr for Alpha {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Alpha::new(parse_rational(text).map_err(|error| error.at("alpha"))?)
    }
}

impl fmt::Display for Alpha {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.exact {
            Some(alpha) => alpha.fmt(f),
            None => write!(f, "exp(-{})", self.epsilon),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_values_are_refused_by_name() {
        for (text, expected) in [
            ("0", "alpha = 0, expected a number above 0 and below 1; at 0 nothing is protected"),
            ("-1/2", "alpha = -1/2, expected a number above 0 and below 1; at 0 nothing is protected"),
            ("1.5", "alpha = 3/2, expected a number above 0 and below 1; alpha is e^-epsilon"),
            ("nine", "alpha: \"nine\" is not a number, expected a form like 0.25, 1e-3 or 1/3"),
        ] {
            assert_eq!(text.parse::<Alpha>().unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn alpha_and_epsilon_are_one_thing() {
        for text in ["0.9", "1/2", "10/11", "3/4", "1e-9"] {
            let alpha: Alpha = text.parse().unwrap();
            assert_eq!(Alpha::from_epsilon(alpha.epsilon().clone()), alpha, "{text}");
        }
        // ln(4)/2 is ln 2, but ln(3)/2 has no rational exponential.
        assert_eq!(Alpha::from_epsilon("ln(4)/2".parse().unwrap()).to_string(), "1/2");
        assert!(Alpha::from_epsilon("ln(3)/2".parse().unwrap()).exact().is_none());
    }

    #[test]
    fn bounds_are_on_their_sides_and_close() {
        for epsilon in ["1/2", "ln(3)/2", "sqrt(2)", "1e-6", "80"] {
            let alpha = Alpha::from_epsilon(epsilon.parse().unwrap());
            let (low, high) = (alpha.scaled(128, Direction::Down), alpha.scaled(128, Direction::Up));
            assert!(low < high && &high - &low <= BigUint::from(2u32), "{epsilon}");
            let float = (-epsilon.parse::<Epsilon>().unwrap().to_f64()).exp();
            assert!((alpha.to_f64() / float - 1.0).abs() < 1e-14, "{epsilon}");
        }
        let half: Alpha = "1/2".parse().unwrap();
        assert_eq!(half.scaled(8, Direction::Down), half.scaled(8, Direction::Up));
    }
}
