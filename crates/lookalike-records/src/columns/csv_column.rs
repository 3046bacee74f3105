//! From the fields of a CSV record to a code.

use csv::ByteRecord;

use super::coding::Coding;
use super::column_names::{ColumnNames, NamesOf};
use super::encode::Encoder;
use lookalike_formats::records::Columns;
use lookalike_formats::{Error, Result};

/// The names of all columns of a file, from its header or given.
pub(crate) struct Header(ColumnNames);

impl Header {
    pub fn given(names: &[String]) -> Self {
        Header(ColumnNames { names: names.to_vec(), are: NamesOf::Schema })
    }

    pub fn of(names: ColumnNames) -> Self {
        Header(names)
    }

    pub fn read(record: &ByteRecord, trim: bool) -> Self {
        let names = record.iter().map(|name| String::from_utf8_lossy(trimmed(name, trim)).into_owned());
        Header(ColumnNames { names: names.collect(), are: NamesOf::Record })
    }

    pub fn len(&self) -> usize {
        self.0.names.len()
    }

    pub fn into_names(self) -> ColumnNames {
        self.0
    }

    /// Fails unless every wanted column is there once.
    pub fn check(&self, columns: &Columns) -> Result<()> {
        for wanted in columns.wanted() {
            match self.0.names.iter().filter(|&name| name == wanted).count() {
                1 => {}
                0 => return Err(self.0.missing(wanted)),
                _ => return Err(Error::input(format!("column {wanted:?}: occurs more than once, expected once"))),
            }
        }
        Ok(())
    }

    /// The position of a column that is there.
    pub fn position(&self, wanted: &str) -> Option<usize> {
        self.0.names.iter().position(|name| name == wanted)
    }
}

/// A column that is read as codes, or several as one joint code.
pub(crate) struct Coded {
    /// Names with their positions in a record.
    columns: Vec<(String, usize)>,
    coding: Coding,
    trim: bool,
    joint: Vec<u8>,
}

impl Coded {
    pub fn profile(header: &Header, name: &str, encoder: Encoder, trim: bool) -> Option<Self> {
        let columns = vec![(name.to_owned(), header.position(name)?)];
        Some(Coded { columns, coding: Coding::profile(encoder), trim, joint: Vec::new() })
    }

    pub fn value(
        header: &Header,
        names: &[String],
        encoder: Encoder,
        unknown: Option<u32>,
        trim: bool,
    ) -> Option<Self> {
        let columns: Option<Vec<_>> = names.iter().map(|name| Some((name.clone(), header.position(name)?))).collect();
        let columns = columns.filter(|columns| !columns.is_empty())?;
        Some(Coded { columns, coding: Coding::value(encoder, unknown), trim, joint: Vec::new() })
    }

    /// The code in the record at `row`, counted from 1.
    #[inline]
    pub fn code(&mut self, record: &ByteRecord, row: u64) -> Result<u32> {
        let bytes = match &self.columns[..] {
            [(_, index)] => trimmed(&record[*index], self.trim),
            columns => {
                self.joint.clear();
                for (_, index) in columns {
                    self.joint.extend_from_slice(trimmed(&record[*index], self.trim));
                    self.joint.push(b'|');
                }
                &self.joint[..self.joint.len() - 1]
            }
        };
        match std::str::from_utf8(bytes).ok().and_then(|text| self.coding.encoder.encode(text)) {
            Some(code) => Ok(code),
            None => self.uncoded(record, row),
        }
    }

    /// What becomes of a record without a code. An empty field is missing data, which no category stands for.
    #[cold]
    fn uncoded(&self, record: &ByteRecord, row: u64) -> Result<u32> {
        for (name, index) in &self.columns {
            let field = trimmed(&record[*index], self.trim);
            if field.is_empty() {
                return Err(self.coding.missing(row, name, "empty"));
            }
            if std::str::from_utf8(field).is_err() {
                return Err(Error::input(format!("row {row}, column {name:?}: not UTF-8 text")));
            }
        }
        let names: Vec<_> = self.columns.iter().map(|(name, _)| name.as_str()).collect();
        self.coding.unknown_or_error(row, &names)
    }

    /// The error for a row whose only field is missing altogether.
    pub fn blank(&self, row: u64) -> Error {
        self.coding.missing(row, &self.columns[0].0, "empty")
    }
}

#[inline]
fn trimmed(field: &[u8], trim: bool) -> &[u8] {
    if trim { field.trim_ascii() } else { field }
}
