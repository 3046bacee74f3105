//! The key of a ledger, and the names that subjects and records have in it.

use lookalike::Sentence;
use lookalike_formats::{Error, Result};
use lookalike_records::{Id, os_random};
use std::fmt;
use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// The key of the keyed hashes. It lives in a file of its own and never in the ledger.
///
/// # Guarantee
/// Names in the ledger are the first 16 bytes of BLAKE3 with this key, over a number that tells subjects, observations
/// and rows apart and the parts of the name, each of a fixed length but the last. Two records have the same name by
/// chance with a probability below 2^-60 in a ledger of 2^33 of them; then the later one gets the earlier's answer.
#[derive(Clone)]
pub struct LedgerKey([u8; 32]);

const FIRST_LINE: &str = "lookalike ledger key 1";

/// The way out where a file is not the key of a ledger.
pub(crate) fn where_it_is() -> Sentence {
    Sentence::new().option("key").taking("FILE").text(" says where it is")
}

impl LedgerKey {
    /// Where the key of a ledger lies unless somebody says otherwise: beside it, with `.key` added to its name.
    pub fn path_beside(ledger: &Path) -> PathBuf {
        let mut name = ledger.as_os_str().to_owned();
        name.push(".key");
        name.into()
    }

    /// A new key in a new file that only its owner can read.
    ///
    /// # Errors
    /// A file that is there, or cannot be written; an operating system without random numbers.
    pub fn create(path: &Path) -> Result<LedgerKey> {
        let key = LedgerKey::fresh()?;
        key.write(path)?;
        Ok(key)
    }

    /// A new key that is in no file yet.
    pub(crate) fn fresh() -> Result<LedgerKey> {
        Ok(LedgerKey(os_random("no key is made")?))
    }

    /// Writes the key to a new file, as [`LedgerKey::create`] does.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let written = options.open(path).and_then(|mut file| {
            writeln!(file, "{FIRST_LINE}\n{}", hex(&self.0))?;
            file.sync_all()
        });
        written
            .map_err(|error| match error.kind() {
                std::io::ErrorKind::AlreadyExists => Error::input(
                    "this key file exists; a key is never replaced, for without it a ledger cannot be used",
                )
                .hint(Sentence::from("choose another with ").option("key")),
                _ => Error::system("cannot write the key", error),
            })
            .map_err(|error| error.in_file(path))
    }

    /// Reads the key of a file.
    ///
    /// # Errors
    /// A file that cannot be read or is no key; the error shows nothing of it.
    pub fn read(path: &Path) -> Result<LedgerKey> {
        let mut text = String::new();
        let read = lookalike_records::open_input(path).and_then(|file| file.take(1 << 10).read_to_string(&mut text));
        read.map_err(|error| {
            Error::system(Sentence::from("cannot read the key of the ledger").hint(where_it_is()), error).in_file(path)
        })?;
        let key = text.strip_prefix(FIRST_LINE).and_then(|rest| from_hex(rest.trim()));
        key.map(LedgerKey).ok_or_else(|| Error::input("this is not the key of a ledger").in_file(path))
    }

    /// What a ledger keeps to know its key again: tells nothing of the key.
    pub(crate) fn mark(&self) -> Id {
        self.id(0, &[])
    }

    pub(crate) fn subject(&self, name: &[u8]) -> Id {
        self.id(1, &[name])
    }

    /// A record by the name of its observation.
    pub(crate) fn observation(&self, subject: &Id, name: &[u8]) -> Id {
        self.id(2, &[subject, name])
    }

    /// A record by its file and row.
    pub(crate) fn row(&self, subject: &Id, file: &[u8; 32], row: u64) -> Id {
        self.id(3, &[subject, file, &row.to_le_bytes()])
    }

    fn id(&self, kind: u8, parts: &[&[u8]]) -> Id {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        hasher.update(&[kind]);
        parts.iter().for_each(|part| {
            hasher.update(part);
        });
        let mut id = [0; 16];
        id.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        id
    }
}

impl fmt::Debug for LedgerKey {
    /// Never shows the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LedgerKey(…)")
    }
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// So many bytes of as many pairs of hexadecimal digits.
pub(crate) fn from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    if text.len() != 2 * N || !text.is_ascii() {
        return None;
    }
    for (at, byte) in bytes.iter_mut().enumerate() {
        let pair = &text[2 * at..2 * at + 2];
        // The parser would take a sign.
        *byte = u8::from_str_radix(pair, 16).ok().filter(|_| !pair.starts_with('+'))?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_comes_back_from_its_file_and_is_never_replaced_or_shown() {
        let folder = tempfile::tempdir().unwrap();
        let path = LedgerKey::path_beside(&folder.path().join("a.ledger"));
        assert!(path.ends_with("a.ledger.key"));
        let key = LedgerKey::create(&path).unwrap();
        assert_eq!(LedgerKey::read(&path).unwrap().0, key.0);
        assert!(LedgerKey::create(&path).unwrap_err().to_string().contains("never replaced"));
        assert!(!format!("{key:?}").contains(&hex(&key.0[..2])));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        std::fs::write(&path, "SECRETMARKER").unwrap();
        let error = LedgerKey::read(&path).unwrap_err().to_string();
        assert!(error.contains("not the key") && !error.contains("SECRETMARKER"), "{error}");
    }

    #[test]
    fn names_differ_by_kind_subject_file_row_and_key() {
        let (one, other) = (LedgerKey([1; 32]), LedgerKey([2; 32]));
        let ana = one.subject(b"ana");
        let ids = [
            ana,
            one.subject(b"bo"),
            other.subject(b"ana"),
            one.observation(&ana, b"1"),
            one.observation(&one.subject(b"bo"), b"1"),
            one.row(&ana, &[0; 32], 1),
            one.row(&ana, &[1; 32], 1),
            one.row(&ana, &[0; 32], 2),
            one.mark(),
            other.mark(),
        ];
        let distinct: std::collections::HashSet<_> = ids.iter().collect();
        assert_eq!(distinct.len(), ids.len());
        assert_eq!(from_hex::<16>(&hex(&ana)), Some(ana));
        assert!(from_hex::<2>("12é").is_none() && from_hex::<2>("123").is_none() && from_hex::<1>("+1").is_none());
    }
}
