//! The bytes of a CSV file: decompressed, counted, and cut off when a record does not end.

use std::{
    fmt,
    io::{self, Cursor, ErrorKind, Read},
};

use flate2::read::MultiGzDecoder;

use crate::files::Counted;
use lookalike_formats::{Error, Result};

/// How much the parser reads at once.
pub(crate) const BUFFER: usize = 1 << 16;

/// The only field of the record that [`Input`] puts behind the last one.
pub(crate) const END: &[u8] = b"\0";

/// The end record with a line end before it. The parser takes an unclosed quote for a field that ends with the file;
/// but inside such a field this record does not show up, and so the missing quote does.
const TAIL: &[u8] = b"\n\0\n";

const GZIP: &[u8] = b"\x1f\x8b";
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The text of a file, followed by the record [`END`].
pub(crate) struct Input {
    text: Peeked<Text>,
    tail: &'static [u8],
    ended: bool,
    /// Bytes handed out in all.
    total: u64,
    /// Bytes handed out since the last complete record.
    handed: usize,
    record_limit: usize,
}

impl Input {
    pub fn open(input: Box<dyn Read + Send>, record_limit: usize) -> Result<Self> {
        let raw = peek(Counted::new(input), GZIP.len()).map_err(explain)?;
        let gzip = raw.get_ref().0.get_ref().as_slice() == GZIP;
        let text = if gzip { Text::Gzip(Box::new(MultiGzDecoder::new(raw))) } else { Text::Plain(raw) };
        let mut text = peek(text, BYTE_ORDER_MARK.len()).map_err(explain)?;
        if text.get_ref().0.get_ref().as_slice() == BYTE_ORDER_MARK {
            text.get_mut().0.set_position(BYTE_ORDER_MARK.len() as u64);
        }
        Ok(Input { text, tail: TAIL, ended: false, total: 0, handed: 0, record_limit })
    }

    /// The text alone.
    pub fn without_end(self) -> Self {
        Input { tail: b"", ..self }
    }

    /// To be called after every record, or the limit strikes.
    pub fn record_is_complete(&mut self) {
        self.handed = 0;
    }

    /// Whether everything was handed out, that is exactly `bytes`.
    pub fn ends_at(&self, bytes: u64) -> bool {
        self.ended && self.tail.is_empty() && self.total == bytes
    }

    /// Bytes taken from the raw input.
    pub fn raw_bytes(&self) -> u64 {
        match &self.text.get_ref().1 {
            Text::Plain(raw) => raw.get_ref().1.bytes,
            Text::Gzip(gzip) => gzip.get_ref().get_ref().1.bytes,
        }
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // The parser reads ahead by up to one buffer.
        if self.handed >= self.record_limit.saturating_add(BUFFER) {
            return Err(Fault::TooLong(self.record_limit).into());
        }
        let mut count = if self.ended { 0 } else { self.text.read(buffer)? };
        if count == 0 {
            self.ended = true;
            count = self.tail.read(buffer)?;
        }
        self.total += count as u64;
        self.handed += count;
        Ok(count)
    }
}

/// What stopped an [`Input`], told in own words: a decoder's might quote the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// More bytes than this in one record.
    TooLong(usize),
    CutShort,
    Corrupt,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::TooLong(limit) => {
                write!(f, "longer than {limit} bytes (is a line end or a closing quote missing?)")
            }
            Fault::CutShort => f.write_str("the gzip data ends too early (is the file complete?)"),
            Fault::Corrupt => f.write_str("the gzip data is damaged"),
        }
    }
}

impl std::error::Error for Fault {}

impl From<Fault> for io::Error {
    fn from(fault: Fault) -> Self {
        io::Error::other(fault)
    }
}

/// The error behind a failed read.
pub(crate) fn explain(error: io::Error) -> Error {
    match error.downcast::<Fault>() {
        Ok(fault) => Error::input(fault.to_string()),
        Err(error) if error.raw_os_error().is_some() => Error::system("cannot read", error),
        // Whoever made this error wrote its text; its kind is safe to show.
        Err(error) => Error::system("cannot read", error.kind().into()),
    }
}

