//! Proposes mechanisms.
//!
//! A design is a proposal: nothing here decides privacy. What comes out is a [`crate::model::Mechanism`] with a claim,
//! which `lookalike::certify` then proves or refuses. Imports [`crate::exact`] and [`crate::model`].
//!
//! | mechanism | when it applies | file |
//! |---|---|---|
//! | `k-rr`: k-ary randomized response, Warner's for two categories | always; needs no profile | `randomized_response` |
//! | `two-profile`: Single-bit Two-profile (Algorithm 1) | two Bernoulli profiles | `two_profile` |
//! | `one-bit-cluster`: One Bit Cluster (Algorithm 2) | Bernoulli profiles | `cluster` |
//! | `cluster`: the same for any number of categories | any profiles | `cluster` |
//! | `smooth-one-bit`: Smooth One Bit (Algorithm 3) | Bernoulli profiles, kind aware | `smooth_one_bit` |

mod bound;
mod choose;
mod cluster;
mod draft;
mod floats;
mod lattice;
mod objective;
mod post_process;
mod problem;
mod randomized_response;
mod repair;
mod response;
mod rounding;
mod smooth_one_bit;
mod two_profile;

pub use choose::{Design, MechanismName, Solution, design};
pub use cluster::cluster;
pub use draft::Draft;
pub use objective::{Objective, ObjectiveValue};
pub use post_process::post_process;
pub use problem::{Problem, Secrets};
pub use randomized_response::randomized_response;
pub use repair::{Repaired, repair};
pub use smooth_one_bit::{Flips, smooth_one_bit};
pub use two_profile::{flip_probability, two_profile};
