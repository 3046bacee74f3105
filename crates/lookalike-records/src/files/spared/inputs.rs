//! The files that a command has read.

use super::file_id::FileId;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

static READ: Mutex<Remembered> = Mutex::new(Remembered { guards: 0, files: None });

struct Remembered {
    /// How many commands are on their way.
    guards: usize,
    files: Option<HashSet<FileId>>,
}

fn remembered() -> MutexGuard<'static, Remembered> {
    READ.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A command on its way: as long as it lasts, the files that are read are remembered, and no output takes their place.
///
/// The command line holds one from its first line to its last; in Python a call that reads and writes holds one. Calls at
/// the same time in one process spare the inputs of each other too.
///
/// # Example
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("records.csv");
/// std::fs::write(&path, "load\nidle\n")?;
/// let command = lookalike_records::InputGuard::new();
/// lookalike_records::read_text(&path)?;
/// assert!(lookalike_records::write_atomically(&path, true, b"").is_err());
/// drop(command);
/// lookalike_records::write_atomically(&path, true, b"load\nbusy\n")?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct InputGuard(());

impl InputGuard {
    /// From now on.
    #[allow(clippy::new_without_default, reason = "a guard that nobody named would end at once")]
    #[must_use = "files are remembered as long as the guard lives"]
    pub fn new() -> Self {
        remembered().guards += 1;
        InputGuard(())
    }
}

impl Drop for InputGuard {
    fn drop(&mut self) {
        let mut remembered = remembered();
        remembered.guards -= 1;
        if remembered.guards == 0 {
            remembered.files = None;
        }
    }
}

/// Opens a file to read it, and remembers that it is an input.
///
/// # Errors
/// Those of the operating system.
#[allow(clippy::disallowed_methods, reason = "this is the one place that opens inputs")]
pub fn open_input(path: &Path) -> io::Result<File> {
    there_are_files()?;
    let file = File::open(path)?;
    remember(FileId::of(path, &file.metadata()?));
    Ok(file)
}

/// Opens a file, or for `-` standard input, to read it once from its beginning, and remembers that it is an input.
///
/// # Errors
/// Those of the operating system.
#[allow(clippy::disallowed_methods, reason = "this is the one place that opens inputs")]
pub fn open_stream(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    there_are_files()?;
    if path == Path::new("-") {
        // It may be a file by redirection.
        note_input(Path::new("/dev/stdin"));
        return Ok(Box::new(io::stdin()));
    }
    Ok(Box::new(open_input(path)?))
}

/// Refuses every path in a build without the feature `files`.
fn there_are_files() -> io::Result<()> {
    #[cfg(not(feature = "files"))]
    return Err(crate::files::without::refused());
    #[cfg(feature = "files")]
    Ok(())
}

/// Remembers that a file will be read, so that an output in its place is refused before anything is computed.
pub fn note_input(path: &Path) {
    remember(FileId::at(path));
}

/// Whether this is an input of a command on its way.
pub(crate) fn is_input(file: &FileId) -> bool {
    remembered().files.as_ref().is_some_and(|files| files.contains(file))
}

fn remember(file: Option<FileId>) {
    let mut remembered = remembered();
    if remembered.guards > 0 {
        remembered.files.get_or_insert_default().extend(file);
    }
}
