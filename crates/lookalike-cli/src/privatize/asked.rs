//! What is asked of a release.

use super::Privatize;
use crate::streams::is_stdout;
use lookalike_engine::records::Columns;
use lookalike_engine::{ReleaseOptions, is_same_place};
use lookalike_formats::{Error, Result};
use std::path::Path;

impl Privatize {
    /// The options in the words of the engine.
    pub(super) fn options(&self) -> ReleaseOptions {
        ReleaseOptions {
            columns: self.columns(),
            keep_profile: self.keep_profile,
            unknown: (self.unknown != "error").then(|| self.unknown.clone()),
            seed: self.seed,
            shuffle: self.shuffle,
            allow_unsafe: self.r#unsafe,
        }
    }

    /// The columns that are named.
    pub(super) fn columns(&self) -> Columns {
        Columns { profile: Some(self.profile.clone()), values: self.value.clone(), keep: self.keep.clone() }
    }

    /// Refuses what gives a secret away, and what cannot be written: before anything is charged.
    pub(super) fn check(&self) -> Result<()> {
        self.options().check(self.charge.is_given())?;
        self.note.as_deref().map_or(Ok(()), |note| self.check_note(note))
    }

    /// A note in the place of the release would be gone.
    fn check_note(&self, note: &Path) -> Result<()> {
        if note == Path::new("-") {
            return Err(Error::input("--note -: expected a file"));
        }
        match is_same_place(note, &self.output) || is_stdout(note) && is_stdout(&self.output) {
            true => Err(Error::input("-o and --note name the same file, expected two")),
            false => Ok(()),
        }
    }
}
