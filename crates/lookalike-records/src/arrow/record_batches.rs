//! Record batches that somebody else hands over, as codes.

use arrow_array::RecordBatch;
use arrow_schema::Schema;

use super::arrow_records::ArrowRecords;
use crate::columns::{Batch, Encoder, RecordSchema};
use lookalike_formats::records::Columns;
use lookalike_formats::{Error, Result};

/// Reads the record batches of one run as they come: rows are counted over all of them.
///
/// A [`RecordSource`](crate::columns::RecordSource) is asked for records; where an engine has the loop, this is told of them.
///
/// # Example
/// ```
/// use std::sync::Arc;
/// use arrow_array::{ArrayRef, Int64Array, RecordBatch};
/// use lookalike_records::{Batch, Labels, RecordBatches};
/// use lookalike_formats::records::Columns;
/// let array: ArrayRef = Arc::new(Int64Array::from(vec![7, 8, 7]));
/// let records = RecordBatch::try_from_iter([("load", array)])?;
/// let wanted = Columns { profile: None, values: vec!["load".into()], keep: vec![] };
/// let value = Labels::new(["7".to_owned(), "8".to_owned()])?;
/// let mut batches = RecordBatches::new(&records.schema(), &wanted, None, Some(Box::new(value)), None)?;
/// let mut batch = Batch::default();
/// for first_row in [0, 3] {
///     batches.read(&records, &mut batch)?;
///     assert_eq!((batch.first_row, &batch.values[..]), (first_row, &[0, 1, 0][..]));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RecordBatches {
    records: ArrowRecords,
    next_row: u64,
}

impl RecordBatches {
    /// The wanted columns of batches with this schema; see [`CsvSource::open`](crate::csv::CsvSource::open) for the encoders.
    ///
    /// # Errors
    /// A column that is missing, occurs twice, or has a type without categories.
    pub fn new(
        schema: &Schema,
        wanted: &Columns,
        profile: Option<Encoder>,
        value: Option<Encoder>,
        unknown: Option<u32>,
    ) -> Result<Self> {
        Ok(RecordBatches { records: ArrowRecords::new(schema, wanted, profile, value, unknown)?, next_row: 0 })
    }

    /// What is to be known of the columns to write them alike.
    pub fn schema(&self) -> &RecordSchema {
        self.records.schema()
    }

    /// Makes `batch` these records, which follow those before them.
    ///
    /// # Errors
    /// Another schema, or a record that has no code, by row and column.
    pub fn read(&mut self, records: &RecordBatch, batch: &mut Batch) -> Result<()> {
        let wanted = records.project(self.records.projection());
        let wanted = wanted.map_err(|_| Error::input("a batch without the columns of the others"))?;
        self.records.fill(&wanted, self.next_row, batch)?;
        self.next_row += records.num_rows() as u64;
        Ok(())
    }
}
