//! Numbers with noise, each with an interval.

use super::level::Level;
use super::width::Width;
use crate::facts::{down, up};
use crate::mechanism::{Attempt, prove_claim as proved};
use crate::release::GridSteps;
use crate::release::NoiseInterval;
use crate::release::{key_of, seed_warning};
use lookalike::Sentence;
use lookalike::certify::Certified;
use lookalike::exact::Rational;
use lookalike::model::Noise;
use lookalike::sample::NoiseSampler;
use lookalike_formats::{Error, Result};
use serde::Serialize;

/// The numbers that are to be released.
pub struct NumbersRelease {
    /// The noise, which is proved before it is used.
    pub noise: Noise,
    /// The numbers.
    pub values: Vec<Rational>,
    /// Whether all of them are multiples of the grid: intervals are half a step narrower, and another is an error.
    pub on_grid: bool,
    /// How often an interval is to hold its number.
    pub confidence: Level,
    /// For tests and experiments only.
    pub seed: Option<u64>,
}

/// A number that may be seen, and where its value lies.
#[derive(Debug, Clone)]
pub struct ReleasedNumber {
    /// In grid steps.
    pub steps: i64,
    /// The value is no less, at the level asked for.
    pub at_least: Rational,
    /// And no more.
    pub at_most: Rational,
}

/// The numbers with noise.
pub struct NumbersReleased {
    /// The noise.
    pub certified: Certified<Noise>,
    /// In the order of the values.
    pub released: Vec<ReleasedNumber>,
    /// How far the noise takes a number.
    pub width: Width,
    seed: Option<u64>,
}

/// What is said of them.
#[derive(Debug, Clone, Serialize)]
pub struct NumbersReleaseFacts {
    /// In the order of the values.
    pub values: Vec<ReleasedNumberFacts>,
    /// ε, of each.
    pub epsilon: f64,
    /// The same as exact text.
    pub epsilon_text: String,
    /// What ε is about.
    pub secrets: &'static str,
    /// How far the noise takes a number.
    pub interval: NoiseInterval,
    /// Whether it can be drawn again, and so is not private.
    pub seeded: bool,
}

/// What is said of one number.
#[derive(Debug, Clone, Serialize)]
pub struct ReleasedNumberFacts {
    /// With noise.
    pub released: OnGrid,
    /// The value is no less.
    pub at_least: f64,
    /// And no more.
    pub at_most: f64,
}

/// A number on a grid.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(untagged)]
pub enum OnGrid {
    /// On a grid of 1.
    Whole(i64),
    /// On another one.
    Real(f64),
}

impl NumbersRelease {
    /// The numbers with noise, or the witness that the noise does not keep its promise: then nothing is drawn.
    ///
    /// # Errors
    /// A value or a bound off the grid where all are said to be on it; an interval of 2^64 steps or more.
    pub fn run(self) -> Attempt<NumbersReleased> {
        self.check_grid()?;
        let NumbersRelease { noise, values, on_grid, confidence, seed } = self;
        let width = Width::of(&noise, &confidence)?;
        let certified = match proved(noise) {
            Ok(certified) => certified,
            Err(refuted) => return Ok(Err(refuted)),
        };
        let key = key_of(seed, "nothing is released")?;
        let (steps, grid) = (GridSteps::new(certified.mechanism()), certified.mechanism().grid());
        let rounded: Vec<i64> = values.iter().map(|value| steps.of(value)).collect();
        let mut outputs = vec![0; rounded.len()];
        NoiseSampler::new(&certified).add_steps(&key, 0, &rounded, &mut outputs)?;
        let reach = if on_grid { &width.on_grid } else { &width.rounded };
        let release = |output| {
            let steps = steps.kept(output);
            let value = Rational::from_integer(steps.into()) * &grid;
            ReleasedNumber { steps, at_least: &value - reach, at_most: value + reach }
        };
        let released = outputs.into_iter().map(release).collect();
        Ok(Ok(NumbersReleased { certified, released, width, seed }))
    }

