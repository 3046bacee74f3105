//! What is released for the records of a batch.

use crate::ledger::{LedgerAnswer, StandIn};
use crate::records::Batch;
use crate::{Error, Result};
use arrow_array::StringArray;
use arrow_schema::{DataType, Field, FieldRef};
use lookalike::certify::Certified;
use lookalike::model::Oracle;
use lookalike::sample::{OracleSampler, RandomKey, Sampler, uniform};
use std::sync::Arc;

/// A certified mechanism that records go through.
pub trait Draw: Sync {
    /// Draws for each record: a code into `outputs`, which has a place for each, or a column that is put before the kept
    /// ones of the batch. Records that are not to be released are removed from both.
    ///
    /// # Errors
    /// A record that the mechanism cannot take, by its row and without its value.
    fn draw(&self, key: &RandomKey, batch: &mut Batch, outputs: &mut Vec<u32>) -> Result<()>;

    /// How many records to draw for at once, so that what is drawn fits in memory however long it is; see
    /// [`ShortBatches`](crate::records::ShortBatches).
    fn rows_at_once(&self) -> usize {
        Batch::MAX_ROWS
    }
}

impl Draw for Sampler {
    fn draw(&self, key: &RandomKey, batch: &mut Batch, outputs: &mut Vec<u32>) -> Result<()> {
        let profiles = (!batch.profiles.is_empty()).then_some(&batch.profiles[..]);
        Ok(self.privatize(key, batch.first_row, profiles, &batch.values, outputs)?)
    }
}

impl StandIn for Sampler {
    fn codes(&self) -> Option<u32> {
        Some(self.outputs() as u32)
    }

    /// Every output is as likely as any other.
    fn stand_in(&self, key: &RandomKey, row: u64) -> Result<LedgerAnswer> {
        let [output] = uniform(key, row, [self.outputs() as u32]);
        Ok(LedgerAnswer::Code(output))
    }
}

/// Draws the reports of an oracle as a column of texts, [`Oracle::text`].
pub struct OracleColumn {
    sampler: OracleSampler,
    oracle: Oracle,
    kept: Vec<FieldRef>,
}

impl OracleColumn {
    /// For records with these kept columns.
    pub fn new(certified: &Certified<Oracle>, kept: &[FieldRef]) -> Self {
        let oracle = certified.mechanism().clone();
        OracleColumn { sampler: OracleSampler::new(certified), oracle, kept: kept.to_vec() }
    }

    /// The columns that are written: the reports under this name, and the kept ones.
    pub fn fields(&self, name: &str) -> Vec<FieldRef> {
        released_first(Field::new(name, DataType::Utf8, false), &self.kept)
    }
}

impl Draw for OracleColumn {
    fn draw(&self, key: &RandomKey, batch: &mut Batch, _: &mut Vec<u32>) -> Result<()> {
        let reports = self.sampler.privatize(key, batch.first_row, &batch.values)?;
        let texts = StringArray::from_iter_values(reports.iter().map(|report| self.oracle.text(report)));
        batch.draw_first(vec![Arc::new(texts)], 0);
        Ok(())
    }

    fn rows_at_once(&self) -> usize {
        self.sampler.rows_at_once()
    }
}

impl StandIn for OracleColumn {
    fn codes(&self) -> Option<u32> {
        None
    }

    /// The report of a category of which each is as likely as any other.
    fn stand_in(&self, key: &RandomKey, row: u64) -> Result<LedgerAnswer> {
        let [category] = uniform(key, row, [self.oracle.size()]);
        // Words of its own: the row has been drawn with those of the key, and what was drawn is thrown away.
        let reports = self.sampler.privatize(&key.for_stand_ins(), row, &[category])?;
        let texts = reports.iter().map(|report| self.oracle.text(report));
        Ok(LedgerAnswer::Text(texts.collect()))
    }
}

/// A released column with the kept ones behind it.
pub(crate) fn released_first(released: Field, kept: &[FieldRef]) -> Vec<FieldRef> {
    std::iter::once(Arc::new(released)).chain(kept.iter().cloned()).collect()
}

/// An error about the content of a field, which it does not show.
pub(crate) fn at_field(row: u64, column: &str, message: &str) -> Error {
    Error::input(format!("row {row}, column {column:?}: {message}"))
}
