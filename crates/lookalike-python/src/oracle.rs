//! Frequency oracles.

use crate::claim::{Claim, StoredClaim};
use crate::data::Column;
use crate::error::Answer;
use crate::ledger::Charge;
use crate::numbers::epsilon;
use crate::release::{Reading, Release, VALUES, unknown};
use crate::released::{self, Kept};
use crate::single::{self, SingleReport};
use arrow_schema::DataType;
use lookalike::design::{Problem, randomized_response};
use lookalike::estimate::SupportEstimator;
use lookalike::local::{Candidate, Protocol, auto, oracle};
use lookalike::model::{Categories, SecretGraph};
use lookalike_engine::OracleColumn;
use lookalike_engine::records::category_encoder;
use lookalike_formats::MechanismFile;
use pyo3::prelude::*;
use std::sync::{Arc, OnceLock};

/// A frequency oracle: a claim until it is certified, which happens when it is first used.
#[pyclass(module = "lookalike._lookalike", frozen)]
pub struct Oracle {
    claim: Arc<Claim<lookalike::model::Oracle>>,
    single: OnceLock<SingleReport>,
}

impl Oracle {
    pub fn new(claim: Claim<lookalike::model::Oracle>) -> Self {
        Oracle { claim: Arc::new(claim), single: OnceLock::new() }
    }

    pub fn claim(&self) -> &Claim<lookalike::model::Oracle> {
        &self.claim
    }

    fn inner(&self) -> &lookalike::model::Oracle {
        &self.claim.file.mechanism
    }
}

#[pymethods]
impl Oracle {
    #[getter]
    #[pyo3(name = "claim")]
    fn stored(&self) -> StoredClaim {
        StoredClaim::of(&self.claim)
    }

    #[getter]
    fn categories(&self) -> Vec<String> {
        self.inner().categories().names().iter().map(str::to_owned).collect()
    }

    /// The variance of an estimated share, for one report and a share near 0.
    fn variance(&self, share: f64) -> f64 {
        SupportEstimator::new(self.inner()).variance(share)
    }

    /// The report on a single value, or on a list of one; see `Mechanism.privatize_one`.
    fn privatize_one(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> Answer<Option<Py<PyAny>>> {
        if !single::is_one(value)? {
            return Ok(None);
        }
        if self.single.get().is_none() {
            let made = py.detach(|| SingleReport::new(self.claim.certified()?))?;
            let _ = self.single.set(made);
        }
        self.single.get().map_or(Ok(None), |single| single.release(value))
    }

    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (values, seed, unknown_as, shuffle, progress, charge=None))]
    fn privatize(
        &self,
        py: Python<'_>,
        values: Vec<Bound<'_, PyAny>>,
        seed: Option<u64>,
        unknown_as: Option<&str>,
        shuffle: bool,
        progress: Option<Py<PyAny>>,
        charge: Option<PyRef<'_, Charge>>,
    ) -> Answer<Py<PyAny>> {
        let values = values.iter().map(|values| Column::of(values, VALUES)).collect::<Answer<Vec<_>>>()?;
        let categories = self.inner().categories();
        let unknown = unknown(unknown_as, categories)?;
        let reading = Reading { profile: None, value: Some(category_encoder(categories)?), unknown };
        let release = Release {
            profiles: None,
            values: &values,
            shuffle,
            seed,
            progress: progress.as_ref(),
            charge: charge.as_deref(),
        };
        let draw = |_: &_, _| Ok((OracleColumn::new(self.claim.certified()?, &[]), Kept::Columns(Vec::new())));
        let (drawn, _) = release.run(py, reading, draw)?;
        released::column(py, &values[0].form(), &DataType::Utf8, drawn.kept)
    }
}

/// What a person may report through.
#[pyfunction]
pub fn local_oracle(py: Python<'_>, protocol: Option<&str>, categories: Vec<String>, at: &str) -> Answer<Py<PyAny>> {
    let (categories, at) = (Categories::new(categories)?, epsilon(at, "epsilon")?);
    let chosen = match protocol {
        Some(name) => name.parse::<Protocol>()?,
        None => py.detach(|| auto(&categories, &at))?.protocol,
    };
    if chosen == Protocol::KRr && categories.len() <= MOST_CHANNEL {
        let mut builder = SecretGraph::builder(categories.names().clone());
        builder.complete(&at);
        let problem = Problem::values(categories, builder.build()?)?;
        let (design, certified) = py.detach(|| crate::design::proved(randomized_response(&problem)?))?;
        return Ok(Py::new(py, crate::design::mechanism(design, certified))?.into_any());
    }
    let made = py.detach(|| oracle(chosen, categories, at))?;
    let claim = Claim::new(MechanismFile::of(made));
    let certified = py.detach(|| claim.certified().cloned())?;
    Ok(Py::new(py, Oracle::new(Claim::of_certified(chosen.name(), certified)))?.into_any())
}

/// The protocols with the variance of one report and the length of a report in bits, and the best of them.
#[pyfunction]
pub fn local_compare(py: Python<'_>, categories: Vec<String>, at: &str) -> Answer<Compared> {
    let (categories, at) = (Categories::new(categories)?, epsilon(at, "epsilon")?);
    let auto = py.detach(|| auto(&categories, &at))?;
    let row = |candidate: &Candidate| (candidate.protocol.name().to_owned(), candidate.variance, candidate.bits);
    Ok((auto.candidates.iter().map(row).collect(), auto.protocol.name().to_owned()))
}

/// Rows of name, variance and bits, and the name of the best.
type Compared = (Vec<(String, f64, u64)>, String);

/// Up to so many categories k-ary randomized response is a channel between them, so that reports are categories.
const MOST_CHANNEL: usize = 512;
