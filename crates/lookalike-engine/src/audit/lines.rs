//! Bytes of a program as lines.

use lookalike::{Error, Result};

/// The most bytes of a line, its end not counted.
pub(super) const LONGEST: usize = 4_096;

/// Cuts bytes that come in pieces into lines, which end with `\n` or `\r\n`; the last one needs no end.
#[derive(Default)]
pub(super) struct Lines {
    /// The beginning of the line that is not complete.
    rest: Vec<u8>,
    /// Lines that were complete.
    seen: u64,
}

impl Lines {
    /// Shows each line that these bytes complete.
    ///
    /// # Errors
    /// A line that is too long or no UTF-8, by its number, and those of the visitor.
    pub(super) fn feed(&mut self, mut bytes: &[u8], mut visit: impl FnMut(&str) -> Result<()>) -> Result<()> {
        while let Some(end) = bytes.iter().position(|&byte| byte == b'\n') {
            let (line, after) = (&bytes[..end], &bytes[end + 1..]);
            if self.rest.is_empty() {
                self.show(line, &mut visit)?;
            } else {
                let mut whole = std::mem::take(&mut self.rest);
                whole.extend_from_slice(line);
                self.show(&whole, &mut visit)?;
                whole.clear();
                self.rest = whole;
            }
            bytes = after;
        }
        self.rest.extend_from_slice(bytes);
        // One byte more may be the first half of `\r\n`.
        if self.rest.len() > LONGEST + 1 { Err(self.too_long()) } else { Ok(()) }
    }

    /// Shows the last line if it has no end.
    ///
    /// # Errors
    /// As [`Lines::feed`].
    pub(super) fn finish(&mut self, mut visit: impl FnMut(&str) -> Result<()>) -> Result<()> {
        let rest = std::mem::take(&mut self.rest);
        if rest.is_empty() { Ok(()) } else { self.show(&rest, &mut visit) }
    }

    fn show(&mut self, line: &[u8], visit: &mut impl FnMut(&str) -> Result<()>) -> Result<()> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > LONGEST {
            return Err(self.too_long());
        }
        let text = std::str::from_utf8(line)
            .map_err(|_| self.wrong("not UTF-8 text, expected an output as text (print numbers as decimals)"))?;
        visit(text).map_err(|error| error.at(format!("line {}", self.seen + 1)))?;
        self.seen += 1;
        Ok(())
    }

    fn too_long(&self) -> Error {
        self.wrong(&format!("longer than {LONGEST} bytes, expected one output per line"))
    }

    fn wrong(&self, what: &str) -> Error {
        Error::failed(format!("line {}: {what}", self.seen + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(pieces: &[&[u8]]) -> Result<Vec<String>> {
        let (mut lines, mut found) = (Lines::default(), Vec::new());
        for piece in pieces {
            lines.feed(piece, |line| {
                found.push(line.to_owned());
                Ok(())
            })?;
        }
        lines.finish(|line| {
            found.push(line.to_owned());
            Ok(())
        })?;
        Ok(found)
    }

    proptest! {
        #[test]
        fn lines_do_not_depend_on_the_pieces(text in "[ab\r\né]{0,40}", cuts in prop::collection::vec(0usize..80, 0..6)) {
            let bytes = text.as_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let pieces: Vec<&[u8]> = cuts.windows(2).map(|ends| &bytes[ends[0]..ends[1]]).collect();
            let expected: Vec<String> =
                text.split_terminator('\n').map(|line| line.strip_suffix('\r').unwrap_or(line).to_owned()).collect();
            prop_assert_eq!(lines(&pieces).unwrap(), expected);
        }
    }

    #[test]
    fn a_line_may_be_as_long_as_the_limit_and_no_longer() {
        let full = [b'x'; LONGEST];
        for end in [&b"\n"[..], b"\r\n", b""] {
            assert_eq!(lines(&[&full[..], end].concat().chunks(1_000).collect::<Vec<_>>()).unwrap()[0].len(), LONGEST);
        }
        let long = "line 2: longer than 4096 bytes, expected one output per line";
        for bytes in [[b"a\n", &full[..], b"x\n"].concat(), [b"a\n", &full[..], b"x"].concat()] {
            assert_eq!(lines(&[&bytes]).unwrap_err().to_string(), long);
            assert_eq!(lines(&bytes.chunks(7).collect::<Vec<_>>()).unwrap_err().to_string(), long);
        }
        assert_eq!(lines(&[b"a\n", &[b'x'; 1 << 20]]).unwrap_err().to_string(), long, "an endless line ends early");
    }

    #[test]
    fn what_is_no_text_is_refused_by_its_line() {
        let error = lines(&[b"a\nb\n\xff\xfe\n"]).unwrap_err();
        assert!(error.is_failed());
        assert_eq!(error.to_string(), "line 3: not UTF-8 text, expected an output as text (print numbers as decimals)");
    }
}
