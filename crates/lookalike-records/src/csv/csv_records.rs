//! The records of a CSV file one by one.

use std::io::{self, Read};

use csv::{ByteRecord, ErrorKind, ReaderBuilder};

use super::csv_input::{BUFFER, END, Fault, Input, explain};
use lookalike_formats::records::{CsvOptions, check_delimiter};
use lookalike_formats::{Error, Result};

/// The records of a file, none longer than the limit, each in the place of the one before.
pub(crate) struct Records {
    reader: csv::Reader<Input>,
    record: ByteRecord,
    limit: usize,
    done: bool,
    /// Whether the line end of a record is left to the next one, as the parser does after `\r`.
    lags: bool,
    /// The line ends in and behind the records so far.
    line_ends: u64,
    /// Whether the parser has still to see the last of them.
    pending: bool,
    /// The bytes of the record, with the line ends around it.
    size: u64,
}

impl Records {
    pub fn open(input: Box<dyn Read + Send>, options: &CsvOptions) -> Result<Self> {
        check_delimiter(options.delimiter)?;
        let reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(options.delimiter)
            .buffer_capacity(BUFFER)
            .from_reader(Input::open(input, options.record_limit)?);
        let (record, limit) = (ByteRecord::new(), options.record_limit);
        Ok(Records { reader, record, limit, done: false, lags: false, line_ends: 0, pending: false, size: 0 })
    }

    /// The last record read.
    pub fn record(&self) -> &ByteRecord {
        &self.record
    }

    /// Bytes taken from the raw input.
    pub fn raw_bytes(&self) -> u64 {
        self.reader.get_ref().raw_bytes()
    }

    /// Whether there is a next record, now in [`Records::record`]. In errors it is the one at `row`, 0 for the header.
    #[inline]
    pub fn advance(&mut self, row: u64) -> Result<bool> {
        if self.done {
            return Ok(false);
        }
        let start = self.reader.position().byte();
        let read = self.reader.read_byte_record(&mut self.record);
        let end = self.reader.position().byte();
        self.size = end - start;
        let input = self.reader.get_mut();
        input.record_is_complete();
        match read {
            Ok(true) if input.ends_at(end) => self.end().map_err(|error| error.at(place(row))),
            Ok(true) if self.size <= self.limit as u64 => {
                if start == 0 {
                    self.lags = self.reader.position().line() == 1 + self.inner_line_ends();
                }
                Ok(true)
            }
            Ok(true) => Err(self.failure(csv::Error::from(io::Error::from(Fault::TooLong(self.limit)))).at(place(row))),
            Ok(false) => Ok(false),
            Err(error) => Err(self.failure(error).at(place(row))),
        }
    }

    /// The line on which the record begins, from 1.
    pub fn line(&self) -> u64 {
        self.reader.position().line() - self.inner_line_ends() - u64::from(!self.lags)
    }

    /// Begins to look for blank lines behind the record just read, the header.
    pub fn count_lines_from_here(&mut self) {
        self.line_ends = self.reader.position().line() - 1 + u64::from(self.lags);
        self.pending = self.lags;
    }

    /// Whether the parser passed over blank lines before this record; right only if asked of every record, and
    /// meant for records of one field.
    pub fn follows_a_blank_line(&mut self) -> bool {
        self.line_ends += 1 + self.inner_line_ends();
        let found = self.reader.position().line() - 1;
        // Where line ends lag, a blank line just makes up for the one still to come. So does a change from `\r\n` to
        // `\n`, but in fewer bytes.
        let spare = self.size.saturating_sub(self.record.as_slice().len() as u64 + 1);
        let caught_up = found == self.line_ends && self.pending && spare >= 3;
        self.pending = found < self.line_ends;
        found > self.line_ends || caught_up
    }

    fn inner_line_ends(&self) -> u64 {
        self.record.as_slice().iter().filter(|&&byte| byte == b'\n').count() as u64
    }

    /// The last record of the input is the one that [`Input`] added, unless an open quote swallowed it.
    fn end(&mut self) -> Result<bool> {
        self.done = true;
        match self.record.len() == 1 && &self.record[0] == END {
            true => Ok(false),
            false => Err(Error::input("a quote is opened and never closed")),
        }
    }

    #[cold]
    fn failure(&mut self, error: csv::Error) -> Error {
        self.done = true;
        match error.into_kind() {
            ErrorKind::Io(error) => explain(error),
            // No other kind arises from bytes; should one, its text might quote them.
            _ => Error::input("not CSV"),
        }
    }
}

