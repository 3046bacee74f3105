//! A mechanism that reads fields itself.

use lookalike::sample::RandomKey;
use lookalike_formats::Result;
#[cfg(feature = "ledger")]
use lookalike_ledger::{LedgerAnswer, ValueFreeDraw};
use lookalike_records::{Batch, BatchMechanism, at_input};
use std::path::PathBuf;

/// A mechanism that reads fields itself, whose errors name their file if they come from one.
pub(crate) struct NamedDraw<D> {
    pub mechanism: D,
    pub path: Option<PathBuf>,
}

impl<D: BatchMechanism> BatchMechanism for NamedDraw<D> {
    fn draw(&self, key: &RandomKey, batch: &mut Batch, outputs: &mut Vec<u32>) -> Result<()> {
        self.mechanism.draw(key, batch, outputs).map_err(|error| match &self.path {
            Some(path) => at_input(error, path),
            None => error,
        })
    }

    fn rows_at_once(&self) -> usize {
        self.mechanism.rows_at_once()
    }
}

#[cfg(feature = "ledger")]
impl<D: ValueFreeDraw> ValueFreeDraw for NamedDraw<D> {
    fn codes(&self) -> Option<u32> {
        self.mechanism.codes()
    }

    fn stand_in(&self, key: &RandomKey, row: u64) -> Result<LedgerAnswer> {
        self.mechanism.stand_in(key, row)
    }
}
