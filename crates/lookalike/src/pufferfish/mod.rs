//! Pufferfish privacy: secrets that correlations give away.
//!
//! A person says which facts are secret, which pairs of them must not be told apart, and which laws the data may have
//! come from. Correlated data need more noise than differential privacy adds, because a neighbour in time tells of
//! the record itself; they need less than group privacy adds, because what lies far away tells little.
//!
//! # Reference
//! Kifer and Machanavajjhala, Pufferfish: A Framework for Mathematical Privacy Definitions (2014); Song, Wang and
//! Chaudhuri, Pufferfish Privacy Mechanisms for Correlated Data (2017).

use crate::chain::{influence, logarithm, nodes, powers, saturation};
use crate::model::check_chains;

mod approx;
mod binary_box;
#[cfg(test)]
mod binary_box_tests;
mod binary_powers;
#[cfg(test)]
mod bounds_tests;
mod box_bounds;
mod branch_and_bound;
#[cfg(test)]
mod brute_force;
mod calibration;
#[cfg(test)]
mod chain_noise_tests;
mod composition;
mod contraction;
mod exact_search;
#[cfg(test)]
mod exact_tests;
mod fit;
mod framework;
mod gk16;
mod group;
mod groups;
mod moments;
mod network;
mod network_quilt;
mod posterior;
mod quantiles;
mod semidefinite;
mod spectral;
mod sums;
mod theta;
mod values;
mod walk;
mod wasserstein;

pub use crate::chain::States;
pub use crate::model::{BinaryBox, Chain, ChainClass, Initial};
pub use approx::approximate;
pub use binary_box::{BoxCalibration, exact_loss_of_box, exact_of_box};
pub use box_bounds::approximate_of_box;
pub use calibration::{Calibration, Quilt};
pub use composition::{compose_approximate, compose_equal_quilts, compose_exact};
pub use contraction::{Contraction, contract};
pub use exact_search::{ExactOptions, exact, exact_loss, exact_with, influence};
pub use fit::{ConfidenceBox, Transitions};
pub use framework::Framework;
pub use gk16::{Gk16, gk16};
pub use group::{entry_scale, group_scale, groups_scale};
pub use groups::Groups;
pub use moments::{moments, moments_lost};
pub use network::{Network, Node};
pub use network_quilt::{NetworkCalibration, calibrate_networks};
pub use posterior::{Learned, learned, learned_from_noise, most_believed, most_learned};
pub use spectral::Mixing;
pub use sums::{SumDistance, sum_distance};
pub use theta::Theta;
pub use values::Values;
pub use wasserstein::{Farthest, Wasserstein, distance};
