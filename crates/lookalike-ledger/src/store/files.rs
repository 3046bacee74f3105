//! The files that are a ledger.

use crate::facts::LedgerKey;
use lookalike_formats::{Error, Result};
pub(crate) use lookalike_records::resolved;
use std::path::{Path, PathBuf};

/// What SQLite adds to the name of a file for those that it keeps beside it.
pub(crate) const BESIDE: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// Refuses to write in the place of a ledger, its key (by default the one beside it), or a file that SQLite keeps beside it.
///
/// # Errors
/// Such a place.
pub fn check_apart(ledger: &Path, key: Option<&Path>, output: &Path) -> Result<()> {
    let beside = LedgerKey::path_beside(ledger);
    let is_key = resolved(key.unwrap_or(&beside)) == resolved(output);
    match is_key || is_database(ledger, output) {
        true => Err(Error::input(format!("{}: this is the ledger, its key or its journal", output.display()))),
        false => Ok(()),
    }
}

/// The file beside a ledger whose name has this end.
pub(crate) fn beside(ledger: &Path, end: &str) -> PathBuf {
    let mut name = ledger.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// Whether a path is that of the ledger or of a file that SQLite keeps beside it.
pub(crate) fn is_database(ledger: &Path, path: &Path) -> bool {
    BESIDE.iter().any(|end| resolved(path) == beside(&resolved(ledger), end))
}

/// Refuses a place for a new ledger where something is, or where something else would take the new file for its own: a ledger
/// beside it for its journal, or the new one a file that is there.
///
/// # Errors
/// Such a place, and a symbolic link that leads to nothing.
pub(crate) fn check_free(path: &Path) -> Result<()> {
    let is_there = |path: &Path| std::fs::symlink_metadata(path).is_ok();
    if path.exists() {
        return Err(Error::input("this file exists; a ledger is never replaced").in_file(path));
    }
    if is_there(path) {
        let message = "is a symbolic link to nothing (remove it, or name the file that it should lead to)";
        return Err(Error::input(message).in_file(path));
    }
    if let Some(taken) = BESIDE[1..].iter().map(|end| beside(path, end)).find(|file| is_there(file)) {
        let message = "this file is there and would be taken for the journal of the new ledger: move it away";
        return Err(Error::input(message).in_file(&taken));
    }
    lookalike_records::check_spared(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_a_ledger_is_known_whatever_its_spelling() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("a.ledger"), "").unwrap();
        std::fs::write(at("own.key"), "").unwrap();
        for name in ["a.ledger", "a.ledger-wal", "a.ledger-shm", "a.ledger-journal", "a.ledger.key", "./a.ledger-wal"] {
            check_apart(&at("a.ledger"), None, &at(name)).unwrap_err();
        }
        check_apart(&at("a.ledger"), Some(&at("own.key")), &at("own.key")).unwrap_err();
        check_apart(&at("a.ledger"), Some(&at("own.key")), &at("private.csv")).unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("a.ledger"), at("link")).unwrap();
            check_apart(&at("link"), None, &at("a.ledger-wal")).unwrap_err();
            check_apart(&at("a.ledger"), None, &at("link")).unwrap_err();
        }
    }
}
