//! The formats of Lookalike: texts in, values out.
//!
//! Specs, plans, mechanism files, chain files and framework files, read from texts and written to them. Pure: no file, no
//! clock, no process. What lies beside a spec, the tables that it names, is handed in as [`Beside`]. Everything that can go wrong
//! ends in one [`Error`], which may carry one of the operating system's for the crates that do open files.

// Nothing here opens a file (clippy.toml has the list).
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod command_line;
mod design_gap;
mod error;
mod fit_options;
pub mod geo;
mod mechanism_file;
mod plan;
pub mod pufferfish;
pub mod records;
mod shown;
pub mod spec;
mod text;

pub use command_line::CommandLine;
pub use design_gap::{MaxGap, check_gap, gap_warning};
pub use error::{Error, Result, Table as KeyTable};
pub use fit_options::{DEFAULT_LIMITS_GRID, DEFAULT_MINIMUM, Domain, FitGraph, FitOptions, Small};
pub use mechanism_file::{
    AnyFile, AnyMechanism, BindingFacts, DEVICE_FORMAT, DeviceTable, EpsilonFacts, FORMAT, ImpossibleValuesFacts,
    LIMITS_REST_ON, LimitsBasisFacts, MechanismFile, MechanismKind, ObjectiveFacts, ProofFacts, SolutionFacts, Stated,
    VERSION, WitnessFacts, WorstFacts, certificate_json, chain_digest, device_json, device_table,
    expected_line as impossible_value_line, fingerprint, impossible_values, json_of, largest_epsilon, objective_json,
    promised,
};
pub use plan::{DATA, FIT, Plan, PlanCsv, PlanData, PlanDesign, PlanEstimate, PlanFit};
pub use shown::{shown, shown_json, shown_lines};
pub use spec::{Alone, Beside, LIMIT_COLUMNS, LimitsFile, Rows, Spec, Table, table};
pub use text::{LONGEST_TABLE, LONGEST_TEXT, is_like, json_text, one_of, text_of, toml_text, too_long, tree};
