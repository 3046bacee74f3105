//! Copies of a ledger: backups, and those of the current version.

mod backup;
mod migrate;

pub use migrate::Migration;
