//! Linear programs.
//!
//! Imports nothing of this library: floats in, floats out. What is made of an answer is rounded, repaired and proved
//! elsewhere; multipliers become bounds only through directed rounding in `design`.
//!
//! [`solve`] is the seam: a program goes in, a point and multipliers come out, whichever solver found them. Our own method goes
//! first, and Clarabel where it stalls; `docs/decisions/01-linear-programs.md` has the figures.

mod answer;
mod cholesky;
mod clarabel;
mod interior_point;
mod newton;
mod point;
mod program;
mod reduced;
mod solve;
mod step;

pub use answer::{Answer, Failure, Wish};
pub use cholesky::PositiveDefinite;
pub use program::Program;
pub use solve::{Solver, solve};
