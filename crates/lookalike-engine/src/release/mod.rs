//! Releases: records in, drawn records out, and what their owner should know of the rows.

mod channels;
#[cfg(feature = "ledger")]
mod charge_order;
#[cfg(feature = "ledger")]
mod charge_outcome;
mod grid_steps;
mod group_counts;
mod named_draw;
mod named_records;
mod noise_interval;
mod numbers;
mod open_release;
mod oracle_column;
mod privatize;
mod profile_rows;
mod promise;
mod random_key;
mod releasable;
mod release_note;
mod release_outcome;
mod release_request;
mod repeated;
mod row_order;
mod row_sequence;
mod row_words;
mod rows_out;
mod unchanged;
#[cfg(not(feature = "ledger"))]
mod without_ledger;

pub use channels::{Channels, unknown_code};
#[cfg(feature = "ledger")]
pub use charge_order::{ChargeOrder, clock_behind, no_further_period};
#[cfg(feature = "ledger")]
pub use charge_outcome::{ChargeFacts, ChargeOutcome};
pub use grid_steps::GridSteps;
pub use group_counts::{Matches, count_groups, protected_counts, release_counts, releases_csv};
pub(crate) use named_draw::NamedDraw;
pub(crate) use named_records::stopped;
pub use noise_interval::NoiseInterval;
pub use numbers::{NoiseColumn, NoiseTables, NoisyNumber, Numbers};
pub(crate) use numbers::{check_numbers, plain};
pub use open_release::{OpenRelease, OutputFile, Written};
pub use oracle_column::{OracleColumn, OracleReports};
pub use privatize::{Privatized, privatize};
pub use profile_rows::ProfileRows;
pub use promise::{ReleasePromise, Released};
pub use random_key::{fresh_key, key_of, seed_warning};
pub use releasable::{Choose, Drawn, Reading, Releasable, Way};
pub use release_note::ReleaseNote;
pub use release_outcome::{PromiseFacts, ReleaseFacts, ReleaseOutcome};
pub use release_request::{ReleaseOptions, ReleaseRequest, check_in_clear};
pub(crate) use release_request::{check_kept, kept};
pub use repeated::{all_reports, repeated_reports, sum_of};
pub use row_order::{Order, RowOrder};
pub use row_words::RowWords;
pub use rows_out::RowsOut;
pub use unchanged::no_value_changed;
#[cfg(not(feature = "ledger"))]
pub use without_ledger::{ChargeFacts, ChargeOutcome, Charging};

#[cfg(feature = "ledger")]
use lookalike_ledger::Charging;
