//! A ledger that is open.

use crate::check::located;
use crate::facts::{LedgerBudgets, LedgerKey, OPENED, Opened, SubjectNames, where_it_is, written};
use crate::rules::{Catalog, Window};
use crate::store::{Digest, Entry, Head, NONE_BEFORE, Staging, database, failed, last, no_entry, publish};
use crate::verbs::MIGRATE;
use lookalike::Sentence;
use lookalike_formats::{Error, Result};
use rusqlite::{Connection, Transaction};
use std::path::{Path, PathBuf};

/// The version of ledgers that are made and charged.
pub const LEDGER_VERSION: u32 = database::VERSION;

/// The memory of releases: what has been released about whom, and what it adds up to.
///
/// An SQLite file that several processes may use at once. Every transaction adds one entry or more to a chain of hashes;
/// an entry covers the charges that were written with it.
pub struct Ledger {
    pub(crate) path: PathBuf,
    pub(crate) connection: Connection,
    pub(crate) version: u32,
    pub(crate) key: LedgerKey,
    pub(crate) catalog: Catalog,
    /// The window of the period that was charged last.
    pub(crate) window: Option<Window>,
    /// Seconds since 1970.
    pub(crate) clock: fn() -> i64,
}

impl Ledger {
    /// Makes a ledger and its key, and gives the hash of the first entry. How names are compared is fixed with it.
    ///
    /// The ledger appears when it is whole and its key is there; what a killed process leaves is removed by the next, but for a
    /// key.
    ///
    /// # Errors
    /// A file that is there, or cannot be written.
    pub fn create(path: &Path, key_path: &Path, budgets: &LedgerBudgets, names: SubjectNames) -> Result<Head> {
        crate::store::check_free(path)?;
        if crate::store::is_database(path, key_path) {
            return Err(Error::input("the key and the ledger in one place, expected two files").in_file(key_path));
        }
        // A key that is there is never replaced anyway; one in the place of a journal would be destroyed by it.
        if !key_path.exists() {
            lookalike_records::check_spared(key_path)?;
        }
        let staging = Staging::new(path)?;
        let (new, key) = (staging.new_file(), LedgerKey::fresh()?);
        let head = first_entry(&new, &Opened::new(&key.mark(), budgets, names)).map_err(|error| error.in_file(path))?;
        key.write(key_path)?;
        let published = std::fs::metadata(&new).and_then(|made| publish(&new, path, made.permissions(), false));
        published.map_err(|error| {
            // A key without its ledger is of no use, and was never used.
            let _ = std::fs::remove_file(key_path);
            Error::system("cannot write the ledger", error).in_file(path)
        })?;
        Ok(head)
    }

    /// Opens a ledger with its key: that of the file, or the one beside the ledger.
    ///
    /// # Errors
    /// A file that is not there or is no ledger, and a key that is not the ledger's.
    pub fn open(path: &Path, key_path: Option<&Path>) -> Result<Ledger> {
        let (connection, version) = database::open(path).map_err(|error| located(error, path))?;
        let beside = LedgerKey::path_beside(path);
        let key_path = key_path.unwrap_or(&beside);
        let key = LedgerKey::read(key_path)?;
        let mut catalog = Catalog::default();
        let read = database::check_schema(&connection).and_then(|()| catalog.refresh(&connection));
        read.map_err(|error| located(error, path))?;
        if catalog.mark != key.mark() {
            let message = format!("this is not the key of {}", path.display());
            return Err(Error::input(message).hint(where_it_is()).in_file(key_path));
        }
        Ok(Ledger { path: path.to_owned(), connection, version, key, catalog, window: None, clock: now })
    }

    /// Begins to write: others wait until this ends.
    ///
    /// # Errors
    /// A ledger of an older version, or one whose tables were changed.
    pub(crate) fn begin(&mut self) -> Result<Transaction<'_>> {
        if self.version != LEDGER_VERSION {
            return Err(Error::input(format!(
                "a ledger of version {}, whose pages are not checked as they are read: expected version {LEDGER_VERSION}",
                self.version
            ))
            .hint(Sentence::new().verb(MIGRATE).text(" makes it one")));
        }
        let transaction = database::begin(&mut self.connection)?;
        database::check_schema(&transaction)?;
        Ok(transaction)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The key of the names in it.
    pub fn key(&self) -> &LedgerKey {
        &self.key
    }

    /// How names of subjects and observations are compared.
    pub fn names(&self) -> SubjectNames {
        self.catalog.names
    }

    /// What any one subject may lose.
    pub fn budgets(&self) -> &LedgerBudgets {
        &self.catalog.budgets
    }

    /// The hash of the last entry.
    ///
    /// # Errors
    /// A ledger that cannot be read, or has no entry.
    pub fn head(&self) -> Result<Head> {
        last(&self.connection)?.map(|(_, head)| head).ok_or_else(no_entry).map_err(|error| located(error, &self.path))
    }

    /// The version of the file's format; only [`LEDGER_VERSION`] is charged.
    pub fn version(&self) -> u32 {
        self.version
    }
}

/// Makes the file of a ledger with its first entry, all of which is in the file when this returns.
fn first_entry(path: &Path, opened: &Opened) -> Result<Head> {
    let connection = database::create(path)?;
    let entry = Entry {
        number: 1,
        time: now(),
        kind: OPENED.to_owned(),
        content: written(opened),
        rows: 0,
        digest: Digest::default().finish(),
    };
    let head = entry.append(&connection, &NONE_BEFORE)?;
    database::settle(&connection)?;
    connection.close().map_err(|(_, error)| failed(error))?;
    Ok(head)
}

/// Seconds since 1970, by the clock of the machine.
pub(crate) fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
}
