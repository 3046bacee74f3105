//! Runs a certified mechanism: what is certified is what is sampled.
//!
//! An [`AliasTable`] draws from exactly the integer row that was certified, with one 64-bit word and no rejection.
//! A [`Sampler`] and an [`OracleSampler`] can be built from a [`crate::certify::Certified`] mechanism only. Row i of a run
//! uses the words of its own number, so results for a given key do not depend on threads or batches.

mod alias;
mod chance;
mod oracle_sampler;
mod permutation;
mod random;
mod rehearsal;
mod sampler;

pub use alias::AliasTable;
pub use oracle_sampler::OracleSampler;
pub use permutation::permutation;
pub use random::RandomKey;
pub use rehearsal::Rehearsal;
pub use sampler::Sampler;
