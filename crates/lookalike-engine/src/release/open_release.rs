//! A release that can begin.

use super::named_records::{NamedSink, NamedSource};
use super::privatize::{Privatized, privatize};
use super::promise::ReleasePromise;
use super::random_key::key_of;
use super::release_note::ReleaseNote;
use super::release_outcome::ReleaseOutcome;
use super::release_request::ReleaseOptions;
use super::rows_out::RowsOut;
use super::{ChargeOutcome, Charging};
use arrow_schema::{DataType, FieldRef};
use lookalike_formats::records::{Compression, Format};
use lookalike_formats::{Error, Result};
use lookalike_records::{
    AtomicFile, BatchMechanism, Output, RecordSchema, RecordSink, RecordSource, ShortBatches, Shuffle, at_output,
    create_sink,
};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A release of records that are open: all that can be refused before the first row was.
pub struct OpenRelease<'a> {
    pub(super) source: Box<dyn RecordSource + 'a>,
    pub(super) mechanism: Box<dyn BatchMechanism + 'a>,
    pub(super) labels: Vec<String>,
    pub(super) schema: RecordSchema,
    pub(super) name: String,
    pub(super) options: ReleaseOptions,
    pub(super) charging: Option<Arc<Charging>>,
    pub(super) promise: Option<ReleasePromise<'a>>,
    /// The file of the records, for errors.
    pub(super) path: Option<PathBuf>,
}

/// A file of released records, and how they are written there.
#[derive(Debug, Clone)]
pub struct OutputFile<'o> {
    /// The file, for errors.
    pub path: &'o Path,
    /// Its format.
    pub format: Format,
    /// Whether CSV begins with a header.
    pub header: bool,
    /// The delimiter of CSV.
    pub delimiter: u8,
    /// Whether texts in CSV that a spreadsheet would take for a formula get an apostrophe in front.
    pub escape_formulas: bool,
    /// The compression, where it is not that of the input.
    pub compression: Option<Compression>,
    /// Where rows are counted that have left and cannot be called back: for a pipe or a device, see
    /// [`is_written_through`](lookalike_records::is_written_through).
    pub rows_out: Option<&'o RowsOut>,
}

/// Where the bytes of an output go.
pub enum Written<'o> {
    /// Into a file that is put in place when all is done.
    File(AtomicFile),
    /// To a pipe, of which nothing can be called back.
    Stream(Box<dyn Write + Send + 'o>),
}

impl<'a> OpenRelease<'a> {
    /// The columns that are written.
    pub fn schema(&self) -> &RecordSchema {
        &self.schema
    }

    /// The type of the first column that is drawn.
    pub fn column_type(&self) -> DataType {
        self.schema.kept.first().map_or(DataType::Utf8, |field| field.data_type().clone())
    }

    /// What each code is called; none where whole columns are drawn.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// Reads, draws and writes everything; `progress` is told the bytes read so far. A note, which was made before
    /// anything was charged, is written before the release is in place, so that no release is there without it.
    ///
    /// # Errors
    /// Those of both ends, naming their files, and that of work that was stopped. Where rows have left already and cannot
    /// be called back, the error says how many and what a second run would mean.
    pub fn write(
        mut self,
        output: &OutputFile<'_>,
        written: Written<'_>,
        note: Option<AtomicFile>,
        progress: &mut dyn FnMut(u64),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<ReleaseOutcome<'a>> {
        if let (Some(rows_out), Some(_)) = (output.rows_out, &self.charging) {
            rows_out.with_ledger();
        }
        let done = match written {
            Written::Stream(writer) => {
                let done = self.written(output, writer, progress, stop)?;
                self.write_note(note, done.rows)?;
                done
            }
            Written::File(mut file) => {
                let done = self.written(output, Box::new(&mut file), progress, stop)?;
                self.write_note(note, done.rows)?;
                file.commit()?;
                done
            }
        };
        self.outcome(done)
    }

