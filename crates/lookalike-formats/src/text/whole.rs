//! Texts, read whole and no further than is allowed.

use crate::error::{Error, Result};
use std::io::Read;

/// The most bytes of a file that people write, or that says as much: specs, plans, chains, lists of names, estimates.
pub const LONGEST_TEXT: u64 = 256 << 20;

/// The most bytes of a mechanism file, and of a table that a spec names: a million profiles with three million edges make a
/// file of 404 MB.
pub const LONGEST_TABLE: u64 = 1 << 30;

/// How much is read before it is looked at.
const BLOCK: u64 = 1 << 20;

/// All that a reader has, as text of at most so many bytes. A byte-order mark is dropped.
///
/// # Errors
/// A reader that fails or does not end, and bytes that are not UTF-8, or are NUL, which no text has; the error says where
/// they are. NUL is found at once, so that a device of zeros is not read to the limit.
pub fn text_of(mut input: impl Read, most: u64) -> Result<String> {
    let mut bytes = Vec::new();
    loop {
        let (seen, left) = (bytes.len(), most + 1 - bytes.len() as u64);
        let read = input.by_ref().take(left.min(BLOCK)).read_to_end(&mut bytes);
        let count = read.map_err(|error| Error::system("cannot read", error))?;
        if let Some(at) = bytes[seen..].iter().position(|&byte| byte == 0) {
            return Err(Error::input(format!("byte {} is NUL, expected text (is this the right file?)", seen + at)));
        }
        match count {
            0 => break,
            _ if bytes.len() as u64 > most => return Err(too_long("longer than it may be", most)),
            _ => {}
        }
    }
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Error::input(format!("byte {at} is not UTF-8 text"))
    })?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}

/// The error about a text that is longer than `most` bytes.
pub fn too_long(found: &str, most: u64) -> Error {
    let most = if most < BLOCK { format!("{most} bytes") } else { format!("{} MiB", most >> 20) };
    Error::input(format!("{found}, expected at most {most}, since it is read whole (is this the right file?)"))
}

/// Whether a name is likely a misspelling of another: the same but for capitals and outer blanks, or for one letter, two
/// in a long name, that is missing, added, changed or swapped with the next.
pub fn is_like(found: &str, wanted: &str) -> bool {
    let plain = |name: &str| name.trim().to_lowercase().chars().take(LONGEST_NAME + 1).collect::<Vec<char>>();
    let (found, wanted) = (plain(found), plain(wanted));
    let most = if wanted.len() > 5 { 2 } else { usize::from(wanted.len() > 2) };
    found == wanted || (wanted.len() <= LONGEST_NAME && edits(&found, &wanted) <= most)
}

/// Longer names are not compared letter by letter.
const LONGEST_NAME: usize = 64;

/// The least number of letters that are missing, added, changed or swapped with the next, each letter once.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let changed = last[j] + usize::from(x != y);
            let mut least = changed.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// `one of ana, bo`, for errors; a long list is cut.
pub fn one_of<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    const MOST_NAMES: usize = 8;
    let more = if names.len() > MOST_NAMES { ", …" } else { "" };
    format!("one of {}{more}", names.take(MOST_NAMES).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    #[test]
    fn misspellings_are_told_from_other_names() {
        for (found, wanted) in [
            ("Load", "load"),
            (" load ", "load"),
            ("lod", "load"),
            ("epsilom", "epsilon"),
            ("egdes", "edges"),
            ("a", "A"),
        ] {
            assert!(is_like(found, wanted), "{found} {wanted}");
        }
        for (found, wanted) in
            [("b", "a"), ("no", "on"), ("busy", "load"), ("", "load"), ("eps", "epsilon"), ("ana", "bo")]
        {
            assert!(!is_like(found, wanted), "{found} {wanted}");
        }
        assert_eq!(edits(&['a', 'b', 'c'], &['b', 'a', 'd', 'c']), 2);
        let long = "x".repeat(100_000);
        assert!(is_like(&long, &long) && !is_like(&long, "x"));
    }

    /// A reader that counts what is taken from it.
    struct Counted<R>(R, u64);

    impl<R: Read> Read for Counted<R> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.0.read(buffer)?;
            self.1 += count as u64;
            Ok(count)
        }
    }

    fn refused(text: impl Read, most: u64) -> String {
        text_of(text, most).unwrap_err().to_string()
    }

    #[test]
    fn a_text_may_be_as_long_as_the_limit_and_no_longer() {
        for most in [0, 5, BLOCK, BLOCK + 1, 3 * BLOCK] {
            let text = || io::repeat(b'x').take(most);
            assert_eq!(text_of(text(), most).unwrap().len() as u64, most);
            let error = refused(text().chain(&b"x"[..]), most);
            assert!(
                error.starts_with("longer than it may be, expected at most ")
                    && error.contains("(is this the right file?)"),
                "{error}"
            );
        }
        assert_eq!(
            refused(io::repeat(b'x'), 2 << 20),
            "longer than it may be, expected at most 2 MiB, since it is read whole (is this the right file?)"
        );
    }

    #[test]
    fn of_an_input_without_end_no_more_than_one_byte_beyond_the_limit_is_read() {
        for most in [0, 9, BLOCK, 2 * BLOCK + 7] {
            let mut endless = Counted(io::repeat(b' '), 0);
            assert!(text_of(&mut endless, most).is_err());
            assert_eq!(endless.1, most + 1);
        }
        let mut zeros = Counted(io::repeat(0), 0);
        let error = refused(&mut zeros, LONGEST_TABLE);
        assert_eq!(error, "byte 0 is NUL, expected text (is this the right file?)");
        assert!(zeros.1 <= BLOCK, "a device of zeros is known by its first block");
    }

    #[test]
    fn what_is_no_text_is_refused_by_its_place_and_a_byte_order_mark_is_dropped() {
        assert_eq!(text_of("\u{feff}ab".as_bytes(), 9).unwrap(), "ab");
        assert_eq!(refused(&b"ab\xff"[..], 9), "byte 2 is not UTF-8 text");
        let late = io::repeat(b'x').take(BLOCK + 3).chain(&b"\0"[..]);
        assert_eq!(
            refused(late, 2 * BLOCK),
            format!("byte {} is NUL, expected text (is this the right file?)", BLOCK + 3)
        );
    }
}