type Peeked<R> = io::Chain<Cursor<Vec<u8>>, R>;

/// A reader whose first bytes, up to `count`, lie open in front.
fn peek<R: Read>(mut reader: R, count: usize) -> io::Result<Peeked<R>> {
    let mut first = Vec::with_capacity(count);
    reader.by_ref().take(count as u64).read_to_end(&mut first)?;
    Ok(Cursor::new(first).chain(reader))
}

enum Text {
    Plain(Peeked<Counted>),
    Gzip(Box<MultiGzDecoder<Peeked<Counted>>>),
}

impl Read for Text {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Text::Plain(raw) => raw.read(buffer),
            Text::Gzip(gzip) => gzip.read(buffer).map_err(|error| match error.kind() {
                _ if error.raw_os_error().is_some() => error,
                ErrorKind::UnexpectedEof => Fault::CutShort.into(),
                ErrorKind::InvalidInput | ErrorKind::InvalidData => Fault::Corrupt.into(),
                _ => error,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn read(bytes: Vec<u8>) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        let mut input =
            Input::open(Box::new(Cursor::new(bytes)), 1 << 20).map_err(|e| io::Error::other(e.to_string()))?;
        input.read_to_end(&mut text)?;
        text.truncate(text.len() - TAIL.len());
        Ok(text)
    }

    #[test]
    fn plain_text_comes_through_and_a_byte_order_mark_does_not() {
        for text in ["", "a", "ab", "abc", "abcd"] {
            assert_eq!(read(text.into()).unwrap(), text.as_bytes());
            assert_eq!(read(format!("\u{feff}{text}").into()).unwrap(), text.as_bytes());
        }
        assert_eq!(read(b"\x1f".into()).unwrap(), b"\x1f");
        assert_eq!(read(b"\xef\xbb".into()).unwrap(), b"\xef\xbb");
    }

    #[test]
    fn gzip_members_come_through_as_one_text() {
        let members = [gzip("\u{feff}a,b\n".as_bytes()), gzip(b""), gzip(b"c,d\n")].concat();
        assert_eq!(read(members).unwrap(), b"a,b\nc,d\n");
    }

    #[test]
    fn broken_gzip_is_told_in_own_words() {
        let whole = gzip(&b"some text ".repeat(1000));
        let fault = |bytes: Vec<u8>| read(bytes).unwrap_err().to_string();
        for cut in [2, 5, 12, whole.len() / 2, whole.len() - 1] {
            assert!(fault(whole[..cut].into()).ends_with("the gzip data ends too early (is the file complete?)"));
        }
        let mut wrong_sum = whole.clone();
        let last = wrong_sum.len() - 5;
        wrong_sum[last] ^= 1;
        assert_eq!(fault(wrong_sum), "the gzip data is damaged");
        assert_eq!(fault([&whole[..], b"trailing text"].concat()), "the gzip data is damaged");
    }

    #[test]
    fn raw_bytes_count_before_decompression() {
        let packed = gzip(&[b'x'; 100_000]);
        let size = packed.len() as u64;
        let mut input = Input::open(Box::new(Cursor::new(packed)), 1 << 20).unwrap();
        io::copy(&mut input, &mut io::sink()).unwrap();
        assert_eq!(input.raw_bytes(), size);
        assert!(input.ends_at(100_000 + TAIL.len() as u64));
    }

    #[test]
    fn a_strangers_error_text_is_not_passed_on() {
        let error = io::Error::new(ErrorKind::InvalidData, "SECRETMARKER");
        assert_eq!(explain(error).to_string(), "cannot read: invalid data");
        let error = explain(io::Error::from_raw_os_error(5));
        assert!(error.is_system() && error.to_string().starts_with("cannot read: "));
    }

    #[test]
    fn an_interrupted_read_is_tried_again() {
        struct Interrupted(bool);
        impl Read for Interrupted {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                self.0 = !self.0;
                if self.0 { Err(ErrorKind::Interrupted.into()) } else { (&b"ab"[..]).read(buffer) }
            }
        }
        let mut counted = Counted::new(Box::new(Interrupted(false)));
        assert_eq!(counted.read(&mut [0; 2]).unwrap(), 2);
    }
}
