//! Mechanism files: everything needed to certify and to run a mechanism, and nothing secret.
//!
//! JSON, versioned; `schemas/mechanism.schema.json` describes it. A file is only a claim: what is loaded is a
//! [`lookalike::model::Mechanism`], an oracle or noise ([`AnyMechanism`]), which must be certified before it can be used.
//! The same mechanism gives the same bytes.
//!
//! Compatibility: a version is read for ever by later releases; a file of a newer version is refused by name. Within
//! a version no key changes its meaning, and unknown keys are refused.

mod any;
mod cursor;
mod device;
mod fingerprint;
mod noise;
mod oracle;
mod places;
mod planar;
mod read;
mod read_long;
mod stream;
mod write;

pub use any::AnyMechanism;
pub use device::{DeviceTable, device_table};
pub use fingerprint::fingerprint;
pub use write::{Stored, device_json};

use lookalike::exact::Epsilon;
use lookalike::geo::PlaceGrid;
use lookalike::model::Mechanism;
use serde_json::Value;

/// The `format` of a mechanism file.
pub const FORMAT: &str = "lookalike-mechanism";
/// The `format` of a device file.
pub const DEVICE_FORMAT: &str = "lookalike-device";
/// The version that is written.
pub const VERSION: u64 = 1;

/// A mechanism with what its file says of it.
#[derive(Debug, Clone)]
pub struct MechanismFile<M = Mechanism> {
    /// The mechanism and its claim.
    pub mechanism: M,
    /// Which mechanism it is: `k-rr`, `cluster`, …; text only, nothing rests on it.
    pub name: Option<String>,
    /// Where the categories are cells on the ground: which ones. What a category means, as bins do for numbers.
    pub places: Option<PlaceGrid>,
    /// What the design reached; nothing rests on it.
    pub objective: Option<Value>,
    /// The summary of the proof made by the design; nothing rests on it.
    pub certificate: Option<Value>,
}

impl<M> MechanismFile<M> {
    /// The file of a mechanism of which nothing more is said.
    pub fn of(mechanism: M) -> Self {
        MechanismFile { mechanism, name: None, places: None, objective: None, certificate: None }
    }
}

impl<M: Stored> MechanismFile<M> {
    /// The largest ε of any pair: the one number that holds for the whole file.
    pub fn epsilon(&self) -> &Epsilon {
        self.mechanism.claim()
    }
}

/// The largest ε that a mechanism claims for any pair.
pub fn largest_epsilon(mechanism: &Mechanism) -> &Epsilon {
    mechanism.graph().epsilons().pop().expect("a graph has an edge")
}

#[cfg(test)]
mod tests;
