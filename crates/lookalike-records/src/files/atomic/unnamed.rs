//! Files without a name, as Linux has them.

use std::{fs::File, io, os::fd::AsRawFd, path::Path};

use rustix::{
    fs::{AtFlags, CWD, Mode, OFlags, linkat, open},
    io::Errno,
};

use super::hidden_name::through_hidden_name;

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
        // A link never replaces; a rename does, in one step, but needs a name to start from.
        Err(error) if replace && error.kind() == io::ErrorKind::AlreadyExists => {
            through_hidden_name(target, file, |name| link(file, name))
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
