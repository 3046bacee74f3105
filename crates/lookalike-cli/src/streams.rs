//! Records on their way, with errors that say which end failed.

use lookalike::sample::RandomKey;
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
    fn draw(&self, key: &RandomKey, batch: &mut Batch, outputs: &mut [u32]) -> Result<()> {
        self.mechanism.draw(key, batch, outputs).map_err(|error| at_input(error, &self.path))
    }
}

/// Whether the error is that of a reader that has seen enough.
pub fn is_closed_pipe(error: &Error) -> bool {
    let source = std::error::Error::source(error).and_then(|source| source.downcast_ref::<std::io::Error>());
    source.is_some_and(|source| source.kind() == std::io::ErrorKind::BrokenPipe)
}
