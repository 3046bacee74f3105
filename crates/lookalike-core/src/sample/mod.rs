//! Runs a certified mechanism: what is certified is what is sampled.
//!
//! An [`AliasTable`] draws from exactly the integer row that was certified, with one 64-bit word and no rejection.
//! A [`Sampler`] can be built from a [`crate::certify::Certified`] mechanism only. Row i of a run uses the words of
//! its own number, so results for a given key do not depend on threads or batches.
//!
//! A [`NoiseSampler`] adds certified noise to numbers, exactly although its law is irrational: see the file `digit`. A
//! [`NoisyMaxSampler`] releases which of several counts is the largest. An [`OracleSampler`] draws reports.

mod alias;
mod below;
mod chance;
mod digit;
mod exponential_coin;
mod grid;
mod noise;
mod noisy_max;
mod oracle_sampler;
mod places;
mod planar;
mod planar_blocks;
mod planar_law;
mod plane;
mod random;
mod rehearsal;
mod row_order;
mod sampler;
mod two_sided_geometric;
mod uniform;

pub use alias::AliasTable;
pub use noise::NoiseSampler;
pub use noisy_max::NoisyMaxSampler;
pub use oracle_sampler::OracleSampler;
pub use places::{PlaceRows, ReleasePlaces};
pub use planar::PlanarSampler;
pub use plane::Plane;
pub use random::RandomKey;
pub use rehearsal::Rehearsal;
pub use row_order::{Buckets, RowOrder};
pub use sampler::Sampler;
pub use uniform::uniform;
