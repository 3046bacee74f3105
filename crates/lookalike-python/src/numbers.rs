//! Exact numbers from the texts that Python makes of them.

use crate::error::Answer;
use lookalike::exact::{Epsilon, Rational, parse_rational};
use lookalike_formats::Error;

/// The budget that a parameter spells.
pub fn epsilon(text: &str, parameter: &str) -> Answer<Epsilon> {
    Ok(text.parse().map_err(|error| Error::from(error).at(parameter))?)
}

/// The number that a parameter spells.
pub fn rational(text: &str, parameter: &str) -> Answer<Rational> {
    Ok(parse_rational(text).map_err(|error| Error::from(error).at(parameter))?)
}
