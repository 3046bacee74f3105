//! The bytes of a GeoJSON file: decompressed, counted, and cut off when a feature does not end.

use flate2::read::MultiGzDecoder;
use lookalike_formats::{Error, Result};
use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};
use std::rc::Rc;

/// The longest feature that is read.
pub(super) const LONGEST_FEATURE: u64 = 1 << 28;

const BUFFER: usize = 1 << 16;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
const GZIP: &[u8] = b"\x1f\x8b";

/// What was read so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Meter {
    /// Bytes of the raw input.
    raw: Rc<Cell<u64>>,
    /// Bytes of text since the last feature.
    pending: Rc<Cell<u64>>,
}

impl Meter {
    pub fn bytes_read(&self) -> u64 {
        self.raw.get()
    }

    /// To be called after every feature, or the limit strikes.
    pub fn feature_is_complete(&self) {
        self.pending.set(0);
    }
}

/// The text of an input, plain or compressed with gzip, without a byte-order mark.
pub(super) struct FeatureInput<'a>(BufReader<Limited<'a>>);

impl<'a> FeatureInput<'a> {
    pub fn open(input: impl Read + 'a, meter: &Meter) -> Result<Self> {
        let mut raw = BufReader::with_capacity(BUFFER, Counted { input, count: meter.raw.clone() });
        let is_gzip = first(&mut raw)?.starts_with(GZIP);
        let text: Box<dyn Read + 'a> = if is_gzip { Box::new(MultiGzDecoder::new(raw)) } else { Box::new(raw) };
        let mut text = BufReader::with_capacity(BUFFER, Limited { text, pending: meter.pending.clone() });
        if first(&mut text)?.starts_with(BYTE_ORDER_MARK) {
            text.consume(BYTE_ORDER_MARK.len());
        }
        Ok(FeatureInput(text))
    }
}

fn first(reader: &mut impl BufRead) -> Result<&[u8]> {
    reader.fill_buf().map_err(|error| Error::system("cannot read", error))
}

impl Read for FeatureInput<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl BufRead for FeatureInput<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.0.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.0.consume(count);
    }
}

struct Counted<R> {
    input: R,
    count: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.count.set(self.count.get() + count as u64);
        Ok(count)
    }
}

struct Limited<'a> {
    text: Box<dyn Read + 'a>,
    pending: Rc<Cell<u64>>,
}

impl Read for Limited<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.pending.get() > LONGEST_FEATURE {
            let most = LONGEST_FEATURE >> 20;
            return Err(io::Error::other(format!("a feature of more than {most} MiB, expected shorter ones")));
        }
        let count = self.text.read(buffer)?;
        self.pending.set(self.pending.get() + count as u64);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_without_end_is_an_error_and_many_features_are_none() {
        let meter = Meter::default();
        let mut input = FeatureInput::open(io::repeat(b'x').take(1 << 22), &meter).unwrap();
        let mut text = [0; 1 << 20];
        input.read_exact(&mut text).unwrap();
        assert!(meter.bytes_read() >= 1 << 20);
        meter.pending.set(LONGEST_FEATURE + 1);
        let error = input.read_exact(&mut text).unwrap_err().to_string();
        assert_eq!(error, "a feature of more than 256 MiB, expected shorter ones");
        meter.feature_is_complete();
        input.read_exact(&mut text).unwrap();
    }
}
