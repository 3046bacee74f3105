//! Charging rows before they are released.

use super::ledger_file::Ledger;
use crate::facts::{CHARGED, Charged, LedgerAnswer, LedgerRelease, RECORDED, REGISTERED, written};
use crate::rules::{Decision, Decisions, Window, refused};
use crate::store::{Chain, Charge, Digest, failed, one_row, settle};
use lookalike::Sentence;
use lookalike::account::Declared;
use lookalike::exact::EpsilonSum;
use lookalike_formats::{Error, Result};
use lookalike_records::RecordId;
use rusqlite::Connection;
use std::collections::BTreeSet;

/// What becomes of a row whose subject has no budget left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OverBudget {
    /// A row drawn from a fixed law that does not look at the value.
    #[default]
    Constant,
    /// No row: how many rows there are is then released as well.
    Withhold,
}

/// How rows are to be charged.
#[derive(Debug, Clone)]
pub struct ChargeRequest {
    /// What is released.
    pub release: LedgerRelease,
    /// What the caller declares.
    pub declared: Declared,
    /// The most that any one subject may have lost after this, if less than the ledger allows.
    pub budget: Option<EpsilonSum>,
    /// What becomes of rows over the budget.
    pub over: OverBudget,
}

/// How many rows had which fate.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChargeTotals {
    /// Charged and released.
    pub charged: u64,
    /// Known: the earlier answer was given again.
    pub earlier: u64,
    /// Over the budget, drawn without a look at the value.
    pub constant: u64,
    /// Over the budget, left out.
    pub withheld: u64,
    /// How often the release has been charged to the subject that it was charged to most often, in this run and before,
    /// among those that it was charged to in this run.
    pub most_of_a_subject: u64,
    /// The entries of the ledger that say so, by which a release that was wrong is withdrawn.
    pub entries: BTreeSet<u64>,
}

impl ChargeTotals {
    /// How many rows there were.
    pub fn rows(&self) -> u64 {
        self.charged + self.earlier + self.constant + self.withheld
    }

    pub(crate) fn add(&mut self, other: &ChargeTotals) {
        self.charged += other.charged;
        self.earlier += other.earlier;
        self.constant += other.constant;
        self.withheld += other.withheld;
        self.most_of_a_subject = self.most_of_a_subject.max(other.most_of_a_subject);
        self.entries.extend(&other.entries);
    }
}

/// What a transaction comes to.
struct Outcome {
    totals: ChargeTotals,
    kind: &'static str,
    note: Option<String>,
    /// For each row, where it is charged.
    answers: Vec<Option<LedgerAnswer>>,
}

impl Ledger {
    /// Charges the rows of a batch in one transaction, which is on the disk when this returns.
    ///
    /// `draw` is told the fates and gives the answers to the rows that are charged. If it fails, or no theorem covers a
    /// row, nothing is charged.
    pub(crate) fn charge(
        &mut self,
        request: &ChargeRequest,
        first_row: u64,
        ids: &[RecordId],
        draw: impl FnOnce(&[Decision]) -> Result<Vec<Option<LedgerAnswer>>>,
    ) -> Result<ChargeTotals> {
        self.transaction(request, |decisions| {
            let mut fates = Vec::with_capacity(ids.len());
            for (row, id) in ids.iter().enumerate() {
                let fate = decisions.decide(row, id)?;
                fates.push(fate.map_err(|refusal| refused(first_row + row as u64 + 1, &refusal))?);
            }
            Ok(Outcome { totals: totals(&fates, request.over), kind: CHARGED, note: None, answers: draw(&fates)? })
        })
    }

