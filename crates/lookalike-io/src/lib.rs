//! File formats of Lookalike.
//!
//! The library `lookalike` computes and touches no file; this crate reads specs, mechanism files and records, and
//! writes mechanism files and privatized records. Everything that can go wrong ends in one [`Error`].

// Inputs are opened by `spared::open_input` and `open_stream` alone (clippy.toml has the list), so that none is replaced.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod atomic;
pub mod audit;
mod command_line;
mod design_gap;
mod error;
mod estimate_table;
mod file;
pub mod fit;
mod fresh;
pub mod geo;
mod grid_steps;
mod group_counts;
mod impossible_values;
mod json_text;
pub mod ledger;
mod mechanism_file;
mod named;
mod named_counts;
mod named_records;
mod numbers;
mod oracle_column;
mod outlook;
mod plan;
pub mod plot;
mod prediction;
mod privatize;
mod profile_rows;
pub mod pufferfish;
mod read_audit;
mod read_text;
mod readback;
pub mod records;
mod release;
mod release_note;
mod repeated;
pub mod report;
mod reports;
mod row_order;
mod row_sequence;
mod row_words;
mod rows_out;
mod run;
mod scores;
mod shortfall;
mod shown;
mod spared;
mod spec;
mod summary;
mod supports;
mod text;
mod tree;
mod tupling;
mod unchanged;
mod upgrade;
mod wanted;
mod wishes;

pub use atomic::{AtomicFile, write_atomically, write_for_owner};
pub use command_line::CommandLine;
pub use design_gap::{MaxGap, check_gap, gap_warning};
pub use error::{Error, Result};
pub use estimate_table::{FigureChoice, FigureOrder, check_estimate_file, write_estimates};
pub use file::{ReadFile, SaveFile};
pub use fresh::fresh_bytes;
pub use grid_steps::GridSteps;
pub use group_counts::{Matches, count_groups, protected_counts, release_counts, releases_csv};
pub use impossible_values::{impossible_values, impossible_values_json};
pub use json_text::json_text;
pub use mechanism_file::{
    AnyMechanism, DEVICE_FORMAT, DeviceTable, FORMAT, MechanismFile, Stated, Stored, VERSION, device_json,
    device_table, fingerprint, largest_epsilon,
};
pub use named::{at_input, at_output, is_stdout, is_written_through, length};
pub use named_counts::read_counts;
pub use numbers::{NoiseColumn, NoiseTables, NoisyNumber};
pub use oracle_column::OracleColumn;
pub use outlook::Outlook;
pub use plan::{Plan, PlanCsv, PlanData, PlanDesign, PlanEstimate, PlanFit};
pub use prediction::Comparison;
pub use privatize::{Privatized, privatize, release_warnings};
pub use profile_rows::ProfileRows;
pub use read_audit::{AuditFigures, AuditSource, read_audit};
pub use read_text::{read_text, read_text_up_to};
pub use readback::{Counts, Readback, Reports, ReportsFile};
pub use records::Draw;
pub use release::{Job, Target, check_in_clear, check_kept};
pub use release_note::ReleaseNote;
pub use repeated::{all_reports, repeated_reports, secrets_of, sum_of};
pub use reports::{Cohort, EstimateNames, Outputs, count_reports, estimates_json, misfit_text, read_estimates};
pub use row_order::{Order, RowOrder};
pub use row_words::RowWords;
pub use rows_out::RowsOut;
pub use run::{Listener, MakePage, Ran, Run, Unfinished};
pub use scores::Scores;
pub use shortfall::shortfall;
pub use shown::{shown, shown_json, shown_lines};
pub use spared::{InputGuard, check_spared, check_stdout, is_same_place, note_input, open_input, open_stream};
pub use spec::tables::Folder;
pub use spec::{Alone, Beside, Rows, Spec, Table};
pub use summary::{Proof, certificate_json, objective_json, solution_json};
pub use supports::count_supports;
pub use text::{LONGEST_TABLE, LONGEST_TEXT, one_of, text_of};
pub use tupling::{dummy_law, read_dummy_law, tupling_json, uniform_dummies};
pub use unchanged::no_value_changed;
pub use upgrade::{StatedSecrets, upgrade};
pub use wanted::Wanted;
pub use wishes::{Wishes, prove_design};
