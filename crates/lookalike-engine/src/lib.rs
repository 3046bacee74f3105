//! The jobs of Lookalike: what shells ask for, done by the library, the formats, records and the ledger together.
//!
//! Fitting, releasing, estimating, auditing, places, sequences and whole runs. This is the only crate that combines the others;
//! shells import it, [`lookalike_formats`] and `lookalike-report`, and see [`records`] and the [`ledger`] through it.

// Inputs are opened by `lookalike_records::open_input` and `open_stream` alone (clippy.toml has the list), so that none is replaced.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod audit;
mod design;
mod estimate;
mod files;
pub mod fit;
pub mod geo;
mod mechanism;
pub mod pufferfish;
mod release;
mod run;

pub use audit::{AuditFigures, AuditSource, read_audit};
pub use design::{
    BaselineFacts, ChannelScope, CheckFacts, CheckRequest, DesignChoices, DesignFacts, DesignOutcome, DesignOverrides,
    DesignRequest, DesignWarning, EpsilonForFacts, EpsilonTarget, ProblemSummary, ProfileFacts, Reached, Scores,
    SweepPointFacts, SweepRequest, SweptDesign, Wanted, check_claim_covers, prove_design, utilities,
};
pub use estimate::{
    Cohort, Comparison, Counts, EstimateNames, FigureChoice, FigureOrder, Outputs, Readback, Reports, ReportsFile,
    check_estimate_file, count_reports, count_supports, estimates_json, misfit_text, read_counts, read_estimates,
    write_estimates,
};
pub use files::{ReadFile, SaveFile};
pub use lookalike_ledger as ledger;
pub use lookalike_records as records;
pub use lookalike_records::{
    AtomicFile, Draw, Folder, InputGuard, at_input, at_output, check_spared, check_stdout, fresh_bytes, is_same_place,
    is_stdout, is_written_through, length, note_input, open_input, open_stream, read_text, read_text_up_to,
    write_atomically, write_for_owner,
};
pub use mechanism::{
    AccountFacts, AccountOutcome, AccountRequest, AccountRows, AgainstFacts, AnyProof, CertifyFacts, CertifyOutcome,
    CertifyRequest, Composed, ComposedFacts, DeltaEnds, DeltaFacts, DeviceForm, ExportFacts, ExportOutcome,
    ExportRequest, FalseClaim, Proven, RowFacts, StatedSecrets, Together, TogetherFacts, TupledFacts, TuplingFacts,
    TuplingOutcome, TuplingRequest, UpgradeFacts, UpgradeOutcome, UpgradeRequest, Within, WithinFacts, dummy_law,
    prove_claim, read_dummy_law, uniform_dummies,
};
pub use release::{
    GridSteps, Job, Matches, NoiseColumn, NoiseTables, NoisyNumber, OracleColumn, Order, Privatized, ProfileRows,
    ReleaseNote, RowOrder, RowWords, RowsOut, Target, all_reports, check_in_clear, check_kept, count_groups,
    no_value_changed, privatize, protected_counts, release_counts, release_warnings, releases_csv, repeated_reports,
    secrets_of, sum_of,
};
pub use run::{Listener, MakePage, Ran, Run, Unfinished};
