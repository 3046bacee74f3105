//! Whether a ledger is what was written.

mod balances;
mod walk;

use crate::store::{Head, PageFault, database, failed, pages};
use balances::check_balances;
use lookalike::{Sentence, Spelling};
use lookalike_formats::{Result, shown};
use rusqlite::Connection;
use serde::Serialize;
use std::path::Path;
use walk::Walk;

/// What a ledger that is whole holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// How many entries.
    pub entries: u64,
    /// How many charges.
    pub charges: u64,
    /// The hash of the last entry.
    pub head: Head,
}

/// Where a ledger is not what was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The first entry that is wrong; `None` where the entries are right and something else is not.
    pub entry: Option<u64>,
    /// What is wrong.
    pub what: Sentence,
}

impl Fault {
    /// Where and what, for a shell to spell.
    pub fn sentence(&self) -> Sentence {
        let place = self.entry.map_or(Sentence::new(), |number| format!("entry {number}: ").into());
        place.then(self.what.clone())
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&shown(&self.sentence().to_string()))
    }
}

/// Reads all of a ledger and checks it: the chain of hashes, the charges of each entry, the balances of subjects with
/// many charges, and that an entry has the hash `head`, which an earlier run printed.
///
/// Without `head`, a ledger from whose end entries were cut is as whole as it was before they were written. Whoever can
/// write the file can also compute the hashes of a whole new chain; a head that was kept elsewhere tells that too.
///
/// # Errors
/// A file that is no ledger.
///
/// # Complexity
/// Linear in the entries, and n log n in the charges.
pub fn verify(path: &Path, head: Option<&Head>) -> Result<std::result::Result<Verified, Fault>> {
    pages::take_fault();
    // Held open to the end, so that the journal is put away by a connection that stamps pages.
    let checked = database::open(path);
    let checked = match (checked, pages::take_fault()) {
        (Err(error), None | Some(PageFault::CutOff { .. })) => return Err(error),
        (checked, _) => checked,
    };
    let walked = walk(path, head);
    let pages = match checked {
        Ok((connection, _)) => check_pages(&connection).map_err(|error| error.in_file(path))?,
        Err(error) => Err(Fault { entry: None, what: error.sentence() }),
    };
    Ok(walked?.and_then(|whole| pages.map(|()| whole)))
}

/// Refuses a ledger with pages that a run was writing when it was killed, and without the journal that completes them.
///
/// # Errors
/// Such a ledger, or one that cannot be opened; not one whose pages are damaged or written by another program.
pub(crate) fn check_complete(path: &Path) -> Result<()> {
    pages::take_fault();
    let checked = database::open(path).and_then(|(connection, _)| check_pages(&connection).map(|_| ()));
    match (checked, pages::take_fault()) {
        (Err(_), Some(PageFault::Changed { .. })) => Ok(()),
        (checked, _) => checked,
    }
}

/// The first fault of a ledger, if its pages can be read at all.
pub(crate) fn first_fault(path: &Path) -> Option<Fault> {
    walk(path, None).ok()?.err()
}

/// Follows the chain whatever the stamps of pages say, so that the first entry is found that is not what was written.
fn walk(path: &Path, head: Option<&Head>) -> Result<std::result::Result<Verified, Fault>> {
    let mut connection = database::open_unchecked(path)?;
    // One transaction sees one state, whatever others add meanwhile.
    let transaction = connection.transaction().map_err(failed).map_err(|error| error.in_file(path))?;
    Ok(check(&transaction, head))
}

/// Reads every page, and has SQLite look at what they say of each other.
///
/// # Errors
/// Pages of a run that was cut off: what is wrong with them is that their journal is missing.
fn check_pages(connection: &Connection) -> Result<std::result::Result<(), Fault>> {
    pages::take_fault();
    let sound: std::result::Result<String, _> = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0));
    let error = match (sound, pages::take_fault()) {
        (_, Some(fault @ PageFault::CutOff { .. })) => return Err(database::damaged_page(fault)),
        (Ok(answer), _) if answer == "ok" => return Ok(Ok(())),
        (_, Some(fault)) => database::damaged_page(fault),
        (Ok(_), None) => lookalike_formats::Error::input("SQLite finds the file damaged"),
        (Err(error), None) => failed(error),
    };
    Ok(Err(Fault { entry: None, what: error.sentence() }))
}

/// Whether a ledger is whole.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum VerifiedFacts {
    /// It is what was written.
    Whole {
        /// True.
        whole: bool,
        /// How many entries it has.
        entries: u64,
        /// How many charges.
        charges: u64,
        /// The hash of the last entry.
        head: String,
    },
    /// It is not.
    Faulty {
        /// False.
        whole: bool,
        /// The first bad entry; null where none is.
        entry: Option<u64>,
        /// What is wrong, with the words of a shell.
        fault: String,
    },
}

/// What is said of an answer, with the words of a shell.
pub fn verified_facts(answer: &std::result::Result<Verified, Fault>, spelling: &dyn Spelling) -> VerifiedFacts {
    match answer {
        Ok(Verified { entries, charges, head }) => {
            VerifiedFacts::Whole { whole: true, entries: *entries, charges: *charges, head: head.to_string() }
        }
        Err(fault) => {
            let what = fault.what.spelled(spelling).to_string();
            VerifiedFacts::Faulty { whole: false, entry: fault.entry, fault: shown(&what).into_owned() }
        }
    }
}

fn check(connection: &Connection, head: Option<&Head>) -> std::result::Result<Verified, Fault> {
    let mut walk = Walk::default();
    walk.entries(connection, head)?;
    if let (Some(_), false) = (head, walk.has_head) {
        let what =
            "no entry has this head: entries were cut off or replaced since it was printed, or it is another ledger's";
        return Err(Fault { entry: None, what: what.into() });
    }
    check_balances(connection, &walk)?;
    if !database::has_own_schema(connection).unwrap_or(false) {
        let what = "the tables or triggers are not those of a ledger, so that runs may not have kept what they charged";
        return Err(Fault { entry: None, what: what.into() });
    }
    Ok(Verified { entries: walk.number, charges: walk.charges, head: walk.head })
}
