//! What a sceptic reads: exact numbers, what a mechanism is and claims, the certifier, and the sampler.
//!
//! Everything that "what is certified is what is sampled" rests on for mechanisms is here, and nothing else: no design, no
//! file, no statistics. [`certify`] proves a claim from [`exact`] numbers and the [`model`] alone, and only what it has
//! proved can be given to a sampler of [`sample`]. Floats leave by one door, [`exact::to_f64`], with a named direction, and none
//! comes back in. `lookalike` re-exports all of it, and users need not know that there are two crates.
//!
//! Pure computation: no files, no clock, no printing, no global random generator. Loops run on the caller's rayon pool.

mod error;

#[cfg_attr(not(test), deny(clippy::float_arithmetic, clippy::float_cmp, clippy::cast_precision_loss))]
pub mod certify;
#[cfg_attr(not(test), deny(clippy::float_arithmetic, clippy::float_cmp, clippy::cast_precision_loss))]
pub mod chain;
#[cfg_attr(not(test), deny(clippy::float_arithmetic, clippy::float_cmp, clippy::cast_precision_loss))]
pub mod exact;
#[cfg_attr(not(test), deny(clippy::float_arithmetic, clippy::float_cmp, clippy::cast_precision_loss))]
pub mod model;
pub mod sample;

pub use error::{Error, Result, Sentence, Setting, SettingValue, Spelling};
