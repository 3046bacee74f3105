//! Text files, read whole and no further than is allowed.

use super::spared::{open_input, open_stream};
use lookalike_formats::{Error, LONGEST_TEXT, Result, text_of, too_long};
use std::path::Path;

/// The text of a file of at most [`LONGEST_TEXT`] bytes; `-` is standard input. A byte-order mark is dropped.
///
/// # Errors
/// Those of [`read_text_up_to`].
pub fn read_text(path: &Path) -> Result<String> {
    read_text_up_to(path, LONGEST_TEXT)
}

/// The text of a file of at most so many bytes; `-` is standard input. A byte-order mark is dropped.
///
/// # Errors
/// A file that cannot be read or is longer, and what [`text_of`] refuses; the error names the file.
///
/// # Complexity
/// Memory for the text. Of a device or a pipe without end at most `most + 1` bytes are read.
pub fn read_text_up_to(path: &Path, most: u64) -> Result<String> {
    text_in(path, most).map_err(|error| error.in_file(path))
}

/// [`read_text_up_to`] with errors that do not name the file.
pub(crate) fn text_in(path: &Path, most: u64) -> Result<String> {
    let cannot_read = |error| Error::system("cannot read", error);
    if path == Path::new("-") {
        return text_of(open_stream(path).map_err(cannot_read)?, most);
    }
    let file = open_input(path).map_err(cannot_read)?;
    let metadata = file.metadata().map_err(cannot_read)?;
    match metadata.len() {
        length if metadata.is_file() && length > most => Err(too_long(&format!("{length} bytes"), most)),
        _ => text_of(file, most),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_formats::LONGEST_TABLE;

    #[test]
    fn a_file_that_is_too_long_is_not_read_at_all() {
        let file = tempfile::NamedTempFile::new().unwrap();
        // Without blocks on disk, so that only its length says it.
        file.as_file().set_len(LONGEST_TABLE + 1).unwrap();
        let path = file.path().display();
        let expected = format!(
            "{path}: 1073741825 bytes, expected at most 1024 MiB, since it is read whole (is this the right file?)"
        );
        assert_eq!(read_text_up_to(file.path(), LONGEST_TABLE).unwrap_err().to_string(), expected);
        file.as_file().set_len(LONGEST_TEXT + 1).unwrap();
        let error = read_text(file.path()).unwrap_err().to_string();
        assert!(error.contains("268435457 bytes, expected at most 256 MiB"), "{error}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_without_end_are_refused() {
        for device in ["/dev/zero", "/dev/urandom"] {
            let error = read_text_up_to(Path::new(device), 8 << 20).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{device}: byte ")), "{error}");
        }
    }
}
