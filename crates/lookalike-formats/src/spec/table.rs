//! Public tables that a spec names: profiles and edges, row by row, from wherever they are.
//!
//! A name may lead to another file than the one that was meant, and to private data. So no error shows what is in a table:
//! it names rows, and columns by the names that were expected.

use super::few;
use crate::error::{Error, Result};
use crate::text::{is_like, is_of_its_kind};
use csv::StringRecord;
use lookalike::exact::{Rational, parse_rational};
use lookalike::model::Names;
use std::collections::HashMap;

/// What lies beside a spec: the tables that it names.
pub trait Beside {
    /// The table of this name. Errors do not say its name.
    ///
    /// # Errors
    /// A table that is not there or cannot be read.
    fn table(&self, name: &str) -> Result<Table>;

    /// What errors call the table of this name.
    fn place(&self, name: &str) -> String {
        name.to_owned()
    }
}

/// No table lies beside the spec.
#[derive(Debug, Clone, Copy)]
pub struct Alone;

impl Beside for Alone {
    fn table(&self, _: &str) -> Result<Table> {
        Err(Error::input("there are no tables here, expected all of it in the text itself"))
    }
}

/// What `read` makes of the table of this name; errors say where.
pub(crate) fn read_beside<T>(beside: &dyn Beside, name: &str, read: impl FnOnce(Table) -> Result<T>) -> Result<T> {
    beside.table(name).and_then(read).map_err(|error| error.at(beside.place(name)))
}

/// The rows of a table, as texts.
pub trait Rows {
    /// Hands on every row, one at a time in the same place; it stops at the first error.
    ///
    /// # Errors
    /// Rows that cannot be read, and those of `row`.
    fn each(self: Box<Self>, row: &mut dyn FnMut(&StringRecord) -> Result<()>) -> Result<()>;
}

/// A table with a header, whose rows are to come.
pub struct Table {
    header: Names,
    rows: Box<dyn Rows>,
}

impl Table {
    /// With these names of the columns, each once.
    ///
    /// # Errors
    /// A name that occurs twice, or is none.
    pub fn new<'a>(names: impl Iterator<Item = &'a str>, rows: Box<dyn Rows>) -> Result<Table> {
        Ok(Table { header: header(names)?, rows })
    }

    /// The table in a text of CSV, blanks around fields apart.
    ///
    /// # Errors
    /// What is no CSV, and those of [`Table::new`].
    pub fn from_csv(text: String) -> Result<Table> {
        let header = header(csv_reader(&text).headers().map_err(not_csv)?.iter())?;
        Ok(Table { header, rows: Box::new(CsvText(text)) })
    }

    /// The names of the columns.
    pub fn header(&self) -> &Names {
        &self.header
    }

    /// The place of a column.
    ///
    /// # Errors
    /// A column that is not there.
    pub fn column(&self, name: &str) -> Result<usize> {
        let place = self.header.place(name).map(|place| place as usize);
        place.ok_or_else(|| {
            let like = self.header.iter().position(|found| is_like(found, name));
            let hint = like.map_or(String::new(), |at| format!(" (column {} has a name like it)", at + 1));
            Error::input(format!("column {name:?} is missing among the {} of the header{hint}", self.header.len()))
        })
    }

    /// Refuses other columns: a misspelt one must not be silently without effect.
    ///
    /// # Errors
    /// A column that is not known.
    pub fn only<'a>(&self, known: impl IntoIterator<Item = &'a str>) -> Result<()> {
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
    ///
    /// # Errors
    /// Rows that cannot be read or are of another length, and those of `read`.
    pub fn each(self, mut read: impl FnMut(&StringRecord) -> Result<()>) -> Result<()> {
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
        self.rows.each(&mut row)
    }
}

/// The text of a CSV file.
struct CsvText(String);

impl Rows for CsvText {
    fn each(self: Box<Self>, row: &mut dyn FnMut(&StringRecord) -> Result<()>) -> Result<()> {
        let (mut reader, mut record) = (csv_reader(&self.0), StringRecord::new());
        while reader.read_record(&mut record).map_err(not_csv)? {
            row(&record)?;
        }
        Ok(())
    }
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
pub fn number(text: &str, column: &str) -> Result<Rational> {
    any_number(text).map_err(|error| error.at(of(column)))
}

/// The number in a field of the column at this place, from 1.
pub fn number_at(text: &str, place: usize) -> Result<Rational> {
    any_number(text).map_err(|error| error.at(format_args!("column {place}")))
}

fn any_number(text: &str) -> Result<Rational> {
    parse_rational(text).map_err(|_| Error::input("not a number, expected a form like 0.25, 1e-3 or 1/3"))
}

/// The place of the name in a field of this column.
pub fn place(names: &Names, text: &str, column: &str) -> Result<u32> {
    let wrong = || Error::input(format!("not known, expected one of {}", few(names))).at(of(column));
    names.place(text).ok_or_else(wrong)
}

/// `column "a"`, for errors.
pub fn of(column: &str) -> String {
    format!("column {column:?}")
}

fn csv_reader(text: &str) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new().trim(csv::Trim::All).flexible(true).from_reader(text.as_bytes())
}

fn not_csv(_: csv::Error) -> Error {
    Error::input("not CSV")
}
