//! Reads statistics back from privatized reports, with error bars.
//!
//! Floats are welcome here: what is estimated was public already.

mod clopper_pearson;
mod figure;

pub use clopper_pearson::{clopper_pearson, lower_limit, upper_limit};
pub use figure::{Estimate, Figure};
