//! The records of a file of JSON lines one by one.

use std::{
    collections::{HashMap, HashSet},
    io::{BufRead, BufReader, Read},
    ops::Range,
};

use crate::columns::{Members, NotAnObject, Token};
use crate::csv::{BUFFER, Input, explain};
use lookalike_formats::{Error, Result};

/// The records of a file, none longer than the limit, each in the place of the one before. Blank lines are passed over.
///
/// The keys of the first record are the columns. Others of later records are looked at and forgotten.
pub(super) struct JsonRecords {
    input: BufReader<Input>,
    line: String,
    lines: u64,
    limit: usize,
    columns: Columns,
    /// Whether the record in `line` is the first one and was not asked for.
    pending: bool,
    has_record: bool,
}

/// The columns of a file, and where the values of a record are.
#[derive(Default)]
struct Columns {
    names: Vec<String>,
    places: HashMap<String, usize>,
    /// The keys as the first record has them, with their quotes.
    written: Vec<String>,
    /// Where the value of each column is in the line; none where it is missing.
    values: Vec<Option<Range<usize>>>,
    /// Keys of the record that are no columns.
    others: HashSet<String>,
}

impl JsonRecords {
    /// The records of `input`, of which the first is read at once.
    pub fn open(input: Box<dyn Read + Send>, limit: usize) -> Result<Self> {
        // The limit is looked at here, by line.
        let input = BufReader::with_capacity(BUFFER, Input::open(input, usize::MAX)?.without_end());
        let (columns, line) = (Columns::default(), String::new());
        let mut records = JsonRecords { input, line, lines: 0, limit, columns, pending: false, has_record: false };
        if records.read_line(1)? {
            let JsonRecords { columns, line, lines, .. } = &mut records;
            columns.begin(line).map_err(|found| found.at(1, *lines, columns))?;
            (records.pending, records.has_record) = (true, true);
        }
        Ok(records)
    }

    /// The columns: the keys of the first record, in its order.
    pub fn names(&self) -> &[String] {
        &self.columns.names
    }

    /// Whether there is a record; there are columns only then.
    pub fn has_record(&self) -> bool {
        self.has_record
    }

    /// Bytes taken from the raw input.
    pub fn raw_bytes(&self) -> u64 {
        self.input.get_ref().raw_bytes()
    }

    /// Whether there is a next record, the one at `row` in errors; its values are then those of [`JsonRecords::value`].
    #[inline]
    pub fn advance(&mut self, row: u64) -> Result<bool> {
        if std::mem::take(&mut self.pending) {
            return Ok(true);
        }
        if !self.read_line(row)? {
            return Ok(false);
        }
        let JsonRecords { columns, line, lines, .. } = self;
        columns.read(line).map_err(|found| found.at(row, *lines, columns))?;
        Ok(true)
    }

    /// The value of a column in the last record; `None` where it is missing.
    #[inline]
    pub fn value(&self, column: usize) -> Option<Token<'_>> {
        self.columns.values[column].clone().map(|range| Token::known(&self.line[range]))
    }

    /// Whether there is a line that is not blank, now in `self.line`.
    fn read_line(&mut self, row: u64) -> Result<bool> {
        let (mut line, mut blank) = (std::mem::take(&mut self.line).into_bytes(), 0);
        loop {
            line.clear();
            let most = self.limit.saturating_add(1) as u64;
            let read = self.input.by_ref().take(most).read_until(b'\n', &mut line);
            let count = read.map_err(|error| explain(error).at(format_args!("row {row}")))?;
            self.lines += 1;
            let is_blank = line.trim_ascii().is_empty();
            blank += count;
            if count > self.limit || (is_blank && blank > self.limit) {
                let found = format!("longer than {} bytes (is a line end missing?)", self.limit);
                return Err(Error::input(found).at(format_args!("row {row}")));
            }
            if count == 0 || !is_blank {
                let not_text = |_| Error::input(format!("row {row}, line {}: not UTF-8 text", self.lines));
                self.line = String::from_utf8(line).map_err(not_text)?;
                return Ok(count > 0);
            }
        }
    }
}

/// What is wrong with a record.
enum Wrong {
    NotAnObject,
    /// A key comes twice: that of a column, or another.
    Twice(Option<usize>),
}

impl From<NotAnObject> for Wrong {
    fn from(_: NotAnObject) -> Self {
        Wrong::NotAnObject
    }
}

impl Wrong {
    /// Keys are not shown, for nobody asked for them.
    #[cold]
    fn at(self, row: u64, line: u64, columns: &Columns) -> Error {
        Error::input(match self {
            Wrong::NotAnObject => format!("row {row}, line {line}: not a JSON object on one line"),
            Wrong::Twice(Some(column)) => {
                let (column, count) = (column + 1, columns.names.len());
                format!("row {row}: key {column} of the {count} of the first record comes twice, expected once")
            }
            Wrong::Twice(None) => format!("row {row}: a key comes twice, expected each once"),
        })
    }
}

impl Columns {
    /// Takes the keys of the first record for columns, and its values.
    fn begin(&mut self, line: &str) -> std::result::Result<(), Wrong> {
        let mut members = Members::of(line)?;
        while let Some((key, value)) = members.next()? {
            let name = key.text().ok_or(Wrong::NotAnObject)?.into_owned();
            if self.places.insert(name.clone(), self.names.len()).is_some() {
                return Err(Wrong::Twice(None));
            }
            self.names.push(name);
            self.written.push(key.raw().to_owned());
            self.values.push(Some(place(line, value)));
        }
        Ok(())
    }

    /// Finds the values of the columns in another record.
    #[inline]
    fn read(&mut self, line: &str) -> std::result::Result<(), Wrong> {
        self.values.fill(None);
        self.others.clear();
        let (mut members, mut next) = (Members::of(line)?, 0);
        while let Some((key, value)) = members.next()? {
            // Most records have the keys of the first one, in its order and spelling.
            let column = match self.written.get(next) {
                Some(expected) if expected == key.raw() => Some(next),
                _ => {
                    let name = key.text().ok_or(Wrong::NotAnObject)?;
                    let found = self.places.get(&*name).copied();
                    if found.is_none() && !self.others.insert(name.into_owned()) {
                        return Err(Wrong::Twice(None));
                    }
                    found
                }
            };
            let Some(column) = column else { continue };
            if self.values[column].replace(place(line, value)).is_some() {
                return Err(Wrong::Twice(Some(column)));
            }
            next = column + 1;
        }
        Ok(())
    }
}

/// Where a value is in its line.
#[inline]
fn place(line: &str, value: Token<'_>) -> Range<usize> {
    let start = value.raw().as_ptr().addr() - line.as_ptr().addr();
    start..start + value.raw().len()
}
