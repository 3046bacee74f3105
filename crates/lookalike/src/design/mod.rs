//! Proposes mechanisms.
//!
//! A design is a proposal: nothing here decides privacy. What comes out is a [`crate::model::Mechanism`] with a claim,
//! which `lookalike::certify` then proves or refuses. Imports [`crate::exact`], [`crate::model`] and `lp`.
//!
//! | mechanism | when it applies | file |
//! |---|---|---|
//! | `k-rr`: k-ary randomized response, Warner's for two categories | always; needs no profile | `randomized_response` |
//! | `two-profile`: Single-bit Two-profile (Algorithm 1) | two Bernoulli profiles | `two_profile` |
//! | `one-bit-cluster`: One Bit Cluster (Algorithm 2) | Bernoulli profiles | `cluster` |
//! | `cluster`: the same for any number of categories | any profiles | `cluster` |
//! | `smooth-one-bit`: Smooth One Bit (Algorithm 3) | Bernoulli profiles, kind aware | `smooth_one_bit` |
//! | `smooth-categorical`: the optimum of the objective | always | `smooth_categorical` |
//!
//! Where profiles have limits ([`Problem::within`]), `smooth-categorical`, `cluster` and `k-rr` serve: their claim holds for all laws
//! within. The objective is that of the profiles, or of the worst laws ([`Problem::at_worst`]). The expected error may be least for a channel that says little; [`survival`] shows what is left of each category.
//!
//! [`exponential`] makes a mechanism of a table of scores, which a [`Problem`] does not have; it is called by itself.

mod algorithm;
mod averaged;
mod bound;
mod category_bound;
#[cfg(test)]
mod category_bound_tests;
mod category_lattice;
mod choose;
mod claim_arcs;
mod cluster;
mod couplings;
mod draft;
mod dual_bound;
mod epsilon_for;
mod exponential;
mod floats;
#[cfg(test)]
mod flow_tests;
mod group;
mod group_block;
mod group_bound;
mod group_cholesky;
mod group_closed_form;
mod group_frame;
mod group_interior;
mod group_newton;
mod group_totals;
mod impossible_inputs;
mod instance;
mod keep_coupling;
mod lattice;
mod laws_program;
mod limits_block;
mod limits_coupling;
mod limits_design;
mod limits_interior;
mod limits_newton;
mod limits_program;
mod linear_program;
mod matrix;
mod max_flip;
mod near_law;
mod objective;
mod options;
mod point;
mod post_process;
mod problem;
mod proposal;
mod randomized_response;
mod reach;
mod repair;
mod response;
mod rounding;
mod scaled;
mod second_stage;
mod smooth_categorical;
mod smooth_one_bit;
mod sums;
mod survival;
mod sweep;
#[cfg(test)]
mod together_tests;
mod transport;
mod two_profile;
mod watch;

pub use crate::lp::Solver;
pub use algorithm::Algorithm;
pub use choose::{Design, MechanismName, Solution, design};
pub use cluster::cluster;
pub use draft::Draft;
pub use epsilon_for::{EpsilonFor, Measured, Target, epsilon_for, smallest_epsilon};
pub use exponential::exponential;
#[cfg(feature = "geo")]
pub(crate) use exponential::{WEIGHT_BITS, inverse_exp};
pub use impossible_inputs::ImpossibleInputs;
pub(crate) use linear_program::LinearProgram;
pub use matrix::{Rounding, channel_of};
pub use objective::{Objective, ObjectiveValue};
pub use options::Options;
pub use post_process::post_process;
pub use problem::{Problem, Secrets};
pub use randomized_response::randomized_response;
pub use repair::{Repaired, repair};
#[cfg(feature = "geo")]
pub(crate) use rounding::in_proportion;
pub use smooth_categorical::smooth_categorical;
pub use smooth_one_bit::{Flips, smooth_one_bit};
pub use survival::survival;
pub use sweep::{Grid, SweepPoint, sweep};
pub use two_profile::{flip_probability, two_profile};
pub use watch::{Progress, Watch};
