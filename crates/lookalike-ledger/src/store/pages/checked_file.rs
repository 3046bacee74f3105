//! A file as SQLite holds it.
//!
//! # Safety
//! An object is a [`CheckedFile`] and behind it, in the same memory, the object of the VFS below; one thread at a time uses it.

#![allow(unsafe_code)]

use super::stamp::PAGE;
use rusqlite::ffi::sqlite3_file;
use std::ffi::{CStr, OsStr, c_char};
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

/// A file as SQLite holds it. That of the VFS below lies behind it.
#[repr(C)]
pub(crate) struct CheckedFile {
    base: sqlite3_file,
    /// Null for journals.
    pub pages: *mut Pages,
}

/// What is known of the pages of an open file.
#[derive(Default)]
pub(crate) struct Pages {
    /// The number of the last write that is complete, as far as it has been looked up.
    pub complete: u64,
    /// The number of the write that has begun.
    pub writing: Option<u64>,
    /// The first page, which waits for the others.
    pub first: Option<Box<[u8; PAGE]>>,
    /// What completes a write that was cut off: the journals of SQLite's two ways to write.
    journals: [PathBuf; 2],
}

/// The bytes before the first page of a journal: a journal without pages completes nothing.
const JOURNAL_HEADER: u64 = 32;

impl Pages {
    /// The pages of the file of this name.
    pub unsafe fn of(name: *const c_char) -> Self {
        // SAFETY: SQLite gives the name of a ledger, which ends with a zero byte.
        let name = if name.is_null() { c"" } else { unsafe { CStr::from_ptr(name) } };
        let beside = |ending: &str| [name.to_bytes(), ending.as_bytes()].concat();
        let journals = [beside("-wal"), beside("-journal")].map(|path| PathBuf::from(OsStr::from_bytes(&path)));
        Pages { journals, ..Pages::default() }
    }

    /// Whether there is a journal that can complete what was cut off.
    pub fn has_journal(&self) -> bool {
        self.journals.iter().any(|path| path.metadata().is_ok_and(|found| found.len() > JOURNAL_HEADER))
    }
}

/// The object of the VFS below.
pub(crate) unsafe fn below(file: *mut sqlite3_file) -> *mut sqlite3_file {
    unsafe { file.byte_add(size_of::<CheckedFile>()) }
}

/// What is known of the pages; of a journal none.
pub(crate) unsafe fn pages<'a>(file: *mut sqlite3_file) -> Option<&'a mut Pages> {
    unsafe { (*file.cast::<CheckedFile>()).pages.as_mut() }
}

/// Passes a call on. The method is there: whoever opened the file has looked.
macro_rules! pass_on {
    ($file:ident, $method:ident $(, $argument:expr)*) => {
        unsafe {
            let below = $crate::store::pages::checked_file::below($file);
            (*(*below).pMethods).$method.map_or(rusqlite::ffi::SQLITE_IOERR, |method| method(below $(, $argument)*))
        }
    };
}
pub(crate) use pass_on;
