//! Paths as errors name them, and what is known of them before anything is read.

use lookalike_formats::Error;
use std::path::Path;

/// Whether the path stands for standard input.
fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// Whether the path stands for standard output.
pub fn is_stdout(path: &Path) -> bool {
    path == Path::new("-") || path == Path::new("/dev/stdout")
}

/// Whether what is written to the path is out at once, as with a pipe or a device, and cannot be called back.
pub fn is_written_through(path: &Path) -> bool {
    is_stdout(path) || std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file())
}

/// How many bytes a file has, where that is known beforehand.
pub fn length(path: &Path) -> Option<u64> {
    std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file).map(|metadata| metadata.len())
}

/// Names the input in front of an error.
pub fn at_input(error: Error, path: &Path) -> Error {
    if is_stdin(path) { error.at("standard input") } else { error.in_file(path) }
}

/// Names the output in front of an error.
pub fn at_output(error: Error, path: &Path) -> Error {
    if is_stdout(path) { error.at("standard output") } else { error.in_file(path) }
}
