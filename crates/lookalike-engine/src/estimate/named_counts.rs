//! A small table of named counts.

use lookalike::exact::parse_rational;
use lookalike_formats::records::{Columns, CsvOptions, Format};
use lookalike_formats::{Error, Result};
use lookalike_records::{Batch, Input, RecordSource, Texts, at_field, at_input, kept_arrays, open_columns};
use num_traits::ToPrimitive;
use std::collections::HashMap;
use std::path::Path;

/// The names and counts of two columns of a table, through the reader of records: what is in it is private.
///
/// The names are what may be released; the counts are private.
///
/// # Errors
/// A table that cannot be read, a column that is missing, no row, a name that is empty or comes twice, and a count that is
/// no whole number of 64 bits. The errors name rows and columns that were asked for, and nothing that was found.
pub fn read_counts(path: &Path, format: Format, csv: &CsvOptions, columns: [&str; 2]) -> Result<Vec<(String, i64)>> {
    let wanted = Columns { keep: columns.map(str::to_owned).to_vec(), ..Columns::default() };
    let input = Input { path, format, csv, columns: &wanted, charging: None };
    let read = || gathered(&mut *open_columns(&input, None)?, columns, csv.trim);
    read().map_err(|error| at_input(error, path))
}

fn gathered(source: &mut dyn RecordSource, [named, counted]: [&str; 2], trim: bool) -> Result<Vec<(String, i64)>> {
    let fields = source.schema().kept;
    let mut counts: Vec<(String, i64)> = Vec::new();
    let mut first_rows: HashMap<String, u64> = HashMap::new();
    let mut batch = Batch::default();
    while source.read_batch(&mut batch)? {
        let arrays = kept_arrays(&batch, &fields)?;
        let (names, numbers) = (Texts::of(&arrays[0]), Texts::of(&arrays[1]));
        for at in 0..batch.len() {
            let row = batch.first_row + at as u64 + 1;
            let (mut name, mut number) = (String::new(), String::new());
            names.append(at, &mut name);
            numbers.append(at, &mut number);
            let name = if trim { name.trim().to_owned() } else { name };
            if name.is_empty() {
                return Err(at_field(row, named, "empty, expected a name"));
            }
            if let Some(first) = first_rows.insert(name.clone(), row) {
                return Err(at_field(row, named, &format!("the same as in row {first}, expected each name once")));
            }
            let count = whole(number.trim());
            let wrong = || at_field(row, counted, "not a whole number of 64 bits, expected one like 12");
            counts.push((name, count.ok_or_else(wrong)?));
        }
    }
    match counts.is_empty() {
        true => Err(Error::input("no counts, expected at least one row")),
        false => Ok(counts),
    }
}

/// The whole number that a text spells; `12.0` is one too, as programs write whole numbers in columns with gaps.
pub(crate) fn whole(text: &str) -> Option<i64> {
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
        let csv = CsvOptions { trim: true, ..CsvOptions::default() };
        read_counts(&path, Format::Csv, &csv, ["who", "n"]).map_err(|error| error.to_string().replace(&place, ""))
    }

    #[test]
    fn counts_are_whole_numbers_however_they_are_written() {
        let found = read("who,note,n\nana,x,3\n bo ,y,-2\ncleo,z,4.0\ndan,z,1e3\n").unwrap();
        let expected = [("ana", 3), ("bo", -2), ("cleo", 4), ("dan", 1000)].map(|(name, n)| (name.to_owned(), n));
        assert_eq!(found, expected);
    }

    #[test]
    fn errors_show_no_count() {
        let missing = |name: &str, count: usize| {
            format!(
                "column {name:?}: not found among the {count} columns of the first record (`columns` names the columns of \
                 a file without a header)"
            )
        };
        for (text, expected) in [
            ("who,n\nana,1\nbo,777x\n", "row 2, column \"n\": not a whole number of 64 bits, expected one like 12"),
            ("who,n\nana,77.7\n", "row 1, column \"n\": not a whole number of 64 bits, expected one like 12"),
            ("who,n\nana,\n", "row 1, column \"n\": not a whole number of 64 bits, expected one like 12"),
            ("who,n\nana,1e30\n", "row 1, column \"n\": not a whole number of 64 bits, expected one like 12"),
            ("who,n\nana,777\nbo,1\nana,777\n", "row 3, column \"who\": the same as in row 1, expected each name once"),
            ("who,n\n,777\n", "row 1, column \"who\": empty, expected a name"),
            ("who,n\nana,777,777\n", "row 1, line 2: the number of fields is 3, expected 2"),
            ("who,n\n", "no counts, expected at least one row"),
            ("who,m\nana,777\n", &missing("n", 2)),
            ("red,777\nblue,1\n", &missing("who", 2)),
            ("who,777\nblue,1\n", &missing("n", 2)),
        ] {
            assert_eq!(read(text).unwrap_err(), expected);
        }
    }
}
