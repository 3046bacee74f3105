//! An input that is there as a whole.

use bytes::Bytes;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};

/// An input that can be read from any place, as Parquet and Arrow files are, which say at their end what is in them: a file, or
/// bytes in memory.
#[derive(Debug)]
pub struct WholeInput(Place);

#[derive(Debug)]
enum Place {
    File(File),
    Memory(Cursor<Bytes>),
}

impl WholeInput {
    /// How many bytes it has.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn length(&self) -> io::Result<u64> {
        match &self.0 {
            Place::File(file) => Ok(file.metadata()?.len()),
            Place::Memory(bytes) => Ok(bytes.get_ref().len() as u64),
        }
    }

    /// The same input once more. Nothing is copied; a file has one place where both go on reading.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn try_clone(&self) -> io::Result<WholeInput> {
        Ok(WholeInput(match &self.0 {
            Place::File(file) => Place::File(file.try_clone()?),
            Place::Memory(bytes) => Place::Memory(bytes.clone()),
        }))
    }

    /// The bytes, where they are in memory.
    pub(crate) fn in_memory(&self) -> Option<&Bytes> {
        match &self.0 {
            Place::File(_) => None,
            Place::Memory(bytes) => Some(bytes.get_ref()),
        }
    }
}

impl From<File> for WholeInput {
    fn from(file: File) -> Self {
        WholeInput(Place::File(file))
    }
}

impl From<Bytes> for WholeInput {
    fn from(bytes: Bytes) -> Self {
        WholeInput(Place::Memory(Cursor::new(bytes)))
    }
}

impl Read for WholeInput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Place::File(file) => file.read(buffer),
            Place::Memory(bytes) => bytes.read(buffer),
        }
    }
}

impl Seek for WholeInput {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.0 {
            Place::File(file) => file.seek(to),
            Place::Memory(bytes) => bytes.seek(to),
        }
    }
}
