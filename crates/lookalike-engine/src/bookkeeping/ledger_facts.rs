//! What is said of work on a ledger.

use serde::Serialize;
use std::collections::BTreeSet;

/// A ledger that was made.
#[derive(Debug, Clone, Serialize)]
pub struct InitFacts {
    /// Its file.
    pub ledger: String,
    /// The file of its key.
    pub key: String,
    /// The hash of its first entry.
    pub head: String,
}

/// A release that was entered.
#[derive(Debug, Clone, Serialize)]
pub struct RecordFacts {
    /// How many rows were new.
    pub recorded: u64,
    /// How many the ledger knew.
    pub known: u64,
    /// The entries that say so.
    pub entries: BTreeSet<u64>,
    /// The hash of the last entry.
    pub head: String,
}

/// Entries that were written to a file.
#[derive(Debug, Clone, Serialize)]
pub struct ExportFacts {
    /// The file.
    pub file: String,
    /// How many entries.
    pub entries: u64,
}

/// Entries that were withdrawn.
#[derive(Debug, Clone, Serialize)]
pub struct WithdrawFacts {
    /// Their numbers.
    pub entries: BTreeSet<u64>,
    /// How many charges they have, which stay.
    pub charges: u64,
    /// The hash of the last entry.
    pub head: String,
}

/// A clock that was corrected.
#[derive(Debug, Clone, Serialize)]
pub struct ClockFacts {
    /// The first entry that was dated ahead.
    pub first_entry: u64,
    /// The last.
    pub last_entry: u64,
    /// What the last was dated.
    pub from: String,
    /// The time by which the ledger goes on.
    pub to: String,
    /// The hash of the last entry.
    pub head: String,
}

/// A copy that was written.
#[derive(Debug, Clone, Serialize)]
pub struct BackupFacts {
    /// Its file.
    pub copy: String,
    /// How many entries it has.
    pub entries: u64,
    /// How many charges.
    pub charges: u64,
    /// The hash of its last entry.
    pub head: String,
}

/// A ledger that was written anew.
#[derive(Debug, Clone, Serialize)]
pub struct MigrateFacts {
    /// The version that it had.
    pub from: u32,
    /// The version that it has.
    pub to: u32,
    /// Where the old file lies.
    pub kept: String,
    /// The hash of the last entry.
    pub head: String,
}
