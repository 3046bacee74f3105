//! What has been released about one subject.

use super::window::Window;
use crate::facts::LedgerAnswer;
use crate::store::{Charge, failed, one_row};
use crate::verbs::VERIFY;
use lookalike::Sentence;
use lookalike::account::Standing;
use lookalike_formats::{Error, Result};
use lookalike_records::Id;
use rusqlite::{Connection, OptionalExtension};

/// How many charges of a subject are read one by one; beyond that its balance is kept.
pub(crate) const FEW: usize = 8;

/// The number that stands for what no theorem covers: a subject with such a charge gets no release any more.
pub(crate) const UNCOVERED: u32 = 0;

/// What has been released about a subject, in the ledger and in the batch at hand.
#[derive(Debug, Default)]
pub(crate) struct History {
    subject: Id,
    /// How often each release was charged, by number; [`UNCOVERED`] is the first.
    counts: Vec<u64>,
    /// The same within the window.
    recent: Vec<u64>,
    /// The charges, all of them where they are few.
    rows: Vec<(Id, u32, Option<LedgerAnswer>)>,
    has_more: bool,
    /// Charges of the batch at hand: record, release, row.
    new: Vec<(Id, u32, usize)>,
}

/// An answer that was given before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Given {
    /// In the ledger.
    Kept(LedgerAnswer),
    /// To a row of the batch at hand.
    Row(usize),
}

impl History {
    pub fn load(connection: &Connection, subject: &Id, window: &Window, releases: usize) -> Result<History> {
        let query = format!("SELECT record, release, answer, entry FROM charge WHERE subject = ? LIMIT {}", FEW + 1);
        let mut statement = connection.prepare_cached(&query).map_err(failed)?;
        let mut history = History { subject: *subject, ..History::default() };
        let mut rows = statement.query([subject]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let read = || Ok(((row.get(0)?, row.get(1)?, row.get(2)?), row.get::<_, u64>(3)?));
            let (charge, entry): ((Id, u32, Option<LedgerAnswer>), u64) = read().map_err(failed)?;
            if charge.1 as usize > releases {
                return Err(unknown_release());
            }
            add(&mut history.counts, charge.1);
            if window.has(entry) {
                add(&mut history.recent, charge.1);
            }
            history.rows.push(charge);
        }
        if history.rows.len() > FEW {
            history.has_more = true;
            let kept = balance(connection, subject, window)?;
            // The number of known releases and of what no theorem covers; and no more charges than a table has room for.
            let is_sound = |(counts, recent): &(Vec<u64>, Vec<u64>)| {
                let all = counts.iter().map(|&times| u128::from(times)).sum();
                let is_part =
                    recent.len() <= counts.len() && recent.iter().zip(counts).all(|(part, times)| part <= times);
                counts.len() <= releases + 1 && is_part && (FEW as u128 + 1..1 << 63).contains(&all)
            };
            (history.counts, history.recent) = kept.filter(is_sound).ok_or_else(|| {
                Error::input("the ledger is damaged: the balance of a subject is missing or wrong")
                    .hint(Sentence::new().verb(VERIFY))
            })?;
        }
        Ok(history)
    }

    /// How often each release was charged, in all and within the window.
    pub fn counts(&self) -> [&[u64]; 2] {
        [&self.counts, &self.recent]
    }

    /// Whether something was released that no theorem covers.
    pub fn is_uncovered(&self) -> bool {
        self.counts.first().is_some_and(|&times| times > 0)
    }

    /// How a release of a record stands to what was released before, and the earlier answer if there is one.
    pub fn standing(&self, connection: &Connection, record: &Id, release: u32) -> Result<(Standing, Option<Given>)> {
        let mut answered = false;
        for (known, by, row) in &self.new {
            answered |= known == record;
            if (known, by) == (record, &release) {
                return Ok((Standing::EarlierAnswer, Some(Given::Row(*row))));
            }
        }
        let more;
        let rows = match self.has_more {
            false => &self.rows,
            true => {
                more = of_record(connection, &self.subject, record)?;
                &more
            }
        };
        for (_, by, answer) in rows.iter().filter(|(known, ..)| known == record) {
            answered = true;
            // What was recorded by hand has no answer to give again.
            if let (true, Some(answer)) = (*by == release, answer) {
                return Ok((Standing::EarlierAnswer, Some(Given::Kept(answer.clone()))));
            }
        }
        let standing = match (answered, self.counts.is_empty()) {
            (true, _) => Standing::SameObservation,
            (false, true) => Standing::First,
            (false, false) => Standing::NewObservation,
        };
        Ok((standing, None))
    }

