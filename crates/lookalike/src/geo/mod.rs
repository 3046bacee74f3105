//! Places on a finite grid, released so that places near each other look alike.
//!
//! Geo-indistinguishability asks that two places d apart are alike within ε·d, for an ε per unit of length. On the cells of
//! a grid that is a secret graph with an edge for every pair, and a mechanism is a point mechanism over the cells,
//! certified and sampled like any other. Noise without a grid of cells is [`crate::model::PlanarNoise`]. ε·d is exact: a distance is the step times a root of a whole number. Imports
//! [`crate::exact`], [`crate::model`], [`crate::certify`] (its type), [`crate::design`], [`crate::sample`] and [`crate::estimate`].
//!
//! | what | where |
//! |---|---|
//! | the grid, its distances and names | [`Cells`] |
//! | the grid on the ground, and places released by way of it | [`PlaceGrid`], [`PlaceSampler`] |
//! | the graphs: all pairs, or those within a radius | [`all_pairs`], [`within`] |
//! | noise cut off at the edge, at the decay that certifies | [`truncated`] |
//! | noise on the endless grid, brought to the nearest cell | [`planar`] |
//! | the least expected loss for a prior, on all pairs or a δ-spanner | [`optimal`], [`spanner`], [`GeoLoss`] |
//! | the best reading of any of these under a prior | [`remap`] |
//! | mean and quantiles of the error | [`Errors`], [`planar_mean`], [`planar_quantile`] |
//!
//! # Example
//! ```
//! use lookalike::{certify::certify, design::Watch, exact::parse_rational, model::Prior};
//! use lookalike::geo::{Cells, Errors, GeoLoss, expected_loss, optimal, planar, remap};
//! // Places 200 metres apart look alike within ln 4, on a grid of 4×4 cells of 100 metres.
//! let (cells, epsilon) = (Cells::new(4, 4, parse_rational("100")?)?, "ln(4)/200".parse()?);
//! let (prior, loss) = (Prior::uniform(16)?, GeoLoss::Euclidean.of(&cells)?);
//! let noise = planar(&cells, &epsilon)?.mechanism;
//! let better = remap(&noise, &prior, &loss)?.mechanism;
//! let best = optimal(&cells, &epsilon, (&prior, &loss), &parse_rational("1")?, &Watch::default())?;
//! let best = certify(best.mechanism)?;
//! let [plain, remapped, least] = [&noise, &better, best.mechanism()].map(|m| expected_loss(m, &prior, &loss).unwrap());
//! assert!(plain > remapped && remapped > least);
//! let errors = Errors::of(&cells, best.mechanism(), &prior)?;
//! assert!(errors.quantile(&parse_rational("0.95")?)? < 400.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Reference
//! Andrés, Bordenabe, Chatzikokolakis and Palamidessi, Geo-Indistinguishability: Differential Privacy for Location-Based
//! Systems (2013), arXiv 1212.1984.

mod cells;
mod errors;
mod graph;
mod loss;
mod optimal;
mod place_grid;
mod planar;
mod remap;
mod spanner;
mod truncated;

pub use cells::Cells;
pub use errors::{Errors, planar_mean, planar_quantile};
pub use graph::{all_pairs, within};
pub use loss::GeoLoss;
pub use optimal::{Optimal, optimal};
pub use place_grid::{PlaceGrid, PlaceSampler};
pub use planar::planar;
pub use remap::{Remapped, expected_loss, remap};
pub use spanner::spanner;
pub use truncated::{Truncated, truncated, truncated_at};
