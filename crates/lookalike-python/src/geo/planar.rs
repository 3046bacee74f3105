//! Noise on places.

use super::places::{Asked, release};
use super::{epsilon_per_metre, length, origin};
use crate::claim::{Claim, ClassKind, StoredClaim};
use crate::error::{Answer, Failure};
use crate::numbers::{epsilon, rational};
use lookalike::exact::{Direction, Epsilon, Rational, to_f64};
use lookalike::geo::{planar_mean, planar_quantile};
use lookalike::model::{Noise, PlanarNoise as Model, Region};
use lookalike::sample::PlanarSampler;
use lookalike_engine::geo::{PlanarDesign, Promise};
use lookalike_formats::geo::Length;
use pyo3::prelude::*;
use std::sync::{Arc, OnceLock};

/// Planar Laplace noise on the places of a region: a claim until it is certified, which happens when it is first used.
#[pyclass(module = "lookalike._lookalike", frozen)]
pub struct PlanarNoise {
    claim: Arc<Claim<Model>>,
    sampler: OnceLock<Arc<PlanarSampler>>,
}

impl PlanarNoise {
    pub fn new(claim: Claim<Model>) -> Self {
        PlanarNoise { claim: Arc::new(claim), sampler: OnceLock::new() }
    }

    fn inner(&self) -> &Model {
        &self.claim.file.mechanism
    }

    pub fn sampler(&self) -> Answer<&Arc<PlanarSampler>> {
        let certified = self.claim.certified()?;
        Ok(self.sampler.get_or_init(|| Arc::new(PlanarSampler::new(certified))))
    }

    /// By how much ln P falls with each metre in the plane.
    pub fn decay(&self) -> Answer<Epsilon> {
        Ok(self.inner().decay().scale(&self.inner().grid().recip())?)
    }
}

impl ClassKind for Model {
    fn object(py: Python<'_>, claim: Claim<Self>) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, PlanarNoise::new(claim))?.into_any())
    }
}

#[pymethods]
impl PlanarNoise {
    #[getter]
    #[pyo3(name = "claim")]
    fn stored(&self) -> StoredClaim {
        StoredClaim::of(&self.claim)
    }

    /// Latitude, longitude and half the width of the region, and the grid, as fractions.
    #[getter]
    fn parameters(&self) -> [String; 4] {
        let region = self.inner().region();
        [region.latitude(), region.longitude(), region.half_width(), &self.inner().grid()].map(Rational::to_string)
    }

    /// The stretch of the projection and the resolution in metres, both rounded up.
    #[getter]
    fn bounds(&self) -> (f64, f64) {
        let up = |number: &Rational| to_f64(number, Direction::Up);
        (up(self.inner().region().stretch()), up(&self.inner().resolution()))
    }

    /// The ε of two places so far apart, rounded up.
    fn epsilon_at(&self, distance: &str) -> Answer<f64> {
        let distance = length(distance, "distance")?;
        let epsilon = self.inner().epsilon().scale(&(distance + self.inner().resolution()))?;
        Ok(to_f64(&epsilon.enclose(80).upper().to_rational(), Direction::Up))
    }

    fn mean_error(&self) -> Answer<f64> {
        Ok(planar_mean(&self.decay()?))
    }

    fn quantile(&self, probability: &str) -> Answer<f64> {
        let probability = rational(probability, "probability")?;
        let quantile = planar_quantile(&self.decay()?, &probability);
        Ok(quantile.map_err(|error| lookalike_formats::Error::from(error).at("probability"))?)
    }

    #[pyo3(signature = (latitudes, longitudes, names, seed, shuffle, progress))]
    #[allow(clippy::too_many_arguments)]
    fn privatize(
        &self,
        py: Python<'_>,
        latitudes: &Bound<'_, PyAny>,
        longitudes: &Bound<'_, PyAny>,
        names: [String; 2],
        seed: Option<u64>,
        shuffle: bool,
        progress: Option<Py<PyAny>>,
    ) -> Answer<Vec<Py<PyAny>>> {
        let sampler = self.sampler()?.clone();
        release(py, sampler, &Asked { latitudes, longitudes, names, seed, shuffle, progress, is_release: true })
    }
}

/// Noise at an ε a metre, or at a level for places within a radius.
#[pyfunction]
pub fn geo_planar(
    py: Python<'_>,
    per_metre: Option<&str>,
    within: Option<(String, String)>,
    about: &str,
    extent: &str,
    grid: Option<&str>,
) -> Answer<PlanarNoise> {
    let ([latitude, longitude], half_width) = (origin(about)?, length(extent, "extent")?);
    let grid = grid.map(|grid| length(grid, "grid")).transpose()?;
    let grid =
        grid.map(|grid| Noise::exponent_of(&grid).map_err(|error| lookalike_formats::Error::from(error).at("grid")));
    let promise = match (per_metre, within) {
        (Some(epsilon), None) => Promise::PerMetre(epsilon_per_metre(epsilon)?),
        (None, Some((level, radius))) => {
            Promise::Radius { level: epsilon(&level, "level")?, radius: Length::new(length(&radius, "radius")?)? }
        }
        _ => return Err(Failure::input("expected either epsilon, or level and radius")),
    };
    let region = Region::new(latitude, longitude, half_width)?;
    let request = PlanarDesign { region, promise, grid: grid.transpose()? };
    let designed = py.detach(|| request.run())??;
    Ok(PlanarNoise::new(Claim::new(designed.file()).with_proof(designed.certified)))
}
