//! Public tables that a spec names: profiles and edges as CSV, Parquet or Arrow, row by row.
//!
//! A name may lead to another file than the one that was meant, and to private data. So no error shows what is in a table:
//! it names rows, and columns by the names that were expected.

use crate::arrow::{Checked, Texts, check_file, decoded};
use crate::files::WholeInput;
use crate::parquet::{EndingInput, rows_at_once};
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType};
use csv::StringRecord;
use lookalike_formats::records::Format;
use lookalike_formats::table::of;
use lookalike_formats::{Beside, Error, LONGEST_TABLE, Result, Rows, Table};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::io::BufReader;
use std::path::Path;

/// The folder of a spec, whose tables are files there.
#[derive(Debug, Clone, Copy)]
pub struct Folder<'a>(pub &'a Path);

impl Beside for Folder<'_> {
    fn table(&self, name: &str) -> Result<Table> {
        open(&self.0.join(name))
    }

    fn place(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

/// What `read` makes of a table of the format that the name of the file ends in, CSV if it does not tell.
///
/// # Errors
/// A table that cannot be read, and those of `read`; they name the file.
pub fn read<T>(path: &Path, read: impl FnOnce(Table) -> Result<T>) -> Result<T> {
    open(path).and_then(read).map_err(|error| error.in_file(path))
}

fn open(path: &Path) -> Result<Table> {
    match Format::of(path) {
        None | Some(Format::Csv) => Table::from_csv(crate::files::text_in(path, LONGEST_TABLE)?),
        // What a key adds that the first line has not would be without effect: an epsilon, for example.
        Some(Format::JsonLines) => Err(Error::input("JSON lines are no table, expected CSV, Parquet or Arrow")),
        Some(format) => array_table(path, format),
    }
}

/// The rows of arrays, and what they are called in errors.
struct Arrays(Box<dyn RecordBatchReader>, &'static str);

impl Rows for Arrays {
    fn each(self: Box<Self>, row: &mut dyn FnMut(&StringRecord) -> Result<()>) -> Result<()> {
        let Arrays(mut batches, what) = *self;
        let mut left = LONGEST_TABLE;
        while let Some(records) = decoded(what, || batches.next().transpose())? {
            each_row(&records, &mut left, row)?;
        }
        Ok(())
    }
}

/// Rows of arrays as text: floats in their shortest decimal form, null as an empty field. As a table in CSV, which has a
/// limit, they may have so many bytes: a small file can stand for many rows.
fn each_row(records: &RecordBatch, left: &mut u64, row: &mut dyn FnMut(&StringRecord) -> Result<()>) -> Result<()> {
    let columns: Vec<Texts<'_>> = records.columns().iter().map(Texts::of).collect();
    let (mut record, mut text) = (StringRecord::new(), String::new());
    for at in 0..records.num_rows() {
        record.clear();
        for column in &columns {
            text.clear();
            column.append(at, &mut text);
            record.push_field(text.trim());
        }
        let length = (record.as_slice().len() + record.len()) as u64;
        *left = left.checked_sub(length).ok_or_else(|| {
            Error::input(format!("rows of more than {} MiB, expected at most that", LONGEST_TABLE >> 20))
        })?;
        row(&record)?;
    }
    Ok(())
}

fn array_table(path: &Path, format: Format) -> Result<Table> {
    let file = crate::files::open_input(path).map_err(|error| Error::system("cannot read", error))?;
    let (what, open): (_, fn(WholeInput) -> _) = match format {
        Format::Parquet => ("Parquet", parquet_batches),
        Format::ArrowStream => ("an Arrow stream", |file| StreamReader::try_new(Checked::new(file), None).map(boxed)),
        _ => ("an Arrow file", |mut file| {
            check_file(&mut file)?;
            FileReader::try_new(BufReader::new(file), None).map(boxed)
        }),
    };
    let batches = decoded(what, || open(file.into()))?;
    let schema = batches.schema();
    for field in schema.fields() {
        check(field.data_type()).map_err(|error| error.at(of(field.name())))?;
    }
    Table::new(schema.fields().iter().map(|field| field.name().as_str()), Box::new(Arrays(batches, what)))
}

fn parquet_batches(input: WholeInput) -> std::result::Result<Box<dyn RecordBatchReader>, ArrowError> {
    let again = input.try_clone()?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(EndingInput(input))?;
    let leaves: Vec<usize> = (0..builder.parquet_schema().num_columns()).collect();
    let groups = builder.metadata().row_groups().iter();
    let most = groups.map(|group| rows_at_once(&again, group, &leaves)).min_by_key(|rows| *rows.as_ref().unwrap_or(&0));
    let most = most.transpose().map_err(|error| ArrowError::ExternalError(Box::new(error)))?;
    Ok(boxed(builder.with_batch_size(most.unwrap_or(1).min(1 << 14)).build()?))
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

#[cfg(test)]
#[path = "tables_tests.rs"]
mod tests;
