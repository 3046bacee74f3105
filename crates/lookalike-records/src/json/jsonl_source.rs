//! Records from JSON lines.

use std::{io::Read, sync::Arc};

use arrow_schema::{DataType, Field};

use super::jsonl_records::JsonRecords;
use crate::columns::{Batch, Coding, ColumnNames, Encoder, Header, Kind, NamesOf, RecordSchema, RecordSource, Token};
use lookalike_formats::records::{Columns, CsvOptions};
use lookalike_formats::{Error, Result};

/// Records of a file of JSON lines, an object a line, plain or compressed with gzip.
///
/// The columns are the keys of the first record. Texts, numbers and booleans are matched by what is written: the number `1` and
/// the text `"1"` are the category `1`, and `1.0` is another. Kept values are written again as they are.
///
/// # Complexity
/// One pass, in memory for one batch and one record whatever the size of the file.
pub struct JsonLinesSource {
    records: JsonRecords,
    profile: Option<Coded>,
    value: Option<Coded>,
    kept: Vec<(String, usize)>,
    value_type: DataType,
    /// Records read so far.
    rows: u64,
}

impl JsonLinesSource {
    /// A source of the records of `input`, of which the first is read at once; see [`CsvSource::open`](crate::CsvSource::open)
    /// for the encoders. Of the options only the longest record matters.
    ///
    /// # Errors
    /// When the input cannot be read, its first line is no JSON object, or a column is not among its keys.
    pub fn open(
        input: Box<dyn Read + Send>,
        options: &CsvOptions,
        columns: &Columns,
        profile: Option<Encoder>,
        value: Option<Encoder>,
        unknown: Option<u32>,
    ) -> Result<Self> {
        let records = JsonRecords::open(input, options.record_limit)?;
        if columns.profile.is_some() != profile.is_some() {
            return Err(Error::input("expected a profile column and its profiles, or neither"));
        }
        if value.is_some() && columns.values.is_empty() {
            return Err(Error::input("no value column, expected at least one"));
        }
        let header = Header::of(names_of(&records));
        if records.has_record() {
            header.check(columns)?;
        }
        // Without a record there are no columns, and nothing is looked up.
        let place = |name: &String| (name.clone(), header.position(name).unwrap_or_default());
        let profile = columns.profile.iter().zip(profile);
        let profile = profile.map(|(name, encoder)| Coded::new(vec![place(name)], Coding::profile(encoder))).next();
        let value = value.map(|encoder| {
            let columns = columns.values.iter().map(place).collect();
            Coded::new(columns, Coding::value(encoder, unknown))
        });
        let kept = columns.keep.iter().map(place).collect();
        let mut source = JsonLinesSource { records, profile, value, kept, value_type: DataType::Utf8, rows: 0 };
        source.look_at_kind();
        Ok(source)
    }

    /// The names of the columns of a file: the keys of its first record.
    pub(crate) fn names(input: Box<dyn Read + Send>, options: &CsvOptions) -> Result<ColumnNames> {
        JsonRecords::open(input, options.record_limit).map(|records| names_of(&records))
    }

    /// Released values are numbers, or booleans, if the values are. One record must not decide that for others that differ from it,
    /// or the output would tell of it: where it matters all values have to be of the kind of the first.
    fn look_at_kind(&mut self) {
        let Some(value) = self.value.as_mut().filter(|_| self.records.has_record()) else { return };
        let [(_, column)] = value.columns[..] else { return };
        let kind = self.records.value(column).map_or(Kind::Null, Token::kind);
        let encoder = &value.coding.encoder;
        let is_boolean = |text: &str| text == "true" || text == "false";
        let is_number = |text: &str| Token::read(text).is_some_and(|token| token.kind() == Kind::Number);
        let typed = match () {
            () if encoder.all(&is_boolean) => DataType::Boolean,
            () if encoder.all(&is_number) => DataType::Int64,
            () => return,
        };
        value.kind = Some(kind);
        if matches!((kind, &typed), (Kind::Number, DataType::Int64) | (Kind::Boolean, DataType::Boolean)) {
            self.value_type = typed;
        }
    }
}

fn names_of(records: &JsonRecords) -> ColumnNames {
    ColumnNames { names: records.names().to_vec(), are: NamesOf::Keys }
}

