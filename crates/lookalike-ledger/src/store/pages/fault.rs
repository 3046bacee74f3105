//! What went wrong with a page, beyond the number that SQLite hands on.

use rusqlite::ffi;
use std::cell::Cell;
use std::ffi::c_int;

/// Why a page was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageFault {
    /// It is not what was written, or another program wrote it.
    Changed { page: u64 },
    /// It was written by a run that was cut off before it had written all.
    CutOff { page: u64 },
}

thread_local! {
    /// Why the last call of this thread was refused.
    static FAULT: Cell<Option<PageFault>> = const { Cell::new(None) };
    /// Whether a call of this thread has failed since pages began to be copied from the journal into the file.
    pub(crate) static HAS_FAILED: Cell<bool> = const { Cell::new(false) };
}

/// Why the last page was refused that this thread wanted to read.
pub(crate) fn last_fault() -> Option<PageFault> {
    FAULT.get()
}

/// [`last_fault`], which is then forgotten.
pub(crate) fn take_fault() -> Option<PageFault> {
    FAULT.take()
}

/// Notes why a page is refused; gives what SQLite is told.
pub(crate) fn refuse(fault: PageFault) -> c_int {
    FAULT.set(Some(fault));
    ffi::SQLITE_IOERR_DATA
}
