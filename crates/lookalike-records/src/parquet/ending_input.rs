//! An input for the Parquet reader, in which reading on behind the end is an error.
//!
//! The header of a page says how many items it has before they come. A reader that skips them asks for each, and behind the end
//! of the file gets nothing each time: a few bytes that say "two thousand million" would keep it busy for an hour.

use crate::files::WholeInput;
use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// How often a reader may find itself at the end.
const TIMES: u32 = 64;

/// The input.
pub(crate) struct EndingInput(pub(crate) WholeInput);

/// A reader that fails when it has been read at its end [`TIMES`] times.
pub(crate) struct Ending {
    input: WholeInput,
    at_end: u32,
}

impl Read for Ending {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.at_end += u32::from(read == 0 && !buffer.is_empty());
        if self.at_end > TIMES { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(read) }
    }
}

impl Length for EndingInput {
    fn len(&self) -> u64 {
        self.0.length().unwrap_or(0)
    }
}

impl ChunkReader for EndingInput {
    type T = BufReader<Ending>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        let mut input = self.0.try_clone()?;
        input.seek(SeekFrom::Start(start))?;
        Ok(BufReader::new(Ending { input, at_end: 0 }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        // The length comes from the file too: no more is made room for than there is.
        if (length as u64) > self.len().saturating_sub(start) {
            return Err(ParquetError::EOF(format!("{length} bytes at {start}, and the file ends before")));
        }
        if let Some(bytes) = self.0.in_memory() {
            return Ok(bytes.slice(start as usize..start as usize + length));
        }
        let mut bytes = vec![0; length];
        self.get_read(start)?.read_exact(&mut bytes)?;
        Ok(bytes.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn what_is_there_is_read_and_what_is_behind_the_end_is_an_error() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"abcdef").unwrap();
        for input in [WholeInput::from(file), Bytes::from_static(b"abcdef").into()] {
            let input = EndingInput(input);
            assert_eq!(input.len(), 6);
            assert_eq!(&input.get_bytes(2, 4).unwrap()[..], b"cdef");
            assert!(input.get_bytes(2, 5).is_err() && input.get_bytes(7, 1).is_err());
            let mut reader = input.get_read(4).unwrap();
            let mut two = [0; 2];
            reader.read_exact(&mut two).unwrap();
            assert_eq!(&two, b"ef");
            let ended = (0..=TIMES).map(|_| reader.read(&mut two)).find_map(|read| read.err());
            assert_eq!(ended.unwrap().kind(), io::ErrorKind::UnexpectedEof);
        }
    }
}
