//! The reports of an oracle, as a column.

use super::Charging;
use super::promise::ReleasePromise;
use super::releasable::{Drawn, Reading, Releasable, Way};
use arrow_array::StringArray;
use arrow_schema::{DataType, Field, FieldRef};
use lookalike::certify::Certified;
use lookalike::model::Oracle;
use lookalike::sample::{OracleSampler, RandomKey};
use lookalike_formats::Result;
use lookalike_formats::records::Columns;
#[cfg(feature = "ledger")]
use lookalike_ledger::{LedgerAnswer, ValueFreeDraw};
use lookalike_records::{Batch, BatchMechanism};
use std::sync::Arc;

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

impl BatchMechanism for OracleColumn {
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

#[cfg(feature = "ledger")]
impl ValueFreeDraw for OracleColumn {
    fn codes(&self) -> Option<u32> {
        None
    }

    /// The report of a category of which each is as likely as any other.
    fn stand_in(&self, key: &RandomKey, row: u64) -> Result<LedgerAnswer> {
        let [category] = lookalike::sample::uniform(key, row, [self.oracle.size()]);
        // Words of its own: the row has been drawn with those of the key, and what was drawn is thrown away.
        let reports = self.sampler.privatize(&key.for_stand_ins(), row, &[category])?;
        let texts = reports.iter().map(|report| self.oracle.text(report));
        Ok(LedgerAnswer::Text(texts.collect()))
    }
}

/// A certified oracle, to release reports by.
pub struct OracleReports<'a>(pub &'a Certified<Oracle>);

impl Releasable for OracleReports<'_> {
    fn reading(&self, _: &Columns, unknown: Option<&str>) -> Result<Reading> {
        Reading::values(self.0.mechanism().categories(), unknown)
    }

    fn drawn<'a>(self: Box<Self>, way: Way<'_>) -> Result<Drawn<'a>>
    where
        Self: 'a,
    {
        let column = OracleColumn::new(self.0, &way.schema.kept);
        let kept = column.fields(&way.name);
        Ok(Drawn { mechanism: Charging::around(way.charging, column), labels: Vec::new(), kept })
    }

    fn promise<'a>(&self) -> Option<ReleasePromise<'a>>
    where
        Self: 'a,
    {
        Some(ReleasePromise::of(self.0.mechanism()))
    }
}

/// A released column with the kept ones behind it.
pub(crate) fn released_first(released: Field, kept: &[FieldRef]) -> Vec<FieldRef> {
    std::iter::once(Arc::new(released)).chain(kept.iter().cloned()).collect()
}
