//! A clock that was ahead.

use super::ledger_file::Ledger;
use crate::check::located;
use crate::facts::{CLOCK_CORRECTED, ClockCorrected, time_text, written};
use crate::store::{Chain, Digest, failed, last, no_entry, settle};
use lookalike_formats::{Error, Result};
use rusqlite::Connection;

/// The first moment of 2025. A clock without a battery begins in 1970.
const NO_LEDGERS_BEFORE: i64 = 1_735_689_600;

/// Clocks differ by seconds, and are set by as much.
const APART: i64 = 60;

/// Which entries were dated by a clock that was ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockCorrection {
    /// The first of them.
    pub first: u64,
    /// The last.
    pub last: u64,
    /// What the last was dated, in seconds since 1970.
    pub from: i64,
    /// The time of the machine when this was corrected, by which the ledger goes on.
    pub to: i64,
}

impl Ledger {
    /// What the last entry is dated, in seconds since 1970, where the clock of the machine is more than a minute behind it: until
    /// then no further period opens.
    ///
    /// # Errors
    /// A ledger that cannot be read.
    pub fn dated_ahead(&self) -> Result<Option<i64>> {
        let found = last(&self.connection).and_then(|entry| entry.ok_or_else(no_entry));
        let (entry, _) = found.map_err(|error| located(error, &self.path))?;
        Ok((entry.time > (self.clock)() + APART).then_some(entry.time))
    }

    /// Lets the ledger go on by the clock of the machine after entries were dated later than it says: an entry of its own says
    /// so, and none is changed.
    ///
    /// What was charged with those entries counts in the period of now, and also in that of its own date: whichever of the
    /// two clocks was right, no period gets its budget twice.
    ///
    /// # Errors
    /// A ledger whose last entry is not dated later than the clock says; a clock from before there were ledgers.
    ///
    /// # Complexity
    /// Linear in the entries.
    pub fn correct_clock(&mut self, note: &str) -> Result<ClockCorrection> {
        let now = (self.clock)();
        self.corrected(now, note).map_err(|error| located(error, &self.path))
    }

    fn corrected(&mut self, now: i64, note: &str) -> Result<ClockCorrection> {
        let transaction = self.begin()?;
        let (entry, head) = last(&transaction)?.ok_or_else(no_entry)?;
        if entry.time <= now {
            return Err(Error::refused(format!(
                "the last entry is dated {}, and the clock of this machine says {}: nothing is to be corrected",
                time_text(entry.time),
                time_text(now)
            )));
        }
        // It may be earlier than the first entry, which the clock has dated too that was ahead.
        if now < NO_LEDGERS_BEFORE {
            return Err(Error::refused(format!(
                "the clock of this machine says {}, which is before there were ledgers: set the clock right",
                time_text(now)
            )));
        }
        let first = first_after(&transaction, now)?;
        let (from, number) = (entry.time, entry.number);
        let content = ClockCorrected { first, from, to: now, note: note.to_owned() };
        let mut chain = Chain::at(head, number, now);
        chain.append(&transaction, CLOCK_CORRECTED, written(&content), &Digest::default())?;
        transaction.commit().map_err(failed)?;
        settle(&self.connection)?;
        Ok(ClockCorrection { first, last: number, from, to: now })
    }
}

/// The first of the entries at the end of the chain that are all dated later than a time.
pub(crate) fn first_after(connection: &Connection, time: i64) -> Result<u64> {
    let before: Option<u64> = connection
        .query_row("SELECT max(number) FROM entry WHERE time <= ?", [time], |row| row.get(0))
        .map_err(failed)?;
    Ok(before.map_or(1, |before| before + 1))
}
