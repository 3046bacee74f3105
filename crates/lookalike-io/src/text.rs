//! Text files, read whole.

use crate::{Error, Result};
use std::path::Path;

/// The text of a file; `-` is standard input. A byte-order mark is dropped.
///
/// # Errors
/// A file that cannot be read, or bytes that are not UTF-8; the error says where they are.
pub fn read_text(path: &Path) -> Result<String> {
    let bytes = if path == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut std::io::stdin(), &mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    let bytes = bytes.map_err(|error| Error::system("cannot read", error).in_file(path))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Error::input(format!("byte {at} is not UTF-8 text")).in_file(path)
    })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// `one of ana, bo`, for errors; a long list is cut.
pub fn one_of<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    const MOST_NAMES: usize = 8;
    let more = if names.len() > MOST_NAMES { ", …" } else { "" };
    format!("one of {}{more}", names.take(MOST_NAMES).collect::<Vec<_>>().join(", "))
}
