//! Standard input and output as ends of records.

use crate::terminal::{Terminal, print};
pub use lookalike_engine::{at_input, is_stdout, length};
use lookalike_engine::{check_stdout, note_input, write_atomically};
use lookalike_formats::{Error, Result, json_of};
use lookalike_report::PageFacts;
use std::io::Write;
use std::path::Path;

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

/// Writes a page or a picture, to standard output for `-`, and says so.
pub fn write_page(page: &str, output: &Path, terminal: &Terminal) -> Result<()> {
    if is_stdout(output) {
        return print(page);
    }
    write_atomically(output, terminal.force(), page.as_bytes())?;
    let facts = PageFacts::of(output, page);
    terminal.answer(json_of(&facts), || format!("Wrote {} ({} bytes).\n", facts.file, facts.bytes))
}

/// Whether the error is that of a reader that has seen enough.
pub fn is_closed_pipe(error: &Error) -> bool {
    let source = std::error::Error::source(error).and_then(|source| source.downcast_ref::<std::io::Error>());
    source.is_some_and(|source| source.kind() == std::io::ErrorKind::BrokenPipe)
}
