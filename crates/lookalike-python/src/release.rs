//! Records from Python through a mechanism, and back.

use crate::data::Column;
use crate::error::{Answer, Failure};
use crate::ledger::{Charge, OBSERVATIONS, SUBJECTS};
use crate::progress::watched;
use crate::released::{Kept, Memory};
use crate::spelling::InPython;
use lookalike::Sentence;
use lookalike::model::Categories;
use lookalike::sample::RandomKey;
use lookalike_engine::ledger::{ChargedDraw, IdSource, StandIn};
use lookalike_engine::records::{
    Batch, Columns, Encoder, MemoryColumn, MemorySource, RecordSchema, RecordSink, RecordSource, ShortBatches, Shuffle,
};
use lookalike_engine::{Draw, privatize};
use lookalike_formats::one_of;
use pyo3::prelude::*;

/// What is released, and how.
pub struct Release<'a, 'py> {
    pub profiles: Option<&'a Column<'py>>,
    pub values: &'a [Column<'py>],
    pub shuffle: bool,
    pub seed: Option<u64>,
    pub progress: Option<&'a Py<PyAny>>,
    /// Whom the records are charged to, where a ledger keeps account.
    pub charge: Option<&'a Charge>,
}

/// How values are read: as codes, or as they are where the mechanism draws a column from them.
pub struct Reading {
    pub profile: Option<Encoder>,
    pub value: Option<Encoder>,
    pub unknown: Option<u32>,
}

/// What came out of a release.
pub struct Drawn<'k> {
    /// What was drawn.
    pub kept: Kept<'k>,
}

/// The name of the column of profiles in errors, which is that of the parameter.
pub const PROFILES: &str = "profiles";
/// The name of the column of values.
pub const VALUES: &str = "values";

impl Release<'_, '_> {
    /// Draws for every record. The mechanism, and what keeps its draws, are made from the schema of the records.
    pub fn run<'k, D: StandIn + Send>(
        &self,
        py: Python<'_>,
        reading: Reading,
        mechanism: impl FnOnce(&RecordSchema, usize) -> Answer<(D, Kept<'k>)> + Send,
    ) -> Answer<(Drawn<'k>, D)> {
        let rows = self.values.first().map_or(0, |values| values.memory().rows());
        let mut columns = self.wanted(&reading);
        let kept = columns.keep.len();
        let named = self.charge.map(|charge| charge.columns(py)).transpose()?;
        let names = names(self.values.len());
        let mut given = self.columns(&names);
        if let (Some(charge), Some([subjects, observations])) = (self.charge, &named) {
            given.push((SUBJECTS, subjects.memory()));
            given.push((OBSERVATIONS, observations.memory()));
            columns.keep = charge.charging.ids().beside(&columns.keep);
        }
        let source = MemorySource::open(given, &columns, reading.profile, reading.value, reading.unknown)?;
        let source: Box<dyn RecordSource + '_> = match self.charge {
            Some(charge) => Box::new(IdSource::new(Box::new(source), charge.charging.ids().clone(), kept, false)),
            None => Box::new(source),
        };
        let charging = self.charge.map(|charge| charge.charging.clone());
        let how = How { seed: self.seed, shuffle: self.shuffle, progress: self.progress };
        let (drawn, draw) = draw_all(py, source, rows, &how, move |schema, rows| {
            let (mechanism, kept) = mechanism(schema, rows)?;
            Ok((ChargedDraw { mechanism, charging }, kept))
        })?;
        Ok((drawn, draw.mechanism))
    }

    fn columns<'n>(&self, names: &'n [String]) -> Vec<(&'n str, Box<dyn MemoryColumn + '_>)> {
        let profiles = self.profiles.map(|column| (PROFILES, column.memory()));
        let values = names.iter().map(String::as_str).zip(self.values.iter().map(Column::memory));
        profiles.into_iter().chain(values).collect()
    }

    fn wanted(&self, reading: &Reading) -> Columns {
        let values = names(self.values.len());
        let (values, keep) = if reading.value.is_some() { (values, vec![]) } else { (vec![], values) };
        Columns { profile: self.profiles.map(|_| PROFILES.to_owned()), values, keep }
    }
}

/// How records go through a mechanism.
pub struct How<'a> {
    pub seed: Option<u64>,
    pub shuffle: bool,
    pub progress: Option<&'a Py<PyAny>>,
}

/// Draws for every record of a source with so many rows; see [`Release::run`].
pub fn draw_all<'k, D: Draw + Send>(
    py: Python<'_>,
    mut source: Box<dyn RecordSource + '_>,
    rows: usize,
    how: &How<'_>,
    mechanism: impl FnOnce(&RecordSchema, usize) -> Answer<(D, Kept<'k>)> + Send,
) -> Answer<(Drawn<'k>, D)> {
    let (key, shuffle) = (key(how.seed)?, how.shuffle);
    let (drawn, mechanism, done) = watched(py, how.progress, rows <= Batch::MAX_ROWS, move |link| {
        let (mechanism, kept) = mechanism(&source.schema(), rows)?;
        let mut source = ShortBatches::new(&mut *source, mechanism.rows_at_once());
        let mut memory = Memory { kept, link, rows: rows as u64 };
        let done = if shuffle {
            let mut sink = Box::new(Shuffle::new(Box::new(&mut memory), &key, std::env::temp_dir()));
            let done = privatize(&mechanism, &key, &mut source, &mut *sink, &mut |_| {})?;
            sink.finish()?;
            done
        } else {
            privatize(&mechanism, &key, &mut source, &mut memory, &mut |_| {})?
        };
        Ok((Drawn { kept: memory.kept }, mechanism, done))
    })?;
    // A seed is seen where it is given.
    warn(py, &done.warnings(shuffle, None))?;
    Ok((drawn, mechanism))
}

/// Warns the caller of the Python function that is under way.
fn warn(py: Python<'_>, messages: &[Sentence]) -> Answer<()> {
    if messages.is_empty() {
        return Ok(());
    }
    let category = py.import("lookalike._errors")?.getattr("PrivacyWarning")?;
    for message in messages {
        let message = std::ffi::CString::new(message.spelled(&InPython).to_string()).unwrap_or_default();
        PyErr::warn(py, &category, &message, 2)?;
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

/// The key of a seed, or a fresh one.
pub fn key(seed: Option<u64>) -> Answer<RandomKey> {
    Ok(seed.map_or_else(fresh_key, |seed| Ok(RandomKey::from_seed(seed)))?)
}

/// A key from the operating system.
pub fn fresh_key() -> lookalike_formats::Result<RandomKey> {
    lookalike_engine::fresh_bytes("nothing is released").map(RandomKey::from_bytes)
}

/// The code of the category that takes the place of unknown values.
pub fn unknown(name: Option<&str>, inputs: &Categories) -> Answer<Option<u32>> {
    let place = |name: &str| {
        inputs.names().place(name).ok_or_else(|| {
            let known = one_of(inputs.names().iter());
            Failure::input(format!("unknown={name:?} is not a category, expected {known}"))
        })
    };
    name.map(place).transpose()
}
