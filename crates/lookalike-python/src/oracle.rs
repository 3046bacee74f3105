//! Frequency oracles.

use crate::claim::{Claim, ClassKind, StoredClaim};
use crate::data::Column;
use crate::error::Answer;
use crate::ledger::Charge;
use crate::numbers::epsilon;
use crate::release::{Release, VALUES};
use crate::released::{self, Kept};
use crate::single::{self, SingleReport};
use lookalike::estimate::SupportEstimator;
use lookalike::local::Protocol;
use lookalike::model::Categories;
use lookalike_engine::local::{OracleComparison, OracleDesign, OracleDesigned, OracleMechanism};
use lookalike_engine::{Facts, OracleReports};
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

    fn inner(&self) -> &lookalike::model::Oracle {
        &self.claim.file.mechanism
    }
}

impl ClassKind for lookalike::model::Oracle {
    fn object(py: Python<'_>, claim: Claim<Self>) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, Oracle::new(claim))?.into_any())
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
        let release = Release {
            profiles: None,
            values: &values,
            unknown: unknown_as,
            shuffle,
            seed,
            progress: progress.as_ref(),
            charge: charge.as_deref(),
        };
        let reports = OracleReports(py.detach(|| self.claim.certified())?);
        let (kept, data_type) =
            release.run(py, reports, |release, _| (release.column_type(), Kept::Columns(Vec::new())))?;
        released::column(py, &values[0].form(), &data_type, kept)
    }
}

/// What a person may report through; where every report is longer than `most_bits`, there is none.
#[pyfunction]
pub fn local_oracle(
    py: Python<'_>,
    protocol: Option<&str>,
    categories: Vec<String>,
    at: &str,
    most_bits: Option<u64>,
) -> Answer<Py<PyAny>> {
    let request = OracleDesign {
        categories: Categories::new(categories)?,
        epsilon: epsilon(at, "epsilon")?,
        protocol: protocol.map(str::parse::<Protocol>).transpose()?,
        most_bits,
        compare: false,
    };
    let found = match py.detach(|| request.run())? {
        OracleDesigned::Found(found) => *found,
        OracleDesigned::Impossible { reason } => return Err(lookalike_formats::Error::refused(reason).into()),
    };
    match found.mechanism {
        OracleMechanism::Channel(design, certified) => {
            Ok(Py::new(py, crate::design::mechanism(*design, *certified))?.into_any())
        }
        OracleMechanism::Oracle(certified) => {
            let claim = Claim::of_certified(found.protocol.name(), *certified);
            Ok(Py::new(py, Oracle::new(claim))?.into_any())
        }
    }
}

/// The protocols with the variance of one report and the length of a report in bits, and the best of them, as JSON.
#[pyfunction]
pub fn local_compare(py: Python<'_>, categories: Vec<String>, at: &str, reports: u64) -> Answer<String> {
    let (categories, epsilons) = (Categories::new(categories)?, vec![epsilon(at, "epsilon")?]);
    let compared = py.detach(|| OracleComparison { categories, epsilons, reports }.run())?;
    Ok(compared.facts().json().to_string())
}
