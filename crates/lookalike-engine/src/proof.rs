//! Proofs on the way to a release: what is drawn from is proved first, whoever asks.

use lookalike::certify::{Certified, Violation};
use lookalike_formats::{Proof, Result};

/// A claim that is false, and what shows it.
#[derive(Debug)]
pub struct Refuted<M: Proof> {
    /// What was claimed.
    pub mechanism: M,
    /// Why it is false.
    pub violation: Violation<M::Certificate>,
}

/// What became of a job that proves before it does anything: it was done, or a claim is false and nothing was.
pub type Attempt<T, M> = Result<std::result::Result<T, Box<Refuted<M>>>>;

/// The mechanism with its proof, or the witness against its claim.
///
/// # Errors
/// A claim that is false.
pub(crate) fn proved<M: Proof>(mechanism: M) -> std::result::Result<Certified<M>, Box<Refuted<M>>> {
    mechanism.clone().prove().map_err(|violation| Box::new(Refuted { mechanism, violation }))
}
