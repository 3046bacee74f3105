//! Whether the claim of a file is true, and what more is asked about it.

use super::claim::Proven;
use super::delta::DeltaFacts;
use super::within::{Within, WithinFacts};
use crate::design::check_claim_covers;
use lookalike::Sentence;
use lookalike::certify::{Delta, delta_at};
use lookalike::estimate::LimitsBasis;
use lookalike::exact::Epsilon;
use lookalike::model::{Mechanism, Noise, Oracle, PlanarNoise, Secrets};
use lookalike_formats::{AnyMechanism, Error, LimitsBasisFacts, ProofFacts, Result, Spec, Stated, WitnessFacts};
use serde::Serialize;
use std::path::PathBuf;

/// A proof that is asked for.
#[derive(Debug)]
pub struct CertifyRequest {
    /// The mechanism, which may be noise that does not state its secrets.
    pub mechanism: Stated,
    /// What the claim is to cover.
    pub spec: Option<Spec>,
    /// Limits of the profiles: what if they are not quite right.
    pub profiles_within: Option<PathBuf>,
    /// The least δ at this ε is asked for.
    pub delta_at: Option<Epsilon>,
}

/// What became of a claim, and what else was asked about it.
#[derive(Debug)]
pub struct CertifyOutcome {
    /// The proof, or what is against it.
    pub proof: AnyProof,
    /// How the claim falls short of the spec.
    pub short_of_spec: Option<String>,
    /// The worst that profiles within limits can do.
    pub within: Option<Within>,
    /// The least δ at an ε.
    pub delta: Option<Delta>,
    /// What the limits of profiles rest on, as the file states it.
    pub limits_basis: Option<LimitsBasis>,
}

/// What became of a claim of any kind.
#[derive(Debug)]
pub enum AnyProof {
    /// That of channels between categories.
    Channels(Box<Proven<Mechanism>>),
    /// That of a frequency oracle.
    Oracle(Box<Proven<Oracle>>),
    /// That of noise on numbers, or about the moments of a chain.
    Noise(Box<Proven<Noise>>),
    /// That of noise of version 1, which does not say its secrets.
    Unstated(Box<Proven<Noise>>),
    /// That of noise on places.
    Planar(Box<Proven<PlanarNoise>>),
}

/// What is said of a claim.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CertifyFacts {
    /// Whether it is proved, and covers what it is to cover.
    pub certified: bool,
    /// The proof, or how far it went.
    #[serde(flatten)]
    pub proof: ProofFacts,
    /// What is against it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<AgainstFacts>,
    /// What the limits of the profiles rest on, as the file states it: no part of the proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits_basis: Option<LimitsBasisFacts>,
    /// If the profiles are only within limits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<WithinFacts>,
    /// The least δ at an ε.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta: Option<DeltaFacts>,
}

/// Why a claim is not proved, or not enough.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgainstFacts {
    /// In words.
    pub reason: String,
    /// Where, for channels whose claim is false.
    #[serde(flatten)]
    pub place: Option<WitnessFacts>,
}

impl CertifyFacts {
    /// Those of a proof.
    pub(super) fn proved(proof: ProofFacts) -> Self {
        CertifyFacts { certified: true, proof, witness: None, limits_basis: None, within: None, delta: None }
    }

    /// The same with what is against it.
    pub(super) fn against(self, reason: &str, place: Option<WitnessFacts>) -> Self {
        let witness = Some(AgainstFacts { reason: reason.to_owned(), place });
        CertifyFacts { certified: false, witness, ..self }
    }
}

