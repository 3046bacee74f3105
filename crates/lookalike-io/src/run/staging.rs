//! Files that appear when all is done.

use crate::{Error, Result};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A hidden folder inside the target, in which a run writes; what is in it is moved when all is done.
///
/// Whatever goes wrong before, the target is as it was, and folders that were made for it are gone again.
pub(crate) struct Staging {
    target: PathBuf,
    replace: bool,
    folder: Option<TempDir>,
    /// The folders that were not there before, the innermost first.
    made: Vec<PathBuf>,
}

impl Staging {
    /// For files that will be in `target`, which is made if it is not there.
    ///
    /// # Errors
    /// A target that is no folder, that has files already and may not be replaced, or that cannot be made.
    pub(crate) fn new(target: &Path, replace: bool) -> Result<Self> {
        if target.exists() && !target.is_dir() {
            return Err(Error::input("is a file, expected a folder").in_file(target));
        }
        let occupied = fs::read_dir(target).is_ok_and(|mut entries| entries.next().is_some());
        if occupied && !replace {
            return Err(Error::input("has files already (--force replaces those of a run)").in_file(target));
        }
        let missing = |path: &&Path| *path != Path::new("") && !path.exists();
        let made = target.ancestors().take_while(missing).map(Path::to_path_buf).collect();
        let mut staging = Staging { target: target.to_path_buf(), replace, folder: None, made };
        let folder = fs::create_dir_all(target).and_then(|()| hidden_folder(target));
        staging.folder = Some(folder.map_err(|error| Error::system("cannot write", error).in_file(target))?);
        Ok(staging)
    }

    /// The hidden folder.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.as_ref().expect("there until it is published").path()
    }

    /// Where a file is until it is published.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    /// Moves everything to the target, after a look whether that can be done; returns the files by name.
    ///
    /// # Errors
    /// A place that is taken, or a target that cannot be written to.
    pub(crate) fn publish(mut self) -> Result<Vec<PathBuf>> {
        let failed = |error| Error::system("cannot write", error).in_file(&self.target);
        let entries = fs::read_dir(self.folder()).and_then(|entries| entries.collect::<std::io::Result<Vec<_>>>());
        let mut names: Vec<_> = entries.map_err(failed)?.into_iter().map(|entry| entry.file_name()).collect();
        names.sort();
        let moves: Vec<_> = names.iter().map(|name| (self.folder().join(name), self.target.join(name))).collect();
        for (_, to) in &moves {
            if to.is_dir() {
                return Err(Error::input("is a folder where a file is to be written").in_file(to));
            }
            if to.exists() && !self.replace {
                return Err(Error::input("has appeared meanwhile (--force replaces it)").in_file(to));
            }
        }
        for (from, to) in &moves {
            fs::rename(from, to).map_err(failed)?;
        }
        self.made.clear();
        Ok(moves.into_iter().map(|(_, to)| to).collect())
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        drop(self.folder.take());
        // Only what is empty goes: nobody else has put anything there.
        for folder in &self.made {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// A folder that nobody else can look into: released records wait there.
fn hidden_folder(target: &Path) -> std::io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".run-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o700));
    }
    builder.tempdir_in(target)
}
