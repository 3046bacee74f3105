//! Whether a ledger is what was written.

use super::answer::LedgerAnswer;
use super::catalog::Catalog;
use super::content::{
    CHARGED, CLOCK_CORRECTED, Charged, ClockCorrected, MIGRATED, Migrated, OPENED, RECORDED, REGISTERED, WITHDRAWN,
    Withdrawn, read,
};
use super::database::{self, failed};
use super::entry::{COLUMNS, Charge, Digest, Entry, Head, NONE_BEFORE};
use super::history::{FEW, UNCOVERED, add, packed};
use super::key::Id;
use super::pages::{self, PageFault};
use super::window::Correction;
use crate::Result;
use rusqlite::{Connection, Row, Rows};
use std::collections::BTreeSet;
use std::path::Path;

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
    pub what: String,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.entry {
            Some(number) => write!(f, "entry {number}: {}", self.what),
            None => f.write_str(&self.what),
        }
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
        Err(error) => Err(Fault { entry: None, what: error.to_string() }),
    };
    Ok(walked?.and_then(|whole| pages.map(|()| whole)))
}

/// Refuses a ledger with pages that a run was writing when it was killed, and without the journal that completes them.
///
/// # Errors
/// Such a ledger, or one that cannot be opened; not one whose pages are damaged or written by another program.
pub(super) fn check_complete(path: &Path) -> Result<()> {
    pages::take_fault();
    let checked = database::open(path).and_then(|(connection, _)| check_pages(&connection).map(|_| ()));
    match (checked, pages::take_fault()) {
        (Err(_), Some(PageFault::Changed { .. })) => Ok(()),
        (checked, _) => checked,
    }
}

/// The first fault of a ledger, if its pages can be read at all.
pub(super) fn first_fault(path: &Path) -> Option<Fault> {
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
        (Ok(_), None) => crate::Error::input("SQLite finds the file damaged"),
        (Err(error), None) => failed(error),
    };
    Ok(Err(Fault { entry: None, what: error.to_string() }))
}

/// The answer as JSON has it.
pub fn verified_json(answer: &std::result::Result<Verified, Fault>) -> serde_json::Value {
    use serde_json::json;
    match answer {
        Ok(whole) => json!({
            "whole": true,
            "entries": whole.entries,
            "charges": whole.charges,
            "head": whole.head.to_string(),
        }),
        Err(fault) => json!({ "whole": false, "entry": fault.entry, "fault": fault.what }),
    }
}

fn check(connection: &Connection, head: Option<&Head>) -> std::result::Result<Verified, Fault> {
    let mut walk = Walk::default();
    walk.entries(connection, head)?;
    if let (Some(_), false) = (head, walk.has_head) {
        let what =
            "no entry has this head: entries were cut off or replaced since it was printed, or it is another ledger's";
        return Err(Fault { entry: None, what: what.to_owned() });
    }
    check_balances(connection, &walk)?;
    if !database::has_own_schema(connection).unwrap_or(false) {
        let what = "the tables or triggers are not those of a ledger, so that runs may not have kept what they charged";
        return Err(Fault { entry: None, what: what.to_owned() });
    }
    Ok(Verified { entries: walk.number, charges: walk.charges, head: walk.head })
}

/// The chain as far as it has been followed.
struct Walk {
    number: u64,
    time: i64,
    head: Head,
    charges: u64,
    has_head: bool,
    catalog: Catalog,
    /// The time of each entry, by number from 1 on.
    times: Vec<i64>,
    /// The entries with which something was released.
    released: BTreeSet<u64>,
}

impl Default for Walk {
    fn default() -> Self {
        let (catalog, times, released) = Default::default();
        Walk { number: 0, time: i64::MIN, head: NONE_BEFORE, charges: 0, has_head: false, catalog, times, released }
    }
}

