//! Columns that are chosen once the names of a file are known.

use std::{
    io::{self, BufReader, Cursor, Read},
    sync::{Arc, Mutex, PoisonError},
};

use arrow_ipc::reader::{FileReaderBuilder, StreamReader};
use arrow_schema::Schema;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};

use super::origin::Origin;
use super::sources::Input;
use crate::arrow::{ArrowFileSource, ArrowStreamSource, Checked, check_file, decoded};
use crate::columns::{ColumnNames, Header, NamesOf, RecordSource};
use crate::csv::{CsvSource, Records, empty};
use crate::files::WholeInput;
use crate::json::JsonLinesSource;
use crate::parquet::{EndingInput, ParquetSource};
use lookalike_formats::records::{Columns, CsvOptions, Format};
use lookalike_formats::{Error, Result};

/// A source as [`open_columns`](super::sources::open_columns) opens it, whose first kept columns are those that `choose` takes from
/// the names that the file has; those of `input` follow. A pipe is read once all the same.
///
/// # Errors
/// Those of `choose` and of [`open_columns`](super::sources::open_columns).
pub fn open_chosen(
    input: &Input<'_>,
    choose: &mut dyn FnMut(&ColumnNames) -> Result<Vec<String>>,
) -> Result<Box<dyn RecordSource>> {
    choose_columns(input.origin(), input.columns, choose)
}

/// The same of records anywhere.
pub(crate) fn choose_columns(
    origin: Origin<'_>,
    wanted: &Columns,
    choose: &mut dyn FnMut(&ColumnNames) -> Result<Vec<String>>,
) -> Result<Box<dyn RecordSource>> {
    let csv = origin.csv;
    let mut columns = |found: ColumnNames| -> Result<Columns> {
        let keep = choose(&found)?.into_iter().chain(wanted.keep.iter().cloned()).collect();
        Ok(Columns { keep, ..wanted.clone() })
    };
    let again = |input: &WholeInput| input.try_clone().map_err(|error| Error::system("cannot read", error));
    match origin.format {
        Format::Csv => {
            let (found, again) = header(origin.stream()?, csv)?;
            Ok(Box::new(CsvSource::open(again, csv, &columns(found)?, None, None, None)?))
        }
        Format::JsonLines => {
            let names = |first: Lent| JsonLinesSource::names(Box::new(first), csv);
            let (found, again) = look(origin.stream()?, names)?;
            Ok(Box::new(JsonLinesSource::open(again, csv, &columns(found)?, None, None, None)?))
        }
        Format::Parquet => {
            let input = origin.whole()?;
            let first = EndingInput(again(&input)?);
            let metadata = decoded("Parquet", || ArrowReaderMetadata::load(&first, ArrowReaderOptions::new()))?;
            let columns = columns(of_schema(metadata.schema()))?;
            Ok(Box::new(ParquetSource::open(input, &columns, None, None, None)?))
        }
        Format::Arrow => {
            let mut input = origin.whole()?;
            decoded("an Arrow file", || check_file(&mut input))?;
            let first = BufReader::new(again(&input)?);
            let reader = decoded("an Arrow file", || FileReaderBuilder::new().build(first))?;
            let columns = columns(of_schema(&reader.schema()))?;
            Ok(Box::new(ArrowFileSource::open(input, &columns, None, None, None)?))
        }
        Format::ArrowStream => {
            let schema = |first: Lent| {
                let reader = decoded("an Arrow stream", || StreamReader::try_new(Checked::new(first), None))?;
                Ok(of_schema(&reader.schema()))
            };
            let (found, again) = look(origin.stream()?, schema)?;
            Ok(Box::new(ArrowStreamSource::open(again, &columns(found)?, None, None, None)?))
        }
    }
}

fn of_schema(schema: &Schema) -> ColumnNames {
    let names = schema.fields().iter().map(|field| field.name().clone()).collect();
    ColumnNames { names, are: NamesOf::Schema }
}

/// The names of a CSV file, and the file from its beginning.
fn header(input: Box<dyn Read + Send>, options: &CsvOptions) -> Result<(ColumnNames, Box<dyn Read + Send>)> {
    if let Some(names) = &options.columns {
        return Ok((ColumnNames { names: names.clone(), are: NamesOf::Schema }, input));
    }
    look(input, |first| {
        let mut records = Records::open(Box::new(first), options)?;
        if !records.advance(0)? {
            return Err(empty());
        }
        Ok(Header::read(records.record(), options.trim).into_names())
    })
}

/// What a reader makes of the beginning of an input, and the input from its beginning again.
fn look<T>(input: Box<dyn Read + Send>, read: impl FnOnce(Lent) -> Result<T>) -> Result<(T, Box<dyn Read + Send>)> {
    let lent = Arc::new(Mutex::new(Begun { input, seen: Vec::new() }));
    let found = read(Lent(lent.clone()))?;
    let Begun { input, seen } = Arc::into_inner(lent)
        .expect("the reader has given back what it was lent")
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    Ok((found, Box::new(Cursor::new(seen).chain(input))))
}

/// An input, and what was read of it.
struct Begun {
    input: Box<dyn Read + Send>,
    seen: Vec<u8>,
}

/// An input in the hands of a reader that ends before it.
struct Lent(Arc<Mutex<Begun>>);

impl Read for Lent {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut begun = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = begun.input.read(buffer)?;
        begun.seen.extend_from_slice(&buffer[..count]);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;

    #[test]
    fn a_header_is_looked_at_and_the_whole_file_is_read_after() {
        let text = format!("\u{feff}lat, lon\n{}", "1,2\n".repeat(50_000));
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(text.as_bytes()).unwrap();
        for bytes in [text.clone().into_bytes(), gzip.finish().unwrap()] {
            let options = CsvOptions { trim: true, ..CsvOptions::default() };
            let (found, mut again) = header(Box::new(Cursor::new(bytes.clone())), &options).unwrap();
            assert_eq!(found, ColumnNames { names: vec!["lat".into(), "lon".into()], are: NamesOf::Record });
            let mut whole = Vec::new();
            again.read_to_end(&mut whole).unwrap();
            assert!(whole == bytes, "not a byte is lost");
        }
        let error = header(Box::new(io::empty()), &CsvOptions::default()).err().unwrap();
        assert_eq!(error.to_string(), empty().to_string());
        let given = CsvOptions { columns: Some(vec!["a".into()]), ..CsvOptions::default() };
        let (found, _) = header(Box::new(io::empty()), &given).unwrap();
        assert_eq!(found, ColumnNames { names: vec!["a".into()], are: NamesOf::Schema });
    }
}
