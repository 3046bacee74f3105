//! The chain of entries, each with the charges that it covers.

use super::Fault;
use crate::facts::{
    CHARGED, CLOCK_CORRECTED, Charged, ClockCorrected, LedgerAnswer, MIGRATED, Migrated, OPENED, RECORDED, REGISTERED,
    WITHDRAWN, Withdrawn, read,
};
use crate::rules::{Catalog, Correction, UNCOVERED};
use crate::store::{COLUMNS, Charge, Digest, Entry, Head, NONE_BEFORE, failed};
use lookalike::Sentence;
use lookalike_records::Id;
use rusqlite::{Connection, Row, Rows};
use std::collections::BTreeSet;

/// The chain as far as it has been followed.
pub(crate) struct Walk {
    pub number: u64,
    time: i64,
    pub head: Head,
    pub charges: u64,
    pub has_head: bool,
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
    /// Follows the chain to its end, and notes whether an entry has the wanted hash.
    pub fn entries(&mut self, connection: &Connection, wanted: Option<&Head>) -> std::result::Result<(), Fault> {
        let sql = |error| Fault { entry: None, what: failed(error).sentence() };
        let mut entries = connection.prepare(&format!("SELECT {COLUMNS} FROM entry ORDER BY number")).map_err(sql)?;
        let mut entries = entries.query([]).map_err(sql)?;
        let query =
            "SELECT entry, subject, record, release, answer FROM charge ORDER BY entry, subject, record, release";
        let mut charges = connection.prepare(query).map_err(sql)?;
        let mut charges = Charges { rows: charges.query([]).map_err(sql)?, next: None };
        // All of them are read before the first is given, so that which entry's charge it is cannot be told.
        let unread = |()| Fault { entry: None, what: "some of the charges cannot be read".into() };
        charges.advance().map_err(unread)?;
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
            Some((number, _)) => Err(Fault { entry: Some(*number), what: "has charges and is not there".into() }),
        }
    }

    /// What is wrong with the next entry.
    fn fault(&self, what: impl Into<Sentence>) -> Fault {
        Fault { entry: Some(self.number + 1), what: what.into() }
    }

    fn entry(&mut self, entry: &Entry, head: &Head, charges: &mut Charges<'_>) -> std::result::Result<(), Fault> {
        if entry.number != self.number + 1 {
            return Err(self.fault(format!("is missing; the next one is {}", entry.number)));
        }
        if entry.head(&self.head) != *head {
            return Err(self.fault("its hash is not that of its content after the entry before it"));
        }
        if entry.time < self.time && entry.kind != CLOCK_CORRECTED {
            return Err(self.fault("is older than the entry before it"));
        }
        if let Some((number, _)) = charges.next.as_ref().filter(|(number, _)| *number < entry.number) {
            return Err(Fault { entry: Some(*number), what: "has charges that it does not cover".into() });
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
            return Err(self.fault(format!("covers {} charges, and others are there", entry.rows)));
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
        let unread = |error: lookalike_formats::Error| self.fault(error.sentence());
        match entry.kind.as_str() {
            OPENED | REGISTERED => {}
            CHARGED | RECORDED => {
                let charged: Charged = read(entry.number, &entry.content).map_err(unread)?;
                if charged.charged != rows {
                    return Err(self.fault(format!("says {} charges and covers {rows}", charged.charged)));
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
        self.catalog.take(entry).map_err(|error| self.fault(error.sentence()))
    }

    fn misplaced(&self, kind: &str) -> Fault {
        self.fault(format!("has the kind {kind:?}, which does not belong here"))
    }

    /// Whether an entry counts in the window of a later one, or of itself.
    pub fn counts_with(&self, entry: u64, last: u64) -> bool {
        let Some(period) = self.catalog.budgets.period() else { return true };
        let window = |entry: u64| period.window(self.times[entry as usize - 1]);
        let is_dated_so = |(number, correction): &Correction| {
            (correction.first..*number).contains(&entry) && period.window(correction.to) == window(last)
        };
        window(entry) == window(last) || self.catalog.corrections.iter().any(is_dated_so)
    }

    /// The number that the window of an entry has in balances.
    pub fn window_of(&self, entry: u64) -> i64 {
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
