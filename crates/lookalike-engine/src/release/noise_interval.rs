//! How far released numbers are from the truth.

use crate::facts::{nearest, up};
use lookalike::exact::Rational;
use lookalike::model::Noise;
use lookalike_formats::Result;
use serde::Serialize;

/// How far a release may be from its value. It depends on the noise alone; whether a value lies on the grid would tell of it, so
/// both widths are said.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NoiseInterval {
    /// How often it holds.
    pub confidence: f64,
    /// Its half width in steps of the grid, for a value on the grid.
    pub steps: u64,
    /// The same as a number.
    pub on_grid: f64,
    /// For any value: rounding moves it by at most half a step.
    pub rounded: f64,
}

impl NoiseInterval {
    /// The interval at 95 %.
    ///
    /// # Errors
    /// One of 2^64 steps or more.
    pub fn usual(noise: &Noise) -> Result<NoiseInterval> {
        NoiseInterval::of(noise, &Rational::new(19.into(), 20.into()))
    }

    fn of(noise: &Noise, confidence: &Rational) -> Result<NoiseInterval> {
        let (steps, grid) = (noise.interval(confidence)?, noise.grid());
        let on_grid = Rational::from_integer(steps.into()) * &grid;
        let rounded = &on_grid + &grid / Rational::from_integer(2.into());
        let [on_grid, rounded] = [on_grid, rounded].map(|width| up(&width));
        Ok(NoiseInterval { confidence: nearest(confidence), steps, on_grid, rounded })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_off_the_grid_may_be_half_a_step_farther() {
        let noise = Noise::for_epsilon("1".parse().unwrap(), Rational::from_integer(1.into()), 1).unwrap();
        let interval = NoiseInterval::usual(&noise).unwrap();
        assert_eq!(interval.on_grid, 2.0 * interval.steps as f64);
        assert_eq!((interval.rounded, interval.confidence), (interval.on_grid + 1.0, 0.95));
    }
}
