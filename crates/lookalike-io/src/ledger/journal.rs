//! Whether the journal beside a ledger is its own.
//!
//! SQLite takes the file with `-wal` added to the name for the journal, whatever is in it. After a run was killed one stays;
//! if the ledger is moved, charged elsewhere and moved back, SQLite would put the old pages of the journal over the new ones
//! of the file, and what was charged meanwhile would be gone.

use super::database::failed;
use super::entry::{Head, last};
use super::files::beside;
use crate::{Error, Result};
use rusqlite::{Connection, OpenFlags, OptionalExtension};
use std::path::Path;

/// The header of a journal without pages.
const EMPTY: u64 = 32;

/// Refuses a journal with which the ledger would not have the last entry that its file alone has.
///
/// Entries are only added, and go into the journal first: with its own journal a ledger has all entries of the file.
pub(super) fn check(path: &Path, connection: &Connection) -> Result<()> {
    let journal = beside(path, "-wal");
    if std::fs::metadata(&journal).map_or(0, |metadata| metadata.len()) <= EMPTY {
        return Ok(());
    }
    // A file that was being written when a run was killed may not be readable alone: then the journal completes it.
    let Ok(Some((entry, head))) = alone(path) else { return Ok(()) };
    let query = "SELECT hash FROM entry WHERE number = ?";
    let with_journal = connection.query_row(query, [entry], |row| row.get(0).map(Head)).optional().map_err(failed)?;
    if with_journal == Some(head) {
        return Ok(());
    }
    Err(Error::input(format!(
        "beside this ledger lies {}, the journal of an older state or of another ledger: with it the entries from {entry} on would be \
         lost; move it away",
        journal.display()
    )))
}

/// The last entry of a file without its journal, and its hash.
fn alone(path: &Path) -> Result<Option<(u64, Head)>> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(address(path) + "?immutable=1", flags).map_err(failed)?;
    Ok(last(&connection)?.map(|(entry, head)| (entry.number, head)))
}

/// The address of a file as SQLite knows it.
pub(super) fn address(path: &Path) -> String {
    let mut address = "file:".to_owned();
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => address.push(char::from(byte)),
            _ => address += &format!("%{byte:02X}"),
        }
    }
    address
}
