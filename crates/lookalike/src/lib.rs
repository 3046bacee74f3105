//! Lookalike makes chosen secrets look alike.
//!
//! You say which pairs must not be told apart; the library designs a mechanism that guarantees it, proves the
//! guarantee in exact arithmetic, and draws from exactly the law that was proved. Three types carry the order of
//! things: a draft is a solver's floats, inside [`design`] only; a [`model::Mechanism`] is exact integers with a
//! claim; a [`certify::Certified`] mechanism has been proved, and only it can be sampled.
//!
//! The library is pure computation: no files, no clock, no printing, no global random generator. Loops run on the
//! caller's rayon pool.

mod error;

#[cfg_attr(not(test), deny(clippy::float_arithmetic, clippy::float_cmp, clippy::cast_precision_loss))]
pub mod account;
pub mod audit;
#[cfg_attr(not(test), deny(clippy::float_arithmetic, clippy::float_cmp, clippy::cast_precision_loss))]
pub mod certify;
#[cfg_attr(not(test), deny(clippy::float_arithmetic, clippy::float_cmp, clippy::cast_precision_loss))]
mod chain;
pub mod counts;
pub mod design;
pub mod estimate;
#[cfg_attr(not(test), deny(clippy::float_arithmetic, clippy::float_cmp, clippy::cast_precision_loss))]
pub mod exact;
pub mod geo;
pub mod local;
#[cfg_attr(not(test), deny(clippy::float_arithmetic, clippy::float_cmp, clippy::cast_precision_loss))]
pub mod model;
#[cfg_attr(not(test), deny(clippy::float_arithmetic, clippy::float_cmp, clippy::cast_precision_loss))]
pub mod pufferfish;
pub mod sample;

mod lp;

pub use error::{Error, Result};

/// The Rust of the README, run as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
