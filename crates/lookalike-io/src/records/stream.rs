//! What every file format of records can do.

use super::Batch;
use crate::Result;

/// Where records come from.
pub trait RecordSource {
    /// Whether `batch` now holds the next records; `false`, with an empty batch, at the end.
    ///
    /// A batch holds at most [`Batch::MAX_ROWS`] records, fewer when kept columns are long. Its buffers are reused.
    ///
    /// # Errors
    /// By row and column, never by content. The batch is then of no use and the source is spent.
    fn read_batch(&mut self, batch: &mut Batch) -> Result<bool>;

    /// How many bytes of the raw input were taken so far, before any decompression: for a progress bar.
    fn bytes_read(&self) -> u64;
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

    /// Writes what is still pending, and the ending a format may need. Without it the output is incomplete.
    ///
    /// # Errors
    /// When the output refuses.
    fn finish(self: Box<Self>) -> Result<()>;
}
