//! What released records tell of the true ones.

mod estimate_table;
mod named_counts;
mod prediction;
mod readback;
mod reports;
mod supports;

pub use estimate_table::{FigureChoice, FigureOrder, check_estimate_file, write_estimates};
pub use named_counts::read_counts;
pub use prediction::Comparison;
pub use readback::{Counts, Readback, Reports};
pub use reports::{Cohort, EstimateNames, Outputs, count_reports, estimates_json, misfit_text, read_estimates};
pub(crate) use reports::{missing, number};
pub use supports::count_supports;
