//! Small public tables that a spec names: profiles and edges as CSV.

use super::few;
use crate::{Error, Result};
use csv::StringRecord;
use lookalike::model::Names;
use std::path::Path;

/// A CSV file with a header.
pub(super) struct Table {
    header: Names,
    pub(super) rows: Vec<StringRecord>,
}

impl Table {
    /// The place of a column.
    pub(super) fn column(&self, name: &str) -> Result<usize> {
        let place = self.header.place(name).map(|place| place as usize);
        place.ok_or_else(|| Error::input(format!("column {name:?} is missing, found {}", few(&self.header))))
    }

    /// Refuses other columns: a misspelt one must not be silently without effect.
    pub(super) fn only<'a>(&self, known: impl IntoIterator<Item = &'a str>) -> Result<()> {
        let known = Names::new("column", known)?;
        match self.header.iter().find(|name| known.place(name).is_none()) {
            None => Ok(()),
            Some(name) => Err(Error::input(format!("column {name:?} is not known, expected {}", few(&known)))),
        }
    }

    /// The rows through a reader; errors say which row, counted from 1 below the header.
    pub(super) fn each<T>(&self, mut read: impl FnMut(&StringRecord) -> Result<T>) -> Result<Vec<T>> {
        let row = |(at, row)| read(row).map_err(|error| error.at(format!("row {}", at + 1)));
        self.rows.iter().enumerate().map(row).collect()
    }
}

/// What `read` makes of a table, which is read whole: it is part of the spec, public, and needed at once.
pub(super) fn read<T>(path: &Path, read: impl FnOnce(&Table) -> Result<T>) -> Result<T> {
    let text = crate::read_text(path)?;
    let table = || {
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).flexible(true).from_reader(text.as_bytes());
        let wrong = |error: csv::Error| Error::input(error.to_string());
        let header = Names::new("column", reader.headers().map_err(wrong)?)?;
        let rows = reader.records().collect::<std::result::Result<_, _>>().map_err(wrong)?;
        let table = Table { header, rows };
        table.each(|row| match (row.len(), table.header.len()) {
            (found, expected) if found != expected => {
                Err(Error::input(format!("{found} fields, expected {expected} as in the header")))
            }
            _ => Ok(()),
        })?;
        Ok(table)
    };
    table().and_then(|table| read(&table)).map_err(|error| error.in_file(path))
}
