//! A ledger that is being written, and that appears under its name when it is whole.

use super::files::{BESIDE, beside};
use lookalike_formats::{Error, Result};
use lookalike_records::FileId;
use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// How the hidden folders begin and end.
const NAME: (&str, &str) = (".lookalike-ledger-", ".part");
/// What is locked as long as a process uses the folder.
const LOCK: &str = "lock";
/// The files that are written there.
const FILES: [&str; 2] = ["new", "kept"];

/// A hidden folder beside the place of a ledger, its owner's alone, in which SQLite may put what it likes beside its files.
///
/// It goes when this is dropped. One that a killed process has left is removed by the next that writes a ledger to the same
/// folder, whatever its name; what is in the folder and was not put there by a ledger stays.
pub(crate) struct Staging {
    folder: PathBuf,
    _lock: File,
}

impl Staging {
    /// A folder for what is to appear at `target`.
    ///
    /// # Errors
    /// A place that cannot be written to, or to which another process is writing a ledger.
    pub fn new(target: &Path) -> Result<Staging> {
        let parent = parent(target);
        remove_left(parent);
        let hash = blake3::hash(target.file_name().unwrap_or_default().as_encoded_bytes()).to_hex();
        let folder = parent.join(format!("{}{}{}", NAME.0, &hash[..16], NAME.1));
        // Whoever is done removes the folder, perhaps between two of these steps.
        for _ in 0..100 {
            match make(&folder).and_then(|()| lock(&folder)) {
                Ok(Some(lock)) => return Ok(Staging { folder, _lock: lock }),
                Ok(None) => return Err(Error::input("another process writes a ledger to this place").in_file(target)),
                Err(error) if error.kind() == ErrorKind::NotFound && parent.is_dir() => {}
                Err(error) => return Err(Error::system("cannot write", error).in_file(target)),
            }
        }
        Err(Error::input("other processes write ledgers to this place").in_file(target))
    }

    /// Where the ledger is written.
    pub fn new_file(&self) -> PathBuf {
        self.folder.join(FILES[0])
    }

    /// Where the copy is written of a file that will be replaced.
    pub fn kept_file(&self) -> PathBuf {
        self.folder.join(FILES[1])
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        clear(&self.folder);
    }
}

/// Puts a file that is whole in its place, with these permissions, in one step and on the disk. Never in the place of another
/// file unless that is to be replaced.
pub(crate) fn publish(file: &Path, target: &Path, permissions: Permissions, replace: bool) -> io::Result<()> {
    fs::set_permissions(file, permissions)?;
    OpenOptions::new().append(true).open(file)?.sync_all()?;
    match replace {
        true => fs::rename(file, target)?,
        // Not by a hard link: a process that is killed before the other name is gone would leave a ledger with two.
        false => tempfile::TempPath::try_from_path(file)?.persist_noclobber(target).map_err(|error| error.error)?,
    }
    lookalike_records::sync_directory(parent(target))
}

fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn make(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(folder) {
        // A link to a folder is none of ours.
        Err(error) if error.kind() == ErrorKind::AlreadyExists && is_folder(folder) => Ok(()),
        made => made,
    }
}

fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir())
}

/// Takes the lock of a folder and removes what a killed process left there; `None` where a living one has it.
fn lock(folder: &Path) -> io::Result<Option<File>> {
    let path = folder.join(LOCK);
    let file = OpenOptions::new().create(true).append(true).open(&path)?;
    match file.try_lock() {
        Err(fs::TryLockError::WouldBlock) => return Ok(None),
        Err(fs::TryLockError::Error(error)) => return Err(error),
        Ok(()) => {}
    }
    // The one who had it may have removed it since it was opened.
    if FileId::at(&path) != FileId::of(&path, &file.metadata()?) {
        return Err(ErrorKind::NotFound.into());
    }
    remove_files(folder);
    Ok(Some(file))
}

/// Removes the folders of killed processes.
fn remove_left(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let is_ours = |name: &OsStr| {
            let name = name.to_str().and_then(|name| name.strip_prefix(NAME.0)?.strip_suffix(NAME.1));
            name.is_some_and(|name| name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit()))
        };
        let folder = entry.path();
        if is_ours(&entry.file_name())
            && is_folder(&folder)
            && let Ok(Some(_lock)) = lock(&folder)
        {
            clear(&folder);
        }
    }
}

/// Removes a folder whose lock is held, and in it what ledgers put there.
fn clear(folder: &Path) {
    remove_files(folder);
    let _ = fs::remove_file(folder.join(LOCK));
    let _ = fs::remove_dir(folder);
}

fn remove_files(folder: &Path) {
    for (file, end) in FILES.iter().flat_map(|file| BESIDE.map(|end| (file, end))) {
        let _ = fs::remove_file(beside(&folder.join(file), end));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_left_is_removed_and_what_a_living_one_writes_is_not() {
        let home = tempfile::tempdir().unwrap();
        let names = || fs::read_dir(home.path()).unwrap().count();
        let dead = Staging::new(&home.path().join("dead")).unwrap();
        for file in [dead.new_file(), beside(&dead.new_file(), "-journal"), dead.kept_file()] {
            fs::write(file, "half").unwrap();
        }
        let folder = dead.folder.clone();
        // As a kill does: nothing is tidied, and the lock is gone.
        let Staging { _lock: held, .. } = &dead;
        held.unlock().unwrap();
        let other = Staging::new(&home.path().join("other")).unwrap();
        assert!(!folder.exists() && other.folder.exists() && names() == 1);
        fs::write(other.new_file(), "written").unwrap();
        assert!(Staging::new(&home.path().join("other")).is_err(), "its process is alive");
        drop(Staging::new(&home.path().join("third")).unwrap());
        assert_eq!(fs::read(other.new_file()).unwrap(), b"written");
        publish(&other.new_file(), &home.path().join("other"), home.path().metadata().unwrap().permissions(), false)
            .unwrap();
        drop((dead, other));
        assert_eq!(names(), 1, "the file that was written");
    }

    #[test]
    fn no_file_is_replaced_unless_it_is_to_be() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("target");
        fs::write(&target, "old").unwrap();
        let staging = Staging::new(&target).unwrap();
        let permissions = fs::metadata(&target).unwrap().permissions();
        fs::write(staging.new_file(), "new").unwrap();
        assert!(publish(&staging.new_file(), &target, permissions.clone(), false).is_err());
        assert_eq!(fs::read(&target).unwrap(), b"old");
        fs::write(staging.new_file(), "new").unwrap();
        publish(&staging.new_file(), &target, permissions, true).unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"new");
    }
}
