//! Whether the claim of a file is true, and what more is asked about it.

use super::claim::Proven;
use super::delta::DeltaFacts;
use super::within::{Within, WithinFacts};
use crate::design::check_claim_covers;
use lookalike::Sentence;
use lookalike::certify::{Certified, Delta, delta_at};
use lookalike::estimate::LimitsBasis;
use lookalike::exact::Epsilon;
use lookalike::model::{Mechanism, Noise, Secrets};
use lookalike_formats::{
    Error, LimitsBasisFacts, MechanismKind, ProofFacts, Result, Spec, Stated, WitnessFacts, of_kind,
};
use serde::Serialize;
use std::any::Any;
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
    pub proof: Box<dyn AnyProof>,
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
pub trait AnyProof: std::fmt::Debug {
    /// Whether the claim is true.
    fn is_proved(&self) -> bool;

    /// What is said of it to machines.
    fn facts(&self) -> CertifyFacts;

    /// The proof for people, or what is against the claim.
    fn text(&self) -> String;

    /// The mechanism, where it is channels between categories, of which more can be asked.
    fn channels(&self) -> Option<&Mechanism>;

    /// The same with their proof, where there is one.
    fn certified_channels(&self) -> Option<&Certified<Mechanism>>;
}

/// A kind of mechanism whose proof is said to people.
pub trait ProofInWords: MechanismKind {
    /// What is proved, and how, in lines.
    fn proof_text(&self, certificate: &Self::Certificate) -> String;

    /// What a claim is called that the proof does not show.
    fn refutation(&self) -> &'static str {
        "NOT PRIVATE"
    }
}

impl<M: ProofInWords + std::fmt::Debug + 'static> AnyProof for Proven<M>
where
    M::Certificate: std::fmt::Debug + 'static,
{
    fn is_proved(&self) -> bool {
        self.verdict.is_ok()
    }

    fn facts(&self) -> CertifyFacts {
        Proven::facts(self)
    }

    fn text(&self) -> String {
        match &self.verdict {
            Ok(certified) => self.mechanism.proof_text(certified.certificate()),
            Err(violation) => format!("{}: {violation}\n", self.mechanism.refutation()),
        }
    }

    fn channels(&self) -> Option<&Mechanism> {
        self.mechanism.as_channels()
    }

    fn certified_channels(&self) -> Option<&Certified<Mechanism>> {
        (self.verdict.as_ref().ok()? as &dyn Any).downcast_ref()
    }
}

/// The proof about noise of version 1, which does not say what its numbers are.
#[derive(Debug)]
struct Unstated(Proven<Noise>);

impl AnyProof for Unstated {
    fn is_proved(&self) -> bool {
        self.0.is_proved()
    }

    fn facts(&self) -> CertifyFacts {
        let mut facts = self.0.facts();
        if facts.certified {
            facts.proof.secrets = Secrets::Unstated.word();
        }
        facts
    }

    fn text(&self) -> String {
        let Ok(certified) = &self.0.verdict else { return self.0.text() };
        let certificate = certified.certificate();
        format!(
            "Certified, secrets unstated: {} within epsilon {}.\nA file of version 1 does not say what these numbers tell \
             of: of a person, or of a moment whose neighbours\ntell of it too, about which the loss is more. Nothing is \
             released by it; lookalike upgrade writes a file that says it.\n",
            certificate.secrets(),
            certificate.claimed(),
        )
    }

    fn channels(&self) -> Option<&Mechanism> {
        None
    }

    fn certified_channels(&self) -> Option<&Certified<Mechanism>> {
        None
    }
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
        match &self.mechanism {
            Stated::Yes(mechanism) if mechanism.channels().is_some() => {}
            Stated::Yes(mechanism) => self.refuse_questions(mechanism.kind_name())?,
            Stated::No(file) => self.refuse_questions(file.mechanism.kind_name())?,
        }
        let limits_basis = match &self.mechanism {
            Stated::Yes(mechanism) => mechanism.channels().and_then(|file| file.limits_basis.clone()),
            Stated::No(_) => None,
        };
        let proof: Box<dyn AnyProof> = match self.mechanism {
            Stated::No(file) => Box::new(Unstated(Proven::of(file.mechanism))),
            Stated::Yes(mechanism) => of_kind!(mechanism, file => Box::new(Proven::of(file.mechanism))),
        };
        let Some(mechanism) = proof.channels() else {
            return Ok(CertifyOutcome { proof, short_of_spec: None, within: None, delta: None, limits_basis: None });
        };
        let short_of_spec = self.spec.and_then(|spec| check_claim_covers(mechanism, &spec, "spec"));
        let within = self.profiles_within.as_deref().map(|path| Within::of(mechanism, path)).transpose()?;
        let delta = self.delta_at.as_ref().map(|epsilon| delta_at(mechanism, epsilon)).transpose();
        let delta = delta.map_err(|error| Error::from(error).at_option(Sentence::new().option("delta-at")))?;
        Ok(CertifyOutcome { proof, short_of_spec, within, delta, limits_basis })
    }

    /// Refuses what is asked of channels between categories only.
    fn refuse_questions(&self, kind: &str) -> Result<()> {
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
        self.proof.is_proved() && self.short_of_spec.is_none()
    }

    /// All that is said of it.
    pub fn facts(&self) -> CertifyFacts {
        let facts = match &self.short_of_spec {
            Some(reason) if self.proof.is_proved() => self.proof.facts().against(reason, None),
            _ => self.proof.facts(),
        };
        let Some(mechanism) = self.proof.channels() else { return facts };
        let within = self.within.as_ref().map(|within| within.facts(mechanism));
        let delta = self.delta.as_ref().map(|delta| DeltaFacts::of(delta, mechanism));
        let limits_basis = self.limits_basis.as_ref().map(LimitsBasisFacts::of);
        CertifyFacts { limits_basis, within, delta, ..facts }
    }
}

#[cfg(test)]
#[path = "certify_tests.rs"]
mod tests;
