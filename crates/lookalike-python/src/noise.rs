//! Noise on numbers.

use crate::claim::{Claim, StoredClaim};
use crate::data::Column;
use crate::error::Answer;
use crate::ledger::Charge;
use crate::numbers::{epsilon, rational};
use crate::release::{Reading, Release, VALUES};
use crate::released::{self, Kept};
use crate::single;
use lookalike::exact::Rational;
use lookalike::model::Noise as Model;
use lookalike_engine::{NoiseColumn, NoiseTables};
use lookalike_formats::MechanismFile;
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

    pub fn claim(&self) -> &Claim<Model> {
        &self.claim
    }

    fn inner(&self) -> &Model {
        &self.claim.file.mechanism
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
            shuffle,
            seed,
            progress: progress.as_ref(),
            charge: charge.as_deref(),
        };
        let reading = Reading { profile: None, value: None, unknown: None };
        let tables = self.tables(py)?.clone();
        let (drawn, column) = release.run(py, reading, |schema, _| {
            Ok((NoiseColumn::of_tables(tables, &schema.kept)?, Kept::Columns(Vec::new())))
        })?;
        let data_type = column.fields()[0].data_type().clone();
        released::column(py, &values.form(), &data_type, drawn.kept)
    }

    /// Half the width of an interval in grid steps, for a number that is on the grid.
    fn interval(&self, confidence: &str) -> Answer<u64> {
        Ok(self.inner().interval(&rational(confidence, "confidence")?)?)
    }
}

/// Noise for numbers that differ by at most `sensitivity` between neighbours.
#[pyfunction]
pub fn laplace(at: &str, sensitivity: &str, grid: &str, clamp: Option<(String, String)>) -> Answer<Noise> {
    let (at, sensitivity) = (epsilon(at, "epsilon")?, rational(sensitivity, "sensitivity")?);
    let exponent = Model::exponent_of(&rational(grid, "grid")?)?;
    let mut noise = Model::for_epsilon(at, sensitivity, exponent)?;
    if let Some((lower, upper)) = clamp {
        noise = noise.clamped(rational(&lower, "clamp")?, rational(&upper, "clamp")?)?;
    }
    let claim = Claim::new(MechanismFile::of(noise));
    let certified = claim.certified()?.clone();
    Ok(Noise::new(Claim::of_certified("discrete-laplace", certified)))
}
