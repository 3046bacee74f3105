//! The hidden names that a file has before it gets its own, and what a killed process leaves under them.

use super::directory_of;
use crate::spared::FileId;
use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile, TempPath};

const PREFIX: &str = ".lookalike-";

/// A new file with a hidden name beside `target`, its owner's alone, that is held by a lock as long as it is open.
///
/// What a killed process left under the name is removed first. Where another process holds it, or locks do not exist, the
/// file has a random name.
///
/// # Errors
/// A directory in which no file can be created.
pub(super) fn hidden_file(target: &Path) -> io::Result<NamedTempFile> {
    let name = hidden_name(target);
    remove_left(&name);
    let mut exact = Builder::new();
    exact.prefix(name.file_name().expect("made of one")).rand_bytes(0);
    if let Ok(file) = exact.tempfile_in(directory_of(target)) {
        let is_held = !matches!(file.as_file().try_lock(), Err(TryLockError::WouldBlock));
        if is_held && is_at(file.as_file(), &name) {
            return Ok(file);
        }
        // Somebody saw it before it was locked, and removes it: the name is theirs now.
        let _ = file.into_temp_path().keep();
    }
    let file = Builder::new().prefix(PREFIX).tempfile_in(directory_of(target))?;
    let _ = file.as_file().try_lock();
    Ok(file)
}

/// Puts a file in the place of another in one step, by way of a hidden name that `link` gives it. The file is locked.
///
/// # Errors
/// Those of `link` and of the rename; the hidden name is gone then too.
pub(super) fn through_hidden_name(target: &Path, link: impl Fn(&Path) -> io::Result<()>) -> io::Result<()> {
    let name = hidden_name(target);
    remove_left(&name);
    let linked = match link(&name) {
        Ok(()) => TempPath::try_from_path(name)?,
        // Another process is at the same point, or the name is too long.
        Err(_) => {
            let random = Builder::new().prefix(PREFIX).make_in(directory_of(target), |name| link(name))?;
            random.into_temp_path()
        }
    };
    linked.persist(target).map_err(|error| error.error)
}

/// The name with which a file waits for its own.
fn hidden_name(target: &Path) -> PathBuf {
    let mut name = OsString::from(PREFIX);
    name.push(target.file_name().unwrap_or_default());
    directory_of(target).join(name)
}

/// Removes the file of a process that was killed: one that nobody holds.
#[allow(clippy::disallowed_methods, reason = "what is left of an output is no input")]
fn remove_left(name: &Path) {
    // Not a link or a pipe: nobody here makes such.
    if fs::symlink_metadata(name).is_ok_and(|metadata| metadata.is_file())
        && let Ok(file) = File::open(name)
        && file.try_lock().is_ok()
        && is_at(&file, name)
    {
        let _ = fs::remove_file(name);
    }
}

/// Whether the open file is still the one with this name.
fn is_at(file: &File, name: &Path) -> bool {
    match (file.metadata(), fs::symlink_metadata(name)) {
        (Ok(open), Ok(named)) => FileId::of(name, &open) == FileId::of(name, &named),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_left_is_removed_and_what_a_living_one_holds_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let (target, left) = (folder.path().join("out.csv"), folder.path().join(".lookalike-out.csv"));
        fs::write(&left, "half").unwrap();
        let first = hidden_file(&target).unwrap();
        assert_eq!((first.path(), first.as_file().metadata().unwrap().len()), (left.as_path(), 0));
        let second = hidden_file(&target).unwrap();
        assert!(second.path() != left && first.path().exists());
        drop((first, second));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_replacement_goes_through_the_name_that_a_killed_process_left() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let names = || fs::read_dir(folder.path()).unwrap().count();
        for (name, text) in [("out.csv", "old"), (".lookalike-out.csv", "left"), ("new", "new")] {
            fs::write(at(name), text).unwrap();
        }
        through_hidden_name(&at("out.csv"), |name| fs::hard_link(at("new"), name)).unwrap();
        assert_eq!((fs::read(at("out.csv")).unwrap(), names()), (b"new".to_vec(), 2));
        // A living process holds the name: the file takes another.
        fs::write(at(".lookalike-out.csv"), "held").unwrap();
        let held = File::open(at(".lookalike-out.csv")).unwrap();
        held.lock().unwrap();
        fs::write(at("newer"), "newer").unwrap();
        through_hidden_name(&at("out.csv"), |name| fs::hard_link(at("newer"), name)).unwrap();
        assert_eq!((fs::read(at("out.csv")).unwrap(), names()), (b"newer".to_vec(), 4));
        // What cannot be put in place leaves nothing.
        fs::create_dir(at("folder")).unwrap();
        through_hidden_name(&at("folder"), |name| fs::hard_link(at("new"), name)).unwrap_err();
        assert_eq!(names(), 5);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_or_a_folder_under_the_name_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (target, left) = (folder.path().join("out.csv"), folder.path().join(".lookalike-out.csv"));
        fs::write(folder.path().join("theirs"), "theirs").unwrap();
        std::os::unix::fs::symlink("theirs", &left).unwrap();
        drop(hidden_file(&target).unwrap());
        assert!(fs::symlink_metadata(&left).unwrap().is_symlink());
        assert_eq!(fs::read(folder.path().join("theirs")).unwrap(), b"theirs");
    }
}