impl RecordSource for JsonLinesSource {
    fn read_batch(&mut self, batch: &mut Batch) -> Result<bool> {
        batch.restart(self.rows, self.kept.len());
        batch.keep_json(true);
        while !batch.is_full() && self.records.advance(self.rows + 1)? {
            let row = self.rows + 1;
            if let Some(profile) = &mut self.profile {
                batch.profiles.push(profile.code(&self.records, row)?);
            }
            batch.values.push(match &mut self.value {
                Some(value) => value.code(&self.records, row)?,
                None => 0,
            });
            for (name, column) in &self.kept {
                let value = self.records.value(*column).unwrap_or(Token::known("null"));
                if value.kind() == Kind::Nested {
                    return Err(nested(row, name));
                }
                value.text().ok_or_else(|| half_a_character(row, name))?;
                batch.keep(value.raw().as_bytes());
            }
            self.rows = row;
        }
        Ok(!batch.is_empty())
    }

    fn schema(&self) -> RecordSchema {
        let kept = self.kept.iter().map(|(name, _)| Arc::new(Field::new(name, DataType::Utf8, true))).collect();
        RecordSchema { value: self.value_type.clone(), kept, compression: None, one_dictionary: true }
    }

    fn bytes_read(&self) -> u64 {
        self.records.raw_bytes()
    }
}

/// A column that is read as codes, or several as one joint code.
struct Coded {
    /// Names with their places among the keys.
    columns: Vec<(String, usize)>,
    coding: Coding,
    /// The kind that all values must have.
    kind: Option<Kind>,
    joint: String,
}

impl Coded {
    fn new(columns: Vec<(String, usize)>, coding: Coding) -> Self {
        Coded { columns, coding, kind: None, joint: String::new() }
    }

    /// The code in the record at `row`, counted from 1.
    #[inline]
    fn code(&mut self, records: &JsonRecords, row: u64) -> Result<u32> {
        let Coded { columns, coding, kind, joint } = self;
        let code = if let [(name, column)] = &columns[..] {
            let token = present(records.value(*column), coding, row, name)?;
            if kind.is_some_and(|kind| kind != token.kind()) {
                return Err(another_kind(row, name));
            }
            let text = token.text().ok_or_else(|| half_a_character(row, name))?;
            match coding.encoder.encode(&text) {
                None if text.is_empty() => return Err(coding.missing(row, name, "empty")),
                code => code,
            }
        } else {
            joint.clear();
            for (name, column) in columns.iter() {
                let token = present(records.value(*column), coding, row, name)?;
                let text = token.text().ok_or_else(|| half_a_character(row, name))?;
                if text.is_empty() {
                    return Err(coding.missing(row, name, "empty"));
                }
                joint.push_str(&text);
                joint.push('|');
            }
            joint.pop();
            coding.encoder.encode(joint)
        };
        code.map_or_else(|| self.uncoded(row), Ok)
    }

    #[cold]
    fn uncoded(&self, row: u64) -> Result<u32> {
        let names: Vec<_> = self.columns.iter().map(|(name, _)| name.as_str()).collect();
        self.coding.unknown_or_error(row, &names)
    }
}

/// The value, which no category stands for where there is none.
#[inline]
fn present<'a>(value: Option<Token<'a>>, coding: &Coding, row: u64, name: &str) -> Result<Token<'a>> {
    match value {
        None => Err(coding.missing(row, name, "missing")),
        Some(token) => match token.kind() {
            Kind::Null => Err(coding.missing(row, name, "null")),
            Kind::Nested => Err(nested(row, name)),
            _ => Ok(token),
        },
    }
}

#[cold]
fn nested(row: u64, name: &str) -> Error {
    Error::input(format!("row {row}, column {name:?}: a list or an object, expected text, a number or a boolean"))
}

#[cold]
fn another_kind(row: u64, name: &str) -> Error {
    let found = "of another kind than in row 1, expected only texts, only numbers or only booleans";
    Error::input(format!("row {row}, column {name:?}: {found}"))
}

#[cold]
fn half_a_character(row: u64, name: &str) -> Error {
    Error::input(format!("row {row}, column {name:?}: half of a character, expected text"))
}

#[cfg(test)]
#[path = "jsonl_source_tests.rs"]
mod tests;
