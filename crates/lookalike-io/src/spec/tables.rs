//! Small public tables that a spec names: profiles and edges as CSV.

use crate::{Error, Result};
use std::path::Path;

/// A CSV file with a header.
pub(super) struct Table {
    header: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

impl Table {
    /// The place of a column.
    pub(super) fn column(&self, name: &str) -> Result<usize> {
        self.header
            .iter()
            .position(|column| column == name)
            .ok_or_else(|| Error::input(format!("column {name:?} is missing, found {}", self.header.join(", "))))
    }
}

/// Reads a table whole: it is part of the spec, public, and needed at once.
pub(super) fn read(path: &Path) -> Result<Table> {
    let text = crate::read_text(path)?;
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let fields = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect::<Vec<_>>();
    let wrong = |error: csv::Error| Error::input(error.to_string()).in_file(path);
    let header = fields(reader.headers().map_err(wrong)?);
    let rows =
        reader.records().map(|record| record.map(|record| fields(&record))).collect::<std::result::Result<_, _>>();
    Ok(Table { header, rows: rows.map_err(wrong)? })
}
