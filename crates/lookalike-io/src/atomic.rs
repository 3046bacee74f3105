//! Files that appear whole or not at all.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, ErrorKind, Write},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use crate::{Error, Result};

/// A file being written that appears under its name only when it is complete.
///
/// Nothing is at the name before [`AtomicFile::commit`], and an older file there stays as it was; dropping the value
/// without a commit leaves no trace. On Linux the bytes go to a file without a name, so that not even a killed process
/// leaves anything behind; where that is impossible a hidden file in the same directory takes its place until the end.
///
/// A path that names no regular file (a pipe, a terminal, `/dev/null`) is written through as the bytes come.
///
/// # Example
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::io::Write;
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("out.csv");
/// let mut file = lookalike_io::AtomicFile::create(&path, false)?;
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
    staged: BufWriter<Staged>,
}

impl AtomicFile {
    /// A file that [`AtomicFile::commit`] will put at `path`; with `replace` it may take the place of an older one.
    ///
    /// It gets the permissions of the file it replaces, otherwise those of any new file. A symbolic link stays and the
    /// file it points to is replaced.
    ///
    /// # Errors
    /// When `path` exists and `replace` is false, is a directory, or lies in no directory that can be written to.
    pub fn create(path: &Path, replace: bool) -> Result<Self> {
        let (target, staged) = stage(path, replace).map_err(|error| error.in_file(path))?;
        Ok(AtomicFile { path: path.to_path_buf(), target, replace, staged: BufWriter::with_capacity(1 << 16, staged) })
    }

    /// Puts the file in place in one step, safe against a crash of the machine once this returns.
    ///
    /// # Errors
    /// When the bytes cannot be stored, or when a file appeared at the path meanwhile and may not be replaced.
    pub fn commit(self) -> Result<()> {
        let AtomicFile { path, target, replace, staged } = self;
        let staged = staged.into_inner().map_err(io::IntoInnerError::into_error);
        staged.and_then(|staged| staged.publish(&target, replace)).map_err(|error| {
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
    let mut file = AtomicFile::create(path, replace)?;
    file.write_all(bytes).map_err(|error| Error::system("cannot write", error).in_file(path))?;
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
    /// A pipe or device: already gone.
    Direct(File),
}

fn stage(path: &Path, replace: bool) -> Result<(PathBuf, Staged)> {
    let old = fs::metadata(path).ok();
    if old.as_ref().is_some_and(fs::Metadata::is_dir) {
        return Err(Error::input("is a directory, expected the name of a file"));
    }
    if is_stream(path) || old.as_ref().is_some_and(|old| !old.is_file()) {
        // Appending, since a redirected standard output may hold text already.
        let file = OpenOptions::new().append(true).open(path);
        return Ok((path.to_path_buf(), Staged::Direct(file.map_err(|error| Error::system("cannot write", error))?)));
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
    let staged = Staged::create(directory).map_err(|error| Error::system("cannot create", error))?;
    if let Some(old) = old {
        let kept = staged.file().set_permissions(old.permissions());
        kept.map_err(|error| Error::system("cannot take over the permissions", error))?;
    }
    Ok((target, staged))
}

fn refusal() -> Error {
    Error::input("exists already (pass --force to replace it)")
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
    fn create(directory: &Path) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        if let Some(file) = unnamed::create(directory, 0o666)?.filter(unnamed::can_be_linked) {
            return Ok(Staged::Unnamed(file));
        }
        Staged::named(directory)
    }

    fn named(directory: &Path) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".lookalike-");
        // The umask still applies, so this is what any new file gets; the default would be private to the user.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        builder.tempfile_in(directory).map(Staged::Named)
    }

    fn file(&self) -> &File {
        match self {
            #[cfg(target_os = "linux")]
            Staged::Unnamed(file) => file,
            Staged::Named(file) => file.as_file(),
            Staged::Direct(file) => file,
        }
    }

    fn publish(self, target: &Path, replace: bool) -> io::Result<()> {
        if matches!(self, Staged::Direct(_)) {
            return Ok(());
        }
        self.file().sync_all()?;
        match self {
            #[cfg(target_os = "linux")]
            Staged::Unnamed(file) => unnamed::publish(&file, target, replace)?,
            Staged::Named(file) if replace => drop(file.persist(target)?),
            Staged::Named(file) => drop(file.persist_noclobber(target)?),
            Staged::Direct(_) => {}
        }
        sync_directory(directory_of(target))
    }
}

impl Write for Staged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

/// Makes the new name itself survive a crash.
fn sync_directory(directory: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
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

/// Files without a name, as Linux has them.
#[cfg(target_os = "linux")]
mod unnamed {
    use std::{fs::File, io, os::fd::AsRawFd, path::Path};

    use rustix::{
        fs::{AtFlags, CWD, Mode, OFlags, linkat, open},
        io::Errno,
    };

    use super::directory_of;

    /// The file, or `None` where the kernel or the file system rules it out. The umask applies to the mode.
    pub fn create(directory: &Path, mode: u32) -> io::Result<Option<File>> {
        match open(directory, OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC, Mode::from_raw_mode(mode)) {
            Ok(file) => Ok(Some(File::from(file))),
            Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOENT | Errno::NOSYS) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether the file can be given a name: not where `/proc` is missing.
    pub fn can_be_linked(file: &File) -> bool {
        Path::new(&handle(file)).exists()
    }

    pub fn publish(file: &File, target: &Path, replace: bool) -> io::Result<()> {
        match link(file, target) {
            Err(error) if replace && error.kind() == io::ErrorKind::AlreadyExists => {
                // A link never replaces; a rename does, in one step, but needs a name to start from.
                let name = tempfile::Builder::new()
                    .prefix(".lookalike-")
                    .make_in(directory_of(target), |name| link(file, name))?;
                name.persist(target)?;
                Ok(())
            }
            other => other,
        }
    }

    fn link(file: &File, name: &Path) -> io::Result<()> {
        Ok(linkat(CWD, handle(file), CWD, name, AtFlags::SYMLINK_FOLLOW)?)
    }

    /// Linking by descriptor alone needs a capability on older kernels; by this path it needs none.
    fn handle(file: &File) -> String {
        format!("/proc/self/fd/{}", file.as_raw_fd())
    }
}

#[cfg(test)]
mod tests;
