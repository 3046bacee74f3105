//! Whether the journal beside a ledger is its own.
//!
//! SQLite takes the file with `-wal` added to the name for the journal, whatever is in it. After a run was killed one stays;
//! if the ledger is moved, charged elsewhere and moved back, SQLite would put the old pages of the journal over the new ones
//! of the file, and what was charged meanwhile would be gone.

use super::database::failed;
use super::entry::{Head, last};
use super::files::beside;
use lookalike_formats::{Error, Result};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension};
use std::path::Path;

/// The header of a journal without pages.
const EMPTY: u64 = 32;

/// Refuses a journal with which the ledger would not have the last entry that its file alone has.
///
/// Entries are only added, and go into the journal first: with its own journal a ledger has all entries of the file. Every
/// change adds an entry, so a journal of an older state has the page that was the last of the entries then, without those
/// that came later; if these are on new pages, the journal says that the file has no such pages.
pub(crate) fn check(path: &Path, connection: &Connection) -> Result<()> {
    let Some((entry, head)) = beside_whole(path) else { return Ok(()) };
    let query = "SELECT hash FROM entry WHERE number = ?";
    match connection.query_row(query, [entry], |row| row.get(0).map(Head)).optional() {
        Ok(found) if found == Some(head) => Ok(()),
        Ok(_) => Err(refusal(path, entry)),
        Err(error) => Err(explained(path, error)),
    }
}

/// What went wrong in SQLite. Pages of two states beside each other look like a damaged file: where the file alone can be
/// read, it is the journal that does not belong to it.
pub(crate) fn explained(path: &Path, error: rusqlite::Error) -> Error {
    // And not that the disk failed, or that a page was refused.
    let is_of_content = matches!(
        error.sqlite_error_code(),
        None | Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::Unknown)
    );
    match beside_whole(path).filter(|_| is_of_content) {
        Some((entry, _)) => refusal(path, entry),
        None => failed(error),
    }
}

fn refusal(path: &Path, entry: u64) -> Error {
    Error::input(format!(
        "beside this ledger lies {}, the journal of an older state or of another ledger: with it entries up to {entry} would be \
         lost, which the file alone has; move it away",
        beside(path, "-wal").display()
    ))
}

/// The last entry of a file beside which a journal lies, if the file can be read alone. One that was being written when a run was
/// killed may not be: then the journal completes it.
fn beside_whole(path: &Path) -> Option<(u64, Head)> {
    let journal = std::fs::metadata(beside(path, "-wal")).map_or(0, |metadata| metadata.len());
    if journal > EMPTY { alone(path).ok().flatten() } else { None }
}

/// The last entry of a file without its journal, and its hash.
fn alone(path: &Path) -> Result<Option<(u64, Head)>> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(address(path) + "?immutable=1", flags).map_err(failed)?;
    Ok(last(&connection)?.map(|(entry, head)| (entry.number, head)))
}

/// The address of a file as SQLite knows it.
pub(crate) fn address(path: &Path) -> String {
    let mut address = "file:".to_owned();
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => address.push(char::from(byte)),
            _ => address += &format!("%{byte:02X}"),
        }
    }
    address
}
