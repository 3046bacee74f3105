//! What a file keeps of a design and of a proof.

use super::facts::{ObjectiveFacts, ProofFacts, json_of};
use super::{MechanismFile, MechanismKind};
use lookalike::certify::{Certificate, Certified};
use lookalike::design::Design;
use lookalike::estimate::LimitsBasis;
use lookalike::model::Mechanism;
use serde_json::Value;

impl<M: MechanismKind> MechanismFile<M> {
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
