//! A ledger in the format of today.

use super::backup::{copy_into, not_whole};
use crate::charges::Ledger;
use crate::check::{Verified, check_complete, verify};
use crate::facts::{MIGRATED, Migrated, written};
use crate::store::{Chain, Digest, Head, Staging, WITHOUT_STAMPS, begin, beside, database, failed, publish, settle};
use lookalike_formats::{Error, Result};
use lookalike_records::{is_same_file, resolved};
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::fs;
use std::io::{self, Read};
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
    /// once every entry of it was found whole. A symbolic link stays, and the file that it leads to is written anew.
    ///
    /// A process that is killed on the way leaves the ledger as it was; the next one does what is left to do.
    ///
    /// # Errors
    /// A ledger that is not whole, or that another process uses; a head that no entry has; a file that is in the way.
    ///
    /// # Complexity
    /// Linear in the charges.
    pub fn migrate(path: &Path, head: Option<&Head>) -> Result<Migration> {
        // Beside a link there would be a second ledger, with the same charges and a budget of its own.
        let named = path;
        let is_link = fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink());
        let path = &if is_link { resolved(path) } else { path.to_owned() };
        let in_file = |error: Error| if error.has_place() { error } else { error.in_file(named) };
        let from = database::version_of(path).map_err(in_file)?;
        let kept = beside(path, &format!(".version-{from}"));
        let staging = Staging::new(path)?;
        undo_link(path, &kept).map_err(|error| Error::system("cannot remove", error).in_file(&kept))?;
        if from != WITHOUT_STAMPS {
            check_complete(path).map_err(in_file)?;
        }
        let alone = connect_alone(path, from).map_err(in_file)?;
        let is_kept = is_kept(path, &kept).map_err(in_file)?;
        let new = staging.new_file();
        copy_into(&alone, &new).and_then(|()| database::set_version(&new)).map_err(in_file)?;
        verify(&new, head)?.map_err(|fault| not_whole(&fault).in_file(named))?;
        let whole = enter(&new, from)?;
        put_away_journal(&alone, path).map_err(in_file)?;
        let put = || {
            let permissions = fs::metadata(path)?.permissions();
            if !is_kept {
                fs::copy(path, staging.kept_file())?;
                publish(&staging.kept_file(), &kept, permissions.clone(), false)?;
            }
            keep_owner(path, &new);
            publish(&new, path, permissions, true)
        };
        put().map_err(|error| Error::system("cannot put the ledger in its place", error).in_file(named))?;
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

/// Takes back the second name that earlier releases gave to a ledger before its new file was in place, if they were
/// killed there.
fn undo_link(path: &Path, kept: &Path) -> io::Result<()> {
    // A symbolic link is somebody else's.
    if !fs::symlink_metadata(kept).is_ok_and(|found| found.is_file()) || !is_same_file(path, kept) {
        return Ok(());
    }
    let (journal, moved) = (beside(path, "-wal"), beside(kept, "-wal"));
    if moved.exists() && !journal.exists() {
        fs::rename(moved, journal)?;
    }
    fs::remove_file(kept)
}

/// Whether the old file is kept already, by a process that was killed after that.
fn is_kept(path: &Path, kept: &Path) -> Result<bool> {
    let unread = |error| Error::system("cannot read", error).in_file(kept);
    match fs::symlink_metadata(kept) {
        Err(_) => Ok(false),
        Ok(found) if found.is_file() && hash(path).map_err(unread)? == hash(kept).map_err(unread)? => Ok(true),
        Ok(_) => Err(Error::input("this file is in the way of migrating the ledger: move it away").in_file(kept)),
    }
}

fn hash(path: &Path) -> io::Result<blake3::Hash> {
    let (mut file, mut hasher, mut buffer) =
        (lookalike_records::open_input(path)?, blake3::Hasher::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hasher.finalize()),
            read => hasher.update(&buffer[..read]),
        };
    }
}

/// Puts what is still in the journal into the file that will be kept, so that nothing is left beside the new one.
fn put_away_journal(alone: &Connection, path: &Path) -> Result<()> {
    alone.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).map_err(failed)?;
    let journal = beside(path, "-wal");
    match fs::metadata(&journal).map_or(0, |metadata| metadata.len()) {
        0 => {
            let _ = (fs::remove_file(journal), fs::remove_file(beside(path, "-shm")));
            Ok(())
        }
        _ => Err(Error::input("the journal of this ledger cannot be put into its file: nothing was changed")),
    }
}

/// Gives a file the owner and the group of another, where this user may.
fn keep_owner(from: &Path, to: &Path) {
    #[cfg(unix)]
    if let Ok(metadata) = fs::metadata(from) {
        use std::os::unix::fs::MetadataExt;
        let _ = std::os::unix::fs::chown(to, Some(metadata.uid()), Some(metadata.gid()));
    }
    #[cfg(not(unix))]
    let _ = (from, to);
}

/// Adds the entry that says that the ledger was written anew.
fn enter(path: &Path, from: u32) -> Result<Verified> {
    let (mut connection, _) = database::open(path)?;
    let work = || {
        let transaction = begin(&mut connection)?;
        let mut chain = Chain::end(&transaction, crate::charges::now())?;
        chain.append(&transaction, MIGRATED, written(&Migrated { from, to: database::VERSION }), &Digest::default())?;
        transaction.commit().map_err(failed)?;
        settle(&connection)?;
        connection.close().map_err(|(_, error)| failed(error))
    };
    work().map_err(|error: Error| error.in_file(path))?;
    verify(path, None)?.map_err(|fault| not_whole(&fault).in_file(path))
}
