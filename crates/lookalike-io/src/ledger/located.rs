//! Where a ledger is damaged, for whoever meets it.

use super::pages::take_fault;
use super::verify::first_fault;
use crate::Error;
use std::path::Path;

/// An error of a ledger with its file; where a page was refused, also with the first entry that is not what was written.
pub(super) fn located(error: Error, path: &Path) -> Error {
    let error = if error.has_place() { error } else { error.in_file(path) };
    match take_fault() {
        None => error,
        Some(_) => error.and(match first_fault(path) {
            Some(fault) => fault.to_string(),
            None => "all entries and charges still read as they were written".to_owned(),
        }),
    }
}
