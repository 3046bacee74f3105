//! What released records tell of the true ones.

mod estimate_table;
mod named_counts;
mod prediction;
mod readback;
mod reports;
mod supports;
pub use estimate_table::FigureChoice;
pub use estimate_table::FigureOrder;
pub use estimate_table::check_estimate_file;
pub use estimate_table::write_estimates;
pub use named_counts::read_counts;
pub use prediction::Comparison;
pub use readback::Counts;
pub use readback::Readback;
pub use readback::Reports;
pub use readback::ReportsFile;
pub use reports::Cohort;
pub use reports::EstimateNames;
pub use reports::Outputs;
pub use reports::count_reports;
pub use reports::estimates_json;
pub use reports::misfit_text;
pub(crate) use reports::missing;
pub(crate) use reports::number;
pub use reports::read_estimates;
pub use supports::count_supports;
