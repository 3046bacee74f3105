//! A reader that counts its bytes.

use std::io::{self, ErrorKind, Read};

/// A reader that counts what was taken from it.
pub(crate) struct Counted {
    input: Box<dyn Read + Send>,
    pub bytes: u64,
}

impl Counted {
    pub fn new(input: Box<dyn Read + Send>) -> Self {
        Counted { input, bytes: 0 }
    }
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.input.read(buffer) {
                Ok(count) => {
                    self.bytes += count as u64;
                    return Ok(count);
                }
                // The parser would take a signal for the end of the file.
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}
