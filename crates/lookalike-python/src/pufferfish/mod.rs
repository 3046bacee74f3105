//! Pufferfish: secrets that correlations give away.

pub mod calibrate;
pub mod chains;
pub mod framework;
pub mod learned;
pub mod sequences;

use lookalike::exact::{Direction, Rational, to_f64};

/// A bound from above as a float that is no smaller.
fn up(number: &Rational) -> f64 {
    to_f64(number, Direction::Up)
}
