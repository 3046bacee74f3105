//! A small table of named counts.

use crate::spec::tables;
use crate::{Error, Result};
use lookalike::exact::parse_rational;
use num_traits::ToPrimitive;
use std::collections::HashMap;
use std::path::Path;

/// The names and counts of two columns of a table: CSV, Parquet or Arrow, by the end of its name.
///
/// The names are what may be released; the counts are private.
///
/// # Errors
/// A table that cannot be read, a column that is missing, no row, a name that is empty or comes twice, and a count that is
/// no whole number of 64 bits. The errors name rows and no count.
pub fn read_counts(path: &Path, name_column: &str, count_column: &str) -> Result<Vec<(String, i64)>> {
    tables::read(path, |table| {
        let (name, count) = (table.column(name_column)?, table.column(count_column)?);
        let mut counts: Vec<(String, i64)> = Vec::new();
        let mut first_rows: HashMap<String, u64> = HashMap::new();
        let mut row = 0u64;
        table.each(|fields| {
            row += 1;
            let (name, count) = (&fields[name], whole(&fields[count]));
            if name.is_empty() {
                return Err(Error::input(format!("column {name_column:?}: empty, expected a name")));
            }
            if let Some(first) = first_rows.insert(name.to_owned(), row) {
                let message = format!("column {name_column:?}: the same as in row {first}, expected each name once");
                return Err(Error::input(message));
            }
            let wrong = || {
                Error::input(format!("column {count_column:?}: not a whole number of 64 bits, expected one like 12"))
            };
            counts.push((name.to_owned(), count.ok_or_else(wrong)?));
            Ok(())
        })?;
        match counts.is_empty() {
            true => Err(Error::input("no counts, expected at least one row")),
            false => Ok(counts),
        }
    })
}

/// The whole number that a text spells; `12.0` is one too, as programs write whole numbers in columns with gaps.
fn whole(text: &str) -> Option<i64> {
    text.parse().ok().or_else(|| parse_rational(text).ok().filter(|number| number.is_integer())?.to_i64())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> std::result::Result<Vec<(String, i64)>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("counts.csv");
        std::fs::write(&path, text).unwrap();
        let place = format!("{}: ", path.display());
        read_counts(&path, "who", "n").map_err(|error| error.to_string().replace(&place, ""))
    }

    #[test]
    fn counts_are_whole_numbers_however_they_are_written() {
        let found = read("who,note,n\nana,x,3\n bo ,y,-2\ncleo,z,4.0\ndan,z,1e3\n").unwrap();
        let expected = [("ana", 3), ("bo", -2), ("cleo", 4), ("dan", 1000)].map(|(name, n)| (name.to_owned(), n));
        assert_eq!(found, expected);
    }

    #[test]
    fn errors_show_no_count() {
        for (text, expected) in [
            ("who,n\nana,1\nbo,777x\n", "row 2: column \"n\": not a whole number of 64 bits, expected one like 12"),
            ("who,n\nana,77.7\n", "row 1: column \"n\": not a whole number of 64 bits, expected one like 12"),
            ("who,n\nana,\n", "row 1: column \"n\": not a whole number of 64 bits, expected one like 12"),
            ("who,n\nana,1e30\n", "row 1: column \"n\": not a whole number of 64 bits, expected one like 12"),
            ("who,n\nana,777\nbo,1\nana,777\n", "row 3: column \"who\": the same as in row 1, expected each name once"),
            ("who,n\n,777\n", "row 1: column \"who\": empty, expected a name"),
            ("who,n\nana,777,777\n", "row 1: 3 fields, expected 2 as in the header"),
            ("who,n\n", "no counts, expected at least one row"),
            ("who,m\nana,777\n", "column \"n\" is missing, found who, m"),
        ] {
            assert_eq!(read(text).unwrap_err(), expected);
        }
    }
}
