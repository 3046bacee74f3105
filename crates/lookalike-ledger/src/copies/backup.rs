//! A copy of a ledger.

use crate::charges::Ledger;
use crate::check::{Fault, Verified, located, verify};
use crate::facts::LedgerKey;
use crate::store::{Staging, check_free, database, failed, publish};
use lookalike::Sentence;
use lookalike_formats::{Error, Result};
use rusqlite::Connection;
use std::fs::Permissions;
use std::path::Path;

impl Ledger {
    /// Writes a copy of the ledger as it is now, whatever others charge meanwhile, and checks all of the copy. The key is not
    /// copied. Nobody can read the copy who could not read the ledger.
    ///
    /// The copy appears when it is whole; what a killed process leaves is removed by the next. A copy is for the day when the
    /// ledger is lost. It knows nothing of what is charged later: put in the ledger's place it would let that be spent again.
    ///
    /// # Errors
    /// A file that is there, or cannot be written; a ledger that is not whole, of which no copy is left.
    ///
    /// # Complexity
    /// Linear in the charges.
    pub fn backup(&self, copy: &Path) -> Result<Verified> {
        if crate::store::is_database(&self.path, copy) || copy == LedgerKey::path_beside(&self.path) {
            return Err(Error::input("this is the ledger, its key or its journal").in_file(copy));
        }
        check_free(copy)?;
        let staging = Staging::new(copy)?;
        let new = staging.new_file();
        copy_into(&self.connection, &new).map_err(|error| located(error, &self.path))?;
        let whole = verify(&new, None)?.map_err(|fault| not_whole(&fault).in_file(&self.path))?;
        let published = permissions(&new, &self.path).and_then(|allowed| publish(&new, copy, allowed, false));
        published.map_err(|error| Error::system("cannot write the copy", error).in_file(copy))?;
        Ok(whole)
    }
}

/// What both a new file and another that it comes from allow.
fn permissions(new: &Path, from: &Path) -> std::io::Result<Permissions> {
    let (allowed, original) = (std::fs::metadata(new)?.permissions(), std::fs::metadata(from)?.permissions());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        Ok(Permissions::from_mode(allowed.mode() & original.mode() & 0o777))
    }
    #[cfg(not(unix))]
    {
        let _ = original;
        Ok(allowed)
    }
}

/// The error of a ledger that is to be copied and has a fault.
pub(crate) fn not_whole(fault: &Fault) -> Error {
    Error::input(Sentence::from("the ledger is not whole, so no copy is left: ").then(fault.sentence()))
}

/// Writes the content of a ledger to a new file with stamped pages, as of one moment.
pub(crate) fn copy_into(connection: &Connection, copy: &Path) -> Result<()> {
    crate::store::register().map_err(|_| Error::input("SQLite refuses the file system of ledgers"))?;
    database::reserve_stamps(connection)?;
    let address = crate::store::address(copy) + &format!("?vfs={}", crate::store::NAME.to_string_lossy());
    connection.execute("VACUUM INTO ?", [address]).map_err(failed)?;
    Ok(())
}