    /// Enters a release that is made elsewhere, all of it or nothing.
    ///
    /// With `is_made` it has happened already, and is entered whatever the budgets; a subject for whom no theorem covers
    /// it gets no release any more.
    ///
    /// # Errors
    /// Without `is_made`: a row that no theorem covers, or over the budget.
    pub(crate) fn enter(
        &mut self,
        request: &ChargeRequest,
        ids: &[RecordId],
        is_made: bool,
        note: Option<String>,
    ) -> Result<ChargeTotals> {
        self.transaction(request, |decisions| {
            let mut totals = ChargeTotals::default();
            for (row, id) in ids.iter().enumerate() {
                if is_made {
                    let is_new = decisions.enter(row, id)?;
                    totals.charged += u64::from(is_new);
                    totals.earlier += u64::from(!is_new);
                    continue;
                }
                let number = row as u64 + 1;
                match decisions.decide_unanswered(row, id)?.map_err(|refusal| refused(number, &refusal))? {
                    Decision::Charged => totals.charged += 1,
                    Decision::Earlier(_) | Decision::AsRow(_) => totals.earlier += 1,
                    Decision::Over => {
                        return Err(Error::refused(format!(
                            "row {number}: the subject has no budget left for this release, so nothing was entered"
                        ))
                        .hint(Sentence::new().option("made").text(" enters what has been released already")));
                    }
                }
            }
            Ok(Outcome { totals, kind: RECORDED, note, answers: vec![None; ids.len()] })
        })
    }

    /// One transaction: registers the release if it is new, lets `work` decide, writes the charges and their entry.
    fn transaction(
        &mut self,
        request: &ChargeRequest,
        work: impl FnOnce(&mut Decisions<'_>) -> Result<Outcome>,
    ) -> Result<ChargeTotals> {
        let (now, known_window) = ((self.clock)(), self.window.take());
        // Kept only once all is written: what is rolled back was never known.
        let mut catalog = self.catalog.clone();
        let transaction = self.begin()?;
        catalog.refresh(&transaction)?;
        let mut chain = Chain::end(&transaction, now)?;
        let release = match catalog.number(&request.release) {
            Some(release) => release,
            None => {
                let content =
                    catalog.registration(&request.release).map_err(|refusal| Error::refused(refusal.sentence()))?;
                catalog.take(&chain.append(&transaction, REGISTERED, content, &Digest::default())?)?;
                catalog.releases.len() as u32
            }
        };
        let budgets = catalog.budgets.at_most(request.budget.as_ref());
        let period = budgets.period();
        let window = match known_window.filter(|known| known.holds(period, &catalog.corrections, chain.time)) {
            Some(known) => known,
            None => Window::of(&transaction, period, &catalog.corrections, chain.time)?,
        };
        let mut decisions = Decisions::new(&transaction, &catalog, release, request.declared, &budgets, &window);
        let Outcome { mut totals, kind, note, mut answers } = work(&mut decisions)?;
        if totals.charged + totals.constant + totals.withheld > 0 {
            let mut digest = Digest::default();
            for history in decisions.histories() {
                for charge in history.charges(&mut answers) {
                    digest.add(&charge);
                    insert(&transaction, &charge, chain.next())?;
                }
                history.save(&transaction, &window)?;
                let charges = history.counts()[0].get(release as usize).copied().unwrap_or(0);
                totals.most_of_a_subject = totals.most_of_a_subject.max(charges);
            }
            let theorems = decisions.theorems.iter().map(ToString::to_string).collect();
            let ChargeTotals { charged, earlier, constant, withheld, .. } = totals;
            let independent_observations = request.declared.independent_observations;
            let content =
                Charged { release, charged, earlier, constant, withheld, independent_observations, theorems, note };
            totals.entries.insert(chain.append(&transaction, kind, written(&content), &digest)?.number);
        }
        drop(decisions);
        transaction.commit().map_err(failed)?;
        settle(&self.connection)?;
        self.window = Some(window);
        self.catalog = catalog;
        Ok(totals)
    }
}

fn insert(connection: &Connection, charge: &Charge, entry: u64) -> Result<()> {
    let mut statement = connection
        .prepare_cached("INSERT INTO charge (subject, record, release, entry, answer) VALUES (?,?,?,?,?)")
        .map_err(failed)?;
    let Charge { subject, record, release, answer } = charge;
    one_row(statement.execute((subject, record, release, entry, answer)).map_err(failed)?)
}

fn totals(fates: &[Decision], over: OverBudget) -> ChargeTotals {
    let mut totals = ChargeTotals::default();
    for fate in fates {
        match (fate, over) {
            (Decision::Charged, _) => totals.charged += 1,
            (Decision::Earlier(_) | Decision::AsRow(_), _) => totals.earlier += 1,
            (Decision::Over, OverBudget::Constant) => totals.constant += 1,
            (Decision::Over, OverBudget::Withhold) => totals.withheld += 1,
        }
    }
    totals
}
