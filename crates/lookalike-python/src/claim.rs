//! A mechanism of any kind with its proof, which is made when it is first needed.

use crate::error::{Answer, Failure};
use lookalike::certify::Certified;
use lookalike_engine::SaveFile;
use lookalike_formats::{MechanismFile, Proof, Stored};
use std::path::Path;
use std::sync::OnceLock;

/// A mechanism file and what became of its claim.
pub struct Claim<M: Proof> {
    pub file: MechanismFile<M>,
    proof: OnceLock<Result<Certified<M>, Broken>>,
}

/// Why a claim is false, and the facts.
struct Broken {
    reason: String,
    facts: String,
}

impl<M: Proof + Stored> Claim<M> {
    /// A claim that nobody has proved yet.
    pub fn new(file: MechanismFile<M>) -> Self {
        Claim { file, proof: OnceLock::new() }
    }

    /// A claim with its proof, under the name that its file has.
    pub fn of_certified(name: &str, certified: Certified<M>) -> Self {
        let claim = Claim::new(MechanismFile::of_certified(name, &certified));
        claim.with_proof(certified)
    }

    /// The same claim with its proof.
    pub fn with_proof(self, certified: Certified<M>) -> Self {
        Claim { proof: Ok(certified).into(), ..self }
    }

    /// The same claim with these facts in its file.
    pub fn described(mut self, certificate: Option<serde_json::Value>) -> Self {
        self.file.certificate = certificate;
        self
    }

    /// The mechanism with its proof; the witness when the claim is false.
    pub fn certified(&self) -> Answer<&Certified<M>> {
        let proof = self.proof.get_or_init(|| {
            let mechanism = self.file.mechanism.clone();
            mechanism.prove().map_err(|violation| Broken {
                reason: violation.to_string(),
                facts: self.file.mechanism.facts(violation.certificate()).to_string(),
            })
        });
        let broken = |broken: &Broken| Failure::Privacy(broken.reason.clone(), broken.facts.clone());
        proof.as_ref().map_err(broken)
    }

    /// Whether it is known what becomes of the claim, so that asking again takes no time.
    pub fn is_proved(&self) -> bool {
        self.proof.get().is_some()
    }

    /// The facts of the proof as JSON.
    pub fn certificate(&self) -> Answer<String> {
        Ok(self.file.mechanism.facts(self.certified()?.certificate()).to_string())
    }

    pub fn save(&self, path: &Path, overwrite: bool) -> Answer<()> {
        Ok(self.file.save(path, overwrite)?)
    }
}