    /// Whether this very release of the record was entered by hand. One with an answer is another: who made it elsewhere has
    /// drawn anew.
    pub fn has(&self, connection: &Connection, record: &Id, release: u32) -> Result<bool> {
        if self.new.iter().any(|(known, by, _)| (known, by) == (record, &release)) {
            return Ok(true);
        }
        let is_it = |(known, by, answer): &(Id, u32, Option<LedgerAnswer>)| {
            (known, by) == (record, &release) && answer.is_none()
        };
        match self.has_more {
            false => Ok(self.rows.iter().any(is_it)),
            true => Ok(of_record(connection, &self.subject, record)?.iter().any(is_it)),
        }
    }

    /// Charges a release of the record in a row of the batch.
    pub fn charge(&mut self, record: Id, release: u32, row: usize) {
        add(&mut self.counts, release);
        add(&mut self.recent, release);
        self.new.push((record, release, row));
    }

    /// The charges of the batch, with the answers to its rows, in the order of records and releases.
    pub fn charges(&self, answers: &mut [Option<LedgerAnswer>]) -> Vec<Charge> {
        let charge = |&(record, release, row): &(Id, u32, usize)| Charge {
            subject: self.subject,
            record,
            release,
            answer: answers[row].take(),
        };
        let mut charges: Vec<Charge> = self.new.iter().map(charge).collect();
        charges.sort_unstable_by_key(|charge| (charge.record, charge.release));
        charges
    }

    /// Writes the balance of a subject that has many charges.
    pub fn save(&self, connection: &Connection, window: &Window) -> Result<()> {
        if self.new.is_empty() || !self.has_more && self.rows.len() + self.new.len() <= FEW {
            return Ok(());
        }
        let query = "INSERT INTO balance (subject, counts, window, recent) VALUES (?,?,?,?) ON CONFLICT (subject) \
                     DO UPDATE SET counts = excluded.counts, window = excluded.window, recent = excluded.recent";
        let mut statement = connection.prepare_cached(query).map_err(failed)?;
        let fields = (&self.subject, packed(&self.counts), window.number, packed(&self.recent));
        one_row(statement.execute(fields).map_err(failed)?)
    }
}

/// The error of a charge by a release that no entry registers.
pub(crate) fn unknown_release() -> Error {
    Error::input("the ledger is damaged: a charge is by a release that is not known").hint(Sentence::new().verb(VERIFY))
}

/// Counts one more of a release.
pub(crate) fn add(counts: &mut Vec<u64>, release: u32) {
    let place = release as usize;
    if counts.len() <= place {
        counts.resize(place + 1, 0);
    }
    counts[place] += 1;
}

/// Counts as bytes, without trailing zeros.
pub(crate) fn packed(counts: &[u64]) -> Vec<u8> {
    let length = counts.iter().rposition(|&times| times > 0).map_or(0, |last| last + 1);
    counts[..length].iter().flat_map(|times| times.to_le_bytes()).collect()
}

/// The balance of a subject that has one: what was charged in all, and in a window.
fn balance(connection: &Connection, subject: &Id, window: &Window) -> Result<Option<(Vec<u64>, Vec<u64>)>> {
    let mut statement =
        connection.prepare_cached("SELECT counts, window, recent FROM balance WHERE subject = ?").map_err(failed)?;
    let found = statement
        .query_row([subject], |row| Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, i64>(1)?, row.get::<_, Vec<u8>>(2)?)));
    let Some((counts, of_window, recent)) = found.optional().map_err(failed)? else { return Ok(None) };
    let unpacked = |bytes: &[u8]| bytes.as_chunks().0.iter().map(|&bytes| u64::from_le_bytes(bytes)).collect();
    let recent = match of_window == window.number {
        true => unpacked(&recent),
        // What a clock that was ahead had dated to another window may count in this one too.
        false if window.has_later_entries() => counts_within(connection, subject, window).map_err(failed)?,
        false => Vec::new(),
    };
    Ok(Some((unpacked(&counts), recent)))
}

/// How often each release was charged to a subject within a window, charge by charge.
fn counts_within(connection: &Connection, subject: &Id, window: &Window) -> rusqlite::Result<Vec<u64>> {
    let mut counts = Vec::new();
    let mut statement = connection.prepare_cached("SELECT release, entry FROM charge WHERE subject = ?")?;
    let mut rows = statement.query([subject])?;
    while let Some(row) = rows.next()? {
        if window.has(row.get(1)?) {
            add(&mut counts, row.get(0)?);
        }
    }
    Ok(counts)
}

/// The charges of one record.
fn of_record(connection: &Connection, subject: &Id, record: &Id) -> Result<Vec<(Id, u32, Option<LedgerAnswer>)>> {
    let mut statement = connection
        .prepare_cached("SELECT record, release, answer FROM charge WHERE subject = ? AND record = ?")
        .map_err(failed)?;
    let rows = statement.query_map([subject, record], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
    rows.map_err(failed)?.collect::<rusqlite::Result<_>>().map_err(failed)
}
