//! A release from one file to another.

use super::named_records::{NamedSink, NamedSource};
use super::privatize::{Privatized, privatize};
use super::rows_out::RowsOut;
use arrow_schema::FieldRef;
use lookalike::Sentence;
use lookalike::certify::Certified;
use lookalike::model::Mechanism;
use lookalike::sample::{RandomKey, Sampler};
use lookalike_formats::records::{Columns, Compression, Format};
use lookalike_formats::{Error, Result};
use lookalike_ledger::Charging;
use lookalike_records::{
    Draw, Input, NameRecords, Output, RecordSchema, RecordSink, RecordSource, ShortBatches, Shuffle, at_input,
    at_output, create_sink, open_source, profile_encoder, value_encoder,
};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// A release that can begin.
pub struct Job {
    /// The records.
    pub source: Box<dyn RecordSource>,
    /// What they go through.
    pub mechanism: Box<dyn Draw>,
    /// What each code is called in the output; none where the mechanism draws a whole column.
    pub labels: Vec<String>,
    /// The columns of the output.
    pub schema: RecordSchema,
    /// The ledger that the rows are charged to.
    pub charging: Option<Arc<Charging>>,
}

/// Where a release goes, and how it is written there.
#[derive(Debug, Clone)]
pub struct Target<'a> {
    /// The records that are read, for errors.
    pub input: &'a Path,
    /// The file that is written, for errors.
    pub output: &'a Path,
    /// Its format.
    pub format: Format,
    /// The name of the privatized column.
    pub name: String,
    /// Whether CSV begins with a header.
    pub header: bool,
    /// The delimiter of CSV.
    pub delimiter: u8,
    /// Whether texts in CSV that a spreadsheet would take for a formula get an apostrophe in front.
    pub escape_formulas: bool,
    /// The compression, where it is not that of the input.
    pub compression: Option<Compression>,
    /// Whether rows are released in a random order.
    pub shuffle: bool,
    /// Where rows are counted that have left and cannot be called back: for a pipe or a device, see
    /// [`is_written_through`](lookalike_records::is_written_through).
    pub rows_out: Option<&'a RowsOut>,
    /// The columns that are released in clear.
    pub keep: &'a [String],
}

impl Job {
    /// Records of a file through channels between categories; the profile's column is read where profiles have channels
    /// of their own, and the rows are charged where there is a ledger. `unknown` is the code of the category that takes the place of values that are none.
    ///
    /// # Errors
    /// Those of [`open_source`], naming the file.
    pub fn channels(
        certified: &Certified<Mechanism>,
        input: &Input<'_>,
        charging: Option<&Arc<Charging>>,
        unknown: Option<u32>,
    ) -> Result<Job> {
        let mechanism = certified.mechanism();
        let (value, unknown) = value_encoder(mechanism, unknown)?;
        let profile = profile_encoder(mechanism)?;
        let columns =
            Columns { profile: input.columns.profile.clone().filter(|_| profile.is_some()), ..input.columns.clone() };
        let ids = charging.map(|charging| charging.ids() as &dyn NameRecords);
        let wanted = Input { columns: &columns, charging: ids, ..input.clone() };
        let source = open_source(&wanted, profile, value, unknown).map_err(|error| at_input(error, input.path))?;
        let labels = mechanism.outputs().names().iter().map(str::to_owned).collect();
        let schema = source.schema();
        Ok(Job {
            source,
            mechanism: Charging::around(charging, Sampler::new(certified)),
            labels,
            schema,
            charging: charging.cloned(),
        })
    }

    /// Reads, draws and writes everything; `progress` is told the bytes read so far.
    ///
    /// # Errors
    /// Those of both ends, naming their files, and that of work that was stopped. Where rows have left already and cannot
    /// be called back, the error says how many and what a second run would mean.
    pub fn release(
        &mut self,
        key: &RandomKey,
        target: &Target<'_>,
        writer: Box<dyn Write + Send + '_>,
        progress: &mut dyn FnMut(u64),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Privatized> {
        if let (Some(rows_out), Some(_)) = (target.rows_out, &self.charging) {
            rows_out.with_ledger();
        }
        let released = self.release_all(key, target, writer, progress, stop);
        released.map_err(|error| match target.rows_out.and_then(RowsOut::said) {
            Some(said) => error.and(said),
            None => error,
        })
    }

    fn release_all(
        &mut self,
        key: &RandomKey,
        target: &Target<'_>,
        writer: Box<dyn Write + Send + '_>,
        progress: &mut dyn FnMut(u64),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Privatized> {
        let schema = if target.shuffle { &Shuffle::schema(&self.schema) } else { &self.schema };
        let output = Output {
            format: target.format,
            name: target.name.clone(),
            header: target.header,
            delimiter: target.delimiter,
            escape_formulas: target.escape_formulas,
            compression: target.compression,
            labels: &self.labels,
            schema,
        };
        let sink = create_sink(writer, &output).map_err(|error| at_output(error, target.output))?;
        let sink = Box::new(NamedSink { sink, path: target.output, rows_out: target.rows_out });
        let mut source = ShortBatches::new(&mut *self.source, self.mechanism.rows_at_once());
        let mut source = NamedSource { source: &mut source, path: target.input, stop };
        let mut draw = |sink: &mut dyn RecordSink| privatize(&*self.mechanism, key, &mut source, sink, progress);
        let (sink, done): (Box<dyn RecordSink>, _) = if target.shuffle {
            let named = |field: &FieldRef| target.keep.iter().find(|name| *name == field.name()).cloned();
            let mut shuffle =
                Shuffle::new(sink, key, Shuffle::directory(target.output)).watching(schema.kept.iter().map(named));
            let done = draw(&mut shuffle)?;
            let restoring = shuffle.restoring();
            (Box::new(shuffle), Privatized { restoring, ..done })
        } else {
            let mut sink = sink;
            let done = draw(&mut *sink)?;
            (sink, done)
        };
        // Nothing that is to be charged may pass by the ledger, whatever way it came.
        if self.charging.as_ref().is_some_and(|charging| charging.totals().rows() != done.rows_read) {
            return Err(Error::input("rows were not charged to the ledger: nothing is released"));
        }
        sink.finish()?;
        Ok(done)
    }
}

/// Refuses to release private columns, or the profile, in clear; and a column twice.
///
/// # Errors
/// The first such column.
pub fn check_kept(columns: &Columns) -> Result<()> {
    let way_out = Sentence::new().option("keep-profile").text(" ").option("unsafe");
    check_in_clear(columns, Some(way_out.text(" releases it all the same")))
}

/// [`check_kept`] with another way out for who wants to keep the profile.
///
/// # Errors
/// The first such column.
pub fn check_in_clear(columns: &Columns, way_out: Option<Sentence>) -> Result<()> {
    let keep = &columns.keep;
    if let Some(name) = keep.iter().find(|name| columns.values.contains(name)) {
        return Err(Error::input("this is the private column, it cannot be released in clear").at_option(kept(name)));
    }
    let twice = |name: &&String| keep.iter().filter(|other| other == name).count() > 1;
    if let Some(name) = keep.iter().find(twice) {
        return Err(Error::input("named twice, expected once").at_option(kept(name)));
    }
    match columns.profile.as_ref().filter(|profile| keep.contains(profile)) {
        Some(profile) => {
            let error = Error::input("this is the profile, the secret itself").at_option(kept(profile));
            Err(way_out.into_iter().fold(error, Error::hint))
        }
        None => Ok(()),
    }
}

/// The place of an error about a column that is to be released in clear.
pub(crate) fn kept(name: &str) -> Sentence {
    Sentence::new().option("keep").word(name)
}
