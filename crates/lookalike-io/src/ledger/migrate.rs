//! A ledger in the format of today.

use super::backup::{copy_into, not_whole, remove};
use super::content::{MIGRATED, Migrated, written};
use super::database::{self, WITHOUT_STAMPS, begin, failed, settle};
use super::entry::{Chain, Digest, Head};
use super::files::beside;
use super::ledger_file::Ledger;
use super::verify::{Verified, verify};
use crate::{Error, Result};
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What [`Ledger::migrate`] made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Migration {
    /// What the ledger holds now.
    pub whole: Verified,
    /// The version that it had.
    pub from: u32,
    /// Where the file lies that it was.
    pub kept: PathBuf,
}

impl Ledger {
    /// Writes a ledger anew in the format of today, in its place, and keeps the file that it was beside it.
    ///
    /// The chain goes on with an entry that says so, so that heads of before are still found. The names of subjects stay as
    /// they are. A ledger of today's format is written anew too: that mends one whose pages another program has written,
    /// once every entry of it was found whole.
    ///
    /// # Errors
    /// A ledger that is not whole, or that another process uses; a head that no entry has; a file that is in the way.
    ///
    /// # Complexity
    /// Linear in the charges.
    pub fn migrate(path: &Path, head: Option<&Head>) -> Result<Migration> {
        let in_file = |error: Error| if error.has_place() { error } else { error.in_file(path) };
        let from = database::version_of(path).map_err(in_file)?;
        let kept = beside(path, &format!(".version-{from}"));
        let new = beside(path, ".new");
        for file in [&kept, &new] {
            if file.exists() {
                return Err(Error::input("this file is in the way of migrating the ledger: move it away").in_file(file));
            }
        }
        let alone = connect_alone(path, from).map_err(in_file)?;
        let copied = copy_into(&alone, &new).and_then(|()| database::set_version(&new)).map_err(in_file);
        let copied = copied.and_then(|()| match verify(&new, head)? {
            Ok(_) => enter(&new, from),
            Err(fault) => Err(not_whole(&fault).in_file(path)),
        });
        let whole = copied.inspect_err(|_| remove(&new))?;
        put_in_place(path, &new, &kept)
            .map_err(|error| Error::system("cannot put the ledger in its place", error).in_file(path))
            .inspect_err(|_| remove(&new))?;
        Ok(Migration { whole, from, kept })
    }
}

/// Opens a ledger that no other process uses, and keeps others out. No page of it is checked: that the chain is whole is
/// what counts here, and is looked at in the copy.
fn connect_alone(path: &Path, version: u32) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    let alone = database::keep_journal(&connection, true).and_then(|()| {
        connection.busy_timeout(Duration::from_secs(2))?;
        connection.execute_batch("PRAGMA locking_mode = exclusive; PRAGMA trusted_schema = OFF;")?;
        // Pages of this version have no stamps, and all that was charged is to be in the file that is kept.
        let checkpoint = if version == WITHOUT_STAMPS { "TRUNCATE" } else { "NOOP" };
        connection.query_row(&format!("PRAGMA wal_checkpoint({checkpoint})"), [], |_| Ok(()))?;
        connection.query_row("SELECT count(*) FROM entry", [], |row| row.get::<_, i64>(0))
    });
    alone.map_err(|error| match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            Error::input("another process uses this ledger: migrate it when no run is under way")
        }
        _ => failed(error),
    })?;
    Ok(connection)
}

/// Puts the new file in the place of the old one, which is kept with its journal.
fn put_in_place(path: &Path, new: &Path, kept: &Path) -> std::io::Result<()> {
    // A link and not a second renaming: at every moment there is a ledger of this name.
    std::fs::hard_link(path, kept).or_else(|_| std::fs::copy(path, kept).map(|_| ()))?;
    match std::fs::rename(beside(path, "-wal"), beside(kept, "-wal")) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let _ = std::fs::remove_file(beside(path, "-shm"));
    std::fs::rename(new, path)?;
    crate::atomic::sync_directory(
        path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")),
    )
}

/// Adds the entry that says that the ledger was written anew.
fn enter(path: &Path, from: u32) -> Result<Verified> {
    let (mut connection, _) = database::open(path)?;
    let work = || {
        let transaction = begin(&mut connection)?;
        let mut chain = Chain::end(&transaction, super::ledger_file::now())?;
        chain.append(&transaction, MIGRATED, written(&Migrated { from, to: database::VERSION }), &Digest::default())?;
        transaction.commit().map_err(failed)?;
        settle(&connection)?;
        connection.close().map_err(|(_, error)| failed(error))
    };
    work().map_err(|error: Error| error.in_file(path))?;
    verify(path, None)?.map_err(|fault| not_whole(&fault).in_file(path))
}
