//! File formats of Lookalike.
//!
//! The library `lookalike` computes and touches no file; this crate reads specs, mechanism files and records, and
//! writes mechanism files and privatized records. Everything that can go wrong ends in one [`Error`].

mod atomic;
mod error;
pub mod records;

pub use atomic::{AtomicFile, write_atomically};
pub use error::{Error, Result};
