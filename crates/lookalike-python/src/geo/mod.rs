//! Places: `lookalike.geo`.

pub mod finite;
pub mod grid;
pub mod picture;
pub mod places;
pub mod planar;

use crate::error::Answer;
use lookalike::exact::Rational;
use lookalike_formats::geo::{EpsilonPerMetre, Length, Origin};

/// The length in metres that a parameter spells.
fn length(text: &str, parameter: &str) -> Answer<Rational> {
    let length: Length = text.parse().map_err(at(parameter))?;
    Ok(length.metres().clone())
}

/// The ε a metre that a parameter spells.
fn epsilon_per_metre(text: &str) -> Answer<lookalike::exact::Epsilon> {
    Ok(text.parse::<EpsilonPerMetre>()?.into_epsilon())
}

/// Latitude and longitude of the origin.
fn origin(text: &str) -> Answer<[Rational; 2]> {
    let origin: Origin = text.parse().map_err(at("origin"))?;
    Ok([origin.latitude().clone(), origin.longitude().clone()])
}

fn at(parameter: &str) -> impl Fn(lookalike_formats::Error) -> lookalike_formats::Error {
    move |error| error.at(parameter)
}
