//! The proof: whether a mechanism keeps its claim, decided in exact arithmetic.
//!
//! This module is what a sceptic reads. It knows nothing of how a channel was made, imports [`crate::exact`] and
//! [`crate::model`] and nothing else, and uses no float and no tolerance. There is one file a kind of mechanism.
//!
//! [`within`] answers another question with the same numbers: how private if the profiles are not quite right.
//!
//! Only [`certify`] makes a [`Certified`] value, and only a certified value can be sampled.

mod certificate;
mod finite;
mod within;

pub use certificate::{Achieved, Certificate, Certified, Violation, Worst};
pub use finite::certify;
pub use within::within;
