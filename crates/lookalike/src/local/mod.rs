//! Local privacy: every person reports through a frequency oracle, and any two categories look alike.
//!
//! [`oracle`] gives the oracle of a [`Protocol`] at the least noise of its kind, [`auto`] the one with the least variance
//! for d and ε. [`crate::certify::certify_oracle`] proves it, [`crate::sample::OracleSampler`] draws its reports, and
//! [`crate::estimate::SupportTally`] and [`crate::estimate::SupportEstimator`] read the shares back.

mod auto;
mod protocol;
mod weight;

pub use auto::{Auto, Candidate, auto};
pub use protocol::{Protocol, oracle};
