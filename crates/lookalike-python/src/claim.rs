//! A mechanism of any kind with its proof, which is made when it is first needed.

use crate::error::{Answer, Failure};
use lookalike::certify::Certified;
use lookalike_engine::{FalseClaim, SaveFile, prove_claim};
use lookalike_formats::{MechanismFile, Proof, ProofFacts, Stored, json_of};
use std::path::Path;
use std::sync::OnceLock;

/// A mechanism file and what became of its claim.
pub struct Claim<M: Proof> {
    pub file: MechanismFile<M>,
    proof: OnceLock<Result<Certified<M>, FalseClaim>>,
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
        let proof = self.proof.get_or_init(|| prove_claim(self.file.mechanism.clone()));
        proof.as_ref().map_err(Failure::privacy)
    }

    /// Whether it is known what becomes of the claim, so that asking again takes no time.
    pub fn is_proved(&self) -> bool {
        self.proof.get().is_some()
    }

    /// The facts of the proof.
    pub fn facts(&self) -> Answer<ProofFacts> {
        Ok(self.file.mechanism.facts(self.certified()?.certificate()))
    }

    /// The same as JSON.
    pub fn certificate(&self) -> Answer<String> {
        Ok(json_of(&self.facts()?).to_string())
    }

    pub fn save(&self, path: &Path, overwrite: bool) -> Answer<()> {
        Ok(self.file.save(path, overwrite)?)
    }
}
