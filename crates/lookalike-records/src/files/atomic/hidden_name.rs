//! The hidden names that a file has before it gets its own, and what a killed process leaves under them.
//!
//! A name has the number of its own file in it, `.lookalike-out.csv-1234567` for inode 1234567: no file that was made, copied or
//! moved there by others has that, so that what is removed is what a process of ours has left, and nothing else.

use super::super::spared::{FileId, check_spared};
use super::directory_of;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile, TempPath};

const PREFIX: &str = ".lookalike-";

/// A new file with a hidden name beside `target`, its owner's alone, that is held by a lock as long as it is open.
///
/// What killed processes left for the same target is removed first. Where names of files are too short for the target's and
/// a number, or numbers do not exist, the file has a random name.
///
/// # Errors
/// A directory in which no file can be created.
pub(crate) fn hidden_file(target: &Path) -> io::Result<NamedTempFile> {
    remove_left(target);
    let file = Builder::new().prefix(PREFIX).tempfile_in(directory_of(target))?;
    // Before it has the name: nobody sees it there without its lock.
    let _ = file.as_file().try_lock();
    let Some(name) = hidden_name(target, file.as_file()) else { return Ok(file) };
    match file.persist_noclobber(&name) {
        Ok(file) => Ok(NamedTempFile::from_parts(file, TempPath::try_from_path(name)?)),
        Err(error) => Ok(error.file),
    }
}

/// Puts a file in the place of another in one step, by way of a hidden name that `link` gives it. The file is locked.
///
/// # Errors
/// Those of `link` and of the rename; the hidden name is gone then too.
pub(crate) fn through_hidden_name(
    target: &Path,
    file: &File,
    link: impl Fn(&Path) -> io::Result<()>,
) -> io::Result<()> {
    remove_left(target);
    let linked = match hidden_name(target, file).filter(|name| link(name).is_ok()) {
        Some(name) => TempPath::try_from_path(name)?,
        // Something else is there, or the name is too long.
        None => Builder::new().prefix(PREFIX).make_in(directory_of(target), |name| link(name))?.into_temp_path(),
    };
    linked.persist(target).map_err(|error| error.error)
}

/// The name with which this file waits for its own: that of its target and its number.
fn hidden_name(target: &Path, file: &File) -> Option<PathBuf> {
    let mut name = prefix(target);
    name.push(number(&file.metadata().ok()?)?);
    Some(directory_of(target).join(name))
}

/// How the hidden names of a target begin.
fn prefix(target: &Path) -> OsString {
    let mut name = OsString::from(PREFIX);
    name.push(target.file_name().unwrap_or_default());
    name.push("-");
    name
}

/// What no other file of the same file system has, as long as this one is there.
fn number(metadata: &fs::Metadata) -> Option<String> {
    #[cfg(unix)]
    {
        Some(std::os::unix::fs::MetadataExt::ino(metadata).to_string())
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        None
    }
}

/// Removes the files of processes that were killed: those whose names have their own number, that nobody holds, and that
/// are neither inputs nor ledgers.
#[allow(clippy::disallowed_methods, reason = "what is left of an output is no input")]
fn remove_left(target: &Path) {
    let prefix = prefix(target);
    for entry in fs::read_dir(directory_of(target)).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(end) = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes()) else { continue };
        let path = entry.path();
        // Not a link or a pipe: nobody here makes such.
        let is_ours = |metadata: &fs::Metadata| {
            metadata.is_file() && number(metadata).is_some_and(|number| number.as_bytes() == end)
        };
        // As long as it is open no other file gets its number, and so its name.
        if fs::symlink_metadata(&path).is_ok_and(|metadata| is_ours(&metadata))
            && let Ok(file) = File::open(&path)
            && file.try_lock().is_ok()
            && is_at(&file, &path)
            && check_spared(&path).is_ok()
        {
            let _ = fs::remove_file(&path);
        }
    }
}

/// Whether the open file is still the one with this name.
fn is_at(file: &File, name: &Path) -> bool {
    match (file.metadata(), fs::symlink_metadata(name)) {
        (Ok(open), Ok(named)) => FileId::of(name, &open) == FileId::of(name, &named),
        _ => false,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::super::super::spared::{InputGuard, open_input};
    use super::*;

    /// A file under its hidden name, as a killed process leaves it.
    fn left(target: &Path, text: &str) -> PathBuf {
        let new = target.with_file_name("left");
        fs::write(&new, text).unwrap();
        let name = hidden_name(target, &File::open(&new).unwrap()).unwrap();
        fs::rename(new, &name).unwrap();
        name
    }

    #[test]
    fn what_a_killed_process_left_is_removed_and_what_a_living_one_holds_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out.csv");
        let left = left(&target, "half");
        let first = hidden_file(&target).unwrap();
        assert!(!left.exists() || first.path() == left);
        assert_eq!(first.path(), hidden_name(&target, first.as_file()).unwrap());
        let second = hidden_file(&target).unwrap();
        assert!(second.path() != first.path() && first.path().exists());
        drop((first, second));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_replacement_removes_what_a_killed_process_left() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let names = || fs::read_dir(folder.path()).unwrap().count();
        let replace = |target: &str, new: &str| {
            fs::write(at(new), new).unwrap();
            through_hidden_name(&at(target), &File::open(at(new)).unwrap(), |name| fs::hard_link(at(new), name))
        };
        fs::write(at("out.csv"), "old").unwrap();
        left(&at("out.csv"), "left");
        replace("out.csv", "new").unwrap();
        assert_eq!((fs::read(at("out.csv")).unwrap(), names()), (b"new".to_vec(), 2));
        // A living process holds another.
        let held = File::open(left(&at("out.csv"), "held")).unwrap();
        held.lock().unwrap();
        replace("out.csv", "newer").unwrap();
        assert_eq!((fs::read(at("out.csv")).unwrap(), names()), (b"newer".to_vec(), 4));
        // What cannot be put in place leaves nothing.
        fs::create_dir(at("folder")).unwrap();
        replace("folder", "newest").unwrap_err();
        assert_eq!(names(), 6);
    }

    #[test]
    fn files_of_others_stay_whatever_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let target = at("out.csv");
        // A copy of what was left has another number.
        let left = left(&target, "left");
        let copied = at("copied");
        fs::copy(&left, &copied).unwrap();
        fs::remove_file(&left).unwrap();
        fs::hard_link(&copied, &left).unwrap();
        let own = hidden_name(&at("link"), &File::open(&copied).unwrap()).unwrap();
        std::os::unix::fs::symlink("copied", &own).unwrap();
        for name in [".lookalike-out.csv", ".lookalike-out.csv-", ".lookalike-out.csv-1", ".lookalike-"] {
            fs::write(at(name), "theirs").unwrap();
        }
        let before = fs::read_dir(folder.path()).unwrap().count();
        drop(hidden_file(&target).unwrap());
        drop(hidden_file(&at("link")).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), before);
    }

    #[test]
    fn an_input_stays_even_under_the_name_that_it_would_have_as_an_output() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out.csv");
        let left = left(&target, "records");
        let _command = InputGuard::new();
        drop(open_input(&left).unwrap());
        drop(hidden_file(&target).unwrap());
        assert_eq!(fs::read(&left).unwrap(), b"records");
    }
}
