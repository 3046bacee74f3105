//! Files that appear together or not at all.

use lookalike_io::{Error, Result};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A hidden folder beside the target, in which a run writes; what is in it is moved when all is done.
pub struct Staging {
    target: PathBuf,
    replace: bool,
    folder: TempDir,
}

impl Staging {
    /// For files that will be in `target`, which is made if it is not there.
    ///
    /// # Errors
    /// A target that is no folder, that has files already and may not be replaced, or that cannot be made.
    pub fn new(target: &Path, replace: bool) -> Result<Self> {
        if target.exists() && !target.is_dir() {
            return Err(Error::input("is a file, expected a folder").in_file(target));
        }
        let occupied = fs::read_dir(target).is_ok_and(|mut entries| entries.next().is_some());
        if occupied && !replace {
            return Err(Error::input("has files already (--force replaces those of a run)").in_file(target));
        }
        let parent = match target.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let folder =
            fs::create_dir_all(parent).and_then(|()| tempfile::Builder::new().prefix(".run-").tempdir_in(parent));
        let folder = folder.map_err(|error| Error::system("cannot write", error).in_file(parent))?;
        Ok(Staging { target: target.to_path_buf(), replace, folder })
    }

    /// Where a file is until it is published.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Moves everything to the target; returns the files by name.
    ///
    /// # Errors
    /// A target that cannot be written to.
    pub fn publish(self) -> Result<Vec<PathBuf>> {
        let failed = |error| Error::system("cannot write", error).in_file(&self.target);
        let entries = fs::read_dir(self.folder.path()).and_then(|entries| entries.collect::<std::io::Result<Vec<_>>>());
        let mut names: Vec<_> = entries.map_err(failed)?.into_iter().map(|entry| entry.file_name()).collect();
        names.sort();
        fs::create_dir_all(&self.target).map_err(failed)?;
        let mut files = Vec::new();
        for name in names {
            let (from, to) = (self.folder.path().join(&name), self.target.join(&name));
            if to.exists() && !self.replace {
                return Err(Error::input("has appeared meanwhile (--force replaces it)").in_file(&to));
            }
            fs::rename(from, &to).map_err(failed)?;
            files.push(to);
        }
        Ok(files)
    }
}
