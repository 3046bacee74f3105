//! Releases rows in a random order.

use super::{Batch, RecordSink};
use crate::{Error, Result};
use arrow_array::{Array, ArrayRef};
use arrow_schema::ArrowError;
use arrow_select::interleave::interleave;
use lookalike::sample::{RandomKey, permutation};

/// A sink that holds all records back and hands them on in a uniformly random order when it is finished.
///
/// Rows sorted by profile reveal it by position; this hides it. Memory grows with the number of rows: four bytes and
/// the kept columns for each.
pub struct Shuffle<'a> {
    sink: Box<dyn RecordSink + 'a>,
    key: RandomKey,
    outputs: Vec<u32>,
    /// The kept fields of all records, one after the other, and where each ends.
    kept: Vec<u8>,
    ends: Vec<usize>,
    /// The kept columns of all batches that have them as arrays, and the first row of each batch.
    arrays: Vec<Vec<ArrayRef>>,
    starts: Vec<u32>,
}

impl<'a> Shuffle<'a> {
    /// A shuffle in front of `sink`.
    pub fn new(sink: Box<dyn RecordSink + 'a>, key: RandomKey) -> Self {
        Shuffle {
            sink,
            key,
            outputs: Vec::new(),
            kept: Vec::new(),
            ends: Vec::new(),
            arrays: Vec::new(),
            starts: Vec::new(),
        }
    }
}

impl Shuffle<'_> {
    /// The kept arrays of these rows.
    fn gather(&self, rows: &[u32]) -> std::result::Result<Vec<ArrayRef>, ArrowError> {
        let places: Vec<(usize, usize)> = match self.starts.is_empty() {
            true => Vec::new(),
            false => rows.iter().map(|row| self.place(*row)).collect(),
        };
        let width = self.arrays.first().map_or(0, Vec::len);
        let column = |column: usize| {
            let parts: Vec<&dyn Array> = self.arrays.iter().map(|batch| &*batch[column]).collect();
            interleave(&parts, &places)
        };
        (0..width).map(column).collect()
    }

    /// The batch of a row, and its place there.
    fn place(&self, row: u32) -> (usize, usize) {
        let batch = self.starts.partition_point(|start| *start <= row) - 1;
        (batch, (row - self.starts[batch]) as usize)
    }
}

fn too_many() -> Error {
    Error::input("more than 2^32 rows to shuffle")
}

impl RecordSink for Shuffle<'_> {
    fn write_batch(&mut self, batch: &Batch, outputs: &[u32]) -> Result<()> {
        if !batch.arrays().is_empty() {
            self.starts.push(u32::try_from(self.outputs.len()).map_err(|_| too_many())?);
            self.arrays.push(batch.arrays().to_vec());
        }
        self.outputs.extend_from_slice(outputs);
        if !batch.arrays().is_empty() {
            return Ok(());
        }
        for field in (0..batch.len()).flat_map(|row| batch.kept(row)) {
            self.kept.extend_from_slice(field);
            self.ends.push(self.kept.len());
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        let count = u32::try_from(self.outputs.len()).map_err(|_| too_many())?;
        let width = self.ends.len() / self.outputs.len().max(1);
        let field = |at: usize| {
            let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
            &self.kept[start..self.ends[at]]
        };
        let mut batch = Batch::default();
        let order = permutation(&self.key, count);
        for rows in order.chunks(Batch::MAX_ROWS) {
            batch.restart(0, width);
            for &row in rows {
                // The batch carries kept columns only; it never had the private value.
                batch.values.push(0);
                (0..width).for_each(|column| batch.keep(field(row as usize * width + column)));
            }
            self.gather(rows)
                .map_err(|_| Error::input("the kept columns cannot be brought into another order"))?
                .into_iter()
                .for_each(|column| batch.keep_array(column));
            let outputs: Vec<u32> = rows.iter().map(|&row| self.outputs[row as usize]).collect();
            self.sink.write_batch(&batch, &outputs)?;
        }
        self.sink.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::CsvSink;

    #[test]
    fn every_row_comes_out_once_with_its_own_columns() {
        let mut written = Vec::new();
        let labels = (0..200).map(|code| format!("v{code}")).collect();
        let sink = CsvSink::new(Box::new(&mut written), None, b',', labels, false).unwrap();
        let mut shuffle = Shuffle::new(Box::new(sink), RandomKey::from_seed(1));
        for first in [0u32, 100] {
            let mut batch = Batch::default();
            batch.restart(first.into(), 1);
            for row in first..first + 100 {
                batch.values.push(0);
                batch.keep(format!("k{row}").as_bytes());
            }
            shuffle.write_batch(&batch, &(first..first + 100).collect::<Vec<_>>()).unwrap();
        }
        Box::new(shuffle).finish().unwrap();
        let text = String::from_utf8(written).unwrap();
        let rows: Vec<&str> = text.lines().collect();
        let in_order: Vec<String> = (0..200).map(|row| format!("v{row},k{row}")).collect();
        assert_ne!(rows, in_order);
        let mut sorted = rows.clone();
        sorted.sort_by_key(|row| row[1..row.find(',').unwrap()].parse::<u32>().unwrap());
        assert_eq!(sorted, in_order);
    }

    #[test]
    fn nothing_to_shuffle_is_fine() {
        let mut written = Vec::new();
        let sink = CsvSink::new(Box::new(&mut written), Some(vec!["load".into()]), b',', vec![], false).unwrap();
        Box::new(Shuffle::new(Box::new(sink), RandomKey::from_seed(1))).finish().unwrap();
        assert_eq!(written, b"load\n");
    }
}