impl Walk {
    fn entries(&mut self, connection: &Connection, wanted: Option<&Head>) -> std::result::Result<(), Fault> {
        let sql = |error| Fault { entry: None, what: failed(error).to_string() };
        let mut entries = connection.prepare(&format!("SELECT {COLUMNS} FROM entry ORDER BY number")).map_err(sql)?;
        let mut entries = entries.query([]).map_err(sql)?;
        let query =
            "SELECT entry, subject, record, release, answer FROM charge ORDER BY entry, subject, record, release";
        let mut charges = connection.prepare(query).map_err(sql)?;
        let mut charges = Charges { rows: charges.query([]).map_err(sql)?, next: None };
        charges.advance().map_err(|()| self.fault("a charge cannot be read"))?;
        while let Some(row) = entries.next().map_err(|_| self.fault("cannot be read"))? {
            let (entry, head) = Entry::read(row).map_err(|_| self.fault("a field has a wrong type"))?;
            self.entry(&entry, &head, &mut charges)?;
            self.has_head |= Some(&head) == wanted;
        }
        if self.number == 0 {
            return Err(self.fault("there is none, expected one"));
        }
        match &charges.next {
            None => Ok(()),
            Some((number, _)) => Err(Fault { entry: Some(*number), what: "has charges and is not there".to_owned() }),
        }
    }

    /// What is wrong with the next entry.
    fn fault(&self, what: &str) -> Fault {
        Fault { entry: Some(self.number + 1), what: what.to_owned() }
    }

    fn entry(&mut self, entry: &Entry, head: &Head, charges: &mut Charges<'_>) -> std::result::Result<(), Fault> {
        if entry.number != self.number + 1 {
            return Err(self.fault(&format!("is missing; the next one is {}", entry.number)));
        }
        if entry.head(&self.head) != *head {
            return Err(self.fault("its hash is not that of its content after the entry before it"));
        }
        if entry.time < self.time && entry.kind != CLOCK_CORRECTED {
            return Err(self.fault("is older than the entry before it"));
        }
        if let Some((number, _)) = charges.next.as_ref().filter(|(number, _)| *number < entry.number) {
            return Err(Fault { entry: Some(*number), what: "has charges that it does not cover".to_owned() });
        }
        let (mut digest, mut uncovered) = (Digest::default(), 0);
        while let Some((_, charge)) = charges.next.take_if(|(number, _)| *number == entry.number) {
            let charge = charge.ok_or_else(|| self.fault("a charge cannot be read"))?;
            digest.add(&charge);
            uncovered += u64::from(charge.release == UNCOVERED);
            if charge.release as usize > self.catalog.releases.len() {
                return Err(self.fault("charges a release that is not known"));
            }
            charges.advance().map_err(|()| self.fault("a charge cannot be read"))?;
        }
        if (digest.rows, digest.finish()) != (entry.rows, entry.digest) {
            return Err(self.fault(&format!("covers {} charges, and others are there", entry.rows)));
        }
        self.content(entry, digest.rows - uncovered)?;
        (self.number, self.time, self.head) = (entry.number, entry.time, *head);
        self.charges += digest.rows;
        self.times.push(entry.time);
        Ok(())
    }

    fn content(&mut self, entry: &Entry, rows: u64) -> std::result::Result<(), Fault> {
        if (entry.number == 1) != (entry.kind == OPENED) {
            return Err(self.misplaced(&entry.kind));
        }
        let unread = |error: crate::Error| self.fault(&error.to_string());
        match entry.kind.as_str() {
            OPENED | REGISTERED => {}
            CHARGED | RECORDED => {
                let charged: Charged = read(entry.number, &entry.content).map_err(unread)?;
                if charged.charged != rows {
                    return Err(self.fault(&format!("says {} charges and covers {rows}", charged.charged)));
                }
                self.released.insert(entry.number);
            }
            MIGRATED => {
                let _: Migrated = read(entry.number, &entry.content).map_err(unread)?;
            }
            CLOCK_CORRECTED => {
                let ClockCorrected { first, from, to, .. } = read(entry.number, &entry.content).map_err(unread)?;
                let before = self.times.iter().rposition(|&time| time <= to).map_or(0, |place| place + 1);
                if (first, from, to) != (before as u64 + 1, self.time, entry.time) || from <= to {
                    return Err(self.fault("corrects the clock for other entries than those that were dated ahead"));
                }
            }
            WITHDRAWN => {
                let Withdrawn { entries, .. } = read(entry.number, &entry.content).map_err(unread)?;
                let is_new = |number| self.released.contains(number) && !self.catalog.withdrawn.contains(number);
                if entries.is_empty() || !entries.is_sorted_by(|one, next| one < next) || !entries.iter().all(is_new) {
                    return Err(self.fault("withdraws what was not released, or twice"));
                }
            }
            kind => return Err(self.misplaced(kind)),
        }
        self.catalog.take(entry).map_err(|error| self.fault(&error.to_string()))
    }

