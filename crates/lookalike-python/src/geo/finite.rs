//! Mechanisms between the cells of a grid.

use super::grid::{PlaceGrid, prior};
use super::places::{Asked, release};
use super::{at, epsilon_per_metre, length};
use crate::claim::Claim;
use crate::error::{Answer, Failure};
use crate::mechanism::Mechanism;
use crate::numbers::{epsilon, rational};
use crate::progress::watched;
use crate::release::warn;
use lookalike::exact::{Direction, Rational, to_f64};
use lookalike::geo::{Errors, expected_loss};
use lookalike_engine::Facts;
use lookalike_engine::geo::{CellLoss, CellsDesign, CellsRemap, Promise};
use lookalike_formats::geo::Length;
use pyo3::prelude::*;

/// What is asked of a mechanism between cells.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct CellWords {
    epsilon: Option<String>,
    level: Option<String>,
    radius: Option<String>,
    within: Option<String>,
    prior: Option<Vec<String>>,
    loss: String,
    spanner: String,
}

impl CellWords {
    fn promise(&self) -> Answer<Promise> {
        let length = |text: &String, name| Ok::<_, Failure>(Length::new(length(text, name)?)?);
        match (&self.epsilon, &self.level, &self.radius, &self.within) {
            (Some(epsilon), None, None, None) => Ok(Promise::PerMetre(epsilon_per_metre(epsilon)?)),
            (None, Some(level), Some(radius), None) => {
                Ok(Promise::Radius { level: epsilon(level, "level")?, radius: length(radius, "radius")? })
            }
            (None, Some(level), None, Some(within)) => {
                Ok(Promise::Pairs { level: epsilon(level, "level")?, radius: length(within, "within")? })
            }
            _ => Err(Failure::input("expected either epsilon, or level and one of radius and within")),
        }
    }
}

/// The mechanism by this name, `optimal`, `truncated` or `planar`, proved, and how it was made as JSON.
#[pyfunction]
pub fn geo_cells(
    py: Python<'_>,
    name: &str,
    grid: &PlaceGrid,
    words: CellWords,
    progress: Option<Py<PyAny>>,
) -> Answer<(Mechanism, String)> {
    let request = CellsDesign {
        grid: grid.places.clone(),
        promise: words.promise()?,
        designer: Some(name.parse()?),
        prior: prior(words.prior.as_ref(), grid.cells())?,
        prior_from: prior_name(words.prior.as_ref()).to_owned(),
        loss: words.loss.parse().map_err(at("loss"))?,
        dilation: rational(&words.spanner, "spanner")?,
    };
    let designed = watched(py, progress.as_ref(), false, |link| Ok(link.watch(|watch| request.run(&watch))?))?;
    warn(py, &designed.warnings, 3)?;
    let making = designed.making.json().to_string();
    Ok((Mechanism::new(Claim::new(designed.file()).with_proof(designed.certified)), making))
}

/// What the file says of the prior.
fn prior_name(weights: Option<&Vec<String>>) -> &'static str {
    if weights.is_some() { "weights" } else { "uniform" }
}

fn nearest(value: &Rational) -> f64 {
    to_f64(value, Direction::Nearest)
}

/// The grid of a mechanism.
#[pyfunction]
pub fn geo_places(mechanism: &Mechanism) -> Option<PlaceGrid> {
    mechanism.claim.file.places.clone().map(|places| PlaceGrid { places })
}

/// The mechanism with each output replaced by the best reading of it, and what replaces each by name.
#[pyfunction]
pub fn geo_remap(
    py: Python<'_>,
    mechanism: &Mechanism,
    weights: Option<Vec<String>>,
    measure: &str,
) -> Answer<(Mechanism, Vec<String>)> {
    let (places, loss) = (places(mechanism)?, measure.parse::<CellLoss>().map_err(at("loss"))?);
    let prior = prior(weights.as_ref(), places.cells())?;
    let request = CellsRemap {
        mechanism: mechanism.inner(),
        name: mechanism.claim.file.name.as_deref(),
        grid: places.clone(),
        prior,
        prior_from: prior_name(weights.as_ref()).to_owned(),
        loss,
    };
    watched(py, None, false, |_| {
        let (remapped, names) = (request.run()??, places.cells().categories()?);
        let map = remapped.map.iter().map(|&cell| names.names().name(cell).to_owned()).collect();
        Ok((Mechanism::new(Claim::new(remapped.file()).with_proof(remapped.certified)), map))
    })
}

/// The expected loss, to the nearest double.
#[pyfunction]
pub fn geo_expected_loss(
    py: Python<'_>,
    mechanism: &Mechanism,
    weights: Option<Vec<String>>,
    measure: &str,
) -> Answer<f64> {
    let (places, loss) = (places(mechanism)?, measure.parse::<CellLoss>().map_err(at("loss"))?);
    let prior = prior(weights.as_ref(), places.cells())?;
    watched(py, None, false, |_| {
        let costs = loss.of(places.cells())?;
        Ok(nearest(&expected_loss(mechanism.inner(), &prior, &costs)?))
    })
}

/// The law of the distance between the true cell and the released one.
#[pyclass(module = "lookalike._lookalike", frozen)]
pub struct CellErrors(Errors);

#[pymethods]
impl CellErrors {
    #[new]
    fn new(py: Python<'_>, mechanism: &Mechanism, weights: Option<Vec<String>>) -> Answer<Self> {
        let places = places(mechanism)?;
        let prior = prior(weights.as_ref(), places.cells())?;
        watched(py, None, false, |_| Ok(CellErrors(Errors::of(places.cells(), mechanism.inner(), &prior)?)))
    }

    #[getter]
    fn mean(&self) -> f64 {
        self.0.mean()
    }

    fn quantile(&self, probability: &str) -> Answer<f64> {
        let quantile = self.0.quantile(&rational(probability, "probability")?);
        Ok(quantile.map_err(|error| lookalike_formats::Error::from(error).at("probability"))?)
    }

    fn within(&self, distance: &str) -> Answer<f64> {
        Ok(self.0.within(to_f64(&length(distance, "distance")?, Direction::Nearest)))
    }
}

/// The released places of a mechanism between cells.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
#[pyo3(signature = (mechanism, latitudes, longitudes, names, seed, shuffle, progress))]
pub fn geo_privatize(
    py: Python<'_>,
    mechanism: &Mechanism,
    latitudes: &Bound<'_, PyAny>,
    longitudes: &Bound<'_, PyAny>,
    names: [String; 2],
    seed: Option<u64>,
    shuffle: bool,
    progress: Option<Py<PyAny>>,
) -> Answer<Vec<Py<PyAny>>> {
    let places = places(mechanism)?;
    let sampler = py.detach(|| mechanism.place_sampler(places))?;
    release(py, sampler, &Asked { latitudes, longitudes, names, seed, shuffle, progress, is_release: true })
}

/// The grid, of a mechanism that has one.
pub fn places(mechanism: &Mechanism) -> Answer<&lookalike::geo::PlaceGrid> {
    mechanism.claim.file.places.as_ref().ok_or_else(|| {
        Failure::input("the mechanism is between values, not places: expected one that geo.optimal, geo.truncated or geo.planar_cells made")
    })
}
