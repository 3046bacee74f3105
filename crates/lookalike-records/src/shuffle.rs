//! Releases rows in a random order.

mod bucket_file;
mod kept_order;
mod rows;
mod scatter;
mod texts;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_schema::{DataType, FieldRef};
use lookalike::sample::{RandomKey, RowOrder};

use crate::columns::{Batch, RecordSchema, RecordSink};
use kept_order::KeptOrder;
use lookalike_formats::Result;
use rows::{Rows, restored, shuffled_type, stored_texts};
use scatter::{Limits, Scatter};
pub use texts::ShuffledTexts;

/// A sink that holds all records back and hands them on in a uniformly random order when it is finished.
///
/// Rows sorted by profile, or by value, reveal it by position; this hides it. What comes out is cut into batches of one
/// size, which depends on the rows and not on how they came. With the same key the order is the same for any number of
/// threads and any batches.
///
/// Memory is bounded whatever the number of rows: what does not fit waits, encrypted under a key that is in memory only,
/// in a temporary file without a name. Only what is released gets there: codes of outputs and kept columns. Time is linear
/// in the rows, for fewer than 256 times those that fit in memory, and grows with the logarithm beyond that. Without the feature
/// `files` all rows wait in memory.
pub struct Shuffle<'a> {
    sink: Box<dyn RecordSink + 'a>,
    scatter: Scatter,
    /// The columns to be looked at, by name; none where nobody is told.
    watched: Vec<(String, KeptOrder)>,
    kept: Kept,
}

/// How kept columns are given to a sink.
enum Kept {
    /// Not known before the first row.
    Unknown,
    /// Arrays of these types, and behind them so many texts, which may be JSON.
    Known(Vec<DataType>, usize, bool),
}

/// Bytes of rows in a batch that is handed on, about.
const BATCH_BYTES: u64 = 1 << 23;

impl<'a> Shuffle<'a> {
    /// A shuffle in front of `sink`, which expects columns of the types of [`Shuffle::schema`]. What does not fit in
    /// memory goes to `directory`.
    pub fn new(sink: Box<dyn RecordSink + 'a>, key: &RandomKey, directory: PathBuf) -> Self {
        Shuffle::with_limits(sink, key, directory, Limits::default())
    }

    fn with_limits(sink: Box<dyn RecordSink + 'a>, key: &RandomKey, directory: PathBuf, limits: Limits) -> Self {
        let scatter = Scatter::new(RowOrder::new(key), directory, limits);
        Shuffle { sink, scatter, watched: Vec::new(), kept: Kept::Unknown }
    }

    /// Where the rows of an output wait: in the directory that the environment names as TMPDIR, otherwise beside the
    /// output, which needs as much room there. An output that is no file has the system's directory.
    pub fn directory(output: &Path) -> PathBuf {
        if !cfg!(feature = "files") {
            return PathBuf::new();
        }
        let beside = match output.parent() {
            Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
            Some(parent) => parent,
            None => Path::new("."),
        };
        let is_file = output != Path::new("-") && !beside.starts_with("/dev") && !beside.starts_with("/proc");
        if std::env::var_os("TMPDIR").is_some() || !is_file { std::env::temp_dir() } else { beside.to_path_buf() }
    }

    /// What rows with this schema have when they are released in another order: a dictionary becomes plain, since its
    /// entries stand in the order in which the input had them.
    pub fn schema(schema: &RecordSchema) -> RecordSchema {
        let plain =
            |field: &FieldRef| Arc::new(field.as_ref().clone().with_data_type(shuffled_type(field.data_type())));
        RecordSchema { kept: schema.kept.iter().map(plain).collect(), ..schema.clone() }
    }

    /// Watches the order of these columns; those without a name are none of the owner's.
    #[must_use]
    pub fn watching(mut self, names: impl IntoIterator<Item = Option<String>>) -> Self {
        let named = |name: Option<String>| name.map_or_else(Default::default, |name| (name, KeptOrder::watching()));
        self.watched = names.into_iter().map(named).collect();
        self
    }

