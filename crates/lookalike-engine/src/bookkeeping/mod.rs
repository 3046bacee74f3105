//! Keeping a ledger: what its verbs do, and what is said of it.

mod ledger_at;
mod ledger_facts;

pub use ledger_at::{LedgerAt, RecordOrder};
pub use ledger_facts::{BackupFacts, ClockFacts, ExportFacts, InitFacts, MigrateFacts, RecordFacts, WithdrawFacts};
