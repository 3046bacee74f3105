//! Mechanisms between the cells of a grid.

use super::grid::{PlaceGrid, prior};
use super::places::{Asked, release};
use super::{epsilon_per_metre, length};
use crate::claim::Claim;
use crate::error::{Answer, Failure};
use crate::mechanism::Mechanism;
use crate::numbers::rational;
use crate::progress::watched;
use lookalike::exact::{Direction, Rational, to_f64};
use lookalike::geo::{Cells, Errors, GeoLoss, expected_loss, optimal, planar, remap, truncated};
use lookalike::model::Loss;
use lookalike_engine::prove_design;
use lookalike_formats::MechanismFile;
use pyo3::prelude::*;
use serde_json::{Value, json};

/// What is asked of a mechanism beside ε.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Wishes {
    epsilon: String,
    prior: Option<Vec<String>>,
    loss: String,
    spanner: String,
}

/// The mechanism of this name, `geo-optimal`, `geo-truncated` or `geo-planar`, proved, and what was found on the way as
/// JSON.
#[pyfunction]
pub fn geo_cells(
    py: Python<'_>,
    name: &str,
    grid: &PlaceGrid,
    wishes: Wishes,
    progress: Option<Py<PyAny>>,
) -> Answer<(Mechanism, String)> {
    let (places, cells) = (&grid.places, grid.cells());
    let epsilon = places.epsilon_in_plane(&epsilon_per_metre(&wishes.epsilon)?)?;
    let (prior, loss) = (prior(wishes.prior.as_ref(), cells)?, CellLoss::parse(&wishes.loss)?);
    let dilation = rational(&wishes.spanner, "spanner")?;
    watched(py, progress.as_ref(), false, |link| {
        let costs = loss.of(cells)?;
        let (mechanism, lower_bound, report) = match name {
            "geo-planar" => {
                let made = planar(cells, &epsilon)?;
                (made.mechanism, None, json!({ "repair_cost": made.cost }))
            }
            "geo-truncated" => {
                let made = truncated(cells, &epsilon)?;
                let share = made.decay.to_f64() / epsilon.to_f64();
                (made.mechanism, None, json!({ "share_of_epsilon": share, "repair_cost": made.repair_cost }))
            }
            _ => {
                let made = link.watch(|watch| optimal(cells, &epsilon, (&prior, &costs), &dilation, &watch))?;
                let report = json!({ "edges": made.edges, "repair_cost": made.repair_cost });
                (made.mechanism, Some(made.lower_bound), report)
            }
        };
        let value = nearest(&expected_loss(&mechanism, &prior, &costs)?);
        let objective = json!({
            "name": loss.name, "value": value, "lower_bound": lower_bound, "prior": prior_name(wishes.prior.as_ref()),
        });
        Ok((proved(name, mechanism, places, objective)?, report.to_string()))
    })
}

/// What the file says of the prior.
fn prior_name(weights: Option<&Vec<String>>) -> &'static str {
    if weights.is_some() { "weights" } else { "uniform" }
}

fn nearest(value: &Rational) -> f64 {
    to_f64(value, Direction::Nearest)
}

/// The mechanism with its proof, and the grid in its file.
fn proved(
    name: &str,
    mechanism: lookalike::model::Mechanism,
    places: &lookalike::geo::PlaceGrid,
    objective: Value,
) -> Answer<Mechanism> {
    let certified = prove_design(mechanism.of_cells()?)?;
    let file = MechanismFile::of_certified(name, &certified);
    let file = MechanismFile { places: Some(places.clone()), objective: Some(objective), ..file };
    Ok(Mechanism::new(Claim::new(file).with_proof(certified)))
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
    let (places, loss) = (places(mechanism)?, CellLoss::parse(measure)?);
    let prior = prior(weights.as_ref(), places.cells())?;
    watched(py, None, false, |_| {
        let (inner, costs) = (mechanism.inner(), loss.of(places.cells())?);
        let remapped = remap(inner, &prior, &costs)?;
        let names = places.cells().categories()?;
        let map = remapped.map.iter().map(|&cell| names.names().name(cell).to_owned()).collect();
        let [before, after] = [inner, &remapped.mechanism].map(|mechanism| expected_loss(mechanism, &prior, &costs));
        let objective = json!({
            "name": loss.name, "value": nearest(&after?), "before": nearest(&before?), "prior": prior_name(weights.as_ref()),
        });
        let name = format!("{}-remapped", mechanism.claim.file.name.as_deref().unwrap_or("geo"));
        Ok((proved(&name, remapped.mechanism, places, objective)?, map))
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
    let (places, loss) = (places(mechanism)?, CellLoss::parse(measure)?);
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
    release(py, sampler, &Asked { latitudes, longitudes, names, seed, shuffle, progress })
}

/// The grid, of a mechanism that has one.
pub fn places(mechanism: &Mechanism) -> Answer<&lookalike::geo::PlaceGrid> {
    mechanism.claim.file.places.as_ref().ok_or_else(|| {
        Failure::input("the mechanism is between values, not places: expected one that geo.optimal, geo.truncated or geo.planar_cells made")
    })
}

/// What a wrong cell costs, under the name that files have for it.
struct CellLoss {
    loss: GeoLoss,
    name: String,
}

impl CellLoss {
    /// `euclidean`, `squared`, or `within:200m` for 1 beyond that distance.
    fn parse(text: &str) -> Answer<Self> {
        let (loss, name) = match (text, text.strip_prefix("within:")) {
            ("euclidean", _) => (GeoLoss::Euclidean, text.to_owned()),
            ("squared", _) => (GeoLoss::Squared, text.to_owned()),
            (_, Some(radius)) => {
                let radius = length(radius, "loss")?;
                let name = format!("within:{radius}m");
                (GeoLoss::Beyond(radius), name)
            }
            _ => {
                let expected = "expected \"euclidean\", \"squared\" or \"within:200m\"";
                return Err(Failure::input(format!("loss: {text:?}, {expected}")));
            }
        };
        Ok(CellLoss { loss, name })
    }

    fn of(&self, cells: &Cells) -> Answer<Loss> {
        Ok(self.loss.of(cells)?)
    }
}
