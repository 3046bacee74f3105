//! Reads statistics back from privatized reports, with error bars.
//!
//! Floats are welcome here: what is estimated has been released. Limits are proved all the same, and rounded outward.

mod bentkus;
mod clopper_pearson;
mod components;
mod dense;
mod envelope;
mod estimator;
mod figure;
mod identified;
mod joint;
mod likelihood;
mod limits_basis;
mod majorant;
mod misfit;
mod most_behind;
mod near_normal;
mod normal;
mod readings;
mod regions;
mod reported;
mod support;
mod tally;
mod targets;
mod trust;
mod upper_reading;

pub use clopper_pearson::{clopper_pearson, lower_limit, upper_limit};
pub use estimator::Estimator;
pub use figure::{Confidence, Estimate, Figure, PredictedInterval, Prediction};
pub use limits_basis::{HoldsFor, LimitsBasis, outward_on_grid};
pub use misfit::Misfit;
pub use most_behind::most_behind;
pub(crate) use normal::upper_quantile;
pub use reported::Reported;
pub use support::SupportEstimator;
pub use tally::SupportTally;
pub use trust::Trust;