impl CertifyRequest {
    /// Proves the claim, and answers what else is asked.
    ///
    /// # Errors
    /// A question about channels between categories, where the mechanism is another one; limits that cannot be read, and an ε at
    /// which δ would take too long.
    pub fn run(self) -> Result<CertifyOutcome> {
        if !matches!(self.mechanism, Stated::Yes(AnyMechanism::Finite(_))) {
            self.refuse_questions()?;
        }
        let limits_basis = match &self.mechanism {
            Stated::Yes(AnyMechanism::Finite(file)) => file.limits_basis.clone(),
            _ => None,
        };
        let proof = match self.mechanism {
            Stated::No(file) => AnyProof::Unstated(Box::new(Proven::of(file.mechanism))),
            Stated::Yes(AnyMechanism::Finite(file)) => AnyProof::Channels(Box::new(Proven::of(file.mechanism))),
            Stated::Yes(AnyMechanism::Oracle(file)) => AnyProof::Oracle(Box::new(Proven::of(file.mechanism))),
            Stated::Yes(AnyMechanism::Noise(file)) => AnyProof::Noise(Box::new(Proven::of(file.mechanism))),
            Stated::Yes(AnyMechanism::Planar(file)) => AnyProof::Planar(Box::new(Proven::of(file.mechanism))),
        };
        let AnyProof::Channels(proven) = &proof else {
            return Ok(CertifyOutcome { proof, short_of_spec: None, within: None, delta: None, limits_basis: None });
        };
        let mechanism = &proven.mechanism;
        let short_of_spec = self.spec.and_then(|spec| check_claim_covers(mechanism, &spec, "spec"));
        let within = self.profiles_within.as_deref().map(|path| Within::of(mechanism, path)).transpose()?;
        let delta = self.delta_at.as_ref().map(|epsilon| delta_at(mechanism, epsilon)).transpose();
        let delta = delta.map_err(|error| Error::from(error).at_option(Sentence::new().option("delta-at")))?;
        Ok(CertifyOutcome { proof, short_of_spec, within, delta, limits_basis })
    }

    /// Refuses what is asked of channels between categories only.
    fn refuse_questions(&self) -> Result<()> {
        let kind = match &self.mechanism {
            Stated::Yes(mechanism) => mechanism.kind_name(),
            Stated::No(_) => "noise",
        };
        let questions = [
            ("spec", self.spec.is_some()),
            ("profiles-within", self.profiles_within.is_some()),
            ("delta-at", self.delta_at.is_some()),
        ];
        match questions.iter().find(|(_, asked)| *asked) {
            None => Ok(()),
            Some((option, _)) => Err(Error::input(
                Sentence::new()
                    .option(option)
                    .text(format!(" is about channels between categories, and this file is of the kind {kind}")),
            )),
        }
    }
}

impl CertifyOutcome {
    /// Whether the claim is true, and covers the spec.
    pub fn is_certified(&self) -> bool {
        let is_proved = match &self.proof {
            AnyProof::Channels(proven) => proven.verdict.is_ok(),
            AnyProof::Oracle(proven) => proven.verdict.is_ok(),
            AnyProof::Noise(proven) | AnyProof::Unstated(proven) => proven.verdict.is_ok(),
            AnyProof::Planar(proven) => proven.verdict.is_ok(),
        };
        is_proved && self.short_of_spec.is_none()
    }

    /// All that is said of it.
    pub fn facts(&self) -> CertifyFacts {
        match &self.proof {
            AnyProof::Channels(proven) => self.of_channels(proven),
            AnyProof::Oracle(proven) => proven.facts(),
            AnyProof::Noise(proven) => proven.facts(),
            AnyProof::Unstated(proven) => {
                let mut facts = proven.facts();
                if facts.certified {
                    facts.proof.secrets = Secrets::Unstated.word();
                }
                facts
            }
            AnyProof::Planar(proven) => proven.facts(),
        }
    }

    fn of_channels(&self, proven: &Proven<Mechanism>) -> CertifyFacts {
        let facts = match &self.short_of_spec {
            Some(reason) if proven.verdict.is_ok() => proven.facts().against(reason, None),
            _ => proven.facts(),
        };
        let within = self.within.as_ref().map(|within| within.facts(&proven.mechanism));
        let delta = self.delta.as_ref().map(|delta| DeltaFacts::of(delta, &proven.mechanism));
        let limits_basis = self.limits_basis.as_ref().map(LimitsBasisFacts::of);
        CertifyFacts { limits_basis, within, delta, ..facts }
    }
}

#[cfg(test)]
#[path = "certify_tests.rs"]
mod tests;
