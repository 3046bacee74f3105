//! The hidden folder of a run, and whose it is.

use lookalike::Sentence;
use lookalike_formats::{Error, Result};
use lookalike_records::{FileId, sync_directory};
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The name of the folder, inside the one that a run writes to.
pub(super) const HIDDEN: &str = ".lookalike-run";
/// In it: who holds the folder, and the files until they are moved.
const LOCK: &str = "lock";
const FILES: &str = "files";

/// The hidden folder of one run, held by a lock until the value is dropped.
///
/// # Guarantee
/// At most one process has it for a target. A process that ends in whatever way lets go of it, so that what lies in a
/// folder that could be taken was left by a run that is dead.
#[derive(Debug)]
pub(super) struct HiddenFolder {
    path: PathBuf,
    _lock: File,
    /// Whether the lock was not there before.
    is_lock_new: bool,
}

impl HiddenFolder {
    /// Takes the folder inside `target`, which is made if it is not there.
    ///
    /// # Errors
    /// A folder that another run holds, that is another user's, or that cannot be made.
    pub fn take(target: &Path) -> Result<Self> {
        let path = target.join(HIDDEN);
        loop {
            match take(&path) {
                Ok(Some((lock, is_lock_new))) => return Ok(HiddenFolder { path, _lock: lock, is_lock_new }),
                // It was removed by the run that had it.
                Ok(None) => {}
                Err(error) => return Err(error.in_file(&path)),
            }
        }
    }

    /// Leaves a folder that turns out to be no run's as it was.
    pub fn leave(self) {
        if self.is_lock_new {
            let _ = fs::remove_file(self.path.join(LOCK));
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where files wait.
    pub fn files(&self) -> PathBuf {
        self.path.join(FILES)
    }

    /// Makes the folder in which files wait.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn make_files(&self) -> io::Result<()> {
        private_folder().create(self.files())
    }
}

/// What a run that is not done has in its target, to be removed by whoever stops it.
#[derive(Debug, Clone)]
pub struct Unfinished {
    pub(super) hidden: PathBuf,
    /// The folders that were not there before, the innermost first.
    pub(super) made: Vec<PathBuf>,
}

impl Unfinished {
    /// Removes the hidden folder and the folders that were made for the run, as far as they are empty then.
    pub fn remove(&self) {
        self.remove_hidden();
        self.remove_made();
    }

    /// The lock goes last: whoever takes the folder after that finds nothing of this run, and nothing of theirs is removed.
    pub(super) fn remove_hidden(&self) {
        self.remove_contents();
        let _ = fs::remove_file(self.hidden.join(LOCK));
        let _ = fs::remove_dir(&self.hidden);
        self.hidden.parent().map(sync_directory);
    }

    /// Everything in the hidden folder but the lock.
    pub(super) fn remove_contents(&self) {
        // The run may be writing still, in another thread, when this is a signal's: then a file is there once more.
        const TIMES: usize = 100;
        let files = self.hidden.join(FILES);
        for _ in 0..TIMES {
            let _ = fs::remove_dir_all(&files);
            if !files.exists() {
                break;
            }
        }
        let others = fs::read_dir(&self.hidden).into_iter().flatten().flatten();
        for entry in others.filter(|entry| entry.file_name() != LOCK) {
            let _ = fs::remove_file(entry.path());
        }
    }

    /// The folders that were made, as far as they are empty: nobody else has put anything there.
    pub(super) fn remove_made(&self) {
        for folder in &self.made {
            let _ = fs::remove_dir(folder);
        }
    }

