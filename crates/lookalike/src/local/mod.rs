//! Local privacy: every person reports through a frequency oracle, and any two categories look alike.
//!
//! [`oracle`] gives the oracle of a [`Protocol`] at the least noise of its kind, [`auto`] the one with the least variance
//! for d and ε. [`crate::certify::certify`] proves it, [`crate::sample::OracleSampler`] draws its reports, and
//! [`crate::estimate::SupportTally`] and [`crate::estimate::SupportEstimator`] read the shares back.
//!
//! [`tupling`] says how much alike the secrets of a mechanism become when every report is hidden among dummies.

mod auto;
mod protocol;
mod tuple_cases;
mod tupling;
mod weight;

pub use auto::{Auto, Candidate, auto};
pub use protocol::{Protocol, oracle, report_words};
pub use tupling::{MOST_DUMMIES, Tupled, tupled_delta, tupling};
