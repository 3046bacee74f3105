//! Text on its way out.

use std::io::{self, Write};

use flate2::{Compression, write::GzEncoder};

use lookalike_formats::{Error, Result};

/// What formats of text write: gathered to chunks, plain or compressed with gzip.
pub(crate) struct TextOutput<'a> {
    writer: Writer<'a>,
    /// What is not yet written.
    pub buffer: Vec<u8>,
}

enum Writer<'a> {
    Plain(Box<dyn Write + Send + 'a>),
    Gzip(GzEncoder<Box<dyn Write + Send + 'a>>),
}

/// How many bytes are written at once.
const CHUNK: usize = 1 << 16;

impl<'a> TextOutput<'a> {
    pub fn new(output: Box<dyn Write + Send + 'a>, gzip: bool) -> Self {
        let writer = match gzip {
            true => Writer::Gzip(GzEncoder::new(output, Compression::default())),
            false => Writer::Plain(output),
        };
        TextOutput { writer, buffer: Vec::with_capacity(2 * CHUNK) }
    }

    /// To be called after every record: writes what has come together when it is enough.
    #[inline]
    pub fn record_is_complete(&mut self) -> Result<()> {
        if self.buffer.len() >= CHUNK { self.write() } else { Ok(()) }
    }

    /// Hands on what was written so far; whether all of it has left, which it has not where it is compressed.
    pub fn flush(&mut self) -> Result<bool> {
        let Writer::Plain(_) = self.writer else {
            return Ok(false);
        };
        self.write()?;
        let Writer::Plain(output) = &mut self.writer else { unreachable!("told above") };
        output.flush().map_err(refused)?;
        Ok(true)
    }

    /// Writes what is still pending, and the end of what is compressed.
    pub fn finish(mut self) -> Result<()> {
        self.write()?;
        let finished = match self.writer {
            Writer::Plain(mut output) => output.flush(),
            Writer::Gzip(output) => output.finish().and_then(|mut output| output.flush()),
        };
        finished.map_err(refused)
    }

    fn write(&mut self) -> Result<()> {
        let written = match &mut self.writer {
            Writer::Plain(output) => output.write_all(&self.buffer),
            Writer::Gzip(output) => output.write_all(&self.buffer),
        };
        self.buffer.clear();
        written.map_err(refused)
    }
}

fn refused(error: io::Error) -> Error {
    Error::system("cannot write", error)
}
