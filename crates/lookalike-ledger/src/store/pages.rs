//! The pages of a ledger's file, each of which is known again when it is read.
//!
//! A bit that flips in a row is one thing; a bit that flips in the *name* of a row is worse, for then the row is not found
//! and its record is charged anew. So not rows are checked but the pages that SQLite reads on its way to them: whoever finds
//! a row, or finds that there is none, has read pages that are what was written. SQLite leaves a few bytes free at the end
//! of each page, and [`stamp`] says what stands there. [`file_system`] puts it there and looks at it, with what
//! [`checked_file`] knows of an open file and [`first_page`] does with its first page; these three are the only part of the
//! ledger that is `unsafe`, for SQLite calls them through C.

mod checked_file;
mod fault;
mod file_system;
mod first_page;
mod stamp;

pub(crate) use fault::{PageFault, last_fault, take_fault};
pub(crate) use file_system::{NAME, register, reserve_stamps};
pub(crate) use stamp::PAGE;
#[cfg(test)]
pub(crate) use stamp::put_begun;
