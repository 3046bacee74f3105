//! The proof: whether a mechanism keeps its claim, decided in exact arithmetic.
//!
//! This module is what a sceptic reads. It knows nothing of how a channel was made, imports [`crate::exact`] and
//! [`crate::model`] and nothing else, and uses no float and no tolerance. There is one file per kind of mechanism.
//!
//! [`within`] and [`delta_at`] answer other questions with the same numbers and make nothing certified: how private if
//! the profiles are not quite right, and how far from a smaller ε.
//!
//! Only [`certify`], and [`certify_noise`], [`certify_noisy_max`], [`certify_planar`] and [`certify_oracle`] for their
//! kinds, make a [`Certified`] value, and only a certified value can be sampled.

mod certificate;
mod delta;
mod finite;
mod noise;
mod oracle;
mod planar;
mod within;

pub use certificate::{Achieved, Certificate, Certified, Provable, Violation, Worst};
pub use delta::{Delta, delta_at};
pub use finite::{certify, certify_within};
pub use noise::{ClosedForm, certify_noise, certify_noisy_max};
pub use oracle::{OracleCertificate, OracleProof, certify_oracle};
pub use planar::{PlanarForm, certify_planar};
pub use within::within;