    /// The same into a sink in memory, which is not finished. Rows that are shuffled and do not fit wait in the folder for temporary
    /// files.
    ///
    /// # Errors
    /// Those of the records and the sink, and that of work that was stopped.
    pub fn collect(
        mut self,
        sink: &mut dyn RecordSink,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<ReleaseOutcome<'a>> {
        let shuffled_in = self.options.shuffle.then(|| Shuffle::directory(Path::new("-")));
        let done = self.drawn_into(Box::new(Lent(sink)), shuffled_in, &mut |_| {}, stop)?;
        self.outcome(done)
    }

    fn outcome(self, done: Privatized) -> Result<ReleaseOutcome<'a>> {
        let charged = self.charging.as_deref().map(ChargeOutcome::of).transpose()?;
        let ReleaseOptions { seed, shuffle, .. } = self.options;
        Ok(ReleaseOutcome { done, promise: self.promise, in_clear: self.options.in_clear(), seed, shuffle, charged })
    }

    /// Says how many of the rows stand in for others, where that is asked for.
    fn write_note(&self, file: Option<AtomicFile>, rows: u64) -> Result<()> {
        let (Some(file), Some(charging)) = (file, &self.charging) else { return Ok(()) };
        ReleaseNote { rows, stand_ins: charging.totals().constant }.write(file)
    }

    fn written(
        &mut self,
        output: &OutputFile<'_>,
        writer: Box<dyn Write + Send + '_>,
        progress: &mut dyn FnMut(u64),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Privatized> {
        let labels = std::mem::take(&mut self.labels);
        let schema = if self.options.shuffle { Shuffle::schema(&self.schema) } else { self.schema.clone() };
        let form = Output {
            format: output.format,
            name: self.name.clone(),
            header: output.header,
            delimiter: output.delimiter,
            escape_formulas: output.escape_formulas,
            compression: output.compression,
            labels: &labels,
            schema: &schema,
        };
        let shuffled_in = self.options.shuffle.then(|| Shuffle::directory(output.path));
        let released = create_sink(writer, &form).map_err(|error| at_output(error, output.path)).and_then(|sink| {
            let sink = Box::new(NamedSink { sink, path: output.path, rows_out: output.rows_out });
            self.drawn_into(sink, shuffled_in, progress, stop)
        });
        released.map_err(|error| match output.rows_out.and_then(RowsOut::said) {
            Some(said) => error.and(said),
            None => error,
        })
    }

    /// Draws for every record, in a random order where rows are shuffled, and finishes the sink.
    fn drawn_into(
        &mut self,
        sink: Box<dyn RecordSink + '_>,
        shuffled_in: Option<PathBuf>,
        progress: &mut dyn FnMut(u64),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Privatized> {
        let key = &key_of(self.options.seed, "nothing is released")?;
        let mut source = ShortBatches::new(&mut *self.source, self.mechanism.rows_at_once());
        let mut source = NamedSource { source: &mut source, path: self.path.as_deref(), stop };
        let mut draw = |sink: &mut dyn RecordSink| privatize(&*self.mechanism, key, &mut source, sink, progress);
        let (sink, done): (Box<dyn RecordSink>, _) = match shuffled_in {
            Some(folder) => {
                let keep = &self.options.columns.keep;
                let named = |field: &FieldRef| keep.iter().find(|name| *name == field.name()).cloned();
                let mut shuffle = Shuffle::new(sink, key, folder).watching(self.schema.kept.iter().map(named));
                let done = draw(&mut shuffle)?;
                let restoring = shuffle.restoring();
                (Box::new(shuffle), Privatized { restoring, ..done })
            }
            None => {
                let mut sink = sink;
                let done = draw(&mut *sink)?;
                (sink, done)
            }
        };
        // Nothing that is to be charged may pass by the ledger, whatever way it came.
        if self.charging.as_ref().is_some_and(|charging| charging.totals().rows() != done.rows_read) {
            return Err(Error::input("rows were not charged to the ledger: nothing is released"));
        }
        sink.finish()?;
        Ok(done)
    }
}

/// A sink that outlives the release; its owner finishes it.
struct Lent<'s>(&'s mut dyn RecordSink);

impl RecordSink for Lent<'_> {
    fn write_batch(&mut self, batch: &lookalike_records::Batch, outputs: &[u32]) -> Result<()> {
        self.0.write_batch(batch, outputs)
    }

    fn flush(&mut self) -> Result<bool> {
        self.0.flush()
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}
