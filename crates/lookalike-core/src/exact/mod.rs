//! Exact numbers: every privacy question is decided here, and nowhere by a float.
//!
//! | what | where |
//! |---|---|
//! | the one number parser: `0.1`, `1e-3`, `1/3` | [`parse_rational`] |
//! | integers with a fast path for 256 bits, and lists of them | [`Natural`], [`Naturals`] |
//! | enclosures with outward rounding | [`Interval`]; [`enclose_exp`], [`enclose_ln`], [`enclose_sine_cosine`] |
//! | the forms of ε | [`Epsilon`] |
//! | sums of ε, compared exactly | [`EpsilonSum`] |
//! | is `q > e^ε q'`? | [`exceeds`], and a first look: [`exceeds_within`] |
//! | what is beyond, a − b·e^ε | [`Excess`] |
//! | the ways out, in a named direction | [`to_f64`], [`decimal`] |
//!
//! This module imports nothing of the library.

mod decimal;
mod dyadic;
mod epsilon;
mod epsilon_sum;
mod epsilon_sum_terms;
mod epsilon_sum_text;
mod epsilon_text;
mod exceeds;
mod excess;
mod exponential;
mod float;
mod interval;
mod natural;
mod naturals;
mod rational;
mod trigonometry;

pub use decimal::decimal;
pub use dyadic::Dyadic;
pub use epsilon::Epsilon;
pub use epsilon_sum::EpsilonSum;
pub use epsilon_sum_terms::{coprime_base, valuation};
pub use exceeds::{exceeds, exceeds_within};
pub use excess::Excess;
pub use excess::compare_with_exp;
pub use exponential::{enclose_exp, enclose_ln};
pub use float::to_f64;
pub use interval::Interval;
pub use natural::Natural;
pub use naturals::Naturals;
pub use rational::{Rational, parse_rational};
pub use trigonometry::{enclose_pi, enclose_sine_cosine, radians};

/// The direction in which a number is rounded. There is no rounding without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Towards −∞.
    Down,
    /// To the nearest, ties to even. Only for numbers that are shown, never for a bound.
    Nearest,
    /// Towards +∞.
    Up,
}
