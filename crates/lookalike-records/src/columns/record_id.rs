//! What a record is called in a ledger, and what gives records their names.

use super::stream::RecordSource;
use std::fmt;

/// What a subject or a record is called in a ledger: a keyed hash, from which nobody without the key finds the name.
pub type Id = [u8; 16];

/// The name of a record in a ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordId {
    /// Whom it is about.
    pub subject: Id,
    /// Which record of the subject's.
    pub record: Id,
}

/// Gives records their names, from columns that are read beside those that are wanted.
pub trait NameRecords: fmt::Debug {
    /// The columns to read so that these are among them.
    fn beside(&self, keep: &[String]) -> Vec<String>;

    /// A source that gives each record its name, around one that keeps [`NameRecords::beside`] of so many columns that are to
    /// be passed on; `trim` drops blanks around names.
    fn named<'a>(&self, source: Box<dyn RecordSource + 'a>, kept: usize, trim: bool) -> Box<dyn RecordSource + 'a>;
}
