//! Records from CSV.

use lookalike::Sentence;
use std::io::Read;

use super::csv_records::Records;
use crate::columns::{Batch, Coded, Encoder, Header, RecordSchema, RecordSource};
use lookalike_formats::records::{Columns, CsvOptions};
use lookalike_formats::{Error, Result};

/// Records of a CSV file, plain or compressed with gzip.
///
/// # Complexity
/// One pass, in memory for one batch and one record whatever the size of the file.
pub struct CsvSource {
    records: Records,
    /// Fields in every record.
    fields: usize,
    profile: Option<Coded>,
    value: Option<Coded>,
    kept: Vec<usize>,
    kept_names: Vec<String>,
    /// Data rows read so far.
    rows: u64,
}

/// The error for a file that has not even a header.
pub(crate) fn empty() -> Error {
    Error::input("empty, expected a header")
        .hint(Sentence::new().option("columns").text(" names the columns without one"))
}

impl CsvSource {
    /// A source of the records of `input`, whose header is read at once.
    ///
    /// `profile` encodes the profile column and is there exactly when that column is; `value` encodes the value column
    /// or the joint text of several, and is left out where there is none: then every code is 0. `unknown` is the code of every value that `value` does not know; without it such
    /// a value is an error. An unknown profile and an empty field always are.
    ///
    /// # Errors
    /// When the input cannot be read, a column is missing or occurs twice, or there is no header where one is expected.
    pub fn open(
        input: Box<dyn Read + Send>,
        options: &CsvOptions,
        columns: &Columns,
        profile: Option<Encoder>,
        value: Option<Encoder>,
        unknown: Option<u32>,
    ) -> Result<Self> {
        let mut records = Records::open(input, options)?;
        let header = match &options.columns {
            Some(names) => Header::given(names),
            None if records.advance(0)? => Header::read(records.record(), options.trim),
            None => return Err(empty()),
        };
        records.count_lines_from_here();
        header.check(columns)?;
        let profile = match (&columns.profile, profile) {
            (Some(name), Some(encoder)) => Coded::profile(&header, name, encoder, options.trim),
            (None, None) => None,
            _ => return Err(Error::input("expected a profile column and its profiles, or neither")),
        };
        let value = match value {
            None => None,
            Some(value) => Some(
                Coded::value(&header, &columns.values, value, unknown, options.trim)
                    .ok_or_else(|| Error::input("no value column, expected at least one"))?,
            ),
        };
        let kept = columns.keep.iter().filter_map(|name| header.position(name)).collect();
        let kept_names = columns.keep.clone();
        Ok(CsvSource { records, fields: header.len(), profile, value, kept, kept_names, rows: 0 })
    }

    /// Whether there is a next record; it is then in `self.records` and has the right shape.
    #[inline]
    fn advance(&mut self) -> Result<bool> {
        let row = self.rows + 1;
        if !self.records.advance(row)? {
            return Ok(false);
        }
        let fields = self.records.record().len();
        if fields != self.fields {
            let line = self.records.line();
            let expected = self.fields;
            let found = format!("the number of fields is {fields}, expected {expected}");
            return Err(Error::input(format!("row {row}, line {line}: {found}")));
        }
        // The parser skips blank lines; but a blank line is how a missing value looks when there is one column.
        if fields == 1 && self.records.follows_a_blank_line() {
            let missing = || Error::input(format!("row {row}: empty, expected a value"));
            return Err(self.value.as_ref().map_or_else(missing, |value| value.blank(row)));
        }
        Ok(true)
    }
}

impl RecordSource for CsvSource {
    fn read_batch(&mut self, batch: &mut Batch) -> Result<bool> {
        batch.restart(self.rows, self.kept.len());
        while !batch.is_full() && self.advance()? {
            let (record, row) = (self.records.record(), self.rows + 1);
            if let Some(profile) = &mut self.profile {
                batch.profiles.push(profile.code(record, row)?);
            }
            batch.values.push(match &mut self.value {
                Some(value) => value.code(record, row)?,
                None => 0,
            });
            for &index in &self.kept {
                batch.keep(&record[index]);
            }
            self.rows = row;
        }
        Ok(!batch.is_empty())
    }

    fn schema(&self) -> RecordSchema {
        RecordSchema::text(&self.kept_names)
    }

    fn bytes_read(&self) -> u64 {
        self.records.raw_bytes()
    }
}

#[cfg(test)]
mod tests;
