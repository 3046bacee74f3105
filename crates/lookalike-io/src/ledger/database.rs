//! The SQLite file of a ledger.

use crate::{Error, Result};
use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};
use std::path::Path;
use std::time::Duration;

/// How long a process waits for another that writes.
const PATIENCE: Duration = Duration::from_secs(300);
/// Tells a ledger from other SQLite files: `LKLG`.
const APPLICATION: i64 = 0x4c4b_4c47;
/// The version of the tables below.
const VERSION: i64 = 1;

/// `entry` is the chain; `charge` has a row for each record that was charged; `balance` sums up subjects with many.
///
/// Rows of the first two are never changed nor removed, which the triggers see to for whoever opens the file with another
/// program and means no harm; what they cannot stop, `verify` finds.
const TABLES: &str = "
CREATE TABLE entry (
    number INTEGER PRIMARY KEY, time INTEGER NOT NULL, kind TEXT NOT NULL, content TEXT NOT NULL,
    rows INTEGER NOT NULL, digest BLOB NOT NULL, hash BLOB NOT NULL) STRICT;
CREATE INDEX entry_by_time ON entry (time);
CREATE TABLE charge (
    subject BLOB NOT NULL, record BLOB NOT NULL, release INTEGER NOT NULL, entry INTEGER NOT NULL, answer ANY,
    PRIMARY KEY (subject, record, release, entry)) STRICT, WITHOUT ROWID;
CREATE TABLE balance (
    subject BLOB NOT NULL PRIMARY KEY, counts BLOB NOT NULL, window INTEGER NOT NULL, recent BLOB NOT NULL)
    STRICT, WITHOUT ROWID;
";

/// What keeps programs that mean no harm from changing or removing rows.
pub(super) const TRIGGERS: &str = "
CREATE TRIGGER entry_changed BEFORE UPDATE ON entry BEGIN SELECT raise(ABORT, 'a ledger is only added to'); END;
CREATE TRIGGER entry_removed BEFORE DELETE ON entry BEGIN SELECT raise(ABORT, 'a ledger is only added to'); END;
CREATE TRIGGER charge_changed BEFORE UPDATE ON charge BEGIN SELECT raise(ABORT, 'a ledger is only added to'); END;
CREATE TRIGGER charge_removed BEFORE DELETE ON charge BEGIN SELECT raise(ABORT, 'a ledger is only added to'); END;
";

/// Opens a ledger that is there.
pub(super) fn open(path: &Path) -> Result<Connection> {
    if !path.exists() {
        return Err(Error::input("there is no ledger here (lookalike ledger init makes one)").in_file(path));
    }
    #[cfg(unix)]
    if std::fs::metadata(path).is_ok_and(|metadata| std::os::unix::fs::MetadataExt::nlink(&metadata) > 1) {
        let message = "this ledger has two names (hard links), and what is charged under one may be missing under the other: \
                       remove the others";
        return Err(Error::input(message).in_file(path));
    }
    // Never creates a file: a ledger that is gone must not begin anew with nothing spent.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(failed).map_err(|error| error.in_file(path))?;
    check(&connection).map_err(|error| error.in_file(path))?;
    Ok(connection)
}

/// Makes the tables in an empty file.
pub(super) fn create(path: &Path) -> Result<Connection> {
    let connection = Connection::open(path).map_err(failed).map_err(|error| error.in_file(path))?;
    let made = settings(&connection).and_then(|()| {
        connection
            .execute_batch(&format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"))?;
        connection.execute_batch(TABLES)?;
        connection.execute_batch(TRIGGERS)
    });
    made.map_err(failed).map_err(|error| error.in_file(path))?;
    Ok(connection)
}

fn check(connection: &Connection) -> Result<()> {
    settings(connection).map_err(failed)?;
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).map_err(failed);
    match (number("application_id")?, number("user_version")?) {
        (APPLICATION, VERSION) => Ok(()),
        (APPLICATION, other) => {
            Err(Error::input(format!("a ledger of version {other}, expected {VERSION} (a newer release may read it)")))
        }
        _ => Err(Error::input("an SQLite file that is not a ledger (lookalike ledger init makes one)")),
    }
}

/// Whether the tables, the index and the triggers are those that a new ledger has, and there are no others: a trigger or
/// a view could swallow what is charged.
pub(super) fn has_own_schema(connection: &Connection) -> Result<bool> {
    let fresh = Connection::open_in_memory().map_err(failed)?;
    fresh.execute_batch(TABLES).and_then(|()| fresh.execute_batch(TRIGGERS)).map_err(failed)?;
    let read = |connection: &Connection| -> rusqlite::Result<Vec<[Option<String>; 4]>> {
        let query = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name";
        let mut statement = connection.prepare(query)?;
        let rows = statement.query_map([], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?]))?;
        rows.collect()
    };
    Ok(read(connection).map_err(failed)? == read(&fresh).map_err(failed)?)
}

/// Refuses a ledger whose tables were changed.
pub(super) fn check_schema(connection: &Connection) -> Result<()> {
    match has_own_schema(connection)? {
        true => Ok(()),
        false => Err(Error::input(
            "the ledger is damaged: its tables or triggers are not those of a ledger (restore a copy)",
        )),
    }
}

/// What a statement must have done to one row.
pub(super) fn one_row(rows: usize) -> Result<()> {
    match rows {
        1 => Ok(()),
        _ => Err(Error::input("the ledger is damaged: it did not keep what was written (lookalike ledger verify)")),
    }
}

/// A commit is on the disk when it returns, and a reader does not wait for a writer.
fn settings(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
    connection.execute_batch(
        "PRAGMA synchronous = FULL; PRAGMA cache_size = -262144; PRAGMA wal_autocheckpoint = 16384;
         PRAGMA trusted_schema = OFF;",
    )
}

/// Begins to write: others wait until this ends.
pub(super) fn begin(connection: &mut Connection) -> Result<Transaction<'_>> {
    connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)
}

/// What went wrong in SQLite, and what to do. Never the content of a row.
pub(super) fn failed(error: rusqlite::Error) -> Error {
    let Some(code) = error.sqlite_error_code() else {
        return Error::input("the ledger is damaged: a field has a wrong type (lookalike ledger verify says where)");
    };
    Error::input(match code {
        ErrorCode::DiskFull => {
            "the ledger could not grow, for the disk is full: what is not in the ledger is not released (make room and run this \
             again: what was charged is not charged twice)"
                .to_owned()
        }
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
            format!("another process has held the ledger for {} seconds: nothing was released", PATIENCE.as_secs())
        }
        ErrorCode::NotADatabase => "not a ledger: this is no SQLite file".to_owned(),
        ErrorCode::DatabaseCorrupt => {
            "the ledger is damaged: SQLite cannot read it (restore a copy, and check it with lookalike ledger verify --head)"
                .to_owned()
        }
        ErrorCode::ReadOnly => "the ledger cannot be written: it is read-only for this user".to_owned(),
        ErrorCode::CannotOpen => "the ledger cannot be opened by this user".to_owned(),
        ErrorCode::SystemIoFailure => {
            "the ledger could not be read or written (a failing disk, or a limit on the size of files): what is not in the \
             ledger is not released"
                .to_owned()
        }
        ErrorCode::ConstraintViolation => {
            "the ledger refused a change: it is only added to (lookalike ledger verify says whether it is whole)".to_owned()
        }
        other => format!("the ledger could not be used: SQLite says {other:?}"),
    })
}
