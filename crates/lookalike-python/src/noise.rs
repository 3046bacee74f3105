//! Noise on numbers.

use crate::claim::{Claim, ClassKind, StoredClaim};
use crate::data::Column;
use crate::error::Answer;
use crate::ledger::Charge;
use crate::numbers::{epsilon, rational};
use crate::release::{Release, VALUES, warn};
use crate::released::{self, Kept};
use crate::single;
use lookalike::exact::Rational;
use lookalike::model::Noise as Model;
use lookalike_engine::noise::{NoiseClaim, NoiseDesign};
use lookalike_engine::{NoiseTables, Numbers};
use pyo3::prelude::*;
use std::sync::{Arc, OnceLock};

/// Discrete Laplace noise on a grid: a claim until it is certified, which happens when it is first used.
#[pyclass(module = "lookalike._lookalike", frozen)]
pub struct Noise {
    claim: Arc<Claim<Model>>,
    /// Made once: that takes longer than thousands of draws.
    tables: OnceLock<Arc<NoiseTables>>,
}

impl Noise {
    pub fn new(claim: Claim<Model>) -> Self {
        Noise { claim: Arc::new(claim), tables: OnceLock::new() }
    }

    fn tables(&self, py: Python<'_>) -> Answer<&Arc<NoiseTables>> {
        match self.tables.get() {
            Some(tables) => Ok(tables),
            None => py.detach(|| {
                let certified = self.claim.certified()?;
                Ok(self.tables.get_or_init(|| Arc::new(NoiseTables::new(certified))))
            }),
        }
    }

    pub fn inner(&self) -> &Model {
        &self.claim.file.mechanism
    }
}

impl ClassKind for Model {
    fn object(py: Python<'_>, claim: Claim<Self>) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, Noise::new(claim))?.into_any())
    }
}

#[pymethods]
impl Noise {
    #[getter]
    #[pyo3(name = "claim")]
    fn stored(&self) -> StoredClaim {
        StoredClaim::of(&self.claim)
    }

    /// Sensitivity, grid, and the bounds where there are any, as fractions.
    #[getter]
    fn parameters(&self) -> (String, String, Option<[String; 2]>) {
        let noise = self.inner();
        let clamp = noise.clamp().map(|bounds| bounds.each_ref().map(Rational::to_string));
        (noise.sensitivity().to_string(), noise.grid().to_string(), clamp)
    }

    /// A single number with noise, or a list of one, from fresh randomness and without the way of columns; none for what only
    /// that way can take.
    fn add_one(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> Answer<Option<Py<PyAny>>> {
        single::with_noise(self.tables(py)?, value)
    }

    #[pyo3(signature = (values, seed, shuffle, progress, charge=None))]
    fn add(
        &self,
        py: Python<'_>,
        values: &Bound<'_, PyAny>,
        seed: Option<u64>,
        shuffle: bool,
        progress: Option<Py<PyAny>>,
        charge: Option<PyRef<'_, Charge>>,
    ) -> Answer<Py<PyAny>> {
        let values = Column::of(values, VALUES)?;
        let release = Release {
            profiles: None,
            values: std::slice::from_ref(&values),
            unknown: None,
            shuffle,
            seed,
            progress: progress.as_ref(),
            charge: charge.as_deref(),
        };
        let numbers = Numbers::with_tables(self.claim.certified()?, self.tables(py)?.clone());
        let (kept, data_type) =
            release.run(py, numbers, |release, _| (release.column_type(), Kept::Columns(Vec::new())))?;
        released::column(py, &values.form(), &data_type, kept)
    }

    /// Half the width of an interval in grid steps, for a number that is on the grid.
    fn interval(&self, confidence: &str) -> Answer<u64> {
        Ok(self.inner().interval(&rational(confidence, "confidence")?)?)
    }
}

/// Noise for numbers that differ by at most `sensitivity` between neighbours.
#[pyfunction]
pub fn laplace(
    py: Python<'_>,
    at: &str,
    sensitivity: &str,
    grid: &str,
    clamp: Option<(String, String)>,
) -> Answer<Noise> {
    let bounds = |(lower, upper): (String, String)| -> Answer<_> {
        Ok([rational(&lower, "clamp")?, rational(&upper, "clamp")?])
    };
    let claim = NoiseClaim {
        epsilon: epsilon(at, "epsilon")?,
        sensitivity: rational(sensitivity, "sensitivity")?,
        exponent: Model::exponent_of(&rational(grid, "grid")?)?,
        clamp: clamp.map(bounds).transpose()?,
    };
    let designed = NoiseDesign { claim, confidence: None }.run()??;
    warn(py, &designed.warnings, 2)?;
    Ok(Noise::new(Claim::new(designed.file()).with_proof(designed.certified)))
}
