//! The bytes of a table.
//!
//! All numbers are little end first. c is the least number, and at least 1, with 2^c ≥ outputs.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `LKDEVICE` |
//! | 4 | the version, 1 |
//! | 4 | the form: 1 for rows, 2 for keep |
//! | 4 | the number of inputs |
//! | 4 | the number of outputs |
//! | 4 | the number of texts: 0, 1, 1 + inputs, or 1 + inputs + outputs |
//! | 4 | the bytes that the texts take |
//! | 8 × inputs | keep only: the weight, out of 2^53, with which each value is kept |
//! | 8 × 2^c × tables | the columns of each table: one table per value for rows, one for all for keep; see [`crate::Column`] |
//! | as said above | the texts, each 4 bytes of length and UTF-8: ε, the names of the inputs, and those of the outputs unless they are the same |
//! | 32 | the SHA-256 digest of all bytes before it |
//!
//! Nothing stands between, before or after these. A change of any of it is another version, and a newer version is refused
//! by its number.

use crate::{Layout, Refused};

/// The first bytes of a table.
pub const MAGIC: [u8; 8] = *b"LKDEVICE";
/// The version that is read and written.
pub const VERSION: u32 = 1;
/// The bytes before the weights.
pub const HEADER_BYTES: usize = 32;
/// The bytes of the digest.
pub const DIGEST_BYTES: usize = 32;

/// How a channel is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A table for each value. A draw takes one word.
    Rows,
    /// Each value is kept with its own weight, else redrawn from one table. A draw takes two words.
    Keep,
}

/// What stands before the weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// How the channel is stored.
    pub form: Form,
    /// The number of values that may be privatized.
    pub inputs: u32,
    /// The number of values that may be released.
    pub outputs: u32,
    /// How many texts there are.
    pub texts: u32,
    /// The bytes that the texts take.
    pub text_bytes: u32,
}

impl Header {
    /// The bytes of the header.
    pub fn to_bytes(self) -> [u8; HEADER_BYTES] {
        let form = match self.form {
            Form::Rows => 1,
            Form::Keep => 2,
        };
        let mut bytes = [0; HEADER_BYTES];
        bytes[..8].copy_from_slice(&MAGIC);
        let numbers = [VERSION, form, self.inputs, self.outputs, self.texts, self.text_bytes];
        for (bytes, number) in bytes[8..].as_chunks_mut().0.iter_mut().zip(numbers) {
            *bytes = number.to_le_bytes();
        }
        bytes
    }

    /// The header that bytes begin with.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Refused> {
        let header = bytes.first_chunk::<HEADER_BYTES>().ok_or(Refused::too_short(bytes))?;
        let (magic, numbers) = header.split_first_chunk().ok_or(Refused::Magic)?;
        if *magic != MAGIC {
            return Err(Refused::Magic);
        }
        let mut numbers = numbers.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
        let mut next = || numbers.next().unwrap_or(0);
        let (version, form) = (next(), next());
        if version != VERSION {
            return Err(Refused::Version(version));
        }
        let form = match form {
            1 => Form::Rows,
            2 => Form::Keep,
            _ => return Err(Refused::Form),
        };
        let header = Header { form, inputs: next(), outputs: next(), texts: next(), text_bytes: next() };
        if header.inputs == 0 || header.outputs == 0 || (form == Form::Keep && header.inputs != header.outputs) {
            return Err(Refused::Size);
        }
        Ok(header)
    }

    /// How columns are laid out.
    pub fn layout(self) -> Layout {
        Layout::new(self.outputs as usize)
    }

    /// The number of keep weights, and that of columns; `None` where it is beyond all bounds.
    pub(crate) fn numbers(self) -> Option<(usize, usize)> {
        let columns = (self.outputs as usize).checked_next_power_of_two()?.max(2);
        match self.form {
            Form::Rows => Some((0, columns.checked_mul(self.inputs as usize)?)),
            Form::Keep => Some((self.inputs as usize, columns)),
        }
    }

    /// The number of bytes of a whole table; `None` where it is beyond all bounds.
    pub(crate) fn length(self) -> Option<usize> {
        let (keep, columns) = self.numbers()?;
        let numbers = keep.checked_add(columns)?.checked_mul(8)?;
        numbers.checked_add(self.text_bytes as usize)?.checked_add(HEADER_BYTES + DIGEST_BYTES)
    }
}
