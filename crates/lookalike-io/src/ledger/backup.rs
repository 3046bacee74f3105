//! A copy of a ledger.

use super::database::{self, failed};
use super::key::LedgerKey;
use super::ledger_file::Ledger;
use super::verify::{Fault, Verified, verify};
use crate::{Error, Result};
use rusqlite::Connection;
use std::path::Path;

impl Ledger {
    /// Writes a copy of the ledger as it is now, whatever others charge meanwhile, and checks all of the copy. The key is not
    /// copied.
    ///
    /// A copy is for the day when the ledger is lost. It knows nothing of what is charged later: put in the ledger's place it
    /// would let that be spent again.
    ///
    /// # Errors
    /// A file that is there, or cannot be written; a ledger that is not whole, of which no copy is left.
    ///
    /// # Complexity
    /// Linear in the charges.
    pub fn backup(&self, copy: &Path) -> Result<Verified> {
        if super::files::is_database(&self.path, copy) || copy == LedgerKey::path_beside(&self.path) {
            return Err(Error::input("this is the ledger, its key or its journal").in_file(copy));
        }
        copy_into(&self.connection, copy).map_err(|error| super::located::located(error, &self.path))?;
        let whole = verify(copy, None).map(|answer| answer.map_err(|fault| not_whole(&fault).in_file(copy)));
        whole.and_then(|answer| answer).inspect_err(|_| remove(copy))
    }
}

/// The error of a ledger that is to be copied and has a fault.
pub(super) fn not_whole(fault: &Fault) -> Error {
    Error::input(format!("the ledger is not whole, so no copy is left: {fault}"))
}

/// Writes the content of a ledger to a new file with stamped pages, as of one moment, and on the disk.
pub(super) fn copy_into(connection: &Connection, copy: &Path) -> Result<()> {
    if copy.exists() {
        return Err(Error::input("this file exists; a ledger is never replaced").in_file(copy));
    }
    super::pages::register().map_err(|_| Error::input("SQLite refuses the file system of ledgers"))?;
    database::reserve_stamps(connection)?;
    let address = super::journal::address(copy) + &format!("?vfs={}", super::pages::NAME.to_string_lossy());
    connection.execute("VACUUM INTO ?", [address]).map_err(failed).inspect_err(|_| remove(copy))?;
    Ok(())
}

/// Removes a copy that was begun, with what SQLite put beside it.
pub(super) fn remove(copy: &Path) {
    for end in super::files::BESIDE {
        let _ = std::fs::remove_file(super::files::beside(copy, end));
    }
}
