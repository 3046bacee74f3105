//! Writes of several pages, begun and completed in the first one.
//!
//! # Safety
//! These functions are called with objects of [`super::checked_file`].

#![allow(unsafe_code)]

use super::checked_file::{pages, pass_on};
use super::fault::{HAS_FAILED, PageFault, refuse};
use super::stamp;
use super::stamp::{PAGE, STAMP, Stamp};
use rusqlite::ffi::{self, sqlite3_file, sqlite3_int64};
use std::ffi::c_int;

/// Marks the first page, so that everybody knows of the write that begins; gives its number. A file without pages has nothing to
/// lose.
pub(crate) unsafe fn begin(file: *mut sqlite3_file) -> Result<u64, c_int> {
    let mut first = Box::new([0; PAGE]);
    let code = pass_on!(file, xRead, first.as_mut_ptr().cast(), PAGE as c_int, 0);
    let write = match stamp::read(&first, 1) {
        _ if code == ffi::SQLITE_IOERR_SHORT_READ => return Ok(1),
        _ if code != ffi::SQLITE_OK => return Err(code),
        Stamp::Of(write) => write,
        Stamp::Blank => return Ok(1),
        Stamp::Wrong => return Err(refuse(PageFault::Changed { page: 1 })),
    };
    let (complete, has_begun) = stamp::complete_and_begun(write);
    if !has_begun {
        stamp::put_begun(&mut first, complete);
        for code in [
            pass_on!(file, xWrite, first.as_ptr().cast(), PAGE as c_int, 0),
            pass_on!(file, xSync, ffi::SQLITE_SYNC_NORMAL),
        ] {
            if code != ffi::SQLITE_OK {
                HAS_FAILED.set(true);
                return Err(code);
            }
        }
    }
    Ok(complete + 1)
}

/// Completes the write that has begun: when all other pages are on the disk, the first page is written with its number.
pub(crate) unsafe fn complete(file: *mut sqlite3_file) -> c_int {
    let Some(pages) = (unsafe { pages(file) }) else { return ffi::SQLITE_OK };
    let Some(write) = pages.writing else { return ffi::SQLITE_OK };
    let code = pass_on!(file, xSync, ffi::SQLITE_SYNC_NORMAL);
    if code != ffi::SQLITE_OK {
        return code;
    }
    let mut first = match pages.first.take() {
        Some(first) => first,
        None => {
            let mut first = Box::new([0; PAGE]);
            let code = pass_on!(file, xRead, first.as_mut_ptr().cast(), PAGE as c_int, 0);
            if code != ffi::SQLITE_OK {
                return code;
            }
            if stamp::read(&first, 1) == Stamp::Wrong {
                return refuse(PageFault::Changed { page: 1 });
            }
            first
        }
    };
    stamp::put(&mut first, 1, write);
    let code = pass_on!(file, xWrite, first.as_ptr().cast(), PAGE as c_int, 0);
    if code != ffi::SQLITE_OK {
        return code;
    }
    (pages.writing, pages.complete) = (None, write);
    pass_on!(file, xSync, ffi::SQLITE_SYNC_NORMAL)
}

/// The number of the last write that is complete, as the first page has it; 0 in a file without pages.
pub(crate) unsafe fn last_complete(file: *mut sqlite3_file) -> u64 {
    let mut end = [0; STAMP];
    let at = (PAGE - STAMP) as sqlite3_int64;
    let code = pass_on!(file, xRead, end.as_mut_ptr().cast(), STAMP as c_int, at);
    if code == ffi::SQLITE_OK { stamp::complete_and_begun(stamp::write_of(&end)).0 } else { 0 }
}
