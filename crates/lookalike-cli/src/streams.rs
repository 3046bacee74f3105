//! Records on their way, with errors that say which end failed.

use lookalike::sample::RandomKey;
use lookalike_io::records::{Batch, RecordSchema, RecordSink, RecordSource};
use lookalike_io::{Draw, Error, Result};
use std::path::{Path, PathBuf};

/// Whether the path stands for standard input.
fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// Whether the path stands for standard output.
pub fn is_stdout(path: &Path) -> bool {
    path == Path::new("-") || path == Path::new("/dev/stdout")
}

/// How many bytes a file has, where that is known beforehand.
pub fn length(path: &Path) -> Option<u64> {
    std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file).map(|metadata| metadata.len())
}

/// A source whose errors name its file.
pub struct NamedSource<'a> {
    pub source: &'a mut dyn RecordSource,
    pub path: &'a Path,
}

impl RecordSource for NamedSource<'_> {
    fn read_batch(&mut self, batch: &mut Batch) -> Result<bool> {
        self.source.read_batch(batch).map_err(|error| at_input(error, self.path))
    }

    fn schema(&self) -> RecordSchema {
        self.source.schema()
    }

    fn bytes_read(&self) -> u64 {
        self.source.bytes_read()
    }

    fn may_wait(&self) -> bool {
        !std::fs::metadata(self.path).is_ok_and(|metadata| metadata.is_file())
    }
}

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

/// A sink whose errors name its file.
pub struct NamedSink<'a> {
    pub sink: Box<dyn RecordSink + 'a>,
    pub path: &'a Path,
}

impl RecordSink for NamedSink<'_> {
    fn write_batch(&mut self, batch: &Batch, outputs: &[u32]) -> Result<()> {
        self.sink.write_batch(batch, outputs).map_err(|error| at_output(error, self.path))
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.sink.finish().map_err(|error| at_output(error, self.path))
    }
}

/// Names the input in front of an error.
pub fn at_input(error: Error, path: &Path) -> Error {
    if is_stdin(path) { error.at("standard input") } else { error.in_file(path) }
}

/// Names the output in front of an error.
pub fn at_output(error: Error, path: &Path) -> Error {
    if is_stdout(path) { error.at("standard output") } else { error.in_file(path) }
}

/// Whether the error is that of a reader that has seen enough.
pub fn is_closed_pipe(error: &Error) -> bool {
    let source = std::error::Error::source(error).and_then(|source| source.downcast_ref::<std::io::Error>());
    source.is_some_and(|source| source.kind() == std::io::ErrorKind::BrokenPipe)
}
