//! A mechanism that charges before it releases.

use super::charge::{ChargeRequest, ChargeTotals, OverBudget};
use super::ids::IdColumns;
use super::ledger_file::Ledger;
use crate::check::located;
use crate::facts::{LedgerAnswer, replace};
use crate::rules::Decision;
use lookalike::Sentence;
use lookalike::sample::{RandomKey, Sampler, uniform};
use lookalike_formats::{Error, Result};
use lookalike_records::{Batch, BatchMechanism};
use std::sync::{Arc, Mutex, PoisonError};

/// Draws that do without a look at the record.
pub trait ValueFreeDraw: BatchMechanism {
    /// How many codes the mechanism draws from; `None` where it draws a column.
    fn codes(&self) -> Option<u32>;

    /// What stands in for the record of a row: drawn from a fixed law, independent of every record.
    ///
    /// # Errors
    /// A mechanism that has none.
    fn stand_in(&self, key: &RandomKey, row: u64) -> Result<LedgerAnswer>;
}

impl<D: ValueFreeDraw + ?Sized> ValueFreeDraw for &D {
    fn codes(&self) -> Option<u32> {
        (**self).codes()
    }

    fn stand_in(&self, key: &RandomKey, row: u64) -> Result<LedgerAnswer> {
        (**self).stand_in(key, row)
    }
}

impl ValueFreeDraw for Sampler {
    fn codes(&self) -> Option<u32> {
        Some(self.outputs() as u32)
    }

    /// Every output is as likely as any other.
    fn stand_in(&self, key: &RandomKey, row: u64) -> Result<LedgerAnswer> {
        let [output] = uniform(key, row, [self.outputs() as u32]);
        Ok(LedgerAnswer::Code(output))
    }
}

/// A ledger that charges the rows of a run, and how many had which fate so far.
pub struct Charging {
    ledger: Mutex<(Ledger, ChargeTotals)>,
    ids: IdColumns,
    request: ChargeRequest,
}

impl Charging {
    /// Charges the records that columns name, by a request.
    pub fn new(ledger: Ledger, ids: IdColumns, request: ChargeRequest) -> Arc<Charging> {
        Arc::new(Charging { ledger: Mutex::new((ledger, ChargeTotals::default())), ids, request })
    }

    /// The columns that name the records.
    pub fn ids(&self) -> &IdColumns {
        &self.ids
    }

    /// The mechanism, whose rows are charged before they are released.
    pub fn around<'m, M: ValueFreeDraw + 'm>(
        charging: Option<&Arc<Charging>>,
        mechanism: M,
    ) -> Box<dyn BatchMechanism + 'm> {
        Box::new(ChargedDraw { mechanism, charging: charging.cloned() })
    }

    /// How many rows had which fate so far.
    pub fn totals(&self) -> ChargeTotals {
        self.lock().1.clone()
    }

    /// What is charged, and how.
    pub fn request(&self) -> &ChargeRequest {
        &self.request
    }

    /// Looks at the ledger.
    ///
    /// # Errors
    /// Those of `look`.
    pub fn with_ledger<T>(&self, look: impl FnOnce(&Ledger) -> Result<T>) -> Result<T> {
        look(&self.lock().0)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, (Ledger, ChargeTotals)> {
        // A transaction that panicked was rolled back.
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A mechanism whose rows are charged to a ledger, durably, before they are released; or not, where there is none.
pub struct ChargedDraw<M> {
    /// The mechanism.
    pub mechanism: M,
    /// Where its rows are charged.
    pub charging: Option<Arc<Charging>>,
}

impl<M: ValueFreeDraw> BatchMechanism for ChargedDraw<M> {
    fn rows_at_once(&self) -> usize {
        self.mechanism.rows_at_once()
    }

    fn draw(&self, key: &RandomKey, batch: &mut Batch, outputs: &mut Vec<u32>) -> Result<()> {
        let Some(charging) = &self.charging else {
            return self.mechanism.draw(key, batch, outputs);
        };
        let ids = std::mem::take(&mut batch.ids);
        if ids.len() != batch.len() {
            let hint = Sentence::new().option("subject").taking("COLUMN");
            return Err(Error::input("records without a subject cannot be charged").hint(hint));
        }
        let mut guard = charging.lock();
        let (ledger, so_far) = &mut *guard;
        let (codes, request, first_row) = (self.mechanism.codes(), &charging.request, batch.first_row);
        let mut changed = Vec::new();
        let mut withheld = Vec::new();
        let charged = ledger.charge(request, first_row, &ids, |fates| {
            self.mechanism.draw(key, batch, outputs)?;
            let drawn = |row: usize| LedgerAnswer::drawn(batch, outputs, codes.is_none(), row);
            let mut answers = vec![None; fates.len()];
            for (row, fate) in fates.iter().enumerate() {
                match fate {
                    Decision::Charged => answers[row] = Some(drawn(row)?),
                    Decision::Earlier(answer) => changed.push((row, answer.clone())),
                    Decision::AsRow(earlier) => changed.push((row, drawn(*earlier)?)),
                    Decision::Over if request.over == OverBudget::Withhold => {
                        withheld.resize(fates.len(), false);
                        withheld[row] = true;
                    }
                    Decision::Over => changed.push((row, self.mechanism.stand_in(key, first_row + row as u64)?)),
                }
            }
            Ok(answers)
        });
        let charged = charged.map_err(|error| match error.has_place() {
            true => error,
            false if error.is_refusal() => charging.ids.at_input(error),
            false => located(error, ledger.path()),
        })?;
        so_far.add(&charged);
        replace(batch, outputs, codes, changed)?;
        if !withheld.is_empty() {
            batch.withhold(&withheld)?;
            let mut row = 0;
            outputs.retain(|_| {
                row += 1;
                !withheld[row - 1]
            });
        }
        Ok(())
    }
}

/// Names the ledger and nothing in it.
impl std::fmt::Debug for Charging {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Charging").field("release", &self.request.release.name()).finish_non_exhaustive()
    }
}
