//! Claims, and what becomes of them when they are proved.

use super::certify::CertifyFacts;
use lookalike::certify::{Certified, Violation};
use lookalike_formats::{MechanismKind, json_of};

/// A mechanism and what became of its claim.
#[derive(Debug)]
pub struct Proven<M: MechanismKind> {
    /// The mechanism.
    pub mechanism: M,
    /// Its proof, or the witness against it.
    pub verdict: Result<Certified<M>, Violation<M::Certificate>>,
}

impl<M: MechanismKind> Proven<M> {
    /// Proves the claim of a mechanism.
    pub fn of(mechanism: M) -> Self {
        Proven { verdict: mechanism.clone().prove(), mechanism }
    }

    /// What is said of it.
    pub fn facts(&self) -> CertifyFacts {
        match &self.verdict {
            Ok(certified) => CertifyFacts::proved(self.mechanism.facts(certified.certificate())),
            Err(violation) => *FalseClaim::of(&self.mechanism, violation).facts,
        }
    }
}

/// A claim that is false.
#[derive(Debug, Clone)]
pub struct FalseClaim {
    /// Why, in words.
    pub reason: String,
    /// What is said of it, with the witness.
    pub facts: Box<CertifyFacts>,
}

impl FalseClaim {
    fn of<M: MechanismKind>(mechanism: &M, violation: &Violation<M::Certificate>) -> Self {
        let (reason, certificate) = (violation.to_string(), violation.certificate());
        let facts = CertifyFacts::proved(mechanism.facts(certificate));
        FalseClaim { facts: Box::new(facts.against(&reason, mechanism.witness(certificate))), reason }
    }

    /// The facts as JSON.
    pub fn json(&self) -> String {
        json_of(&self.facts).to_string()
    }
}

/// What became of a job that proves before it does anything: it was done, or a claim is false and nothing was.
pub type Attempt<T> = lookalike_formats::Result<Result<T, FalseClaim>>;

/// The mechanism with its proof; what is drawn, accounted or exported is so only with one.
///
/// # Errors
/// A claim that is false.
pub fn prove_claim<M: MechanismKind>(mechanism: M) -> Result<Certified<M>, FalseClaim> {
    mechanism.clone().prove().map_err(|violation| FalseClaim::of(&mechanism, &violation))
}
