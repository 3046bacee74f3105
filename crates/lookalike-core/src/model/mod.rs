//! The one mathematical object: secrets, their laws, the graph of pairs that must look alike, and mechanisms.
//!
//! Every type here is valid by construction: private fields, a checking constructor, getters. All numbers are exact.
//! Imports [`crate::exact`] only.

mod binary_box;
mod budgets;
mod categories;
mod chain;
mod channel;
mod constraint;
#[cfg(test)]
pub(crate) mod corners_for_tests;
mod distribution;
mod ellipsoid;
mod expected_loss;
mod graph;
mod hash_family;
mod laws;
mod limits;
mod loss;
mod mechanism;
mod moments;
mod names;
mod noise;
mod noisy_max;
mod oracle;
#[cfg(test)]
pub(crate) mod oracles_for_tests;
mod planar_noise;
mod prior;
mod projection;
mod region;
mod report;
mod secrets;
#[cfg(test)]
pub(crate) mod strategies;
mod utility;

pub use crate::exact::Epsilon;
pub use binary_box::BinaryBox;
pub use budgets::Budgets;
pub use categories::Categories;
pub use chain::{Chain, Initial};
pub use channel::{Channel, Form, TOTAL, TOTAL_BITS};
pub use constraint::{Constraint, Edge, Group};
pub use distribution::Distribution;
pub use expected_loss::ExpectedLoss;
pub use graph::{GraphBuilder, SecretGraph};
pub use hash_family::{HashFamily, is_prime};
pub use laws::{Column, Extremes, OutputLaws};
pub use limits::Limits;
pub use loss::Loss;
pub use mechanism::{Kind, Mechanism};
pub use moments::{ChainClass, Moments, MomentsProof, QuiltRun};
pub use moments::{LONGEST, check_chains};
pub use names::Names;
pub use noise::Noise;
pub use noisy_max::{Movement, NoisyMax};
pub use oracle::{Encoding, Oracle};
pub use planar_noise::PlanarNoise;
pub use planar_noise::rounding;
pub use prior::Prior;
pub use projection::Projection;
pub use region::Region;
pub use report::{Report, Reports};
pub use secrets::Secrets;
pub use utility::Utility;
