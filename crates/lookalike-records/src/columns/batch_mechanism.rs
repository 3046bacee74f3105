//! What is released for the records of a batch.

use super::batch::Batch;
use lookalike::sample::{RandomKey, Sampler};
use lookalike_formats::Result;

/// A certified mechanism that records go through.
pub trait BatchMechanism: Sync {
    /// Draws for each record: a code into `outputs`, which has a place for each, or a column that is put before the kept
    /// ones of the batch. Records that are not to be released are removed from both.
    ///
    /// # Errors
    /// A record that the mechanism cannot take, by its row and without its value.
    fn draw(&self, key: &RandomKey, batch: &mut Batch, outputs: &mut Vec<u32>) -> Result<()>;

    /// How many records to draw for at once, so that what is drawn fits in memory however long it is; see
    /// [`ShortBatches`](super::short_batches::ShortBatches).
    fn rows_at_once(&self) -> usize {
        Batch::MAX_ROWS
    }
}

impl<D: BatchMechanism + ?Sized> BatchMechanism for &D {
    fn draw(&self, key: &RandomKey, batch: &mut Batch, outputs: &mut Vec<u32>) -> Result<()> {
        (**self).draw(key, batch, outputs)
    }

    fn rows_at_once(&self) -> usize {
        (**self).rows_at_once()
    }
}

impl BatchMechanism for Sampler {
    fn draw(&self, key: &RandomKey, batch: &mut Batch, outputs: &mut Vec<u32>) -> Result<()> {
        let profiles = (!batch.profiles.is_empty()).then_some(&batch.profiles[..]);
        Ok(self.privatize(key, batch.first_row, profiles, &batch.values, outputs)?)
    }
}
