//! Records from Python through a mechanism, and back.

use crate::data::Column;
use crate::error::Answer;
use crate::ledger::{Charge, OBSERVATIONS, SUBJECTS};
use crate::progress::watched;
use crate::released::{Kept, Memory};
use crate::spelling::InPython;
use lookalike::Sentence;
use lookalike_engine::records::{Batch, Columns, MemoryColumn, Records};
use lookalike_engine::{OpenRelease, Privatized, Releasable, ReleaseOptions, ReleaseRequest};
use pyo3::prelude::*;

/// What is released, and how.
pub struct Release<'a, 'py> {
    pub profiles: Option<&'a Column<'py>>,
    pub values: &'a [Column<'py>],
    /// The name of the category that takes the place of unknown values.
    pub unknown: Option<&'a str>,
    pub shuffle: bool,
    pub seed: Option<u64>,
    pub progress: Option<&'a Py<PyAny>>,
    /// Whom the records are charged to, where a ledger keeps account.
    pub charge: Option<&'a Charge>,
}

/// The name of the column of profiles in errors, which is that of the parameter.
pub const PROFILES: &str = "profiles";
/// The name of the column of values.
pub const VALUES: &str = "values";

impl Release<'_, '_> {
    /// Draws for every record. What keeps the draws of so many rows, and what is to be known of them, is made before.
    pub fn run<'k, T: Send>(
        &self,
        py: Python<'_>,
        mechanism: impl Releasable,
        keep: impl FnOnce(&OpenRelease<'_>, usize) -> (T, Kept<'k>) + Send,
    ) -> Answer<(Kept<'k>, T)> {
        let rows = self.values.first().map_or(0, |values| values.memory().rows());
        let named = self.charge.map(|charge| charge.columns(py)).transpose()?;
        let names = names(self.values.len());
        let mut given = self.columns(&names);
        if let Some([subjects, observations]) = &named {
            given.push((SUBJECTS, subjects.memory()));
            given.push((OBSERVATIONS, observations.memory()));
        }
        let columns =
            Columns { profile: self.profiles.map(|_| PROFILES.to_owned()), values: names.clone(), keep: Vec::new() };
        let request = ReleaseRequest {
            mechanism: Box::new(mechanism),
            records: Records::Memory(given),
            options: ReleaseOptions {
                columns,
                unknown: self.unknown.map(str::to_owned),
                seed: self.seed,
                shuffle: self.shuffle,
                ..ReleaseOptions::default()
            },
            charging: self.charge.map(|charge| charge.charging.clone()),
        };
        released(py, request, rows, self.progress, keep)
    }

    fn columns<'n>(&'n self, names: &'n [String]) -> Vec<(&'n str, Box<dyn MemoryColumn + 'n>)> {
        let profiles = self.profiles.map(|column| (PROFILES, column.memory()));
        let values = names.iter().map(String::as_str).zip(self.values.iter().map(Column::memory));
        profiles.into_iter().chain(values).collect()
    }
}

/// Draws for every record of columns with so many rows; see [`Release::run`].
fn released<'k, T: Send>(
    py: Python<'_>,
    request: ReleaseRequest<'_>,
    rows: usize,
    progress: Option<&Py<PyAny>>,
    keep: impl FnOnce(&OpenRelease<'_>, usize) -> (T, Kept<'k>) + Send,
) -> Answer<(Kept<'k>, T)> {
    let shuffle = request.options.shuffle;
    let (kept, told, done) = drawn(py, request, rows, progress, keep)?;
    // A seed is seen where it is given.
    warn(py, &done.warnings("value", shuffle, None), 2)?;
    Ok((kept, told))
}

/// The same with what it did, of which nobody was warned.
pub fn drawn<'k, T: Send>(
    py: Python<'_>,
    request: ReleaseRequest<'_>,
    rows: usize,
    progress: Option<&Py<PyAny>>,
    keep: impl FnOnce(&OpenRelease<'_>, usize) -> (T, Kept<'k>) + Send,
) -> Answer<(Kept<'k>, T, Privatized)> {
    watched(py, progress, rows <= Batch::MAX_ROWS, move |link| {
        let release = request.open()?;
        let (told, kept) = keep(&release, rows);
        let mut memory = Memory { kept, link, rows: rows as u64 };
        let outcome = release.collect(&mut memory, &|| link.is_stopped())?;
        Ok((memory.kept, told, outcome.done))
    })
}

/// Warns whoever called the function of the package, which is so many frames of Python above the core.
pub fn warn(py: Python<'_>, messages: &[Sentence], frames: i32) -> Answer<()> {
    if messages.is_empty() {
        return Ok(());
    }
    let category = py.import("lookalike._errors")?.getattr("PrivacyWarning")?;
    for message in messages {
        let message = std::ffi::CString::new(message.spelled(&InPython).to_string()).unwrap_or_default();
        PyErr::warn(py, &category, &message, frames)?;
    }
    Ok(())
}

/// The names of the columns of values in errors: several make a joint category.
fn names(count: usize) -> Vec<String> {
    match count {
        1 => vec![VALUES.to_owned()],
        _ => (0..count).map(|place| format!("{VALUES}[{place}]")).collect(),
    }
}

/// A key from the operating system.
pub fn fresh_key() -> lookalike_formats::Result<lookalike::sample::RandomKey> {
    lookalike_engine::fresh_key("nothing is released")
}
