//! Sources and sinks by format.

use std::{io::Write, path::Path};

use super::chosen::choose_columns;
use super::origin::{Origin, Place};
use crate::arrow::{ArrowSink, MemoryColumn};
use crate::columns::{ColumnNames, Encoder, NameRecords, RecordSchema, RecordSink, RecordSource};
use crate::csv::{CsvSink, escape_formula, unescaped};
use crate::json::JsonLinesSink;
use crate::parquet::ParquetSink;
use bytes::Bytes;
use lookalike::Sentence;
use lookalike_formats::records::{Columns, Compression, CsvOptions, Format};
use lookalike_formats::{Error, Result};

/// Where records come from, and how they are written there.
#[derive(Debug, Clone)]
pub struct Input<'a> {
    /// The file; `-` is standard input.
    pub path: &'a Path,
    /// Its format.
    pub format: Format,
    /// How CSV is to be read, and how long a record of JSON lines may be.
    pub csv: &'a CsvOptions,
    /// The wanted columns.
    pub columns: &'a Columns,
    /// What gives the records their names, where they are to be charged to a ledger.
    pub charging: Option<&'a dyn NameRecords>,
}

/// A file of records, and how they are written there.
#[derive(Debug, Clone, Copy)]
pub struct RecordFile<'a> {
    /// The file; `-` is standard input.
    pub path: &'a Path,
    /// Its format.
    pub format: Format,
    /// How CSV is to be read, and how long a record of JSON lines may be.
    pub csv: &'a CsvOptions,
}

impl<'a> RecordFile<'a> {
    /// Some of its columns.
    pub fn input<'b>(&self, columns: &'b Columns) -> Input<'b>
    where
        'a: 'b,
    {
        Input { path: self.path, format: self.format, csv: self.csv, columns, charging: None }
    }
}

impl Input<'_> {
    pub(crate) fn origin(&self) -> Origin<'_> {
        Origin { place: Place::File(self.path), format: self.format, csv: self.csv }
    }
}

/// Records in memory as a file has them, and how they are written there.
///
/// # Example
/// ```
/// use lookalike_formats::records::{Columns, CsvOptions, Format};
/// use lookalike_records::{Batch, RecordBytes};
/// # fn main() -> lookalike_formats::Result<()> {
/// let csv = CsvOptions::default();
/// let records = RecordBytes { bytes: "load,day\nbusy,mon\n".into(), format: Format::Csv, csv: &csv };
/// let columns = Columns { keep: vec!["day".into()], ..Columns::default() };
/// let (mut source, mut batch) = (records.open_columns(&columns, None)?, Batch::default());
/// assert!(source.read_batch(&mut batch)? && batch.len() == 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct RecordBytes<'a> {
    /// The bytes.
    pub bytes: Bytes,
    /// Their format.
    pub format: Format,
    /// How CSV is to be read, and how long a record of JSON lines may be.
    pub csv: &'a CsvOptions,
}

impl RecordBytes<'_> {
    /// What [`open_source`] opens of a file.
    ///
    /// # Errors
    /// Those of [`open_source`], but for the file.
    pub fn open_source(
        &self,
        columns: &Columns,
        profile: Option<Encoder>,
        value: Encoder,
        unknown: Option<u32>,
    ) -> Result<Box<dyn RecordSource>> {
        self.origin().open(columns, profile, Some(value), unknown)
    }

    /// What [`open_columns`] opens of a file.
    ///
    /// # Errors
    /// Those of [`RecordBytes::open_source`].
    pub fn open_columns(&self, columns: &Columns, profile: Option<Encoder>) -> Result<Box<dyn RecordSource>> {
        self.origin().open(columns, profile, None, None)
    }

    /// What [`open_chosen`](super::chosen::open_chosen) opens of a file.
    ///
    /// # Errors
    /// Those of `choose` and of [`RecordBytes::open_columns`].
    pub fn open_chosen(
        &self,
        columns: &Columns,
        choose: &mut dyn FnMut(&ColumnNames) -> Result<Vec<String>>,
    ) -> Result<Box<dyn RecordSource>> {
        choose_columns(self.origin(), columns, choose)
    }

    fn origin(&self) -> Origin<'_> {
        Origin { place: Place::Memory(&self.bytes), format: self.format, csv: self.csv }
    }
}

