//! Which rows are charged, which get an earlier answer, and which are over the budget.

use super::catalog::Catalog;
use super::history::{Given, History, UNCOVERED};
use super::window::Window;
use crate::facts::{LedgerAnswer, LedgerBudgets};
use lookalike::Sentence;
use lookalike::account::{Declared, Refusal, Standing, Theorem, rule};
use lookalike::exact::EpsilonSum;
use lookalike_formats::{Error, Result};
use lookalike_records::{Id, RecordId};
use rusqlite::Connection;
use std::collections::{BTreeSet, HashMap};

/// What becomes of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Decision {
    /// It is charged, and what is drawn for it is released.
    Charged,
    /// The same record was released before: its answer is given again, and nothing is charged.
    Earlier(LedgerAnswer),
    /// The same record stands in an earlier row of the batch.
    AsRow(usize),
    /// Its subject has no budget left: the row must not be looked at.
    Over,
}

/// Decides for the rows of a batch, one after the other.
///
/// **Depends on the names of subjects and records and on what the ledger holds, never on a value or a profile**: none is
/// within reach here.
pub(crate) struct Decisions<'a> {
    connection: &'a Connection,
    catalog: &'a Catalog,
    release: u32,
    declared: Declared,
    budgets: &'a LedgerBudgets,
    window: &'a Window,
    histories: HashMap<Id, History>,
    /// Whether so many releases are within the budgets: most subjects have had the same.
    allowed: [HashMap<Vec<u64>, bool>; 2],
    pub theorems: BTreeSet<Theorem>,
}

impl<'a> Decisions<'a> {
    pub fn new(
        connection: &'a Connection,
        catalog: &'a Catalog,
        release: u32,
        declared: Declared,
        budgets: &'a LedgerBudgets,
        window: &'a Window,
    ) -> Self {
        let (histories, allowed, theorems) = Default::default();
        Decisions { connection, catalog, release, declared, budgets, window, histories, allowed, theorems }
    }

    /// What becomes of a row.
    ///
    /// # Errors
    /// The reason why no theorem covers its release.
    pub fn decide(&mut self, row: usize, id: &RecordId) -> Result<std::result::Result<Decision, Refusal>> {
        let mut history = self.history(&id.subject)?;
        let standing = history.standing(self.connection, &id.record, self.release)?;
        let fate = self.fate(&mut history, row, id, standing);
        self.histories.insert(id.subject, history);
        Ok(fate)
    }

    fn fate(
        &mut self,
        history: &mut History,
        row: usize,
        id: &RecordId,
        (standing, given): (Standing, Option<Given>),
    ) -> std::result::Result<Decision, Refusal> {
        match rule(self.secrets(), standing, self.declared) {
            Ok(theorem) => self.theorems.insert(theorem),
            Err(refusal) => return Err(refusal),
        };
        Ok(match given {
            Some(Given::Kept(answer)) => Decision::Earlier(answer),
            Some(Given::Row(row)) => Decision::AsRow(row),
            None if self.allows(history) => {
                history.charge(id.record, self.release, row);
                Decision::Charged
            }
            None => Decision::Over,
        })
    }

    /// [`Decisions::decide`] for a release that is made elsewhere, of which the ledger has no answer.
    pub fn decide_unanswered(&mut self, row: usize, id: &RecordId) -> Result<std::result::Result<Decision, Refusal>> {
        let mut history = self.history(&id.subject)?;
        let fate = match history.has(self.connection, &id.record, self.release)? {
            true => Ok(Decision::AsRow(row)),
            false => {
                let standing = self.standing_elsewhere(&history, id)?;
                self.fate(&mut history, row, id, (standing, None))
            }
        };
        self.histories.insert(id.subject, history);
        Ok(fate)
    }

    /// How a release that is drawn elsewhere stands to those before: the ledger's answer is not there to be given again.
    fn standing_elsewhere(&self, history: &History, id: &RecordId) -> Result<Standing> {
        let (standing, _) = history.standing(self.connection, &id.record, self.release)?;
        Ok(if standing == Standing::EarlierAnswer { Standing::SameObservation } else { standing })
    }

    /// Charges a release that was made already, whatever the budget; `false` where the ledger has it.
    pub fn enter(&mut self, row: usize, id: &RecordId) -> Result<bool> {
        let mut history = self.history(&id.subject)?;
        if history.has(self.connection, &id.record, self.release)? {
            self.histories.insert(id.subject, history);
            return Ok(false);
        }
        let standing = self.standing_elsewhere(&history, id)?;
        history.charge(id.record, self.release, row);
        match rule(self.secrets(), standing, self.declared) {
            Ok(theorem) => {
                self.theorems.insert(theorem);
            }
            // It happened all the same: from now on nothing is known of what this subject has lost.
            Err(_) if history.has(self.connection, &id.record, UNCOVERED)? => {}
            Err(_) => history.charge(id.record, UNCOVERED, row),
        }
        self.histories.insert(id.subject, history);
        Ok(true)
    }

    fn secrets(&self) -> lookalike::account::Secrets {
        self.catalog.account.guarantees()[self.release as usize - 1].secrets()
    }

    fn history(&mut self, subject: &Id) -> Result<History> {
        match self.histories.remove(subject) {
            Some(history) => Ok(history),
            None => History::load(self.connection, subject, self.window, self.catalog.releases.len()),
        }
    }

    /// Whether one more release to a subject is within the budgets.
    fn allows(&mut self, history: &History) -> bool {
        if history.is_uncovered() {
            return false;
        }
        let [counts, recent] = history.counts();
        let [total, periodic] = [self.budgets.total.as_ref(), self.budgets.periodic.as_ref().map(|(_, budget)| budget)];
        self.is_within(0, counts, total) && self.is_within(1, recent, periodic)
    }

    fn is_within(&mut self, which: usize, counts: &[u64], budget: Option<&EpsilonSum>) -> bool {
        let Some(budget) = budget else { return true };
        if let Some(&known) = self.allowed[which].get(counts) {
            return known;
        }
        let mut after = counts.to_vec();
        super::history::add(&mut after, self.release);
        let is_within = self.catalog.account.worst(&after[1..]).epsilon <= *budget;
        self.allowed[which].insert(counts.to_vec(), is_within);
        is_within
    }

    /// The subjects of the batch with what was decided for them, in the order of their names.
    pub fn histories(&self) -> Vec<&History> {
        let mut subjects: Vec<_> = self.histories.iter().collect();
        subjects.sort_unstable_by_key(|(subject, _)| **subject);
        subjects.into_iter().map(|(_, history)| history).collect()
    }
}

/// The refusal of a row.
pub(crate) fn refused(row: u64, refusal: &Refusal) -> Error {
    Error::refused(Sentence::from(format!("row {row}: ")).then(refusal.sentence()))
}
