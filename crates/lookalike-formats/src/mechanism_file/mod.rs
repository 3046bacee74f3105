//! Mechanism files: everything needed to certify and to run a mechanism, and nothing secret.
//!
//! JSON, versioned; `schemas/mechanism.schema.json` describes it. A file is only a claim: what is loaded is a
//! [`lookalike::model::Mechanism`], an oracle or noise ([`AnyMechanism`]), which must be certified before it can be used.
//! The same mechanism gives the same bytes.
//!
//! Version 2 says which secrets ε is about ([`lookalike::model::Secrets`]). Noise of version 1 cannot say them: it is certified as such
//! ([`Stated::No`]) and used for nothing else.
//!
//! Compatibility: a version is read for ever by later releases; a file of a newer version is refused by name. Within
//! a version no key changes its meaning, and unknown keys are refused.

mod cursor;
mod device;
mod facts;
mod fingerprint;
mod impossible_values;
mod kinds;
mod places;
mod promised;
mod read;
mod secrets;
mod stream;
mod streamed_parts;
mod summary;
mod write;

pub use device::{DeviceTable, device_table};
pub use fingerprint::fingerprint;
pub use kinds::{AnyFile, AnyMechanism, MechanismKind, Stated};
pub use promised::{LIMITS_REST_ON, promised};
pub use secrets::chain_digest;
pub use write::device_json;

use lookalike::estimate::LimitsBasis;
use lookalike::exact::Epsilon;
use lookalike::geo::PlaceGrid;
use lookalike::model::{Mechanism, Secrets};
use serde_json::Value;

/// The `format` of a mechanism file.
pub const FORMAT: &str = "lookalike-mechanism";
/// The `format` of a device file.
pub const DEVICE_FORMAT: &str = "lookalike-device";
/// The version that is written: files say which secrets their ε is about.
pub const VERSION: u64 = 2;
/// The version of device files that is written.
pub const DEVICE_VERSION: u64 = 1;

/// The key of the limits of profiles: without it each profile is one law.
const LIMITS: &str = "limits";

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
    /// What the limits of the profiles rest on, as the file states it; nothing is decided by it. `None` without limits.
    pub limits_basis: Option<LimitsBasis>,
}

impl<M> MechanismFile<M> {
    /// The file of a mechanism of which nothing more is said.
    pub fn of(mechanism: M) -> Self {
        MechanismFile { mechanism, name: None, places: None, objective: None, certificate: None, limits_basis: None }
    }
}

impl<M: MechanismKind> MechanismFile<M> {
    /// The largest ε of any pair: the one number that holds for the whole file.
    pub fn epsilon(&self) -> &Epsilon {
        self.mechanism.claim()
    }

    /// What that ε is about.
    pub fn secrets(&self) -> Secrets {
        self.mechanism.secrets()
    }

    /// The ε with what it is about: `epsilon 1 for any one moment of a chain of 300`.
    pub fn promise(&self) -> String {
        format!("epsilon {} for {}", self.epsilon(), self.secrets())
    }
}

/// The largest ε that a mechanism claims for any pair.
pub fn largest_epsilon(mechanism: &Mechanism) -> &Epsilon {
    mechanism.graph().epsilons().pop().expect("a graph has an edge")
}

#[cfg(test)]
mod tests;

pub use facts::{
    BindingFacts, EpsilonFacts, LimitsBasisFacts, ObjectiveFacts, ProofFacts, SolutionFacts, WitnessFacts, WorstFacts,
    json_of,
};
pub use impossible_values::{ImpossibleValuesFacts, expected_line, impossible_values};
pub use summary::{certificate_json, objective_json};
