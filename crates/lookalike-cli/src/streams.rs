//! Records on their way, with errors that say which end failed.

use lookalike::sample::RandomKey;
use lookalike_io::ledger::{LedgerAnswer, StandIn};
use lookalike_io::records::Batch;
use lookalike_io::{Draw, Error, Result};
pub use lookalike_io::{at_input, is_stdout, length};
use std::path::PathBuf;

/// A mechanism that reads fields itself, whose errors name their file.
pub struct NamedDraw<D> {
    pub mechanism: D,
    pub path: PathBuf,
}

impl<D: Draw> Draw for NamedDraw<D> {
    fn draw(&self, key: &RandomKey, batch: &mut Batch, outputs: &mut Vec<u32>) -> Result<()> {
        self.mechanism.draw(key, batch, outputs).map_err(|error| at_input(error, &self.path))
    }
}

impl<D: StandIn> StandIn for NamedDraw<D> {
    fn draws_column(&self) -> bool {
        self.mechanism.draws_column()
    }

    fn stand_in(&self, key: &RandomKey, row: u64) -> Result<LedgerAnswer> {
        self.mechanism.stand_in(key, row)
    }
}

/// Whether the error is that of a reader that has seen enough.
pub fn is_closed_pipe(error: &Error) -> bool {
    let source = std::error::Error::source(error).and_then(|source| source.downcast_ref::<std::io::Error>());
    source.is_some_and(|source| source.kind() == std::io::ErrorKind::BrokenPipe)
}
