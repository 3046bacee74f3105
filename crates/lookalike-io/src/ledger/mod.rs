//! The memory of releases: what has been released about whom, what it adds up to, and a refusal where no theorem covers
//! the next release.
//!
//! A [`Ledger`] is an SQLite file. [`Charging`] stands between a mechanism and its output: each batch of rows is decided,
//! drawn and charged in one transaction, which is on the disk before anything of the batch is written. Names of subjects
//! and records are keyed hashes ([`LedgerKey`]); no value is ever stored, only what was released.
//!
//! What adds up, and why, is decided by [`lookalike::account`]; this module remembers.

/// The verb that says whether a ledger is whole, for sentences.
const VERIFY: &str = "lookalike ledger verify";
/// The verb that brings a ledger to the current version.
const MIGRATE: &str = "lookalike ledger migrate";

mod answer;
mod backup;
mod budgets;
mod catalog;
mod charge;
mod charged_draw;
mod clock;
mod content;
mod database;
mod decide;
mod entry;
mod export;
mod files;
mod history;
mod ids;
mod journal;
mod key;
mod ledger_file;
mod located;
mod migrate;
mod names;
mod pages;
mod record;
mod release;
mod staging;
mod status;
mod verify;
mod window;
mod withdraw;

#[cfg(test)]
mod tests;

pub use answer::LedgerAnswer;
pub use budgets::{LedgerBudgets, Period, time_text};
pub use charge::{ChargeRequest, ChargeTotals, OverBudget};
pub use charged_draw::{ChargedDraw, Charging, StandIn};
pub use clock::ClockCorrection;
pub use entry::Head;
pub use files::check_apart;
pub use ids::{IdColumns, IdSource};
pub use key::LedgerKey;
pub use ledger_file::{LEDGER_VERSION, Ledger};
pub use migrate::Migration;
pub use names::SubjectNames;
pub use release::LedgerRelease;
pub use status::{LedgerStatus, ReleaseStatus, SubjectStatus};
pub use verify::{Fault, Verified, verified_json, verify};
