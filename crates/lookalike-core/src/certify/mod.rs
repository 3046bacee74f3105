//! The proof: whether a mechanism keeps its claim, decided in exact arithmetic.
//!
//! This module is what a sceptic reads. It knows nothing of how a channel was made, imports [`crate::exact`] and
//! [`crate::model`] and nothing else, and uses no float and no tolerance. There is one file per kind of mechanism.
//!
//! [`within`] and [`delta_at`] answer other questions with the same numbers and make nothing certified: how private if
//! the profiles are not quite right, and how far from a smaller ε.
//!
//! Only [`certify`] makes a [`Certified`] value, and only a certified value can be sampled.

mod certificate;
mod delta;
mod finite;
mod noise;
mod oracle;
mod planar;
mod within;

use certificate::Inside;
pub use certificate::{Achieved, Certificate, Certified, Provable, Violation, Worst, certify};
pub use delta::{Delta, delta_at};
pub use finite::certify_within;
pub use noise::ClosedForm;
pub use oracle::{OracleCertificate, OracleProof};
pub use planar::PlanarForm;
pub use within::within;
