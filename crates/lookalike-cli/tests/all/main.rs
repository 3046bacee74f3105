//! The integration tests of this crate, in one program: each file is about what its name says.

mod audit;
mod audit_program;
mod audit_shipped;
mod browser;
mod certify;
mod certify_delta;
mod certify_slack;
mod check;
mod closed_forms;
mod common;
mod completions;
mod counts;
mod design;
mod design_options;
mod design_sweep;
mod device;
mod estimate;
#[path = "common/exact.rs"]
mod exact;
mod export;
mod fit;
mod fit_failures;
mod formulas;
mod fuzz_seeds;
mod geo;
mod help;
mod interrupt;
mod json;
mod kills;
mod ledger;
mod ledger_crash;
mod ledger_files;
mod local;
mod local_reports;
mod memory;
mod noise;
mod noise_choose;
mod noise_columns;
mod order;
mod owner_only;
mod pages;
#[path = "common/private_files.rs"]
mod private_files;
mod private_values;
mod privatize;
mod privatize_failures;
mod privatize_formats;
mod privatize_formats_failures;
mod privatize_json_lines;
mod privatize_shuffle;
mod pufferfish;
mod pufferfish_frameworks;
mod randomness;
mod repeated;
mod report;
mod rows_out;
mod run;
mod second_verifier;
mod secrets;
mod shown_names;
mod spared_inputs;
#[path = "common/tables.rs"]
mod tables;
mod tupling;

/// The program under test: its name, and where it is.
const PROGRAM: (&str, &str) = ("lookalike", env!("CARGO_BIN_EXE_lookalike"));
