//! Records on their way, with errors that say which end failed.

use lookalike::sample::RandomKey;
use lookalike_engine::ledger::{LedgerAnswer, StandIn};
use lookalike_engine::records::Batch;
use lookalike_engine::{Draw, check_stdout, note_input};
pub use lookalike_engine::{at_input, is_stdout, length};
use lookalike_formats::{Error, Result};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A mechanism that reads fields itself, whose errors name their file.
pub struct NamedDraw<D> {
    pub mechanism: D,
    pub path: PathBuf,
}

impl<D: Draw> Draw for NamedDraw<D> {
    fn draw(&self, key: &RandomKey, batch: &mut Batch, outputs: &mut Vec<u32>) -> Result<()> {
        self.mechanism.draw(key, batch, outputs).map_err(|error| at_input(error, &self.path))
    }

    fn rows_at_once(&self) -> usize {
        self.mechanism.rows_at_once()
    }
}

impl<D: StandIn> StandIn for NamedDraw<D> {
    fn codes(&self) -> Option<u32> {
        self.mechanism.codes()
    }

    fn stand_in(&self, key: &RandomKey, row: u64) -> Result<LedgerAnswer> {
        self.mechanism.stand_in(key, row)
    }
}

/// Refuses a standard output that leads to this input, to what was read so far or to a ledger: to be asked before the first
/// row is drawn and charged.
///
/// # Errors
/// Such a redirection.
pub fn check_stdout_before(data: &Path) -> Result<()> {
    note_input(if data == Path::new("-") { Path::new("/dev/stdin") } else { data });
    check_stdout()
}

/// Standard output for released rows. Where it leads to a file that this command reads, nothing goes there.
pub struct Stdout(std::io::Stdout);

impl Stdout {
    pub fn new() -> Self {
        Stdout(std::io::stdout())
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        check_stdout().map_err(std::io::Error::other)?;
        self.0.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

/// Whether the error is that of a reader that has seen enough.
pub fn is_closed_pipe(error: &Error) -> bool {
    let source = std::error::Error::source(error).and_then(|source| source.downcast_ref::<std::io::Error>());
    source.is_some_and(|source| source.kind() == std::io::ErrorKind::BrokenPipe)
}
