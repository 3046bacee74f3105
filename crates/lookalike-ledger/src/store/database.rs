//! The SQLite file of a ledger.

use super::files::beside;
use super::pages;
use super::pages::PageFault;
use crate::verbs::{MIGRATE, VERIFY};
use lookalike::Sentence;
use lookalike_formats::{Error, Result};
use lookalike_records::{FileId, resolved};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};
use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// How long a process waits for another that writes.
const PATIENCE: Duration = Duration::from_secs(300);
/// Tells a ledger from other SQLite files: `LKLG`.
const APPLICATION: u32 = 0x4c4b_4c47;
/// The version of the files that are made: pages have stamps.
pub(crate) const VERSION: u32 = 2;
/// The version of files whose pages have none.
pub(crate) const WITHOUT_STAMPS: u32 = 1;

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
pub(crate) const TRIGGERS: &str = "
CREATE TRIGGER entry_changed BEFORE UPDATE ON entry BEGIN SELECT raise(ABORT, 'a ledger is only added to'); END;
CREATE TRIGGER entry_removed BEFORE DELETE ON entry BEGIN SELECT raise(ABORT, 'a ledger is only added to'); END;
CREATE TRIGGER charge_changed BEFORE UPDATE ON charge BEGIN SELECT raise(ABORT, 'a ledger is only added to'); END;
CREATE TRIGGER charge_removed BEFORE DELETE ON charge BEGIN SELECT raise(ABORT, 'a ledger is only added to'); END;
";

/// Opens a ledger that is there, and says which version it has. The pages of version 2 are checked as they are read.
pub(crate) fn open(path: &Path) -> Result<(Connection, u32)> {
    // SQLite keeps a journal beside the file that a link leads to, so that is where to look for one.
    open_file(&resolved(path)).map_err(|error| error.in_file(path))
}

fn open_file(path: &Path) -> Result<(Connection, u32)> {
    let (connection, version) = loop {
        let (version, file) = (version_of(path)?, FileId::at(path));
        let file_system = (version != WITHOUT_STAMPS).then_some(pages::NAME);
        let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE, file_system)?;
        // Where this waited while the ledger was written anew, the old file is open, which is charged no more.
        if FileId::at(path) == file {
            break (connection, version);
        }
    };
    if version != WITHOUT_STAMPS {
        super::journal::check(path, &connection)?;
    }
    keep_journal(&connection, false).map_err(failed)?;
    Ok((connection, version))
}

/// Opens a ledger without a look at the stamps of its pages, so that what is wrong in them can be found; nothing must be
/// written through this.
pub(crate) fn open_unchecked(path: &Path) -> Result<Connection> {
    let connected = version_of(path).and_then(|_| connect(&resolved(path), OpenFlags::SQLITE_OPEN_READ_WRITE, None));
    connected.map_err(|error| error.in_file(path))
}

/// The way out where there is no ledger.
fn made() -> Sentence {
    Sentence::new().verb("lookalike ledger init").text(" makes one")
}

/// Which version a file has, as its header says.
pub(crate) fn version_of(path: &Path) -> Result<u32> {
    let header = lookalike_records::open_input(path).and_then(|file| {
        let mut header = Vec::new();
        file.take(100).read_to_end(&mut header).map(|_| header)
    });
    let header = header.map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Error::input("there is no ledger here").hint(made()),
        _ => Error::system("cannot read the ledger", error),
    })?;
    let Some(header) = header.first_chunk::<100>().filter(|header| header.starts_with(b"SQLite format 3\0")) else {
        return Err(Error::input("not a ledger: this is no SQLite file"));
    };
    let number = |at: usize| u32::from_be_bytes(header[at..at + 4].try_into().expect("four bytes"));
    match (number(68), number(60)) {
        (APPLICATION, version @ (WITHOUT_STAMPS | VERSION)) => Ok(version),
        (APPLICATION, other) => Err(Error::input(format!(
            "a ledger of version {other}, expected {WITHOUT_STAMPS} or {VERSION} (a newer release may read it)"
        ))),
        _ => Err(Error::input("an SQLite file that is not a ledger").hint(made())),
    }
}

