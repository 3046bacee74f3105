//! Which entries count in a period.
//!
//! An entry counts in the window that its own date lies in. Entries that were dated by a clock that was ahead count twice
//! once that is corrected ([`crate::charges::clock`]): in the window of the correction, since they were made by then, and in the
//! window of their own date, in case the clock that corrected was the wrong one. So no window gets its budget twice,
//! whichever of the two clocks was right.

use crate::facts::{ClockCorrected, Period};
use crate::store::failed;
use lookalike_formats::Result;
use rusqlite::Connection;

/// A correction of the clock: the number of its entry, and what it says.
pub(crate) type Correction = (u64, ClockCorrected);

/// The entries that count in a window of the period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Window {
    pub number: i64,
    /// From here on all entries count; `u64::MAX` where the next one will be the first.
    first: u64,
    /// Entries before that count too, from one to another.
    earlier: Vec<(u64, u64)>,
    /// How many corrections of the clock it takes into account.
    corrections: usize,
}

impl Window {
    /// The window that a time lies in; all of time where there is no period.
    ///
    /// # Complexity
    /// Linear in the entries of the window and after it.
    pub fn of(
        connection: &Connection,
        period: Option<Period>,
        corrections: &[Correction],
        time: i64,
    ) -> Result<Window> {
        let mut window = Window { number: 0, first: 0, earlier: Vec::new(), corrections: corrections.len() };
        let Some(period) = period else { return Ok(window) };
        window.number = period.window(time);
        let mut own = Vec::new();
        let mut statement = connection
            .prepare_cached("SELECT number, time FROM entry ORDER BY time DESC, number DESC")
            .map_err(failed)?;
        let mut rows = statement.query([]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let (entry, time): (u64, i64) = row.get(0).and_then(|entry| Ok((entry, row.get(1)?))).map_err(failed)?;
            match period.window(time) {
                later if later > window.number => {}
                same if same == window.number => own.push(entry),
                _ => break,
            }
        }
        own.sort_unstable();
        for entry in own {
            match window.earlier.last_mut().filter(|(_, end)| *end + 1 == entry) {
                Some((_, end)) => *end = entry,
                None => window.earlier.push((entry, entry)),
            }
        }
        let query = "SELECT max(number) FROM entry";
        let last: u64 = connection
            .prepare_cached(query)
            .and_then(|mut last| last.query_row([], |row| row.get(0)))
            .map_err(failed)?;
        // Times go back only where the clock is corrected: what follows the last entry of a window that has not ended is in it.
        window.first = match window.earlier.pop_if(|(_, end)| *end == last) {
            Some((first, _)) => first,
            None => u64::MAX,
        };
        let dated_later = corrections.iter().filter(|(_, correction)| period.window(correction.to) == window.number);
        window.earlier.extend(dated_later.map(|(number, correction)| (correction.first, number - 1)));
        Ok(window)
    }

    /// Whether an entry counts.
    pub fn has(&self, entry: u64) -> bool {
        entry >= self.first || self.earlier.iter().any(|&(first, last)| (first..=last).contains(&entry))
    }

    /// Whether charges can count in it that a subject got while another window was open.
    pub fn has_later_entries(&self) -> bool {
        self.corrections > 0
    }

    /// Whether it is still the same when entries were added, up to a time: it has an entry at the end, so that those after
    /// it are in it too, and no clock was corrected.
    pub fn holds(&self, period: Option<Period>, corrections: &[Correction], time: i64) -> bool {
        let number = period.map_or(0, |period| period.window(time));
        self.first != u64::MAX && self.number == number && self.corrections == corrections.len()
    }
}
