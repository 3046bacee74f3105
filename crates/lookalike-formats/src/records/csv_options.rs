//! How a CSV file is written, and which of its columns matter.

use super::format::Format;
use crate::error::{Error, Result};
use std::path::Path;

/// How a CSV file is to be read.
#[derive(Debug, Clone)]
pub struct CsvOptions {
    /// What separates the fields.
    pub delimiter: u8,
    /// The names of the columns of a file without a header; with `None` the first record names them.
    pub columns: Option<Vec<String>>,
    /// Whether white space around names, profiles and values is ignored. Kept columns stay as they are.
    pub trim: bool,
    /// The most bytes in one record: an endless line or quote ends in an error instead of filling the memory.
    pub record_limit: usize,
}

impl Default for CsvOptions {
    /// Commas, a header, nothing trimmed, records of at most 1 MiB.
    fn default() -> Self {
        CsvOptions { delimiter: b',', columns: None, trim: false, record_limit: 1 << 20 }
    }
}

impl CsvOptions {
    /// What separates the fields of a file by its name: a tab for `.tsv`, a comma otherwise.
    pub fn delimiter_of(path: &Path) -> u8 {
        if Format::has_tabs(path) { b'\t' } else { b',' }
    }

    /// The delimiter that a text spells: one character, or `tab`.
    ///
    /// # Errors
    /// Another text.
    pub fn parse_delimiter(text: &str) -> Result<u8> {
        match text.as_bytes() {
            _ if text == "tab" || text == "\\t" => Ok(b'\t'),
            [byte] => Ok(*byte),
            _ => Err(Error::input("expected one character, or tab")),
        }
    }
}

/// The columns of a file that are wanted, by name.
#[derive(Debug, Clone, Default)]
pub struct Columns {
    /// The column of profiles, if there is one.
    pub profile: Option<String>,
    /// The column of values, or several that make one joint category: their texts are joined with `|`.
    pub values: Vec<String>,
    /// The columns to pass on as they are.
    pub keep: Vec<String>,
}

impl Columns {
    /// The wanted names, in order.
    pub fn wanted(&self) -> impl Iterator<Item = &String> {
        self.profile.iter().chain(&self.values).chain(&self.keep)
    }
}

/// Refuses delimiters that cannot be told from other parts of a file.
pub fn check_delimiter(delimiter: u8) -> Result<()> {
    match delimiter {
        b'"' | b'\r' | b'\n' | 0 | 0x80.. => Err(Error::input(format!(
            "delimiter {:?}: expected an ASCII character other than a quote, a line end or NUL",
            char::from(delimiter)
        ))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delimiters_that_mean_something_else_are_refused() {
        for delimiter in *b",;\t| x" {
            check_delimiter(delimiter).unwrap();
        }
        for delimiter in *b"\"\r\n\0\xff" {
            check_delimiter(delimiter).unwrap_err();
        }
        assert_eq!(
            check_delimiter(b'"').unwrap_err().to_string(),
            "delimiter '\"': expected an ASCII character other than a quote, a line end or NUL"
        );
    }
}