fn connect(path: &Path, flags: OpenFlags, file_system: Option<&std::ffi::CStr>) -> Result<Connection> {
    #[cfg(unix)]
    if std::fs::metadata(path).is_ok_and(|metadata| std::os::unix::fs::MetadataExt::nlink(&metadata) > 1) {
        let message = "this ledger has two names (hard links), and what is charged under one may be missing under the other: \
                       remove the others";
        return Err(Error::input(message));
    }
    // SQLite would take it for a change that was cut off, and take back what was charged since.
    if std::fs::metadata(beside(path, "-journal")).is_ok_and(|metadata| metadata.len() > 0) {
        return Err(Error::input(format!(
            "beside this ledger lies {}, which is of a ledger that was being made or of another file: move it away",
            beside(path, "-journal").display()
        )));
    }
    // Never creates a file that was not asked for: a ledger that is gone must not begin anew with nothing spent.
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = match file_system {
        None => Connection::open_with_flags(path, flags),
        Some(name) => {
            pages::register().map_err(|_| Error::input("SQLite refuses the file system of ledgers"))?;
            Connection::open_with_flags_and_vfs(path, flags, name)
        }
    };
    let connection = connection.map_err(failed)?;
    let set = keep_journal(&connection, true).and_then(|()| settings(&connection));
    set.map_err(|error| super::journal::explained(path, error))?;
    Ok(connection)
}

/// Whether the journal stays as it is when the last connection is closed. Else it is copied into the file, which is done by
/// those alone who stamp pages, and who know that it is this ledger's.
pub(crate) fn keep_journal(connection: &Connection, is_kept: bool) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, is_kept).map(|_| ())
}

/// Makes the tables in a new file.
pub(crate) fn create(path: &Path) -> Result<Connection> {
    pages::register().map_err(|_| Error::input("SQLite refuses the file system of ledgers"))?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags_and_vfs(path, flags, pages::NAME).map_err(failed)?;
    reserve_stamps(&connection)?;
    let made = settings(&connection).and_then(|()| {
        connection
            .execute_batch(&format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"))?;
        connection.execute_batch(TABLES)?;
        connection.execute_batch(TRIGGERS)
    });
    made.map_err(failed)?;
    Ok(connection)
}

/// Makes a file with stamped pages say that it has them.
pub(crate) fn set_version(path: &Path) -> Result<()> {
    let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE, Some(pages::NAME))?;
    connection.execute_batch(&format!("PRAGMA user_version = {VERSION}")).map_err(failed)?;
    settle(&connection)?;
    keep_journal(&connection, false).map_err(failed)?;
    connection.close().map_err(|(_, error)| failed(error))
}

/// Leaves room for stamps in the file that a connection makes, or copies its content to.
pub(crate) fn reserve_stamps(connection: &Connection) -> Result<()> {
    connection.execute_batch(&format!("PRAGMA page_size = {}", pages::PAGE)).map_err(failed)?;
    pages::reserve_stamps(connection)
        .map_err(|_| Error::input("SQLite leaves no room for stamps in the pages of a ledger"))
}

/// Whether the tables, the index and the triggers are those that a new ledger has, and there are no others: a trigger or
/// a view could swallow what is charged.
pub(crate) fn has_own_schema(connection: &Connection) -> Result<bool> {
    static OWN: OnceLock<Schema> = OnceLock::new();
    let make = || -> rusqlite::Result<Schema> {
        let fresh = Connection::open_in_memory()?;
        fresh.execute_batch(TABLES)?;
        fresh.execute_batch(TRIGGERS)?;
        schema(&fresh)
    };
    let own = match OWN.get() {
        Some(own) => own,
        None => OWN.get_or_init({
            let made = make().map_err(failed)?;
            || made
        }),
    };
    Ok(schema(connection).map_err(failed)? == *own)
}

/// The type, the name, the table and the text of all that a file declares.
type Schema = Vec<[Option<String>; 4]>;

fn schema(connection: &Connection) -> rusqlite::Result<Schema> {
    let query = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name";
    let mut statement = connection.prepare(query)?;
    let rows = statement.query_map([], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?]))?;
    rows.collect()
}

/// Refuses a ledger whose tables were changed.
pub(crate) fn check_schema(connection: &Connection) -> Result<()> {
    match has_own_schema(connection)? {
        true => Ok(()),
        false => Err(Error::input(
            "the ledger is damaged: its tables or triggers are not those of a ledger (restore a copy)",
        )),
    }
}

