//! What may be asked of a release.

use super::Privatize;
use crate::streams::is_stdout;
use lookalike_engine::records::Columns;
use lookalike_engine::{check_kept, is_same_place};
use lookalike_formats::{Error, Result};
use std::path::Path;

impl Privatize {
    /// Refuses what gives a secret away, and what cannot be written: before anything is charged.
    pub(super) fn check(&self) -> Result<()> {
        let (profile, values) = (Some(self.profile.clone()), self.value.clone());
        check_kept(&Columns { profile, values, keep: self.keep.clone() })?;
        if self.seed.is_some() && self.charge.is_given() && !self.r#unsafe {
            return Err(Error::input(
                "--seed with --ledger: what is drawn by a seed is not private, and would be charged as if it were: it needs --unsafe",
            ));
        }
        if self.keep_profile && !self.r#unsafe {
            return Err(Error::input("--keep-profile releases the secret itself: it needs --unsafe"));
        }
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

    /// The columns that are released in clear.
    pub(super) fn kept(&self) -> Vec<String> {
        let profile = self.keep_profile.then(|| self.profile.clone());
        profile.into_iter().chain(self.keep.iter().cloned()).collect()
    }
}
