//! What noise is asked for.

use lookalike::exact::{Epsilon, Rational, parse_rational};
use lookalike::model::Noise;
use lookalike_engine::noise::NoiseClaim;
use lookalike_formats::{Error, Result};

/// Noise in the words of a question: how much one person changes it, and how alike that must look.
#[derive(clap::Args)]
pub struct Claim {
    /// How alike neighbours must look, like 0.5 or ln(3)
    #[arg(long, value_name = "E", requires = "sensitivity", allow_negative_numbers = true)]
    epsilon: Option<Epsilon>,
    /// The most by which a value differs between neighbours; yours to know, never taken from the data
    #[arg(long, value_name = "D", requires = "epsilon", value_parser = parse_rational, allow_negative_numbers = true)]
    sensitivity: Option<Rational>,
    /// Round to multiples of this power of two, like 1/1024, 0.25 or 2^-10
    #[arg(long, value_name = "G", default_value = "1", value_parser = exponent)]
    grid: i32,
    /// Bring values into these bounds first; yours to know, never taken from the data
    #[arg(long, value_name = "LOWER,UPPER", value_parser = bounds, allow_hyphen_values = true)]
    clamp: Option<[Rational; 2]>,
}

impl Claim {
    /// What is asked for; `None` where nothing was.
    pub fn request(&self) -> Option<NoiseClaim> {
        let (Some(epsilon), Some(sensitivity)) = (&self.epsilon, &self.sensitivity) else { return None };
        let (epsilon, sensitivity) = (epsilon.clone(), sensitivity.clone());
        Some(NoiseClaim { epsilon, sensitivity, exponent: self.grid, clamp: self.clamp.clone() })
    }
}

/// The exponent of a grid: of `2^-10`, or of a number that is a power of two.
pub fn exponent(text: &str) -> Result<i32> {
    match text.trim().strip_prefix("2^") {
        // Whether it is in range is for the noise to say.
        Some(exponent) => exponent
            .parse()
            .map_err(|_| Error::input(format!("{text:?} is not a power of two, expected one like 1/1024 or 2^-10"))),
        None => Ok(Noise::exponent_of(&parse_rational(text)?)?),
    }
}

fn bounds(text: &str) -> Result<[Rational; 2]> {
    match text.split(',').collect::<Vec<_>>()[..] {
        [lower, upper] => Ok([parse_rational(lower)?, parse_rational(upper)?]),
        _ => {
            Err(Error::input(format!("{text:?}, expected a lower and an upper bound with a comma between, like 0,500")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_are_powers_of_two_in_any_form() {
        let found = ["1", "1/1024", "0.25", "2^-10", " 2^3 ", "8", "2^0"].map(|text| exponent(text).unwrap());
        assert_eq!(found, [0, -10, -2, -10, 3, 3, 0]);
        for text in ["0.1", "3", "-1", "0", "2^", "2^x", "2^1.5", "fine"] {
            assert!(exponent(text).is_err(), "{text}");
        }
    }

    #[test]
    fn bounds_are_two_numbers() {
        assert_eq!(bounds("-1/2,1e3").unwrap().map(|bound| bound.to_string()), ["-1/2", "1000"]);
        for text in ["1", "1,2,3", "1,", "a,b"] {
            assert!(bounds(text).is_err(), "{text}");
        }
    }
}
