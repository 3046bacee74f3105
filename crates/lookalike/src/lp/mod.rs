//! Linear programs by an interior-point method of our own.
//!
//! Imports nothing of this library: floats in, floats out. What is made of an answer is rounded, repaired and proved
//! elsewhere; multipliers become bounds only through directed rounding in `design`.
//!
//! Why our own: the programs of `design` are a block for each category, coupled by one row a profile. Eliminating the
//! blocks first and the coupling last, chosen by counting the factor's entries against minimum degree, is what makes
//! it fast; general solvers do not see that order.

mod interior_point;
mod newton;
mod point;
mod precise;
mod program;
mod reduced;
mod step;
mod system;

pub use interior_point::{Answer, Failure, solve};
pub use program::Program;
