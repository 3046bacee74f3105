//! The file of a ledger: its database, its pages, its journal, and the entries in it.

pub(crate) mod database;
mod entry;
mod files;
mod journal;
pub(crate) mod pages;
mod staging;

pub(crate) use database::{WITHOUT_STAMPS, begin, failed, one_row, settle};
pub use entry::Head;
pub(crate) use entry::{COLUMNS, Chain, Charge, Digest, Entry, NONE_BEFORE, last, more_charges, no_entry};
pub use files::check_apart;
pub(crate) use files::{beside, check_free, is_database};
pub(crate) use journal::address;
pub(crate) use pages::{NAME, PageFault, register, take_fault};
pub(crate) use staging::{Staging, publish};

#[cfg(test)]
pub(crate) use database::{TRIGGERS, open};
#[cfg(test)]
pub(crate) use pages::{PAGE, put_begun};
