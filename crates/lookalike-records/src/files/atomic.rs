//! Files that appear whole or not at all.

mod hidden_name;
#[cfg(target_os = "linux")]
mod unnamed;

use lookalike::Sentence;
use std::{
    fs::{self, File, OpenOptions, Permissions},
    io::{self, BufWriter, ErrorKind, Write},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use super::spared::check_spared;
use hidden_name::hidden_file;
use lookalike_formats::{Error, Result};

/// A file being written that appears under its name only when it is complete.
///
/// Nothing is at the name before [`AtomicFile::commit`], and an older file there stays as it was; dropping the value
/// without a commit leaves no trace. On Linux the bytes go to a file without a name, so that not even a killed process
/// leaves anything behind; where that is impossible a hidden file in the same directory takes its place until the end,
/// and one that a killed process has left is removed by the next that writes to the same path. Until the end the bytes are
/// their owner's alone.
///
/// A path that names no regular file (a pipe, a terminal, `/dev/null`) is written through as the bytes come. What the same
/// command reads, and ledgers, are never replaced: see [`check_spared`].
///
/// # Example
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::io::Write;
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("out.csv");
/// let mut file = lookalike_records::AtomicFile::create(&path, false)?;
/// file.write_all(b"load\nidle\n")?;
/// assert!(!path.exists());
/// file.commit()?;
/// assert_eq!(std::fs::read(&path)?, b"load\nidle\n");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct AtomicFile {
    /// As the caller wrote it, for messages.
    path: PathBuf,
    /// Where the file will be: `path` with links resolved.
    target: PathBuf,
    replace: bool,
    /// Those that it gets when it is put in place; until then, and without any, it is its owner's alone.
    permissions: Option<Permissions>,
    staged: BufWriter<Staged>,
}

impl AtomicFile {
    /// A file that [`AtomicFile::commit`] will put at `path`; with `replace` it may take the place of an older one.
    ///
    /// It gets the permissions of the file it replaces, otherwise those of any new file. A symbolic link stays and the
    /// file it points to is replaced.
    ///
    /// # Errors
    /// When `path` exists and `replace` is false, is a directory, an input, a ledger or a link to nothing, or lies in no
    /// directory that can be written to.
    pub fn create(path: &Path, replace: bool) -> Result<Self> {
        check_spared(path)?;
        let (target, staged, permissions) = stage(path, replace).map_err(|error| error.in_file(path))?;
        let staged = BufWriter::with_capacity(1 << 16, staged);
        Ok(AtomicFile { path: path.to_path_buf(), target, replace, permissions, staged })
    }

    /// The same for what only its owner may read (mode 0600), for good, whatever the file it replaces allows.
    ///
    /// # Errors
    /// Those of [`AtomicFile::create`].
    pub fn create_for_owner(path: &Path, replace: bool) -> Result<Self> {
        // It is so from its first moment; what it would get in the end is left out.
        AtomicFile::create(path, replace).map(|file| AtomicFile { permissions: None, ..file })
    }

    /// Puts the file in place in one step, safe against a crash of the machine once this returns.
    ///
    /// # Errors
    /// When the bytes cannot be stored, or when the path has become an input, or a file appeared there meanwhile and may not
    /// be replaced.
    pub fn commit(self) -> Result<()> {
        let AtomicFile { path, target, replace, permissions, staged } = self;
        check_spared(&path)?;
        let staged = staged.into_inner().map_err(io::IntoInnerError::into_error);
        staged.and_then(|staged| staged.publish(&target, replace, permissions)).map_err(|error| {
            let error = match error.kind() {
                ErrorKind::AlreadyExists if !replace => refusal(),
                _ => Error::system("cannot write", error),
            };
            error.in_file(&path)
        })
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.staged.write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.staged.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.staged.flush()
    }
}

/// Writes a whole file in one step: an [`AtomicFile`] created, filled and committed.
///
/// # Errors
/// Those of [`AtomicFile::create`] and [`AtomicFile::commit`].
pub fn write_atomically(path: &Path, replace: bool, bytes: &[u8]) -> Result<()> {
    write_whole(AtomicFile::create(path, replace)?, bytes)
}

/// [`write_atomically`] for what only its owner may read: an [`AtomicFile::create_for_owner`].
///
/// # Errors
/// Those of [`AtomicFile::create`] and [`AtomicFile::commit`].
pub fn write_for_owner(path: &Path, replace: bool, bytes: &[u8]) -> Result<()> {
    write_whole(AtomicFile::create_for_owner(path, replace)?, bytes)
}

fn write_whole(mut file: AtomicFile, bytes: &[u8]) -> Result<()> {
    file.write_all(bytes).map_err(|error| Error::system("cannot write", error).in_file(&file.path))?;
    file.commit()
}

/// An empty file in this directory to write and read, that has no name and is its owner's alone (mode 0600).
///
/// # Errors
/// A directory in which no file can be created.
pub(crate) fn scratch_file(directory: &Path) -> io::Result<File> {
    #[cfg(target_os = "linux")]
    if let Some(file) = unnamed::create(directory, 0o600)? {
        return Ok(file);
    }
    // Named for a moment, with the same mode; the name goes with the path.
    let (file, path) = tempfile::Builder::new().prefix(".lookalike-").tempfile_in(directory)?.into_parts();
    path.close()?;
    Ok(file)
}

/// Where the bytes are until the commit.
#[derive(Debug)]
enum Staged {
    /// A file without a name, which the system removes with the process.
    #[cfg(target_os = "linux")]
    Unnamed(File),
    /// A hidden file beside the target.
    Named(NamedTempFile),
    /// A pipe or device: already gone. Its path may lead to a file that is read later.
    Direct(File, PathBuf),
}

