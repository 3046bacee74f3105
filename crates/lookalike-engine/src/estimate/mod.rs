//! What released records tell of the true ones.

mod estimate_facts;
mod estimate_request;
mod estimate_table;
mod named_counts;
mod prediction;
mod report_reader;
mod reports;
mod supports;

pub use estimate_facts::{CohortFacts, EstimateFacts, Members, MisfitFacts, ShareFacts};
pub use estimate_request::{EstimateOutcome, EstimateRequest, ReportRecords};
pub use estimate_table::{FigureChoice, FigureOrder, check_estimate_file, write_estimates};
pub use named_counts::read_counts;
pub use prediction::{Comparison, PredictedShareFacts, PredictedWidthsFacts, PredictionFacts};
pub use report_reader::{Counts, ReadBack, ReportReader};
pub use reports::{Cohort, EstimateNames, Outputs, about_text, count_reports, misfit_text, read_estimates};
pub(crate) use reports::{missing, number};
pub use supports::count_supports;
