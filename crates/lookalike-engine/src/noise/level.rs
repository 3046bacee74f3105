//! How often an interval is to hold.

use lookalike::exact::{Direction, Rational, decimal, parse_rational, to_f64};
use lookalike_formats::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// How often an interval is to hold, between 0 and 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level(Rational);

impl Level {
    /// 95 %.
    pub fn usual() -> Self {
        Level(Rational::new(19.into(), 20.into()))
    }

    /// The level itself.
    pub fn rational(&self) -> &Rational {
        &self.0
    }

    /// The nearest double.
    pub fn to_f64(&self) -> f64 {
        to_f64(&self.0, Direction::Nearest)
    }
}

impl FromStr for Level {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let level = parse_rational(text)?;
        let (none, all) = (Rational::from_integer(0.into()), Rational::from_integer(1.into()));
        match none < level && level < all {
            true => Ok(Level(level)),
            false => Err(Error::input(format!("{level}, expected a number between 0 and 1, like 0.95"))),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&percent(self.to_f64()))
    }
}

/// `99.9 %`: a confidence as it was written, so never 100.
///
/// # Example
/// ```
/// assert_eq!(lookalike_engine::percent(0.999), "99.9 %");
/// ```
pub fn percent(confidence: f64) -> String {
    // A double is written with at most 17 digits, so nothing is rounded unless it is tiny.
    let written = parse_rational(&confidence.to_string()).expect("a confidence is finite");
    let text = decimal(&(written * Rational::from_integer(100.into())), 20, Direction::Down);
    text.trim_end_matches('0').trim_end_matches('.').to_owned() + " %"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_lie_between_0_and_1() {
        assert_eq!("0.95".parse::<Level>().unwrap(), Level::usual());
        assert_eq!("0.999".parse::<Level>().unwrap().to_string(), "99.9 %");
        for text in ["0", "1", "95", "-0.5", "x"] {
            assert!(text.parse::<Level>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_confidence_is_never_100_percent() {
        assert_eq!([0.999, 0.95, 0.5, 0.999_999].map(percent), ["99.9 %", "95 %", "50 %", "99.9999 %"]);
        assert_eq!(percent(1.0f64.next_down()), "99.99999999999999 %");
    }
}
