//! Where records come from: a file, standard input or bytes in memory.

use crate::arrow::{ArrowFileSource, ArrowStreamSource};
use crate::columns::{Encoder, RecordSource};
use crate::csv::CsvSource;
use crate::files::{WholeInput, open_input, open_stream};
use crate::json::JsonLinesSource;
use crate::parquet::ParquetSource;
use bytes::{Buf, Bytes};
use lookalike::Sentence;
use lookalike_formats::records::{Columns, CsvOptions, Format};
use lookalike_formats::{Error, Result};
use std::io::Read;
use std::path::Path;

/// Records as they were written, and how.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Origin<'a> {
    pub place: Place<'a>,
    pub format: Format,
    pub csv: &'a CsvOptions,
}

/// Where the bytes are.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place<'a> {
    /// In a file; `-` is standard input.
    File(&'a Path),
    Memory(&'a Bytes),
}

impl Origin<'_> {
    /// A source of some of the columns.
    pub fn open(
        &self,
        columns: &Columns,
        profile: Option<Encoder>,
        value: Option<Encoder>,
        unknown: Option<u32>,
    ) -> Result<Box<dyn RecordSource>> {
        match self.format {
            Format::Csv => Ok(Box::new(CsvSource::open(self.stream()?, self.csv, columns, profile, value, unknown)?)),
            Format::JsonLines => {
                Ok(Box::new(JsonLinesSource::open(self.stream()?, self.csv, columns, profile, value, unknown)?))
            }
            Format::Parquet => Ok(Box::new(ParquetSource::open(self.whole()?, columns, profile, value, unknown)?)),
            Format::Arrow => Ok(Box::new(ArrowFileSource::open(self.whole()?, columns, profile, value, unknown)?)),
            Format::ArrowStream => {
                Ok(Box::new(ArrowStreamSource::open(self.stream()?, columns, profile, value, unknown)?))
            }
        }
    }

    /// The bytes, once from their beginning.
    pub fn stream(&self) -> Result<Box<dyn Read + Send>> {
        match self.place {
            Place::File(path) => open_stream(path).map_err(|error| Error::system("cannot read", error)),
            Place::Memory(bytes) => Ok(Box::new(bytes.clone().reader())),
        }
    }

    /// The bytes, to be read from their end, which those of a pipe cannot be.
    pub fn whole(&self) -> Result<WholeInput> {
        let path = match self.place {
            Place::File(path) => path,
            Place::Memory(bytes) => return Ok(bytes.clone().into()),
        };
        if path == Path::new("-") {
            return Err(self.pipe());
        }
        let file = open_input(path).map_err(|error| Error::system("cannot read", error))?;
        let metadata = file.metadata().map_err(|error| Error::system("cannot read", error))?;
        match metadata.is_file() {
            true => Ok(file.into()),
            false if metadata.is_dir() => Err(Error::input("is a directory, expected a file")),
            false => Err(self.pipe()),
        }
    }

    fn pipe(&self) -> Error {
        let error = Error::input(format!("{} is read from its end, so it must be a file", self.format));
        match self.format {
            Format::Arrow => error.hint(Sentence::new().option("format").word("arrow-stream").text(" reads a stream")),
            _ => error,
        }
    }
}
