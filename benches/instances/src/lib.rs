//! The designs that solvers are measured and tested on: the same numbers in tests, benchmarks and other programs.
//!
//! [`all`] is the set. Its parts were chosen for what has stopped solvers: large and small ε, sizes between those of the
//! benchmarks, profiles that are equal, nearly equal, point masses or without some category, weights of very different
//! size, groups beside edges, overlapping groups, and graphs in several parts.

mod graphs;
mod instance;
mod laws;
mod problem;
mod random;
mod set;

pub use instance::{Channels, Instance, Objective};
pub use random::Random;
pub use set::all;
