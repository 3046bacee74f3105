//! The texts of a table: ε and the names of the categories.

use crate::Refused;
use crate::format::Header;

/// Texts one after the other, each with its length before it. Checked when they are made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Texts<'a> {
    bytes: &'a [u8],
    count: u32,
}

impl<'a> Texts<'a> {
    /// The texts that fill all of the bytes: as many as the header says, and as there may be.
    pub(crate) fn read(header: Header, bytes: &'a [u8]) -> Result<Self, Refused> {
        let (inputs, outputs) = (u64::from(header.inputs), u64::from(header.outputs));
        let count = u64::from(header.texts);
        // Outputs without names have those of the inputs, so there must be as many.
        let is_allowed = count <= 1 || (count == 1 + inputs && inputs == outputs) || count == 1 + inputs + outputs;
        let mut rest = bytes;
        for _ in 0..count {
            rest = split(rest).ok_or(Refused::Texts)?.1;
        }
        if is_allowed && rest.is_empty() { Ok(Texts { bytes, count: header.texts }) } else { Err(Refused::Texts) }
    }

    pub(crate) fn count(self) -> u32 {
        self.count
    }

    /// The text of a number. Takes as many steps as there are texts before it.
    pub(crate) fn get(self, number: u32) -> Option<&'a str> {
        let mut rest = self.bytes;
        for _ in 0..number {
            rest = split(rest)?.1;
        }
        Some(split(rest)?.0)
    }
}

/// The first text, and what comes after it.
fn split(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (text, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    Some((core::str::from_utf8(text).ok()?, rest))
}