fn stage(path: &Path, replace: bool) -> Result<(PathBuf, Staged, Option<Permissions>)> {
    let old = fs::metadata(path).ok();
    if old.as_ref().is_some_and(fs::Metadata::is_dir) {
        return Err(Error::input("is a directory, expected the name of a file"));
    }
    if is_stream(path) || old.as_ref().is_some_and(|old| !old.is_file()) {
        // Appending, since a redirected standard output may hold text already.
        let file = OpenOptions::new().append(true).open(path);
        let file = file.map_err(|error| Error::system("cannot write", error))?;
        return Ok((path.to_path_buf(), Staged::Direct(file, path.to_path_buf()), None));
    }
    if old.is_none() && fs::symlink_metadata(path).is_ok_and(|link| link.is_symlink()) {
        return Err(Error::input("is a symbolic link to nothing (remove it, or name the file that it should lead to)"));
    }
    if !replace && fs::symlink_metadata(path).is_ok() {
        return Err(refusal());
    }
    let target = match &old {
        Some(_) => fs::canonicalize(path).map_err(|error| Error::system("cannot replace", error))?,
        None => path.to_path_buf(),
    };
    if target.file_name().is_none() {
        return Err(Error::input("no file name, expected the name of a file"));
    }
    let directory = directory_of(&target);
    match fs::metadata(directory) {
        Ok(found) if found.is_dir() => {}
        Ok(_) => return Err(Error::input(format!("\"{}\" is not a directory", directory.display()))),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(Error::input(format!("directory \"{}\" does not exist", directory.display())));
        }
        Err(error) => return Err(Error::system("cannot create", error)),
    }
    let (staged, usual) = Staged::create(&target).map_err(|error| Error::system("cannot create", error))?;
    Ok((target, staged, old.map(|old| old.permissions()).or(usual)))
}

fn refusal() -> Error {
    Error::input("exists already").hint(Sentence::from("pass ").flag("force").text(" to replace it"))
}

/// Whether the path stands for an open stream: with standard output redirected it leads to a regular file, which the
/// shell still holds and which must not be swapped under it.
fn is_stream(path: &Path) -> bool {
    ["/dev/stdout", "/dev/stderr"].iter().any(|stream| path == Path::new(stream))
        || ["/dev/fd", "/proc/self/fd"].iter().any(|streams| path.starts_with(streams))
}

fn directory_of(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

impl Staged {
    /// An empty file that only its owner can read, and the permissions that any new file there has.
    fn create(target: &Path) -> io::Result<(Self, Option<Permissions>)> {
        #[cfg(target_os = "linux")]
        if let Some(file) = unnamed::create(directory_of(target), 0o666)?.filter(unnamed::can_be_linked) {
            let usual = file.metadata()?.permissions();
            file.set_permissions(owner_only())?;
            // While it has a hidden name, before that becomes the real one, nobody takes it for what a killed process left.
            let _ = file.try_lock();
            return Ok((Staged::Unnamed(file), Some(usual)));
        }
        Staged::named(target)
    }

    fn named(target: &Path) -> io::Result<(Self, Option<Permissions>)> {
        Ok((Staged::Named(hidden_file(target)?), usual_permissions(directory_of(target))?))
    }

    fn file(&self) -> &File {
        match self {
            #[cfg(target_os = "linux")]
            Staged::Unnamed(file) => file,
            Staged::Named(file) => file.as_file(),
            Staged::Direct(file, _) => file,
        }
    }

    fn publish(self, target: &Path, replace: bool, permissions: Option<Permissions>) -> io::Result<()> {
        if matches!(self, Staged::Direct(..)) {
            return Ok(());
        }
        if let Some(permissions) = permissions {
            self.file().set_permissions(permissions)?;
        }
        self.file().sync_all()?;
        match self {
            #[cfg(target_os = "linux")]
            Staged::Unnamed(file) => unnamed::publish(&file, target, replace)?,
            Staged::Named(file) if replace => drop(file.persist(target)?),
            Staged::Named(file) => drop(file.persist_noclobber(target)?),
            Staged::Direct(..) => {}
        }
        sync_directory(directory_of(target))
    }
}

impl Write for Staged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Staged::Direct(_, path) = self {
            check_spared(path).map_err(io::Error::other)?;
        }
        self.file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

/// What only its owner can read.
#[cfg(unix)]
fn owner_only() -> Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(0o600)
}

/// The permissions of any new file in a directory: of one that is made to see them, empty and for a moment, since nothing
/// else tells what the system takes away.
fn usual_permissions(directory: &Path) -> io::Result<Option<Permissions>> {
    #[cfg(unix)]
    {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".lookalike-").permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(directory)?;
        Ok(Some(file.as_file().metadata()?.permissions()))
    }
    #[cfg(not(unix))]
    {
        let _ = directory;
        Ok(None)
    }
}

/// Makes the new name itself survive a crash.
pub fn sync_directory(directory: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    #[allow(clippy::disallowed_methods, reason = "a directory is no input")]
    match File::open(directory).and_then(|directory| directory.sync_all()) {
        // Some file systems cannot do it, and a directory may be writable without being readable: the file is in place
        // all the same.
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::InvalidInput | ErrorKind::Unsupported | ErrorKind::PermissionDenied
            ) =>
        {
            Ok(())
        }
        other => other,
    }
}

#[cfg(test)]
mod tests;