/// Where records are.
pub enum Records<'a> {
    /// In a file, or on standard input.
    File(RecordFile<'a>),
    /// In memory, as a file would have them.
    Bytes(RecordBytes<'a>),
    /// In columns with these names. Those that name records for a ledger are among them.
    Memory(Vec<(&'a str, Box<dyn MemoryColumn + 'a>)>),
}

/// A source of the records of a file; see [`CsvSource::open`](crate::csv::CsvSource::open) for the encoders.
///
/// # Errors
/// A file that cannot be opened or is not of the format, or whose columns are not those that are wanted. The errors do
/// not name the file.
pub fn open_source(
    input: &Input<'_>,
    profile: Option<Encoder>,
    value: Encoder,
    unknown: Option<u32>,
) -> Result<Box<dyn RecordSource>> {
    open(input, profile, Some(value), unknown)
}

/// A source of records whose columns are only passed on, perhaps with a profile: no column is a value, and all codes are 0.
///
/// # Errors
/// As [`open_source`].
pub fn open_columns(input: &Input<'_>, profile: Option<Encoder>) -> Result<Box<dyn RecordSource>> {
    open(input, profile, None, None)
}

fn open(
    input: &Input<'_>,
    profile: Option<Encoder>,
    value: Option<Encoder>,
    unknown: Option<u32>,
) -> Result<Box<dyn RecordSource>> {
    let Some(ids) = input.charging else {
        return input.origin().open(input.columns, profile, value, unknown);
    };
    let keep = &input.columns.keep;
    let columns = Columns { keep: ids.beside(keep), ..input.columns.clone() };
    let source = input.origin().open(&columns, profile, value, unknown)?;
    Ok(ids.named(source, keep.len(), input.csv.trim))
}

/// How privatized records are written.
#[derive(Debug, Clone)]
pub struct Output<'a> {
    /// The format.
    pub format: Format,
    /// The name of the privatized column.
    pub name: String,
    /// Whether CSV begins with a header.
    pub header: bool,
    /// The delimiter of CSV.
    pub delimiter: u8,
    /// Whether texts in CSV that a spreadsheet would take for a formula get an apostrophe in front.
    pub escape_formulas: bool,
    /// The compression; by default none for CSV, JSON lines and Arrow, and that of the input for Parquet.
    pub compression: Option<Compression>,
    /// The label of each code; none where the released column is the first of those of the schema.
    pub labels: &'a [String],
    /// What the source says of its columns.
    pub schema: &'a RecordSchema,
}

/// A sink of privatized records that writes to `writer`.
///
/// # Errors
/// When the writer refuses, for a compression that the format has not, for formulas to escape in another format than CSV, and
/// for labels of which one is another escaped: nobody could tell them apart.
pub fn create_sink<'a>(writer: Box<dyn Write + Send + 'a>, output: &Output<'_>) -> Result<Box<dyn RecordSink + 'a>> {
    let Output { name, labels, schema, compression, .. } = output;
    if output.escape_formulas && output.format != Format::Csv {
        return Err(Error::input(format!("formulas are escaped in CSV only, and the output is {}", output.format)));
    }
    match output.format {
        Format::Csv => {
            let gzip = is_gzip(*compression, "CSV has")?;
            let kept = schema.kept.iter().map(|field| field.name());
            let label = (!labels.is_empty()).then_some(name);
            let written = |name: &String| match output.escape_formulas {
                true => escape_formula(name).into_owned(),
                false => name.clone(),
            };
            let header = output.header.then(|| label.into_iter().chain(kept).map(written).collect());
            if output.escape_formulas {
                check_labels(labels)?;
            }
            let labels = labels.iter().map(written).collect();
            let sink = CsvSink::new(writer, header, output.delimiter, labels, gzip)?;
            Ok(Box::new(if output.escape_formulas { sink.escaping_formulas() } else { sink }))
        }
        Format::JsonLines => {
            let gzip = is_gzip(*compression, "JSON lines have")?;
            Ok(Box::new(JsonLinesSink::new(writer, name, labels, schema, gzip)?))
        }
        Format::Parquet => Ok(Box::new(ParquetSink::new(writer, name, labels, schema, *compression)?)),
        Format::Arrow => Ok(Box::new(ArrowSink::new(writer, false, name, labels, schema, *compression)?)),
        Format::ArrowStream => Ok(Box::new(ArrowSink::new(writer, true, name, labels, schema, *compression)?)),
    }
}

/// Whether text is compressed, with the only compression that it can have.
fn is_gzip(compression: Option<Compression>, what: &str) -> Result<bool> {
    match compression {
        None | Some(Compression::None) => Ok(false),
        Some(Compression::Gzip) => Ok(true),
        Some(other) => Err(Error::input(format!("{what} no {other} compression, expected none or gzip"))),
    }
}

/// Refuses a label beside its escaped form.
pub(crate) fn check_labels(labels: &[String]) -> Result<()> {
    let twin = labels.iter().find(|label| unescaped(label).is_some_and(|plain| labels.iter().any(|one| one == plain)));
    match twin {
        None => Ok(()),
        Some(label) => {
            let found = format!("labels {:?} and {label:?} could not be told apart with ", &label[1..]);
            let found = Sentence::from(found).option("escape-formulas");
            Err(Error::input(found.text(", which writes the first as the second")))
        }
    }
}
