//! What the moments of a Markov chain tell of each other: the mathematics that a proof about one moment rests on.
//!
//! Powers of a chain lie between whole numbers, logarithms have their error on a named side, and so an influence is an
//! upper bound whatever was rounded. Nothing here searches: which quilts to look at is for
//! the module `pufferfish` of `lookalike`, and [`certify`](crate::certify) evaluates those that a claim names. `lookalike` does not
//! re-export it: it is for that module alone, and may change in any version.

pub mod influence;
pub mod logarithm;
pub mod loss;
pub mod nodes;
pub mod powers;
pub mod saturation;
mod stationary;
pub mod step;
mod supports;

pub use nodes::States;
