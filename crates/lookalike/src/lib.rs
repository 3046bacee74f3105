//! Lookalike makes chosen secrets look alike.
//!
//! You say which pairs must not be told apart; the library designs a mechanism that guarantees it, proves the
//! guarantee in exact arithmetic, and draws from exactly the law that was proved. Three types carry the order of
//! things: a draft is a solver's floats, inside [`design`] only; a [`model::Mechanism`] is exact integers with a
//! claim; a [`certify::Certified`] mechanism has been proved, and only it can be sampled.
//!
//! The library is pure computation: no files, no clock, no printing, no global random generator. Loops run on the
//! caller's rayon pool.

#[cfg_attr(not(test), deny(clippy::float_arithmetic, clippy::float_cmp, clippy::cast_precision_loss))]
pub mod account;
pub mod audit;
#[cfg(feature = "design")]
pub mod counts;
#[cfg(feature = "design")]
pub mod design;
pub mod estimate;
#[cfg(feature = "geo")]
pub mod geo;
pub mod local;
#[cfg(feature = "pufferfish")]
#[cfg_attr(not(test), deny(clippy::float_arithmetic, clippy::float_cmp, clippy::cast_precision_loss))]
pub mod pufferfish;

#[cfg_attr(not(feature = "design"), allow(dead_code, unused_imports, reason = "estimates solve small programs only"))]
mod lp;

#[cfg(feature = "pufferfish")]
use lookalike_core::chain;
pub use lookalike_core::{Error, Result, Sentence, Setting, SettingValue, Spelling, certify, exact, model, sample};

#[cfg(test)]
#[path = "../../lookalike-core/src/model/strategies.rs"]
mod strategies;

/// The Rust of the README, run as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
