//! Public tables that a spec names: profiles and edges as CSV, Parquet or Arrow, row by row.

use super::few;
use crate::records::{Checked, Format, Texts, check_file, decoded};
use crate::{Error, Result};
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType};
use csv::StringRecord;
use lookalike::model::Names;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// A table with a header, whose rows are to come.
pub(crate) struct Table {
    header: Names,
    rows: Rows,
}

enum Rows {
    Text(String),
    Arrays(Box<dyn RecordBatchReader>, &'static str),
}

impl Table {
    /// The names of the columns.
    pub(crate) fn header(&self) -> &Names {
        &self.header
    }

    /// The place of a column.
    pub(crate) fn column(&self, name: &str) -> Result<usize> {
        let place = self.header.place(name).map(|place| place as usize);
        place.ok_or_else(|| Error::input(format!("column {name:?} is missing, found {}", few(&self.header))))
    }

    /// Refuses other columns: a misspelt one must not be silently without effect.
    pub(crate) fn only<'a>(&self, known: impl IntoIterator<Item = &'a str>) -> Result<()> {
        let known = Names::new("column", known)?;
        match self.header.iter().find(|name| known.place(name).is_none()) {
            None => Ok(()),
            Some(name) => Err(Error::input(format!("column {name:?} is not known, expected {}", few(&known)))),
        }
    }

    /// Hands on the rows, one at a time in the same place; errors say which, counted from 1 below the header.
    pub(crate) fn each(self, mut read: impl FnMut(&StringRecord) -> Result<()>) -> Result<()> {
        let expected = self.header.len();
        let mut count = 0u64;
        let mut row = |row: &StringRecord| {
            count += 1;
            let checked = match row.len() {
                found if found != expected => {
                    Err(Error::input(format!("{found} fields, expected {expected} as in the header")))
                }
                _ => read(row),
            };
            checked.map_err(|error| error.at(format!("row {count}")))
        };
        match self.rows {
            Rows::Text(text) => each_record(&text, &mut row),
            Rows::Arrays(mut batches, what) => {
                while let Some(records) = decoded(what, || batches.next().transpose())? {
                    each_row(&records, &mut row)?;
                }
                Ok(())
            }
        }
    }
}

fn each_record(text: &str, row: &mut dyn FnMut(&StringRecord) -> Result<()>) -> Result<()> {
    let (mut reader, mut record) = (csv_reader(text), StringRecord::new());
    while reader.read_record(&mut record).map_err(not_csv)? {
        row(&record)?;
    }
    Ok(())
}

/// Rows of arrays as text: floats in their shortest decimal form, null as an empty field.
fn each_row(records: &RecordBatch, row: &mut dyn FnMut(&StringRecord) -> Result<()>) -> Result<()> {
    let columns: Vec<Texts<'_>> = records.columns().iter().map(Texts::of).collect();
    let (mut record, mut text) = (StringRecord::new(), String::new());
    for at in 0..records.num_rows() {
        record.clear();
        for column in &columns {
            text.clear();
            column.append(at, &mut text);
            record.push_field(text.trim());
        }
        row(&record)?;
    }
    Ok(())
}

/// What `read` makes of a table of the format that the name of the file ends in, CSV if it does not tell.
pub(crate) fn read<T>(path: &Path, read: impl FnOnce(Table) -> Result<T>) -> Result<T> {
    let table = match Format::of(path) {
        None | Some(Format::Csv) => csv_table(crate::read_text(path)?),
        Some(format) => array_table(path, format),
    };
    table.and_then(read).map_err(|error| error.in_file(path))
}

fn csv_table(text: String) -> Result<Table> {
    let header = Names::new("column", csv_reader(&text).headers().map_err(not_csv)?)?;
    Ok(Table { header, rows: Rows::Text(text) })
}

fn csv_reader(text: &str) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new().trim(csv::Trim::All).flexible(true).from_reader(text.as_bytes())
}

fn not_csv(error: csv::Error) -> Error {
    Error::input(error.to_string())
}

fn array_table(path: &Path, format: Format) -> Result<Table> {
    let file = File::open(path).map_err(|error| Error::system("cannot read", error))?;
    let (what, open): (_, fn(File) -> _) = match format {
        Format::Parquet => ("Parquet", parquet_batches),
        Format::ArrowStream => ("an Arrow stream", |file| StreamReader::try_new(Checked::new(file), None).map(boxed)),
        _ => ("an Arrow file", |mut file| {
            check_file(&mut file)?;
            FileReader::try_new(BufReader::new(file), None).map(boxed)
        }),
    };
    let batches = decoded(what, || open(file))?;
    let schema = batches.schema();
    for field in schema.fields() {
        check(field.data_type()).map_err(|error| error.at(format!("column {:?}", field.name())))?;
    }
    let header = Names::new("column", schema.fields().iter().map(|field| field.name()))?;
    Ok(Table { header, rows: Rows::Arrays(batches, what) })
}

fn parquet_batches(file: File) -> std::result::Result<Box<dyn RecordBatchReader>, ArrowError> {
    Ok(boxed(ParquetRecordBatchReaderBuilder::try_new(file)?.with_batch_size(1 << 14).build()?))
}

fn boxed(reader: impl RecordBatchReader + 'static) -> Box<dyn RecordBatchReader> {
    Box::new(reader)
}

/// Names and numbers have texts; the other types have none that a spec could mean.
fn check(data_type: &DataType) -> Result<()> {
    match data_type {
        DataType::Dictionary(_, value) => check(value),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => Ok(()),
        DataType::Float32 | DataType::Float64 => Ok(()),
        DataType::Decimal32(..) | DataType::Decimal64(..) | DataType::Decimal128(..) | DataType::Decimal256(..) => {
            Ok(())
        }
        number if number.is_integer() => Ok(()),
        _ => Err(Error::input("found another type, expected text or numbers")),
    }
}
