//! How alike places must look.

use super::planar::shown;
use crate::noise::short;
use lookalike::exact::{Direction, Epsilon, Rational, decimal};
use lookalike::geo::PlaceGrid;
use lookalike::model::SecretGraph;
use lookalike_engine::geo::Promise;
pub use lookalike_engine::geo::shown_epsilon as at_most;
use lookalike_formats::geo::{EpsilonPerMetre, Length};
use lookalike_formats::{Error, Result};

/// The ways to say it.
#[derive(clap::Args)]
pub struct Asked {
    /// Epsilon for each metre between two places: like ln(4)/200, 0.005/m or 5/km
    #[arg(long, value_name = "E", conflicts_with_all = ["level", "radius", "within"], allow_hyphen_values = true)]
    epsilon: Option<EpsilonPerMetre>,
    /// Epsilon for places at most a radius apart, with --radius or --within: like ln(4)
    #[arg(long, value_name = "L", allow_negative_numbers = true)]
    level: Option<Epsilon>,
    /// Places at most so far apart are within the level, rounding included, and nearer ones look more alike
    #[arg(long, value_name = "R", requires = "level", conflicts_with = "within", allow_hyphen_values = true)]
    radius: Option<Length>,
    /// Cells: only those at most so far apart are within the level, however near; this promises less than --radius
    #[arg(long, value_name = "R", requires_all = ["level", "cells"], allow_hyphen_values = true)]
    within: Option<Length>,
}

impl Asked {
    pub fn promise(&self) -> Result<Promise> {
        match (&self.epsilon, &self.level, &self.radius, &self.within) {
            (Some(epsilon), ..) => Ok(Promise::PerMetre(epsilon.epsilon().clone())),
            (None, Some(level), Some(radius), _) => {
                Ok(Promise::Radius { level: level.clone(), radius: radius.clone() })
            }
            (None, Some(level), None, Some(radius)) => {
                Ok(Promise::Pairs { level: level.clone(), radius: radius.clone() })
            }
            (None, Some(level), None, None) => {
                Err(Error::input(format!("--level {level} is for places how far apart? expected --radius R beside it")))
            }
            (None, None, ..) => Err(Error::input(
                "how alike must places look? expected --epsilon E for each metre, or --level L with --radius R",
            )),
        }
    }
}

/// What is promised of places d metres apart, in words: ε·(d + resolution).
pub fn words(epsilon: &Epsilon, resolution: &Rational) -> Result<String> {
    let at = |metres: i32| -> Result<String> {
        Ok(at_most(&epsilon.scale(&(Rational::from_integer(metres.into()) + resolution))?))
    };
    Ok(format!(
        "Two places d metres apart are epsilon*(d + {})-alike, rounding included: {} at 200 m, {} at 1 km.\n",
        short(decimal(resolution, 4, Direction::Up)),
        at(200)?,
        at(1000)?,
    ))
}

/// What the claims of a file between its cells amount to on the ground, in words.
pub fn of_cells(grid: &PlaceGrid, graph: &SecretGraph) -> Result<String> {
    Ok(match grid.epsilon_per_metre(graph)? {
        Some(epsilon) => format!(
            "epsilon {} for each metre, between cells of {} m: two places d metres apart are epsilon*(d + {})-alike",
            shown(&epsilon.to_string(), epsilon.to_f64()),
            short(decimal(grid.cells().step(), 3, Direction::Nearest)),
            short(decimal(&grid.resolution(), 4, Direction::Up)),
        ),
        None => format!(
            "the claims between its cells, which are for {} of {} pairs: other cells are alike only by way of these",
            graph.pairs(),
            grid.cells().len() * (grid.cells().len() - 1) / 2,
        ),
    })
}

/// Places within a radius, in words.
pub fn radius_words(level: &Epsilon, radius: &Length) -> String {
    format!(
        "Places at most {radius} apart are {level}-alike, rounding included: no release is more than {} times as likely for \
         one as for the other.\n",
        factor(level)
    )
}

/// e^ε, rounded up.
pub fn factor(epsilon: &Epsilon) -> String {
    match epsilon.rational_exp(64) {
        Some(factor) if factor.is_integer() => factor.to_string(),
        _ => short(decimal(&epsilon.exp(64).upper().to_rational(), 4, Direction::Up)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promises_are_said_with_numbers_that_are_not_below_the_truth() {
        let epsilon: Epsilon = "ln(4)/200".parse().unwrap();
        let text = words(&epsilon, &Rational::new(1.into(), 3.into())).unwrap();
        assert!(text.contains("epsilon*(d + 0.3334)-alike") && text.contains("1.3887 at 200 m"), "{text}");
        assert_eq!((factor(&"ln(4)".parse().unwrap()), factor(&"1".parse().unwrap())), ("4".into(), "2.7183".into()));
    }
}
