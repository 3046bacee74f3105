//! What stands for output files in a build without the feature `files`.

#![cfg_attr(feature = "files", allow(dead_code, reason = "there are files, and only the tests are of use"))]

use lookalike_formats::{Error, Result};
use std::convert::Infallible;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// The file of a build that has none: [`AtomicFile::create`] refuses every path.
#[derive(Debug)]
pub struct AtomicFile(Infallible);

impl AtomicFile {
    /// None.
    ///
    /// # Errors
    /// Always.
    pub fn create(path: &Path, _: bool) -> Result<Self> {
        Err(Error::system("cannot write", refused()).in_file(path))
    }

    /// None.
    ///
    /// # Errors
    /// Always.
    pub fn create_for_owner(path: &Path, replace: bool) -> Result<Self> {
        AtomicFile::create(path, replace)
    }

    /// Nothing, for there is no such file.
    ///
    /// # Errors
    /// None.
    pub fn commit(self) -> Result<()> {
        match self.0 {}
    }
}

impl Write for AtomicFile {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        match self.0 {}
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0 {}
    }
}

/// Nothing.
///
/// # Errors
/// Always.
pub fn write_atomically(path: &Path, replace: bool, _: &[u8]) -> Result<()> {
    AtomicFile::create(path, replace).map(drop)
}

/// Nothing.
///
/// # Errors
/// Always.
pub fn write_for_owner(path: &Path, replace: bool, _: &[u8]) -> Result<()> {
    AtomicFile::create(path, replace).map(drop)
}

/// Nothing.
///
/// # Errors
/// Always.
pub fn sync_directory(_: &Path) -> io::Result<()> {
    Err(refused())
}

/// Nothing.
///
/// # Errors
/// Always.
pub(crate) fn scratch_file(_: &Path) -> io::Result<File> {
    Err(refused())
}

/// What is said of every path.
pub(crate) fn refused() -> io::Error {
    io::Error::new(ErrorKind::Unsupported, "this build of Lookalike has no files (it is without the feature \"files\")")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new");
        let error = AtomicFile::create(&path, true).unwrap_err().to_string();
        let expected = "cannot write: this build of Lookalike has no files (it is without the feature \"files\")";
        assert!(error.ends_with(expected), "{error}");
        assert!(AtomicFile::create_for_owner(&path, true).is_err());
        assert!(write_atomically(&path, true, b"new").is_err() && write_for_owner(&path, true, b"new").is_err());
        assert!(sync_directory(folder.path()).is_err() && scratch_file(folder.path()).is_err());
        assert!(!path.exists());
    }
}
