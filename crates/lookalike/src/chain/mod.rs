//! What the moments of a Markov chain tell of each other: the mathematics that a proof about one moment rests on.
//!
//! Powers of a chain lie between whole numbers, logarithms have their error on a named side, and so an influence is an
//! upper bound whatever was rounded. Nothing here searches: which quilts to look at is for
//! [`pufferfish`](crate::pufferfish), and [`certify`](crate::certify) evaluates those that a claim names.

pub(crate) mod influence;
pub(crate) mod logarithm;
pub(crate) mod loss;
pub(crate) mod nodes;
pub(crate) mod powers;
pub(crate) mod saturation;
mod stationary;
pub(crate) mod step;
mod supports;

pub use nodes::States;
