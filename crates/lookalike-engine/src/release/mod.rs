//! Releases: records in, drawn records out, and what their owner should know of the rows.

mod grid_steps;
mod group_counts;
mod job;
mod named_records;
mod numbers;
mod oracle_column;
mod privatize;
mod profile_rows;
mod release_note;
mod repeated;
mod row_order;
mod row_sequence;
mod row_words;
mod rows_out;
mod unchanged;

pub use grid_steps::GridSteps;
pub use group_counts::{Matches, count_groups, protected_counts, release_counts, releases_csv};
pub(crate) use job::kept;
pub use job::{Job, Target, check_in_clear, check_kept};
pub(crate) use named_records::stopped;
pub use numbers::{NoiseColumn, NoiseTables, NoisyNumber};
pub(crate) use numbers::{check_numbers, plain};
pub use oracle_column::OracleColumn;
pub use privatize::{Privatized, privatize, release_warnings};
pub use profile_rows::ProfileRows;
pub use release_note::ReleaseNote;
pub use repeated::{all_reports, repeated_reports, secrets_of, sum_of};
pub use row_order::{Order, RowOrder};
pub use row_words::RowWords;
pub use rows_out::RowsOut;
pub use unchanged::no_value_changed;
