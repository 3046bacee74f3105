//! Why a table is not read.

use crate::format::{DIGEST_BYTES, HEADER_BYTES, VERSION};
use core::fmt;

/// Why bytes were refused as a table. Nothing can be drawn from them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refused {
    /// Cut off, or something was added.
    Length {
        /// The bytes that there are.
        found: usize,
        /// The bytes that there must be, or the fewest that a table has.
        expected: usize,
    },
    /// The bytes do not begin as a table does.
    Magic,
    /// A version that this release does not read.
    Version(u32),
    /// A form that does not exist.
    Form,
    /// Numbers of inputs and outputs that no channel has.
    Size,
    /// The digest is not that of the bytes: they are damaged.
    Digest,
    /// A whole table, but not the one that was expected.
    OtherDigest,
    /// A value is kept with a weight above 2^53.
    Keep {
        /// The code of the value.
        value: usize,
    },
    /// A column draws an output that does not exist.
    Column {
        /// The place of the column among all.
        place: usize,
    },
    /// Texts that are not as many as there must be, not UTF-8, or of other lengths.
    Texts,
}

impl Refused {
    pub(crate) fn too_short(bytes: &[u8]) -> Self {
        Refused::Length { found: bytes.len(), expected: HEADER_BYTES + DIGEST_BYTES }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Length { found, expected } => {
                write!(f, "a table of {found} bytes, expected {expected}: cut off, or something was added")?;
            }
            Refused::Magic => f.write_str("not a table, expected one that begins with LKDEVICE")?,
            Refused::Version(found) => {
                return write!(
                    f,
                    "a table of version {found}, expected {VERSION} (take a newer release of the reader)"
                );
            }
            Refused::Form => f.write_str("a table of a form that does not exist, expected rows or keep")?,
            Refused::Size => {
                f.write_str("a table without inputs or outputs, or one that keeps what it cannot release")?
            }
            Refused::Digest => f.write_str("a damaged table: its digest is not that of its bytes")?,
            Refused::OtherDigest => f.write_str("another table than the expected one: it has another digest")?,
            Refused::Keep { value } => write!(f, "value {value} is kept with a weight above 2^53")?,
            Refused::Column { place } => write!(f, "column {place} draws an output that does not exist")?,
            Refused::Texts => f.write_str("texts that are not UTF-8, or not as many or as long as the table says")?,
        }
        f.write_str(" (export the table again)")
    }
}

impl core::error::Error for Refused {}