    /// The watched columns that were sorted in the input: sorting the output by one of them restores the order.
    pub fn restoring(&self) -> Vec<String> {
        let sorted = self.watched.iter().filter(|(_, order)| order.is_sorted());
        sorted.map(|(name, _)| name.clone()).collect()
    }
}

impl RecordSink for Shuffle<'_> {
    fn write_batch(&mut self, batch: &Batch, outputs: &[u32]) -> Result<()> {
        assert_eq!(batch.len(), outputs.len(), "one output per record");
        if outputs.is_empty() {
            return Ok(());
        }
        if matches!(self.kept, Kept::Unknown) {
            let types = batch.arrays().iter().map(|array| shuffled_type(array.data_type()));
            self.kept = Kept::Known(types.collect(), batch.kept_width(), batch.is_json());
        }
        let rows = Rows::new(batch, outputs)?;
        self.watched.iter_mut().zip(rows.columns()).for_each(|((_, order), column)| order.see(column));
        self.scatter.push(rows)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        let Shuffle { mut sink, scatter, kept, .. } = *self;
        let mut cut = Cut { size: batch_rows(scatter.size()), pending: Vec::new(), count: 0, released: 0 };
        let mut batch = Batch::default();
        let mut hand_on = |rows: Rows, first: u64| {
            fill(&mut batch, &rows, first, &kept)?;
            sink.write_batch(&batch, &rows.outputs())
        };
        scatter.finish(&mut |rows| cut.push(rows, &mut hand_on))?;
        cut.finish(&mut hand_on)?;
        sink.finish()
    }
}

/// How many rows a batch has, for so many rows that weigh so much: a power of two, so that row groups, whose size is one
/// too, all have the same. It depends on what is released only.
fn batch_rows((rows, weight): (u64, u64)) -> usize {
    let mean = weight.div_ceil(rows.max(1)).max(1);
    let most = (BATCH_BYTES / mean).clamp(1, Batch::MAX_ROWS as u64);
    1 << most.ilog2()
}

/// Cuts rows into pieces of one size.
struct Cut {
    size: usize,
    pending: Vec<Rows>,
    count: usize,
    released: u64,
}

impl Cut {
    fn push(&mut self, rows: Rows, hand_on: &mut dyn FnMut(Rows, u64) -> Result<()>) -> Result<()> {
        let mut start = 0;
        while self.count + rows.len() - start >= self.size {
            let now = self.size - self.count;
            let pending = std::mem::take(&mut self.pending);
            let parts = pending.iter().map(|rows| (rows, 0, rows.len())).chain([(&rows, start, now)]);
            hand_on(Rows::concat(&parts.collect::<Vec<_>>())?, self.released)?;
            self.released += self.size as u64;
            (self.count, start) = (0, start + now);
        }
        if start < rows.len() {
            self.count += rows.len() - start;
            self.pending.push(Rows::concat(&[(&rows, start, rows.len() - start)])?);
        }
        Ok(())
    }

    fn finish(self, hand_on: &mut dyn FnMut(Rows, u64) -> Result<()>) -> Result<()> {
        if self.count == 0 {
            return Ok(());
        }
        let parts = self.pending.iter().map(|rows| (rows, 0, rows.len())).collect::<Vec<_>>();
        hand_on(Rows::concat(&parts)?, self.released)
    }
}

/// Puts rows into a batch. It carries kept columns only; it never had the private value.
fn fill(batch: &mut Batch, rows: &Rows, first: u64, kept: &Kept) -> Result<()> {
    let (types, width, is_json) = match kept {
        Kept::Unknown => (&[][..], 0, false),
        Kept::Known(types, width, is_json) => (&types[..], *width, *is_json),
    };
    batch.restart(first, width);
    batch.keep_json(is_json);
    batch.values.resize(rows.len(), 0);
    for (column, data_type) in rows.columns().iter().zip(types) {
        batch.keep_array(restored(column, data_type)?);
    }
    let texts: Vec<_> = rows.columns()[types.len()..].iter().map(stored_texts).collect();
    (0..rows.len()).for_each(|row| texts.iter().for_each(|column| batch.keep(column.value(row))));
    Ok(())
}

#[cfg(test)]
#[path = "shuffle_tests.rs"]
mod tests;