    /// Errors name the places of values and not them.
    fn check_grid(&self) -> Result<()> {
        let grid = self.noise.grid();
        let is_off = |number: &Rational| self.on_grid && !(number / &grid).is_integer();
        let option = || Sentence::new().flag("on-grid");
        if let Some(bound) = self.noise.clamp().into_iter().flatten().find(|bound| is_off(bound)) {
            let message = format!("the bound {bound} is not a multiple of the grid, {grid}");
            return Err(Error::input(message).at_option(option()));
        }
        match self.values.iter().position(is_off) {
            Some(at) => {
                let message = Sentence::from(format!("not a multiple of the grid, {grid}, though "));
                Err(Error::input(message.then(option()).text(" says so")).at(format_args!("value {}", at + 1)))
            }
            None => Ok(()),
        }
    }
}

impl NumbersReleased {
    /// A released number as it is written.
    pub fn number(&self, steps: i64) -> OnGrid {
        let noise = self.certified.mechanism();
        if noise.exponent() == 0 { OnGrid::Whole(steps) } else { OnGrid::Real(GridSteps::new(noise).real(steps)) }
    }

    /// What whoever releases should know.
    pub fn warnings(&self) -> Vec<Sentence> {
        seed_warning(self.seed).into_iter().collect()
    }

    /// What is said of it.
    pub fn facts(&self) -> NumbersReleaseFacts {
        let noise = self.certified.mechanism();
        let number = |one: &ReleasedNumber| ReleasedNumberFacts {
            released: self.number(one.steps),
            at_least: down(&one.at_least),
            at_most: up(&one.at_most),
        };
        NumbersReleaseFacts {
            values: self.released.iter().map(number).collect(),
            epsilon: noise.epsilon().to_f64(),
            epsilon_text: noise.epsilon().to_string(),
            secrets: noise.secrets().word(),
            interval: self.width.facts(),
            seeded: self.seed.is_some(),
        }
    }
}

impl std::fmt::Display for OnGrid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            OnGrid::Whole(number) => number.fmt(f),
            OnGrid::Real(number) => number.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::exact::parse_rational;
    use lookalike_formats::CommandLine;

    fn request(values: &[&str], exponent: i32, on_grid: bool) -> NumbersRelease {
        let number = |text: &str| parse_rational(text).unwrap();
        NumbersRelease {
            noise: Noise::for_epsilon("1".parse().unwrap(), number("1"), exponent).unwrap(),
            values: values.iter().map(|text| number(text)).collect(),
            on_grid,
            confidence: Level::usual(),
            seed: Some(1),
        }
    }

    fn released(values: &[&str], exponent: i32, on_grid: bool) -> NumbersReleased {
        request(values, exponent, on_grid).run().unwrap().expect("the noise is proved")
    }

    #[test]
    fn intervals_are_half_a_step_narrower_for_numbers_on_the_grid() {
        let width = |on_grid| {
            let done = released(&["1/2"], -2, on_grid);
            &done.released[0].at_most - &done.released[0].at_least
        };
        assert_eq!(width(false) - width(true), parse_rational("1/4").unwrap());
    }

    #[test]
    fn a_number_off_the_grid_is_named_by_its_place_alone() {
        let error = request(&["1/4", "777/8"], -2, true).run().err().unwrap().spelled(&CommandLine);
        assert_eq!(error, "value 2: not a multiple of the grid, 1/4, though --on-grid says so");
        assert!(request(&["1/4", "777/4"], -2, true).run().is_ok());
        assert!(request(&["1/4", "777/8"], -2, false).run().is_ok());
    }

    #[test]
    fn numbers_on_a_grid_of_1_are_whole() {
        assert!(matches!(released(&["5"], 0, true).facts().values[0].released, OnGrid::Whole(_)));
        assert!(matches!(released(&["5"], -1, true).facts().values[0].released, OnGrid::Real(_)));
    }
}
