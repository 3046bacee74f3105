//! How many rows of a release have left by a way on which nothing can be called back.

use lookalike::Sentence;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Counts the rows that were written to a pipe or a device, where they are out as they are written.
///
/// A run that stops there says how many rows are out: who runs it again draws for them a second time.
#[derive(Debug)]
pub struct RowsOut {
    /// What one of them is called.
    noun: &'static str,
    /// Rows that have certainly left.
    out: AtomicU64,
    /// Rows that may have left.
    handed_on: AtomicU64,
    /// Whether a ledger gives the same answers again.
    has_ledger: AtomicBool,
}

impl RowsOut {
    /// None so far; `noun` says what one of them is called.
    pub fn new(noun: &'static str) -> Self {
        let [out, handed_on] = [0; 2].map(AtomicU64::new);
        RowsOut { noun, out, handed_on, has_ledger: AtomicBool::new(false) }
    }

    /// From now on a ledger keeps the answers.
    pub fn with_ledger(&self) {
        self.has_ledger.store(true, Ordering::Relaxed);
    }

    /// So many rows more are about to be written.
    pub(crate) fn handing_on(&self, rows: u64) {
        self.handed_on.fetch_add(rows, Ordering::SeqCst);
    }

    /// Everything that was handed on has left.
    pub(crate) fn flushed(&self) {
        self.out.store(self.handed_on.load(Ordering::SeqCst), Ordering::SeqCst);
    }

    /// What to say of a run that stopped; `None` where no row can have left.
    pub fn said(&self) -> Option<Sentence> {
        let (out, at_most) = (self.out.load(Ordering::SeqCst), self.handed_on.load(Ordering::SeqCst));
        let number = match at_most {
            0 => return None,
            1 => format!("1 {}", self.noun),
            _ => format!("{at_most} {}s", self.noun),
        };
        let how_many = if out == at_most { number } else { format!("up to {number}") };
        let found = Sentence::from(format!("{how_many} had been written already and cannot be called back: "));
        Some(match self.has_ledger.load(Ordering::Relaxed) {
            true => found.text("the ledger gives rows that it knows again the answers that they had").hint(
                Sentence::from("those of a changed file it does not know, unless ").option("observation").text(" names them"),
            ),
            false => found
                .text(
                    "running again would draw for them a second time, which no theorem covers for profiles; for values what \
                     both draws cost adds up",
                )
                .hint(Sentence::new().option("output").taking("FILE").text(" writes all or nothing")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_out_once_they_are_flushed_and_may_be_before() {
        let rows = RowsOut::new("row");
        assert_eq!(rows.said(), None);
        rows.handing_on(1);
        assert!(rows.said().unwrap().to_string().starts_with("up to 1 row had been written already"));
        rows.flushed();
        assert!(rows.said().unwrap().to_string().starts_with("1 row had been written already"));
        rows.handing_on(6);
        assert!(rows.said().unwrap().to_string().starts_with("up to 7 rows"));
        rows.flushed();
        assert!(rows.said().unwrap().to_string().contains("no theorem covers for profiles; for values"));
        rows.with_ledger();
        assert!(
            rows.said().unwrap().to_string().starts_with("7 rows had")
                && rows.said().unwrap().to_string().contains("the ledger gives")
        );
    }
}
