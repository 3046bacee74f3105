//! How far places are moved.

use crate::facts::nearest;
use lookalike::exact::{Epsilon, Rational};
use lookalike::geo::{Errors, planar_mean, planar_quantile};
use lookalike::model::PlanarNoise;
use lookalike_formats::Result;
use serde::Serialize;

/// The mean and quantiles of the distance between a place and what is released for it.
#[derive(Debug, Clone)]
pub struct Moved {
    /// In metres.
    pub mean: f64,
    /// Each with its probability.
    pub quantiles: Vec<(Rational, f64)>,
}

/// What is said of it.
#[derive(Debug, Clone, Serialize)]
pub struct MovedFacts {
    /// The mean distance, in metres.
    pub mean: f64,
    /// Distances that are exceeded so often.
    pub quantiles: Vec<QuantileFacts>,
}

/// A distance that is not exceeded with some probability.
#[derive(Debug, Clone, Serialize)]
pub struct QuantileFacts {
    /// The probability.
    pub p: f64,
    /// The distance.
    pub metres: f64,
}

/// What is said of the errors of a mechanism.
#[derive(Debug, Clone, Serialize)]
pub struct ErrorsFacts {
    /// How far places are moved.
    pub moved: MovedFacts,
}

/// Probabilities in hundredths.
const LEVELS: [i32; 4] = [50, 90, 95, 99];

fn levels() -> impl Iterator<Item = Rational> {
    LEVELS.into_iter().map(|hundredths| Rational::new(hundredths.into(), 100.into()))
}

impl Moved {
    /// By the closed form of the continuous law, from which a fine grid differs by less than a step.
    ///
    /// # Errors
    /// None for noise that could be made.
    pub fn of_noise(noise: &PlanarNoise) -> Result<Moved> {
        let decay: Epsilon = noise.decay().scale(&noise.grid().recip())?;
        let quantiles = levels().map(|p| planar_quantile(&decay, &p).map(|distance| (p, distance)));
        Ok(Moved { mean: planar_mean(&decay), quantiles: quantiles.collect::<lookalike::Result<_>>()? })
    }

    /// Exactly, between the middles of cells.
    ///
    /// # Errors
    /// None for the levels that are looked at.
    pub fn of_cells(errors: &Errors) -> Result<Moved> {
        let quantiles = levels().map(|p| errors.quantile(&p).map(|distance| (p, distance)));
        Ok(Moved { mean: errors.mean(), quantiles: quantiles.collect::<lookalike::Result<_>>()? })
    }

    /// The distance that 99 % do not exceed.
    pub fn farthest(&self) -> f64 {
        self.quantiles.last().expect("there are levels").1
    }

    /// What is said of it.
    pub fn facts(&self) -> MovedFacts {
        let quantile = |(p, metres): &(Rational, f64)| QuantileFacts { p: nearest(p), metres: *metres };
        MovedFacts { mean: self.mean, quantiles: self.quantiles.iter().map(quantile).collect() }
    }

    /// What is said of it as the errors of a mechanism.
    pub fn errors_facts(&self) -> ErrorsFacts {
        ErrorsFacts { moved: self.facts() }
    }
}
