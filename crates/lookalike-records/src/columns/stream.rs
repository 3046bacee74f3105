//! What every file format of records can do.

use super::batch::Batch;
use super::schema::RecordSchema;
use lookalike_formats::Result;

/// Where records come from.
pub trait RecordSource: Send {
    /// Whether `batch` now holds the next records; `false`, with an empty batch, at the end.
    ///
    /// A batch holds at most [`Batch::MAX_ROWS`] records, fewer when kept columns are long. Its buffers are reused.
    ///
    /// # Errors
    /// By row and column, never by content. The batch is then of no use and the source is spent.
    fn read_batch(&mut self, batch: &mut Batch) -> Result<bool>;

    /// What a sink should know of the columns to write them alike.
    fn schema(&self) -> RecordSchema;

    /// How many bytes of the raw input were taken so far, before any decompression: for a progress bar.
    fn bytes_read(&self) -> u64;

    /// Whether reading may wait for somebody else, as for the other end of a pipe. Nobody should then have to wait
    /// for a read that is under way, so such a source is not read ahead.
    fn may_wait(&self) -> bool {
        false
    }
}

/// Where privatized records go.
pub trait RecordSink {
    /// Writes the records of a batch with their values replaced by `outputs`, one code per record.
    ///
    /// # Errors
    /// When the output refuses.
    ///
    /// # Panics
    /// When there is not exactly one output per record, or an output has no label.
    fn write_batch(&mut self, batch: &Batch, outputs: &[u32]) -> Result<()>;

    /// Hands on what was written so far; whether all of it has left, so that a reader has every row.
    ///
    /// Formats that gather rows, or compress them, have nothing to hand on before their time.
    ///
    /// # Errors
    /// When the output refuses.
    fn flush(&mut self) -> Result<bool> {
        Ok(false)
    }

    /// Writes what is still pending, and the ending a format may need. Without it the output is incomplete.
    ///
    /// # Errors
    /// When the output refuses.
    fn finish(self: Box<Self>) -> Result<()>;
}
