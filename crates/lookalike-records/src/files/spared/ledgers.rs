//! Ledgers and what belongs to them, as other commands see them.

use super::place::resolved;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// What the files of a ledger add to its name: its key, and what SQLite keeps beside it.
const ENDS: [&str; 4] = [".key", "-wal", "-shm", "-journal"];
/// How an SQLite file begins.
const SQLITE: &[u8] = b"SQLite format 3\0";
/// Where its header has the application, and what a ledger has there.
const APPLICATION: (usize, &[u8]) = (68, b"LKLG");
/// How the key of a ledger begins.
const KEY: &[u8] = b"lookalike ledger key ";

/// Whether a path is that of a ledger, of a key, or of a file that belongs to a ledger beside it. The last need not be there: a
/// journal that is put beside a ledger would be taken for its own.
pub(crate) fn belongs_to_a_ledger(path: &Path) -> bool {
    is_key(path) || is_ledger(path) || owner(path).is_some_and(|owner| is_ledger(&owner))
}

/// The ledger that a file would belong to by its name.
fn owner(path: &Path) -> Option<PathBuf> {
    let path = resolved(path);
    let name = path.file_name()?.to_str()?;
    let owner = ENDS.iter().find_map(|end| name.strip_suffix(end))?;
    Some(path.with_file_name(OsStr::new(owner)))
}

/// A ledger that was being made may have its application in the journal only, but its key is there.
fn is_ledger(path: &Path) -> bool {
    let start = start(path);
    let (at, application) = APPLICATION;
    let is_marked = start.get(at..at + application.len()) == Some(application);
    let mut key = path.as_os_str().to_owned();
    key.push(ENDS[0]);
    start.starts_with(SQLITE) && (is_marked || is_key(Path::new(&key)))
}

fn is_key(path: &Path) -> bool {
    start(path).starts_with(KEY)
}

/// The first bytes of a regular file; none of anything else, and none of what cannot be read.
#[allow(clippy::disallowed_methods, reason = "a look at an output is no input")]
fn start(path: &Path) -> Vec<u8> {
    let mut start = Vec::new();
    // A pipe would wait for its other end.
    if std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
        && let Ok(file) = File::open(path)
    {
        let _ = file.take(128).read_to_end(&mut start);
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ledgers_keys_and_journals_are_known_and_other_files_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("a.ledger"), [SQLITE, &[0; 52], b"LKLG"].concat()).unwrap();
        std::fs::write(at("elsewhere.key"), KEY).unwrap();
        for name in ["a.ledger", "elsewhere.key", "a.ledger-wal", "a.ledger-shm", "a.ledger-journal", "a.ledger.key"] {
            assert!(belongs_to_a_ledger(&at(name)), "{name}");
        }
        std::fs::write(at("b"), [SQLITE, &[0; 200]].concat()).unwrap();
        std::fs::write(at("c"), "lookalike").unwrap();
        for name in ["b", "c", "b-wal", "c.key", "none", "none-wal", "a.ledger.csv"] {
            assert!(!belongs_to_a_ledger(&at(name)), "{name}");
        }
        // Its first page is still in the journal.
        std::fs::write(at("b.key"), KEY).unwrap();
        assert!(belongs_to_a_ledger(&at("b")));
    }
}
