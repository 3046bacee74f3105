//! The options that are about file formats.

use lookalike_engine::records::{Compression, CsvOptions, Format};
use lookalike_formats::{Error, Result};
use std::path::Path;

/// Which format records have, and how CSV is written.
#[derive(clap::Args)]
pub struct InputFormat {
    /// The format of the records: csv, jsonl, parquet, arrow or arrow-stream; by default what the name ends in, or csv
    #[arg(long, value_name = "FORMAT", value_parser = parse::<Format>)]
    format: Option<Format>,
    /// CSV: the field delimiter, one character or tab; by default a comma, or a tab for .tsv
    #[arg(long, value_parser = delimiter)]
    delimiter: Option<u8>,
    /// CSV: the names of the columns, for a file without a header
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    columns: Option<Vec<String>>,
    /// CSV: drop blanks around fields
    #[arg(long)]
    trim: bool,
    /// CSV and JSON lines: the longest record that is accepted, in bytes; by default 1048576
    #[arg(long, value_name = "BYTES")]
    record_limit: Option<usize>,
}

/// The formats of records and of an output.
#[derive(clap::Args)]
pub struct Formats {
    #[command(flatten)]
    input: InputFormat,
    /// The format of the output; by default what the name ends in, or that of the records
    #[arg(long, value_name = "FORMAT", value_parser = parse::<Format>)]
    output_format: Option<Format>,
    /// The compression of the output: none, snappy, gzip, zstd or lz4; by default that of the input for Parquet, gzip
    /// for names that end in .gz, and none otherwise
    #[arg(long, value_name = "CODEC", value_parser = parse::<Compression>)]
    compression: Option<Compression>,
    #[command(flatten)]
    formulas: Formulas,
}

/// How text that a spreadsheet takes for a formula is written.
#[derive(clap::Args)]
pub struct Formulas {
    /// CSV output: put an apostrophe in front of text that a spreadsheet would take for a formula, which begins with =, +, -,
    /// @, a tab or a carriage return and is no number
    #[arg(long = "escape-formulas")]
    pub escape: bool,
}

impl InputFormat {
    /// Refuses options that would be without effect.
    pub fn check(&self, input: &Path) -> Result<()> {
        self.check_beside(input, false)
    }

    /// The same; a delimiter also serves an output that is CSV.
    fn check_beside(&self, input: &Path, to_csv: bool) -> Result<()> {
        let from = self.format(input);
        let reading = [
            ("--columns", self.columns.is_some()),
            ("--trim", self.trim),
            ("--record-limit", self.record_limit.is_some()),
            ("--delimiter", self.delimiter.is_some() && !to_csv),
        ];
        for (option, _) in reading.iter().filter(|(_, given)| *given) {
            if let Some(formats) = from.ignores(option) {
                return Err(Error::input(format!("{option} is for {formats}, and the records are {from}")));
            }
        }
        Ok(())
    }

    /// Refuses options about records where there are none.
    pub fn check_unused(&self) -> Result<()> {
        match self.given() {
            Some(option) => {
                Err(Error::input(format!("{option} is about records, and there are none (--records FILE)")))
            }
            None => Ok(()),
        }
    }

    /// An option that was given.
    fn given(&self) -> Option<&'static str> {
        let options = [
            ("--format", self.format.is_some()),
            ("--delimiter", self.delimiter.is_some()),
            ("--columns", self.columns.is_some()),
            ("--trim", self.trim),
            ("--record-limit", self.record_limit.is_some()),
        ];
        options.iter().find(|(_, given)| *given).map(|(option, _)| *option)
    }

    /// The format of the records.
    pub fn format(&self, input: &Path) -> Format {
        self.format.or_else(|| Format::of(input)).unwrap_or(Format::Csv)
    }

    /// How CSV is read.
    pub fn csv_options(&self, input: &Path) -> CsvOptions {
        let default = CsvOptions::default();
        CsvOptions {
            delimiter: self.delimiter.unwrap_or_else(|| CsvOptions::delimiter_of(input)),
            columns: self.columns.clone(),
            trim: self.trim,
            record_limit: self.record_limit.unwrap_or(default.record_limit),
        }
    }
}

impl Formats {
    /// Refuses options that would be without effect.
    pub fn check(&self, input: &Path, output: &Path) -> Result<()> {
        let format = self.output(input, output);
        if self.formulas.escape && format != Format::Csv {
            return Err(Error::input(format!("--escape-formulas is for CSV, and the output is {format}")));
        }
        self.input.check_beside(input, format == Format::Csv)
    }

    /// Refuses options about tables where the data are something else.
    pub fn check_unused(&self, what: &str) -> Result<()> {
        let output = [
            ("--output-format", self.output_format.is_some()),
            ("--compression", self.compression.is_some()),
            ("--escape-formulas", self.formulas.escape),
        ];
        let output = output.iter().find(|(_, given)| *given).map(|(option, _)| *option);
        match self.input.given().or(output) {
            Some(option) => Err(Error::input(format!("{option} is about tables, and the data are {what}"))),
            None => Ok(()),
        }
    }

    /// Whether the format of the records was told.
    pub fn is_told(&self) -> bool {
        self.input.format.is_some()
    }

    /// The format of the records.
    pub fn input(&self, input: &Path) -> Format {
        self.input.format(input)
    }

    /// The format of the output.
    pub fn output(&self, input: &Path, output: &Path) -> Format {
        self.output_format.or_else(|| Format::of(output)).unwrap_or_else(|| self.input(input))
    }

    /// How CSV is read.
    pub fn csv_options(&self, input: &Path) -> CsvOptions {
        self.input.csv_options(input)
    }

    /// What separates fields in the output: as told, as its name says, or as in the records.
    pub fn output_delimiter(&self, input: &Path, output: &Path) -> u8 {
        let named = if Format::of(output) == Some(Format::Csv) { output } else { input };
        self.input.delimiter.unwrap_or_else(|| CsvOptions::delimiter_of(named))
    }

    /// Whether text that a spreadsheet takes for a formula is escaped.
    pub fn escape_formulas(&self) -> bool {
        self.formulas.escape
    }

    /// Whether the output has a header: as the records do.
    pub fn has_header(&self) -> bool {
        self.input.columns.is_none()
    }

    /// The compression of the output, if it was told.
    pub fn compression(&self, output: &Path) -> Option<Compression> {
        let gzip = output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"));
        self.compression.or(gzip.then_some(Compression::Gzip))
    }
}

fn parse<T: std::str::FromStr<Err = Error>>(text: &str) -> std::result::Result<T, String> {
    text.parse().map_err(|error: Error| error.to_string())
}

fn delimiter(text: &str) -> std::result::Result<u8, String> {
    CsvOptions::parse_delimiter(text).map_err(|error| error.to_string())
}
