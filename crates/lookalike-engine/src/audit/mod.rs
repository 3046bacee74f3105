//! Draws of a mechanism from outside, for [`lookalike::audit`]: a [`Program`] that answers line by line, or draws that
//! were [`Written`] down; or a [`Subject`] of our own. The [`Question`] is what is claimed of which pairs, and an
//! [`AuditRequest`] attacks them. What follows is its [`AuditOutcome`]: the [`Verdict`], with the [`Proofs`] about the pairs that
//! were tested.

mod audit_outcome;
mod audit_request;
#[cfg(feature = "files")]
mod lines;
#[cfg(feature = "files")]
mod process;
#[cfg(feature = "files")]
mod program;
mod proof;
mod question;
mod read_audit;
mod subject;
mod verdict;
mod written;

pub use audit_outcome::{AuditFacts, AuditOutcome, CertifiedFacts, DrawsFacts, PairsFacts, TestFacts};
pub use audit_request::{AuditRequest, AuditWatch};
#[cfg(feature = "files")]
pub use process::Stopper;
#[cfg(feature = "files")]
pub use program::Program;
pub use proof::Proofs;
pub use question::Question;
pub use read_audit::{AuditFigures, AuditSource, read_audit};
pub use subject::{Attacked, DrawTexts, Subject};
pub use verdict::Verdict;
pub use written::{Written, WrittenInput};
