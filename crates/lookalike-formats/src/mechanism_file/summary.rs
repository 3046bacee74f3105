//! What each kind of mechanism has: a proof with facts; and what a file keeps of them.

use super::MechanismFile;
use super::facts::{EpsilonFacts, ObjectiveFacts, ProofFacts, WitnessFacts, WorstFacts, json_of};
use lookalike::certify::{
    Certificate, Certified, ClosedForm, OracleCertificate, PlanarForm, Provable, Violation, certify, certify_noise,
    certify_oracle, certify_planar,
};
use lookalike::design::Design;
use lookalike::estimate::LimitsBasis;
use lookalike::exact::{Direction, to_f64};
use lookalike::model::{Mechanism, MomentsProof, Noise, Oracle, PlanarNoise, Secrets};
use serde_json::Value;

/// A kind of mechanism with the one function that proves it, and the facts of its proof for machines.
pub trait Proof: Provable + Clone {
    /// The mechanism with its proof, or the witness against its claim.
    ///
    /// # Errors
    /// A claim that is false.
    fn prove(self) -> Result<Certified<Self>, Violation<Self::Certificate>>;

    /// The facts of the proof, or of what stands in its way.
    fn facts(&self, certificate: &Self::Certificate) -> ProofFacts;

    /// What shows that a claim is false, beside the reason in words: nothing where there is no pair to point at.
    fn witness(&self, _certificate: &Self::Certificate) -> Option<WitnessFacts> {
        None
    }
}

impl Proof for Mechanism {
    fn prove(self) -> Result<Certified<Self>, Violation<Certificate>> {
        certify(self)
    }

    fn facts(&self, certificate: &Certificate) -> ProofFacts {
        ProofFacts::of_channels(self, certificate)
    }

    fn witness(&self, certificate: &Certificate) -> Option<WitnessFacts> {
        let worst = certificate.worst();
        Some(WitnessFacts {
            worst: WorstFacts::new(self, worst.secrets(), worst.output()),
            ratio: worst.ratio().map(|ratio| ratio.to_string()),
        })
    }
}

impl Proof for Oracle {
    fn prove(self) -> Result<Certified<Self>, Violation<OracleCertificate>> {
        certify_oracle(self)
    }

    /// With `proof`: the exact law of so many reports, or the closed form.
    fn facts(&self, certificate: &OracleCertificate) -> ProofFacts {
        let epsilon = EpsilonFacts::new(certificate.claimed(), certificate.achieved().as_ref());
        ProofFacts { proof: Some(certificate.proof().to_string()), ..ProofFacts::new(Secrets::Values.word(), epsilon) }
    }
}

impl Proof for Noise {
    fn prove(self) -> Result<Certified<Self>, Violation<ClosedForm>> {
        certify_noise(self)
    }

    /// With `proof`: the closed form, or what proves it for moments of a chain; the most `steps` between neighbours and the `decay` of each.
    fn facts(&self, certificate: &ClosedForm) -> ProofFacts {
        let achieved = certificate.achieved().map(|epsilon| epsilon.enclose(60));
        let mut epsilon = EpsilonFacts::new(certificate.claimed(), achieved.as_ref());
        if self.moments().is_some() {
            // What a proof shows about moments is an upper bound.
            epsilon.lower = None;
        }
        let proof = self.moments().map_or("closed form", |moments| match moments.proof() {
            MomentsProof::Contraction => "contraction",
            MomentsProof::Quilts(_) => "quilts",
        });
        ProofFacts {
            proof: Some(proof.to_owned()),
            steps: Some(certificate.steps().to_string()),
            decay: Some(certificate.decay().to_string()),
            ..ProofFacts::new(self.secrets().word(), epsilon)
        }
    }
}

impl Proof for PlanarNoise {
    fn prove(self) -> Result<Certified<Self>, Violation<PlanarForm>> {
        certify_planar(self)
    }

    /// A metre, with `proof`, always the closed form, the `stretch` of the projection and the `resolution` in metres.
    fn facts(&self, certificate: &PlanarForm) -> ProofFacts {
        let achieved = certificate.achieved().map(|epsilon| epsilon.enclose(80));
        let epsilon = EpsilonFacts::new(certificate.claimed(), achieved.as_ref());
        ProofFacts {
            per: Some("metre"),
            proof: Some("closed form".to_owned()),
            stretch: Some(to_f64(certificate.stretch(), Direction::Up)),
            resolution: Some(to_f64(certificate.resolution(), Direction::Up)),
            ..ProofFacts::new(Secrets::Places.word(), epsilon)
        }
    }
}

impl<M: Proof> MechanismFile<M> {
    /// The file of a mechanism that has been certified, without an objective.
    pub fn of_certified(name: &str, certified: &Certified<M>) -> MechanismFile<M> {
        let mechanism = certified.mechanism().clone();
        let certificate = Some(json_of(&mechanism.facts(certified.certificate())));
        MechanismFile { name: Some(name.to_owned()), certificate, ..MechanismFile::of(mechanism) }
    }
}

impl MechanismFile {
    /// The file of a design that has been certified.
    pub fn new(design: Design, certified: &Certified<Mechanism>) -> MechanismFile {
        MechanismFile {
            name: Some(design.name.to_string()),
            places: None,
            objective: Some(objective_json(&design)),
            certificate: Some(certificate_json(&design.mechanism, certified.certificate())),
            mechanism: design.mechanism,
            limits_basis: None,
        }
    }
}

impl<M> MechanismFile<M> {
    /// The same file, with what the limits of its profiles rest on.
    #[must_use]
    pub fn resting_on(self, limits_basis: Option<LimitsBasis>) -> Self {
        MechanismFile { limits_basis, ..self }
    }
}

/// [`ObjectiveFacts`] as a file has them.
pub fn objective_json(design: &Design) -> Value {
    json_of(&ObjectiveFacts::of(design))
}

/// [`ProofFacts`] of channels as a file has them.
pub fn certificate_json(mechanism: &Mechanism, certificate: &Certificate) -> Value {
    json_of(&ProofFacts::of_channels(mechanism, certificate))
}
