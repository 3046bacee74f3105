//! A mechanism of any kind with its proof, which is made when it is first needed.

use crate::error::{Answer, Failure};
use crate::page::PageWords;
use crate::progress::watched;
use lookalike::certify::Certified;
use lookalike::design::Watch;
use lookalike::estimate::Trust;
use lookalike_engine::audit::{Attacked, Subject};
use lookalike_engine::{FalseClaim, ReadBack, ReportReader, SaveFile, prove_claim};
use lookalike_formats::{AnyFile, AnyMechanism, MechanismFile, MechanismKind, ProofFacts, json_of};
use lookalike_report::{HasPage, PageOutcome, PageRequest};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// A mechanism file and what became of its claim.
pub struct Claim<M: MechanismKind> {
    pub file: MechanismFile<M>,
    proof: OnceLock<Result<Certified<M>, FalseClaim>>,
}

impl<M: MechanismKind> Claim<M> {
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
}

/// What claims of every kind have in common, for Python: `mechanism.claim`.
#[pyclass(module = "lookalike._lookalike", frozen)]
pub struct StoredClaim(Arc<dyn AnyClaim>);

impl StoredClaim {
    pub fn of<M>(claim: &Arc<Claim<M>>) -> Self
    where
        Claim<M>: AnyClaim + 'static,
        M: MechanismKind,
    {
        StoredClaim(claim.clone())
    }
}

/// A claim of whichever kind.
pub trait AnyClaim: Send + Sync {
    fn file(&self) -> &dyn AnyFile;

    fn is_known(&self) -> bool;

    fn proof(&self) -> Answer<String>;

    fn page(&self, request: &PageRequest<'_>, watch: Watch<'_>) -> Answer<PageOutcome>;

    /// The mechanism of its kind.
    fn any(&self) -> AnyMechanism;

    /// What an audit draws from.
    fn subject(&self) -> Answer<Subject>;

    /// The way back from reports; the witness when the claim is false.
    fn reader(&self, trust: Option<Trust>, in_cohorts: bool) -> Answer<ReportReader<'_>>;
}

/// A kind of mechanism that has a class here.
pub trait ClassKind: MechanismKind {
    /// The object of a claim.
    fn object(py: Python<'_>, claim: Claim<Self>) -> PyResult<Py<PyAny>>;
}

/// The claim of a mechanism of whichever class.
pub fn claim_of(mechanism: &Bound<'_, PyAny>) -> Answer<Arc<dyn AnyClaim>> {
    let claim = mechanism.getattr("claim")?;
    Ok(claim.cast::<StoredClaim>().map_err(PyErr::from)?.get().0.clone())
}

impl<M> AnyClaim for Claim<M>
where
    M: Attacked + ReadBack + HasPage + Send + Sync,
    M::Certificate: Clone + Send + Sync,
    AnyMechanism: From<MechanismFile<M>>,
{
    fn file(&self) -> &dyn AnyFile {
        &self.file
    }

    fn is_known(&self) -> bool {
        self.is_proved()
    }

    fn proof(&self) -> Answer<String> {
        self.certificate()
    }

    fn page(&self, request: &PageRequest<'_>, watch: Watch<'_>) -> Answer<PageOutcome> {
        Ok(M::page(&self.file, self.certified()?, request, watch)?)
    }

    fn any(&self) -> AnyMechanism {
        self.file.clone().into()
    }

    fn subject(&self) -> Answer<Subject> {
        Ok(M::subject(self.certified()?.clone())?)
    }

    fn reader(&self, trust: Option<Trust>, in_cohorts: bool) -> Answer<ReportReader<'_>> {
        self.certified()?;
        Ok(self.file.mechanism.reader(trust, in_cohorts)?)
    }
}

#[pymethods]
impl StoredClaim {
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.file().kind_name()
    }

    #[getter]
    fn name(&self) -> Option<&str> {
        self.0.file().name()
    }

    /// What ε is about.
    #[getter]
    fn about(&self) -> String {
        self.0.file().secrets().to_string()
    }

    #[getter]
    fn epsilon(&self) -> (f64, String) {
        let epsilon = self.0.file().epsilon();
        (epsilon.to_f64(), epsilon.to_string())
    }

    /// The facts of the proof, as JSON.
    fn certify(&self, py: Python<'_>) -> Answer<String> {
        watched(py, None, self.0.is_known(), |_| self.0.proof())
    }

    /// The page about it, and what it leaves out.
    fn page(&self, py: Python<'_>, words: PageWords, progress: Option<Py<PyAny>>) -> Answer<(String, Vec<String>)> {
        let request = words.request()?;
        watched(py, progress.as_ref(), false, |link| {
            let page = link.watch(|watch| self.0.page(&request, watch))?;
            Ok((page.html, page.notes))
        })
    }

    fn to_json(&self) -> String {
        self.0.file().to_json()
    }

    fn save(&self, path: PathBuf, overwrite: bool) -> Answer<()> {
        Ok(self.0.file().save(&path, overwrite)?)
    }
}