    fn misplaced(&self, kind: &str) -> Fault {
        self.fault(&format!("has the kind {kind:?}, which does not belong here"))
    }

    /// Whether an entry counts in the window of a later one, or of itself.
    fn counts_with(&self, entry: u64, last: u64) -> bool {
        let Some(period) = self.catalog.budgets.period() else { return true };
        let window = |entry: u64| period.window(self.times[entry as usize - 1]);
        let is_dated_so = |(number, correction): &Correction| {
            (correction.first..*number).contains(&entry) && period.window(correction.to) == window(last)
        };
        window(entry) == window(last) || self.catalog.corrections.iter().any(is_dated_so)
    }

    /// The number that the window of an entry has in balances.
    fn window_of(&self, entry: u64) -> i64 {
        self.catalog.budgets.period().map_or(0, |period| period.window(self.times[entry as usize - 1]))
    }
}

/// Charges in the order of entries.
struct Charges<'a> {
    rows: Rows<'a>,
    /// The entry and the charge, if it can be read.
    next: Option<(u64, Option<Charge>)>,
}

impl Charges<'_> {
    fn advance(&mut self) -> std::result::Result<(), ()> {
        let charge = |row: &Row<'_>| {
            let (subject, record, release): (Id, Id, u32) = (row.get(1)?, row.get(2)?, row.get(3)?);
            let answer: Option<LedgerAnswer> = row.get(4)?;
            Ok::<_, rusqlite::Error>(Charge { subject, record, release, answer })
        };
        self.next = match self.rows.next().map_err(|_| ())? {
            Some(row) => Some((row.get(0).map_err(|_| ())?, charge(row).ok())),
            None => None,
        };
        Ok(())
    }
}

/// Subjects with many charges have a balance, which is what they add up to; others have none.
fn check_balances(connection: &Connection, walk: &Walk) -> std::result::Result<(), Fault> {
    let wrong = || Fault {
        entry: None,
        what: "the balance of a subject is not what its charges add up to; the entries are as they were written"
            .to_owned(),
    };
    let sql = |error| Fault { entry: None, what: failed(error).to_string() };
    let mut with_many = BTreeSet::new();
    let query = format!("SELECT subject FROM charge GROUP BY subject HAVING count(*) > {FEW}");
    let mut statement = connection.prepare(&query).map_err(sql)?;
    for subject in statement.query_map([], |row| row.get::<_, Id>(0)).map_err(sql)? {
        with_many.insert(subject.map_err(|_| wrong())?);
    }
    let mut statement = connection.prepare("SELECT subject, counts, window, recent FROM balance").map_err(sql)?;
    let mut balances = statement.query([]).map_err(sql)?;
    while let Some(row) = balances.next().map_err(sql)? {
        let read = || Ok::<_, rusqlite::Error>((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
        let (subject, counts, window, recent): (Id, Vec<u8>, i64, Vec<u8>) = read().map_err(|_| wrong())?;
        if !with_many.remove(&subject) || sums(connection, walk, &subject).map_err(sql)? != (counts, window, recent) {
            return Err(wrong());
        }
    }
    if with_many.is_empty() { Ok(()) } else { Err(wrong()) }
}

/// What the charges of a subject add up to, in all and in the window of the last one; and which window that is.
fn sums(connection: &Connection, walk: &Walk, subject: &Id) -> rusqlite::Result<(Vec<u8>, i64, Vec<u8>)> {
    let mut charges: Vec<(u64, u32)> = Vec::new();
    let mut statement = connection.prepare_cached("SELECT entry, release FROM charge WHERE subject = ?")?;
    let mut rows = statement.query([subject])?;
    while let Some(row) = rows.next()? {
        charges.push((row.get(0)?, row.get(1)?));
    }
    let Some(last) = charges.iter().map(|(entry, _)| *entry).max() else { return Ok((Vec::new(), 0, Vec::new())) };
    let (mut counts, mut recent) = (Vec::new(), Vec::new());
    for (entry, release) in charges {
        add(&mut counts, release);
        if walk.counts_with(entry, last) {
            add(&mut recent, release);
        }
    }
    Ok((packed(&counts), walk.window_of(last), packed(&recent)))
}
