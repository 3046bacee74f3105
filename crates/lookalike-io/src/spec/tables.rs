//! Public tables that a spec names: profiles and edges as CSV, Parquet or Arrow, row by row.
//!
//! A name may lead to another file than the one that was meant, and to private data. So no error shows what is in a table:
//! it names rows, and columns by the names that were expected.

use super::few;
use crate::records::{Checked, EndingFile, Format, Texts, check_file, decoded, rows_at_once};
use crate::text::is_like;
use crate::tree::is_of_its_kind;
use crate::{Error, LONGEST_TABLE, Result};
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType};
use csv::StringRecord;
use lookalike::exact::{Rational, parse_rational};
use lookalike::model::Names;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::collections::HashMap;
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
        place.ok_or_else(|| {
            let like = self.header.iter().position(|found| is_like(found, name));
            let hint = like.map_or(String::new(), |at| format!(" (column {} has a name like it)", at + 1));
            Error::input(format!("column {name:?} is missing among the {} of the header{hint}", self.header.len()))
        })
    }

    /// Refuses other columns: a misspelt one must not be silently without effect.
    pub(crate) fn only<'a>(&self, known: impl IntoIterator<Item = &'a str>) -> Result<()> {
        let known = Names::new("column", known)?;
        let is_known = |name: &str| known.place(name).is_some();
        let Some(place) = self.header.iter().position(|name| !is_known(name)) else {
            return Ok(());
        };
        let (name, all) = (self.header.name(place as u32), known.iter().collect::<Vec<_>>());
        let is_shown = is_of_its_kind(self.header.iter(), name, &is_known, &all);
        let name = if is_shown { format!("{name:?}") } else { (place + 1).to_string() };
        Err(Error::input(format!("column {name} is not known, expected {}", few(&known))))
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
                let mut left = LONGEST_TABLE;
                while let Some(records) = decoded(what, || batches.next().transpose())? {
                    each_row(&records, &mut left, &mut row)?;
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

/// What `read` makes of a table of the format that the name of the file ends in, CSV if it does not tell.
pub(crate) fn read<T>(path: &Path, read: impl FnOnce(Table) -> Result<T>) -> Result<T> {
    let table = match Format::of(path) {
        None | Some(Format::Csv) => csv_table(crate::read_text_up_to(path, LONGEST_TABLE)?),
        // What a key adds that the first line has not would be without effect: an epsilon, for example.
        Some(Format::JsonLines) => Err(Error::input("JSON lines are no table, expected CSV, Parquet or Arrow")),
        Some(format) => array_table(path, format),
    };
    table.and_then(read).map_err(|error| error.in_file(path))
}

fn csv_table(text: String) -> Result<Table> {
    let header = header(csv_reader(&text).headers().map_err(not_csv)?.iter())?;
    Ok(Table { header, rows: Rows::Text(text) })
}

/// The names of the columns, each once.
fn header<'a>(names: impl Iterator<Item = &'a str>) -> Result<Names> {
    let names: Vec<&str> = names.collect();
    let mut places = HashMap::new();
    for (place, name) in names.iter().enumerate() {
        if let Some(first) = places.insert(name, place) {
            let (first, second) = (first + 1, place + 1);
            return Err(Error::input(format!("columns {first} and {second} have the same name, expected each once")));
        }
    }
    Ok(Names::new("column", names)?)
}

/// The number in a field of this column.
pub(crate) fn number(text: &str, column: &str) -> Result<Rational> {
    any_number(text).map_err(|error| error.at(of(column)))
}

/// The number in a field of the column at this place, from 1.
pub(crate) fn number_at(text: &str, place: usize) -> Result<Rational> {
    any_number(text).map_err(|error| error.at(format_args!("column {place}")))
}

fn any_number(text: &str) -> Result<Rational> {
    parse_rational(text).map_err(|_| Error::input("not a number, expected a form like 0.25, 1e-3 or 1/3"))
}

/// The place of the name in a field of this column.
pub(crate) fn place(names: &Names, text: &str, column: &str) -> Result<u32> {
    let wrong = || Error::input(format!("not known, expected one of {}", few(names))).at(of(column));
    names.place(text).ok_or_else(wrong)
}

/// `column "a"`, for errors.
pub(crate) fn of(column: &str) -> String {
    format!("column {column:?}")
}

fn csv_reader(text: &str) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new().trim(csv::Trim::All).flexible(true).from_reader(text.as_bytes())
}

fn not_csv(_: csv::Error) -> Error {
    Error::input("not CSV")
}

fn array_table(path: &Path, format: Format) -> Result<Table> {
    let file = crate::open_input(path).map_err(|error| Error::system("cannot read", error))?;
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
        check(field.data_type()).map_err(|error| error.at(of(field.name())))?;
    }
    let header = header(schema.fields().iter().map(|field| field.name().as_str()))?;
    Ok(Table { header, rows: Rows::Arrays(batches, what) })
}

fn parquet_batches(file: File) -> std::result::Result<Box<dyn RecordBatchReader>, ArrowError> {
    let again = file.try_clone()?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(EndingFile(file))?;
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