    /// The folders in which others were made.
    pub(super) fn made_in(&self) -> impl Iterator<Item = &Path> {
        self.made
            .iter()
            .filter_map(|folder| folder.parent())
            .map(|folder| if folder == Path::new("") { Path::new(".") } else { folder })
    }
}

/// A folder that nobody else can look into: released records wait there.
fn private_folder() -> DirBuilder {
    #[allow(unused_mut, reason = "modes are of Unix")]
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

/// The lock of the folder and whether it is new, unless the folder was removed meanwhile.
fn take(path: &Path) -> Result<Option<(File, bool)>> {
    let failed = |error| Error::system("cannot write", error);
    match private_folder().create(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(failed(error)),
        _ => {}
    }
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Ok(metadata) if is_own(&metadata) => {}
        _ => return Err(Error::input("not the folder of a run of this user (remove it)")),
    }
    let name = path.join(LOCK);
    if fs::symlink_metadata(&name).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(Error::input("not the folder of a run (remove it)"));
    }
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let (lock, is_new) = match options.create_new(true).open(&name) {
        Ok(lock) => (lock, true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => match options.create_new(false).open(&name) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            opened => (opened.map_err(failed)?, false),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Err(Error::input("another run writes to this folder (wait until it ends)"));
        }
        Err(TryLockError::Error(error)) => {
            let hint = Sentence::new().option("output").text(" writes elsewhere");
            return Err(Error::system(Sentence::from("cannot lock").hint(hint), error));
        }
    }
    let named = fs::symlink_metadata(&name).ok().and_then(|metadata| FileId::of(&name, &metadata));
    let held = lock.metadata().ok().and_then(|metadata| FileId::of(&name, &metadata));
    Ok((named.is_some() && named == held).then_some((lock, is_new)))
}

/// Whether only this user can have put something into the folder.
fn is_own(metadata: &fs::Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let user = rustix::process::geteuid().as_raw();
        metadata.is_dir() && metadata.uid() == user && metadata.mode() & 0o077 == 0
    }
    #[cfg(not(unix))]
    metadata.is_dir()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn one_run_has_the_folder_and_a_dead_one_lets_go() {
        let target = tempfile::tempdir().unwrap();
        let first = HiddenFolder::take(target.path()).unwrap();
        let error = HiddenFolder::take(target.path()).unwrap_err().to_string();
        assert!(error.ends_with(".lookalike-run: another run writes to this folder (wait until it ends)"), "{error}");
        drop(first);
        let second = HiddenFolder::take(target.path()).unwrap();
        second.make_files().unwrap();
        fs::write(second.files().join("a"), "").unwrap();
        fs::write(second.path().join("journal"), "").unwrap();
        Unfinished { hidden: second.path().to_owned(), made: vec![] }.remove();
        assert_eq!(names(target.path()), 0);
    }

    #[test]
    fn a_folder_that_was_made_and_never_locked_is_taken() {
        let target = tempfile::tempdir().unwrap();
        private_folder().create(target.path().join(HIDDEN)).unwrap();
        HiddenFolder::take(target.path()).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_an_open_folder_and_a_file_are_refused() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let (target, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let hidden = target.path().join(HIDDEN);
        let refused = || HiddenFolder::take(target.path()).unwrap_err().to_string();
        symlink(other.path(), &hidden).unwrap();
        assert!(refused().contains("not the folder of a run of this user (remove it)"));
        assert_eq!(names(other.path()), 0);
        fs::remove_file(&hidden).unwrap();
        fs::create_dir(&hidden).unwrap();
        fs::set_permissions(&hidden, PermissionsExt::from_mode(0o777)).unwrap();
        assert!(refused().contains("not the folder of a run of this user"));
        fs::set_permissions(&hidden, PermissionsExt::from_mode(0o700)).unwrap();
        symlink(other.path().join("made"), hidden.join(LOCK)).unwrap();
        assert!(refused().contains("not the folder of a run (remove it)"));
        assert_eq!(names(other.path()), 0);
    }

    #[test]
    fn folders_that_were_made_go_only_while_they_are_empty() {
        let outer = tempfile::tempdir().unwrap();
        let made = ["a/b", "a"].map(|name| outer.path().join(name)).to_vec();
        let unfinished = Unfinished { hidden: made[0].join(HIDDEN), made: made.clone() };
        fs::create_dir_all(&made[0]).unwrap();
        fs::write(made[1].join("theirs"), "").unwrap();
        unfinished.remove();
        assert!(!made[0].exists() && made[1].join("theirs").exists());
    }
}
