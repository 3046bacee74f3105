//! The memory of releases: what has been released about whom, what it adds up to, and a refusal where no theorem covers
//! the next release.
//!
//! A [`Ledger`] is an SQLite file. [`Charging`] stands between a mechanism and its output: each batch of rows is decided,
//! drawn and charged in one transaction, which is on the disk before anything of the batch is written. Names of subjects
//! and records are keyed hashes ([`LedgerKey`]); no value is ever stored, only what was released.
//!
//! What adds up, and why, is decided by [`lookalike::account`]; this module remembers.

// Inputs are opened by `lookalike_records::open_input` and `open_stream` alone (clippy.toml has the list), so that none is replaced.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod charges;
mod check;
mod copies;
mod facts;
mod rules;
mod store;
mod verbs;

#[cfg(test)]
mod tests;

pub use charges::{
    BudgetsFacts, ChargeRequest, ChargeTotals, ChargedDraw, Charging, ClockCorrection, IdColumns, IdSource,
    LEDGER_VERSION, Ledger, LedgerFacts, LedgerStatus, OverBudget, PeriodicFacts, ReleaseChargesFacts, ReleaseStatus,
    SpentFacts, SubjectFacts, SubjectSpentFacts, SubjectStatus, SumFacts, ValueFreeDraw,
};
pub use check::{Fault, Verified, VerifiedFacts, verified_facts, verify};
pub use copies::Migration;
pub use facts::{LedgerAnswer, LedgerBudgets, LedgerKey, LedgerRelease, Period, SubjectNames, time_text};
pub use store::{Head, check_apart};