/// What a statement must have done to one row.
pub(crate) fn one_row(rows: usize) -> Result<()> {
    match rows {
        1 => Ok(()),
        _ => {
            Err(Error::input("the ledger is damaged: it did not keep what was written")
                .hint(Sentence::new().verb(VERIFY)))
        }
    }
}

/// A commit is on the disk when it returns, and a reader does not wait for a writer. When it goes from the journal into the
/// file is said by [`commit`].
fn settings(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
    connection.execute_batch(
        "PRAGMA synchronous = FULL; PRAGMA cache_size = -262144; PRAGMA wal_autocheckpoint = 0;
         PRAGMA trusted_schema = OFF;",
    )
}

/// Begins to write: others wait until this ends.
pub(crate) fn begin(connection: &mut Connection) -> Result<Transaction<'_>> {
    connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)
}

/// Copies what was committed from the journal into the file. When this returns, **the file alone holds it**, on the disk:
/// whoever moves or copies the file without the journal beside it loses nothing of it.
pub(crate) fn settle(connection: &Connection) -> Result<()> {
    let started = Instant::now();
    // How many pages the journal had, ours among them.
    let mut wanted = None;
    loop {
        let (pages, copied) = connection
            .query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| Ok((row.get::<_, i64>(1)?, row.get::<_, i64>(2)?)))
            .map_err(failed)?;
        // Another process that copies makes this one wait; -1 stands for that.
        if pages >= 0 {
            let wanted = *wanted.get_or_insert(pages);
            // A shorter journal was begun anew, which is done only once all of it is in the file.
            if copied >= wanted || pages < wanted {
                return Ok(());
            }
        }
        if started.elapsed() > PATIENCE {
            return Err(Error::input(format!(
                "another process has read the ledger for {} seconds without a pause, so that what is charged could not be put into its \
                 file: nothing more was released",
                PATIENCE.as_secs()
            )));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn extended_code(error: &rusqlite::Error) -> Option<i32> {
    error.sqlite_error().map(|error| error.extended_code)
}

/// A page that was refused.
pub(crate) fn damaged_page(fault: PageFault) -> Error {
    match fault {
        PageFault::Changed { page } => Error::input(format!(
            "the ledger is damaged: page {page} is not what was written, or another program wrote it"
        ))
        .hint(
            Sentence::from("restore a copy; if ")
                .verb(VERIFY)
                .text(" finds every entry whole, ")
                .verb(MIGRATE)
                .text(" writes its pages anew"),
        ),
        PageFault::CutOff { page } => Error::input(format!(
            "page {page} was written by a run that was cut off, and the journal that completes it is missing: put the file of \
             the same name with -wal added beside the ledger again, from where the ledger was then"
        )),
    }
}

/// What went wrong in SQLite, and what to do. Never the content of a row.
pub(crate) fn failed(error: rusqlite::Error) -> Error {
    if let (Some(rusqlite::ffi::SQLITE_IOERR_DATA), Some(fault)) = (extended_code(&error), pages::last_fault()) {
        return damaged_page(fault);
    }
    let Some(code) = error.sqlite_error_code() else {
        return Error::input("the ledger is damaged: a field has a wrong type")
            .hint(Sentence::new().verb(VERIFY).text(" says where"));
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
            return Error::input("the ledger is damaged: SQLite cannot read it")
                .hint(Sentence::from("restore a copy, and check it with ").verb_with(VERIFY, "head"));
        }
        ErrorCode::ReadOnly => "the ledger cannot be written: it is read-only for this user".to_owned(),
        ErrorCode::CannotOpen => "the ledger cannot be opened by this user".to_owned(),
        ErrorCode::SystemIoFailure => {
            "the ledger could not be read or written (a failing disk, or a limit on the size of files): what is not in the \
             ledger is not released"
                .to_owned()
        }
        ErrorCode::ConstraintViolation => {
            return Error::input("the ledger refused a change: it is only added to")
                .hint(Sentence::new().verb(VERIFY).text(" says whether it is whole"));
        }
        other => format!("the ledger could not be used: SQLite says {other:?}"),
    })
}
