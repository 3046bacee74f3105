//! What a file is, whatever its name.

use std::fs::Metadata;
use std::path::Path;

/// Device and inode where there are such, the path without links elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FileId(#[cfg(unix)] (u64, u64), #[cfg(not(unix))] std::path::PathBuf);

impl FileId {
    /// That of a regular file, which the path leads to; pipes and devices have none, since they keep nothing.
    pub fn of(path: &Path, metadata: &Metadata) -> Option<FileId> {
        if !metadata.is_file() {
            return None;
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let _ = path;
            Some(FileId((metadata.dev(), metadata.ino())))
        }
        #[cfg(not(unix))]
        path.canonicalize().ok().map(FileId)
    }

    /// That of the regular file that a path leads to, if there is one.
    pub fn at(path: &Path) -> Option<FileId> {
        FileId::of(path, &std::fs::metadata(path).ok()?)
    }
}

/// Whether two paths lead to the same file; paths that lead nowhere are compared as they are written.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    match (FileId::at(a), FileId::at(b)) {
        (Some(a), Some(b)) => a == b,
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_the_same_by_every_name_and_no_other_file_is() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("a"), "same").unwrap();
        std::fs::write(at("b"), "same").unwrap();
        std::fs::create_dir(at("inner")).unwrap();
        std::fs::hard_link(at("a"), at("hard")).unwrap();
        assert!(is_same_file(&at("a"), &at("inner/../a")));
        assert!(!is_same_file(&at("a"), &at("b")) && !is_same_file(&at("a"), &at("none")));
        assert!(is_same_file(&at("none"), &at("none")));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("a", at("link")).unwrap();
            assert!(is_same_file(&at("a"), &at("link")) && is_same_file(&at("a"), &at("hard")));
            assert!(FileId::at(Path::new("/dev/null")).is_none());
        }
    }
}
