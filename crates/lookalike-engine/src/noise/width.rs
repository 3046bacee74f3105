//! How far noise takes a number.

use super::level::Level;
use crate::facts::up;
use crate::release::NoiseInterval;
use lookalike::exact::Rational;
use lookalike::model::Noise;
use lookalike_formats::Result;

/// How far a release may be from its value, at a level.
///
/// It depends on the noise alone. Whether a value lies on the grid would tell of it, so both widths are said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Width {
    /// How often it holds.
    pub level: Level,
    /// What is released are multiples of this.
    pub grid: Rational,
    /// Values are brought between these first.
    pub clamp: Option<[Rational; 2]>,
    /// In grid steps.
    pub steps: u64,
    /// For a value that is on the grid.
    pub on_grid: Rational,
    /// For any value: rounding moves it by at most half a step.
    pub rounded: Rational,
}

impl Width {
    /// How far this noise takes a number.
    ///
    /// # Errors
    /// An interval of 2^64 steps or more.
    pub fn of(noise: &Noise, level: &Level) -> Result<Width> {
        let (steps, grid) = (noise.interval(level.rational())?, noise.grid());
        let on_grid = Rational::from_integer(steps.into()) * &grid;
        let rounded = &on_grid + &grid / Rational::from_integer(2.into());
        Ok(Width { level: level.clone(), grid, clamp: noise.clamp().cloned(), steps, on_grid, rounded })
    }

    /// What is said of it.
    pub fn facts(&self) -> NoiseInterval {
        NoiseInterval {
            confidence: self.level.to_f64(),
            steps: self.steps,
            on_grid: up(&self.on_grid),
            rounded: up(&self.rounded),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::exact::parse_rational;

    #[test]
    fn a_value_that_is_rounded_has_half_a_step_more() {
        let number = |text| parse_rational(text).unwrap();
        // P(|Z| > 2) = 1/18 at α = 1/3.
        let noise = Noise::for_epsilon("ln(3)".parse().unwrap(), number("1/4"), -2).unwrap();
        let width = Width::of(&noise, &"0.94".parse().unwrap()).unwrap();
        assert_eq!((width.steps, &width.on_grid, &width.rounded), (2, &number("1/2"), &number("5/8")));
    }
}
