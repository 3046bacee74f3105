//! Reads statistics back from privatized reports, with error bars.
//!
//! Floats are welcome here: what is estimated has been released.

mod clopper_pearson;
mod components;
mod dense;
mod estimator;
mod figure;
mod identified;
mod interval;
mod likelihood;
mod most_behind;
mod normal;
mod support;
mod tally;

pub use clopper_pearson::{clopper_pearson, lower_limit, upper_limit};
pub use estimator::Estimator;
pub use figure::{Confidence, Estimate, Figure, PredictedError, Prediction};
pub use most_behind::most_behind;
pub(crate) use normal::upper_quantile;
pub use support::SupportEstimator;
pub use tally::SupportTally;
