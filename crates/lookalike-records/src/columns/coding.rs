//! What a column is matched with, and what is said when it does not match.

use super::encode::Encoder;
use lookalike::Sentence;
use lookalike_formats::{Error, Result};

/// An encoder with the rule for what it does not know, whatever the format of the file.
pub(crate) struct Coding {
    pub encoder: Encoder,
    /// The code of every value that the encoder does not know.
    pub unknown: Option<u32>,
    /// What the codes stand for, in the plural.
    what: &'static str,
    /// What can be done about an unknown text.
    hint: Sentence,
}

impl Coding {
    pub fn profile(encoder: Encoder) -> Self {
        Coding { encoder, unknown: None, what: "profiles", hint: Sentence::new() }
    }

    pub fn value(encoder: Encoder, unknown: Option<u32>) -> Self {
        let hint = encoder.hint();
        Coding { encoder, unknown, what: "categories", hint }
    }

    /// The error for content that is none of the codes, in these columns together.
    pub fn not_known(&self, row: u64, columns: &[&str]) -> Error {
        let names: Vec<_> = columns.iter().map(|name| format!("{name:?}")).collect();
        let column = if names.len() == 1 { "column" } else { "columns" };
        let (names, count) = (names.join(", "), self.encoder.count());
        let found = format!("row {row}, {column} {names}: not one of the {count} {}", self.what);
        Error::input(Sentence::from(found).then(self.hint.clone()))
    }

    /// The error for missing content: `found` is `empty` or `null`.
    pub fn missing(&self, row: u64, column: &str, found: &str) -> Error {
        let (count, what) = (self.encoder.count(), self.what);
        let expected = if self.encoder.grows() { "a name".to_owned() } else { format!("one of the {count} {what}") };
        let hint = self.encoder.way_out_of_missing();
        Error::input(format!("row {row}, column {column:?}: {found}, expected {expected}{hint}"))
    }

    /// The unknown code, or the error.
    pub fn unknown_or_error(&self, row: u64, columns: &[&str]) -> Result<u32> {
        self.unknown.ok_or_else(|| self.not_known(row, columns))
    }
}
