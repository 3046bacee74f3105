//! The kinds of mechanism: a file here for each, and a line in the list.
//!
//! Everything else asks no kind by name; what each does in its own way is a method of [`MechanismKind`], or of a trait of the
//! crate that needs it, called through [`of_kind!`](crate::of_kind).

#[macro_use]
mod registry;

mod any_file;
mod channels;
mod kind;
mod noise;
mod oracle;
mod planar;
mod stated;

pub use any_file::AnyFile;
pub use kind::MechanismKind;
pub(super) use kind::unknown_kind;
pub(super) use planar::origin;
pub use stated::Stated;
pub(super) use stated::file;

use super::MechanismFile;
use crate::error::Result;
use crate::text::Fields;
use lookalike::model::{Mechanism, Noise, Oracle, PlanarNoise};

kinds! { $
    /// Channels between finite sets: the kinds `aware`, `shared` and `point`.
    Finite(Mechanism),
    /// A frequency oracle: `unary`, `hash`, `hadamard` and `subset`.
    Oracle(Oracle),
    /// Noise on numbers: `noise`.
    Noise(Noise),
    /// Noise on places: `noise` of the law `planar-laplace`.
    Planar(PlanarNoise),
}

#[cfg(test)]
mod tests;
