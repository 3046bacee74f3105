//! Entering releases that are made elsewhere.

use super::charge::{ChargeRequest, ChargeTotals};
use super::ids::IdColumns;
use super::ledger_file::Ledger;
use crate::check::located;
use lookalike_formats::Result;
use lookalike_formats::records::Columns;
use lookalike_records::{Batch, Input, RecordId, RecordSource, at_input, open_columns};

impl Ledger {
    /// Enters a release to the subjects of a table: a release that another program makes, or with `is_made` has made.
    /// All of it is entered, or nothing. What the ledger has already is not entered twice.
    ///
    /// With `is_made` it is entered whatever the budgets, for it has happened; a subject for whom no theorem covers it gets
    /// no release any more.
    ///
    /// # Errors
    /// Those of the table, and without `is_made` the first row that no theorem covers or that is over the budget.
    pub fn record(
        &mut self,
        input: &Input<'_>,
        ids: &IdColumns,
        request: &ChargeRequest,
        is_made: bool,
        note: Option<String>,
    ) -> Result<ChargeTotals> {
        let open = || {
            let columns = Columns { keep: ids.beside(&[]), ..Columns::default() };
            let source = open_columns(&Input { columns: &columns, charging: None, ..input.clone() }, None)?;
            read_ids(source, ids, input.csv.trim)
        };
        let rows = open().map_err(|error| at_input(error, input.path))?;
        self.enter(request, &rows, is_made, note).map_err(|error| match error.is_refusal() {
            true => at_input(error, input.path),
            false => located(error, &self.path),
        })
    }

    /// [`Ledger::record`] for columns in memory.
    ///
    /// # Errors
    /// Those of [`Ledger::record`].
    pub fn record_rows(
        &mut self,
        source: Box<dyn RecordSource + '_>,
        ids: &IdColumns,
        request: &ChargeRequest,
        is_made: bool,
        note: Option<String>,
    ) -> Result<ChargeTotals> {
        let rows = read_ids(source, ids, false)?;
        self.enter(request, &rows, is_made, note)
    }
}

/// The names of all records of a source that keeps [`IdColumns::beside`] of no column: 32 bytes each.
fn read_ids(source: Box<dyn RecordSource + '_>, ids: &IdColumns, trim: bool) -> Result<Vec<RecordId>> {
    let mut source = super::ids::IdSource::new(source, ids.clone(), 0, trim);
    let (mut all, mut batch) = (Vec::new(), Batch::default());
    while source.read_batch(&mut batch)? {
        all.append(&mut batch.ids);
    }
    Ok(all)
}
