//! Where a ledger is damaged, for whoever meets it.

use super::verify::first_fault;
use crate::store::{PageFault, take_fault};
use lookalike_formats::Error;
use std::path::Path;

/// An error of a ledger with its file; where a page was refused, also with the first entry that is not what was written.
pub(crate) fn located(error: Error, path: &Path) -> Error {
    let error = if error.has_place() { error } else { error.in_file(path) };
    match take_fault() {
        // Of a page that was cut off the journal knows the rest, and without it the entries are not what they are.
        None | Some(PageFault::CutOff { .. }) => error,
        Some(PageFault::Changed { .. }) => error.and(match first_fault(path) {
            Some(fault) => fault.sentence(),
            None => "all entries and charges still read as they were written".into(),
        }),
    }
}
