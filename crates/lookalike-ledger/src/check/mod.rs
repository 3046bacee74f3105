//! Whether a ledger is whole, and where it is not.

mod located;
mod verify;

pub(crate) use located::located;
pub(crate) use verify::check_complete;
pub use verify::{Fault, Verified, VerifiedFacts, verified_facts, verify};
