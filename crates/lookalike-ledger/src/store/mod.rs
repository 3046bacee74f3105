//! The file of a ledger: its database, its pages, its journal, and the entries in it.

pub(crate) mod database;
mod entry;
mod files;
mod journal;
pub(crate) mod pages;
mod staging;
#[cfg(test)]
pub(crate) use database::TRIGGERS;
pub(crate) use database::WITHOUT_STAMPS;
pub(crate) use database::begin;
pub(crate) use database::failed;
pub(crate) use database::one_row;
#[cfg(test)]
pub(crate) use database::open;
pub(crate) use database::settle;
pub(crate) use entry::COLUMNS;
pub(crate) use entry::Chain;
pub(crate) use entry::Charge;
pub(crate) use entry::Digest;
pub(crate) use entry::Entry;
pub use entry::Head;
pub(crate) use entry::NONE_BEFORE;
pub(crate) use entry::last;
pub(crate) use entry::more_charges;
pub(crate) use entry::no_entry;
pub(crate) use files::beside;
pub use files::check_apart;
pub(crate) use files::check_free;
pub(crate) use files::is_database;
pub(crate) use journal::address;
pub(crate) use pages::NAME;
#[cfg(test)]
pub(crate) use pages::PAGE;
pub(crate) use pages::PageFault;
#[cfg(test)]
pub(crate) use pages::put_begun;
pub(crate) use pages::register;
pub(crate) use pages::take_fault;
pub(crate) use staging::Staging;
pub(crate) use staging::publish;
