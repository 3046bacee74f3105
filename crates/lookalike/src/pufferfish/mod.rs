//! Pufferfish privacy: secrets that correlations give away.
//!
//! A person says which facts are secret, which pairs of them must not be told apart, and which laws the data may have
//! come from. Correlated data need more noise than differential privacy adds, because a neighbour in time tells of
//! the record itself; they need less than group privacy adds, because what lies far away tells little.
//!
//! # Reference
//! Kifer and Machanavajjhala, Pufferfish: A Framework for Mathematical Privacy Definitions (2014); Song, Wang and
//! Chaudhuri, Pufferfish Privacy Mechanisms for Correlated Data (2017).

mod binary_box;
#[cfg(test)]
mod binary_box_tests;
mod binary_powers;
mod branch_and_bound;
#[cfg(test)]
mod brute_force;
mod calibration;
mod chain;
mod exact_search;
#[cfg(test)]
mod exact_tests;
mod influence;
mod logarithm;
mod nodes;
mod powers;
mod stationary;
mod supports;
mod theta;
mod walk;

pub use binary_box::{BinaryBox, BoxCalibration};
pub use calibration::{Calibration, Quilt};
pub use chain::{Chain, Initial};
pub use exact_search::{ExactOptions, exact, exact_loss, exact_with, influence};
pub use nodes::States;
