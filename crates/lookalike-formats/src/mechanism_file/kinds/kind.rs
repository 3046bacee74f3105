//! What each kind of mechanism has: keys in a file, a proof with facts, and what an account counts it as.

use super::super::facts::{ProofFacts, WitnessFacts};
use super::super::stream::Stream;
use super::super::{MechanismFile, secrets};
use crate::error::{Error, Result};
use crate::text::Fields;
use lookalike::account::{self, Guarantee};
use lookalike::certify::{Certified, Provable, Violation};
use lookalike::exact::Epsilon;
use lookalike::model::{Mechanism, Noise, Secrets};
use std::io::Write;

/// A kind of mechanism: how it lies in a file, the one function that proves it, and what it promises. All kinds are in one list.
pub trait MechanismKind: Provable + Clone + Sealed {
    /// What the `kind` of its files may be.
    const NAMES: &'static [&'static str];

    /// What it is in words: `noise on places`.
    const CALLED: &'static str;

    /// Whether a file of this `kind` is one of these.
    ///
    /// # Errors
    /// A key that tells and cannot be read.
    #[doc(hidden)]
    fn is_kind(_fields: &Fields<'_>, kind: &str) -> Result<bool> {
        Ok(Self::NAMES.contains(&kind))
    }

    /// The file, from its fields.
    ///
    /// # Errors
    /// Fields that make no mechanism of this kind.
    #[doc(hidden)]
    fn from_fields(fields: &Fields<'_>) -> Result<MechanismFile<Self>>;

    /// The `kind` of the file.
    fn kind_name(&self) -> &'static str;

    /// The largest ε that is claimed.
    fn claim(&self) -> &Epsilon;

    /// What it is about.
    fn secrets(&self) -> Secrets;

    /// Writes the key `secrets`.
    #[doc(hidden)]
    fn write_secrets(&self, stream: &mut Stream<&mut dyn Write>) -> std::io::Result<()> {
        secrets::write(stream, &self.secrets())
    }

    /// Writes the keys of the kind.
    #[doc(hidden)]
    fn write_keys(&self, stream: &mut Stream<&mut dyn Write>) -> std::io::Result<()>;

    /// The mechanism with its proof, or the witness against its claim.
    ///
    /// # Errors
    /// A claim that is false.
    fn prove(self) -> std::result::Result<Certified<Self>, Violation<Self::Certificate>>;

    /// The facts of the proof, or of what stands in its way.
    fn facts(&self, certificate: &Self::Certificate) -> ProofFacts;

    /// What shows that a claim is false, beside the reason in words: nothing where there is no pair to point at.
    fn witness(&self, _certificate: &Self::Certificate) -> Option<WitnessFacts> {
        None
    }

    /// The channels between categories, where it is these: more can be asked of them.
    fn as_channels(&self) -> Option<&Mechanism> {
        None
    }

    /// The noise on numbers, where it is that: its releases have intervals.
    fn as_noise(&self) -> Option<&Noise> {
        None
    }

    /// Whose releases add up, and by which rule.
    fn adds_up(&self) -> account::Secrets {
        account::Secrets::Points
    }

    /// What a ledger counts a release as.
    ///
    /// # Errors
    /// A kind of which no ledger keeps account.
    fn guarantee(&self) -> Result<Guarantee>;
}

/// Only the kinds of the list are kinds.
pub trait Sealed {}

/// The error about a `kind` that is none of those known, in their order and each once.
pub fn unknown_kind(kind: &str, known: &[&str]) -> Error {
    let mut names: Vec<&str> = Vec::new();
    known.iter().for_each(|name| {
        if !names.contains(name) {
            names.push(name);
        }
    });
    let last = names.pop().unwrap_or_default();
    Error::input(format!("kind: {kind:?}, expected {} or {last}", names.join(", ")))
}
