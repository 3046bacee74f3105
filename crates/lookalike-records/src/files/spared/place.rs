//! Where a path leads, whether or not something is there.

use std::path::{Path, PathBuf};

/// The path without links, as far as it is there.
pub fn resolved(path: &Path) -> PathBuf {
    let in_parent = || {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(parent.canonicalize().ok()?.join(path.file_name()?))
    };
    path.canonicalize().ok().or_else(in_parent).unwrap_or_else(|| path.to_owned())
}

/// Whether two outputs would be written to the same place, so that only the later one would be left. Two names of one file (hard
/// links) are two places, since what is replaced is a name; a device keeps nothing, and takes both.
pub fn is_same_place(one: &Path, other: &Path) -> bool {
    let is_device = one.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir());
    !is_device && resolved(one) == resolved(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_the_same_in_every_form_of_its_path() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("inner")).unwrap();
        std::fs::write(at("there"), "").unwrap();
        for (one, other) in [("none", "inner/../none"), ("there", "./there"), ("inner/none", "inner/../inner/none")] {
            assert!(is_same_place(&at(one), &at(other)), "{one} {other}");
        }
        for (one, other) in [("none", "there"), ("none", "inner/none"), ("no/none", "inner/none")] {
            assert!(!is_same_place(&at(one), &at(other)), "{one} {other}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("there", at("link")).unwrap();
            std::os::unix::fs::symlink("inner", at("folder")).unwrap();
            std::fs::hard_link(at("there"), at("hard")).unwrap();
            assert!(is_same_place(&at("link"), &at("there")) && is_same_place(&at("folder/x"), &at("inner/x")));
            assert!(!is_same_place(&at("hard"), &at("there")));
            assert!(!is_same_place(Path::new("/dev/null"), Path::new("/dev/null")));
        }
    }
}
