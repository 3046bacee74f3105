//! The jobs of Lookalike: what shells ask for, done by the library, the formats, records and the ledger together.
//!
//! Fitting, releasing, estimating, auditing, places, sequences and whole runs. This is the only crate that combines the others;
//! shells import it, [`lookalike_formats`] and `lookalike-report`, and see [`records`] and the [`ledger`] through it.

// Inputs are opened by `lookalike_records::open_input` and `open_stream` alone (clippy.toml has the list), so that none is replaced.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod audit;
#[cfg(feature = "ledger")]
mod bookkeeping;
pub mod counts;
mod design;
mod estimate;
mod facts;
mod figures;
mod files;
pub mod fit;
pub mod geo;
mod kinds;
pub mod local;
mod mechanism;
pub mod noise;
pub mod pufferfish;
mod release;
#[cfg(feature = "files")]
mod run;

pub use audit::{AuditFigures, AuditSource, read_audit};
#[cfg(feature = "ledger")]
pub use bookkeeping::{
    BackupFacts, ClockFacts, ExportFacts as LedgerExportFacts, InitFacts, LedgerAt, MigrateFacts, RecordFacts,
    RecordOrder, WithdrawFacts,
};
pub use design::{
    BaselineFacts, ChannelScope, CheckFacts, CheckRequest, DesignChoices, DesignFacts, DesignOutcome, DesignOverrides,
    DesignRequest, DesignWarning, EpsilonForFacts, EpsilonTarget, KeptFacts, ProblemSummary, ProfileFacts, Reached,
    Scores, SweepPointFacts, SweepRequest, SweptDesign, Trusting, TrustingFacts, Wanted, check_claim_covers,
    prove_design, utilities,
};
pub use estimate::{
    Cohort, CohortFacts, Comparison, Counts, EstimateFacts, EstimateNames, EstimateOutcome, EstimateRequest,
    FigureChoice, FigureOrder, Members, MisfitFacts, Outputs, PredictedShareFacts, PredictedWidthsFacts,
    PredictionFacts, ReadBack, ReportReader, ReportRecords, ShareFacts, about_text, check_estimate_file, count_reports,
    count_supports, misfit_text, read_counts, read_estimates, write_estimates,
};
pub use facts::Facts;
pub use figures::{count, figure, small};
pub use files::{ReadFile, SaveFile};
#[cfg(feature = "ledger")]
pub use lookalike_ledger as ledger;
pub use lookalike_records as records;
pub use lookalike_records::{
    AtomicFile, BatchMechanism, Folder, InputGuard, at_input, at_output, check_spared, check_stdout, is_same_place,
    is_stdout, is_written_through, length, note_input, open_input, open_stream, os_random, read_text, read_text_up_to,
    write_atomically, write_for_owner,
};
pub use mechanism::{
    AccountFacts, AccountOutcome, AccountRequest, AccountRows, Accounted, AgainstFacts, AnyProof, Attempt,
    CertifyFacts, CertifyOutcome, CertifyRequest, Composed, ComposedFacts, Composing, DeltaEnds, DeltaFacts,
    DeviceForm, ExportFacts, ExportOutcome, ExportRequest, FalseClaim, ProofInWords, Proven, RowFacts, StatedSecrets,
    Together, TogetherFacts, TupledFacts, TuplingFacts, TuplingOutcome, TuplingRequest, UpgradeFacts, UpgradeOutcome,
    UpgradeRequest, Within, WithinFacts, dummy_law, prove_claim, read_dummy_law, uniform_dummies,
};
pub use noise::{Level, percent};
#[cfg(not(feature = "ledger"))]
pub use release::Charging;
pub use release::{
    Channels, ChargeFacts, ChargeOutcome, Choose, Drawn, GridSteps, Matches, NoiseColumn, NoiseInterval, NoiseTables,
    NoisyNumber, Numbers, OpenRelease, OracleColumn, OracleReports, Order, OutputFile, Privatized, ProfileRows,
    PromiseFacts, Reading, Releasable, ReleaseFacts, ReleaseNote, ReleaseOptions, ReleaseOutcome, ReleasePromise,
    ReleaseRequest, Released, RowOrder, RowWords, RowsOut, Way, Written, all_reports, check_in_clear, count_groups,
    fresh_key, key_of, no_value_changed, privatize, protected_counts, release_counts, releases_csv, repeated_reports,
    sum_of, unknown_code,
};
#[cfg(feature = "ledger")]
pub use release::{ChargeOrder, clock_behind, no_further_period};
#[cfg(feature = "files")]
pub use run::{Listener, MakePage, Ran, Run, RunFacts, RunReleaseFacts, Unfinished};
