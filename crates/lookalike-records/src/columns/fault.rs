//! Errors about fields of records.

use lookalike_formats::Error;

/// An error about the content of a field, which it does not show.
pub fn at_field(row: u64, column: &str, message: &str) -> Error {
    Error::input(format!("row {row}, column {column:?}: {message}"))
}
