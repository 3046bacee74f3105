//! Which file format, and which compression.

use std::{fmt, path::Path, str::FromStr};

use crate::error::{Error, Result};

/// A file format of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// CSV, plain or compressed with gzip.
    Csv,
    /// JSON lines: an object a line, plain or compressed with gzip.
    JsonLines,
    /// Parquet.
    Parquet,
    /// Arrow IPC, the file format; also known as Feather.
    Arrow,
    /// Arrow IPC, the stream format.
    ArrowStream,
}

impl Format {
    /// The format that the name of a file ends in, if it tells: `.csv`, `.tsv`, `.jsonl`, `.ndjson` and these with
    /// `.gz`, `.parquet`, `.arrow`, `.feather`, `.ipc`, and `.arrows` for a stream.
    ///
    /// # Example
    /// ```
    /// use lookalike_formats::records::Format;
    /// assert_eq!(Format::of(std::path::Path::new("records.PARQUET")), Some(Format::Parquet));
    /// assert_eq!(Format::of(std::path::Path::new("-")), None);
    /// ```
    pub fn of(path: &Path) -> Option<Format> {
        let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        let plain = name.strip_suffix(".gz").unwrap_or(&name);
        match plain.rsplit_once('.')?.1 {
            "csv" | "tsv" => Some(Format::Csv),
            "jsonl" | "ndjson" => Some(Format::JsonLines),
            // The others have compression of their own.
            _ if plain != name => None,
            "parquet" | "pq" => Some(Format::Parquet),
            "arrow" | "feather" | "ipc" => Some(Format::Arrow),
            "arrows" => Some(Format::ArrowStream),
            _ => None,
        }
    }

    /// What an option about reading is for, by its name, where it has no effect on records of this format.
    ///
    /// # Example
    /// ```
    /// use lookalike_formats::records::Format;
    /// assert_eq!(Format::JsonLines.ignores("delimiter"), Some("CSV"));
    /// assert_eq!(Format::JsonLines.ignores("record-limit"), None);
    /// ```
    pub fn ignores(self, option: &str) -> Option<&'static str> {
        let (formats, what): (&[Format], _) = match option.trim_start_matches('-') {
            "record-limit" | "record_limit" => (&[Format::Csv, Format::JsonLines], "CSV and JSON lines"),
            _ => (&[Format::Csv], "CSV"),
        };
        (!formats.contains(&self)).then_some(what)
    }

    /// Whether the name says that fields are separated by tabs.
    pub fn has_tabs(path: &Path) -> bool {
        let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        name.strip_suffix(".gz").unwrap_or(&name).ends_with(".tsv")
    }
}

impl FromStr for Format {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "csv" => Ok(Format::Csv),
            "jsonl" => Ok(Format::JsonLines),
            "parquet" => Ok(Format::Parquet),
            "arrow" => Ok(Format::Arrow),
            "arrow-stream" => Ok(Format::ArrowStream),
            _ => Err(Error::input("expected csv, jsonl, parquet, arrow or arrow-stream")),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Csv => "csv",
            Format::JsonLines => "jsonl",
            Format::Parquet => "parquet",
            Format::Arrow => "arrow",
            Format::ArrowStream => "arrow-stream",
        })
    }
}

/// How the content of a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// Snappy: Parquet.
    Snappy,
    /// Gzip: CSV, JSON lines and Parquet.
    Gzip,
    /// Zstandard: Parquet and Arrow.
    Zstd,
    /// LZ4: Parquet and Arrow.
    Lz4,
}

impl FromStr for Compression {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "none" => Ok(Compression::None),
            "snappy" => Ok(Compression::Snappy),
            "gzip" => Ok(Compression::Gzip),
            "zstd" => Ok(Compression::Zstd),
            "lz4" => Ok(Compression::Lz4),
            _ => Err(Error::input("expected none, snappy, gzip, zstd or lz4")),
        }
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Compression::None => "none",
            Compression::Snappy => "snappy",
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
            Compression::Lz4 => "lz4",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_name_tells_the_format() {
        for (name, format) in [
            ("a.csv", Some(Format::Csv)),
            ("a.b/x.tsv.gz", Some(Format::Csv)),
            ("a.CSV.GZ", Some(Format::Csv)),
            ("a.jsonl", Some(Format::JsonLines)),
            ("a.NDJSON.gz", Some(Format::JsonLines)),
            ("a.json", None),
            ("a.parquet", Some(Format::Parquet)),
            ("a.feather", Some(Format::Arrow)),
            ("a.ipc", Some(Format::Arrow)),
            ("a.arrows", Some(Format::ArrowStream)),
            ("a.gz", None),
            ("a.parquet.gz", None),
            ("a.txt", None),
            ("csv", None),
            ("-", None),
            ("/dev/stdin", None),
        ] {
            assert_eq!(Format::of(Path::new(name)), format, "{name}");
        }
        assert!(Format::has_tabs(Path::new("a.TSV.gz")) && !Format::has_tabs(Path::new("a.csv")));
    }

    #[test]
    fn names_read_back() {
        for format in [Format::Csv, Format::JsonLines, Format::Parquet, Format::Arrow, Format::ArrowStream] {
            assert_eq!(format.to_string().parse::<Format>().unwrap(), format);
        }
        use Compression::*;
        for compression in [None, Snappy, Gzip, Zstd, Lz4] {
            assert_eq!(compression.to_string().parse::<Compression>().unwrap(), compression);
        }
        assert_eq!(
            "xls".parse::<Format>().unwrap_err().to_string(),
            "expected csv, jsonl, parquet, arrow or arrow-stream"
        );
    }
}