fn place(row: u64) -> String {
    if row == 0 { "header".to_owned() } else { format!("row {row}") }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    };

    use super::*;

    fn records(text: &'static [u8]) -> Records {
        Records::open(Box::new(text), &CsvOptions::default()).unwrap()
    }

    /// A reader that tells how much was taken from it.
    struct Watched<R>(R, Arc<AtomicU64>);

    impl<R: Read> Read for Watched<R> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.0.read(buffer)?;
            self.1.fetch_add(count as u64, Ordering::Relaxed);
            Ok(count)
        }
    }

    /// The error of the first failing record of an endless input, which was read only so far.
    fn error_of_endless(start: &'static [u8], byte: u8, limit: usize) -> String {
        let taken = Arc::new(AtomicU64::new(0));
        let input = Watched(start.chain(io::repeat(byte)), Arc::clone(&taken));
        let options = CsvOptions { record_limit: limit, ..CsvOptions::default() };
        let mut records = Records::open(Box::new(input), &options).unwrap();
        let error = (0..).find_map(|row| records.advance(row).err()).unwrap();
        let bound = start.len() + limit + 3 * BUFFER;
        assert!(taken.load(Ordering::Relaxed) <= bound as u64);
        error.to_string()
    }

    #[test]
    fn an_endless_record_ends_in_an_error_after_bounded_reading() {
        let text = |place: &str, limit: usize| {
            format!("{place}: longer than {limit} bytes (is a line end or a closing quote missing?)")
        };
        for limit in [100, 1 << 20] {
            assert_eq!(error_of_endless(b"", b'a', limit), text("header", limit));
            assert_eq!(error_of_endless(b"a,b\n1,2\n", b'x', limit), text("row 2", limit));
            assert_eq!(error_of_endless(b"a,b\n1,2\n", b',', limit), text("row 2", limit));
            assert_eq!(error_of_endless(b"a,b\n1,2\n", b'\n', limit), text("row 2", limit));
            assert_eq!(error_of_endless(b"a,b\n1,\"", b'\n', limit), text("row 1", limit));
        }
    }

    #[test]
    fn the_limit_counts_the_bytes_of_a_record_with_its_line_end() {
        let options = CsvOptions { record_limit: 6, ..CsvOptions::default() };
        let mut records = Records::open(Box::new(&b"a,b\n12,34\n12,345\n"[..]), &options).unwrap();
        assert!(records.advance(0).unwrap() && records.advance(1).unwrap());
        assert_eq!(
            records.advance(2).unwrap_err().to_string(),
            "row 2: longer than 6 bytes (is a line end or a closing quote missing?)"
        );
        assert!(!records.advance(3).unwrap());
    }

    #[test]
    fn a_long_file_of_short_records_meets_no_limit() {
        let options = CsvOptions { record_limit: 10, ..CsvOptions::default() };
        let text: &'static [u8] = b"123,5678\n".repeat(100_000).leak();
        let mut records = Records::open(Box::new(text), &options).unwrap();
        let count = (0..).take_while(|&row| records.advance(row).unwrap()).count();
        assert_eq!((count, records.raw_bytes()), (100_000, text.len() as u64));
    }

    #[test]
    fn an_open_quote_is_told_from_a_file_that_ends_without_a_line_end() {
        for text in [&b"a,b"[..], b"a,b\n", b"a,b\r\n", b"a,b\r", b"a,\"b\n\"", b"a,\"\"\"\"\n", b"a,b\n\n\n", b"\0,b"]
        {
            let mut records = records(text);
            assert!(records.advance(0).unwrap());
            assert_eq!(records.record().len(), 2);
            assert!(!records.advance(1).unwrap() && !records.advance(2).unwrap());
        }
        for text in [&b"a,\""[..], b"a,\"b", b"a,\"b\n", b"a,\"b\"\"", b"\"", b"a,\"b\nc,d\n", b"\"\n\0"] {
            let error = records(text).advance(5).unwrap_err();
            assert_eq!(error.to_string(), "row 5: a quote is opened and never closed");
        }
        assert!(!records(b"").advance(0).unwrap());
        assert!(!records(b"\n\r\n\n").advance(0).unwrap());
    }

    #[test]
    fn a_record_like_the_added_one_is_still_a_record() {
        let mut records = records(b"\0\n\0\n\0");
        assert_eq!((0..).take_while(|&row| records.advance(row).unwrap()).count(), 3);
    }

    #[test]
    fn lines_are_right_whatever_ends_them() {
        for text in [&b"a,b\n1,\"x\n\ny\"\n3,4\n\n\n5,6"[..], b"a,b\r\n1,\"x\r\n\r\ny\"\r\n3,4\r\n\r\n\r\n5,6\r\n"] {
            let mut records = records(text);
            let lines: Vec<_> = (0..4).map(|row| records.advance(row).map(|_| records.line()).unwrap()).collect();
            assert_eq!(lines, [1, 2, 5, 8]);
        }
    }

    #[test]
    fn blank_lines_are_noticed_between_records_but_not_inside_or_at_the_end() {
        for (text, blank) in [
            (&b"a\n1\n2\n\n"[..], [false, false]),
            (b"\n\na\r\n1\r\n2\r\n\r\n", [false, false]),
            (b"a\n1\r\n2\n", [false, false]),
            (b"a\r\n1\n2", [false, false]),
            (b"a\n\"1\n\n\"\n2\n", [false, false]),
            (b"a\n1\n\n2\n", [false, true]),
            (b"a\r\n1\r\n\r\n2\r\n", [false, true]),
            (b"a\r\n\r\n1\r\n2", [true, true]),
        ] {
            let mut records = records(text);
            assert!(records.advance(0).unwrap());
            records.count_lines_from_here();
            let found = [1, 2].map(|row| records.advance(row).unwrap() && records.follows_a_blank_line());
            assert_eq!(found, blank, "{}", text.escape_ascii());
            assert!(!records.advance(3).unwrap());
        }
    }
}
