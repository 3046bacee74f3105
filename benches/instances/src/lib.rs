//! The designs that solvers are measured and tested on: the same numbers in tests, benchmarks and other programs.
//!
//! [`all`] and [`questions`] are the set. Its parts were chosen for what has stopped solvers: large and small ε, sizes between those of the
//! benchmarks, profiles that are equal, nearly equal, point masses or without some category, weights of very different
//! size, groups beside edges, overlapping groups, graphs in several parts, windows of chains,
//! counts with properties, and places.

mod graphs;
mod instance;
mod laws;
mod problem;
mod question;
mod random;
mod set;
mod windows;

pub use instance::{Channels, Instance, Objective};
pub use question::{Found, Question, questions};
pub use random::Random;
pub use set::all;
