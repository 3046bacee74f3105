//! How SQLite reads and writes the file of a ledger: as it always does, but for the stamps of [`super::stamp`].
//!
//! SQLite calls what it writes files with a VFS. Ours passes every call on to the one that SQLite would use, and adds to
//! three of them: a page that is written gets its stamp, a page that is read has it looked at, and the first page is marked
//! before all others and written after them, when SQLite says that they are complete. Whoever opens a file reads its first
//! page, so one that was being written is refused without its journal whatever is read of it. Journals are passed on as they
//! are; SQLite has checksums of its own for them.
//!
//! # Safety
//! SQLite calls these functions with objects that [`open`] has made, one thread at a time for each, and with buffers of the
//! length that it says. An object is a [`CheckedFile`] and behind it, in the same memory, the object of the VFS below.

#![allow(unsafe_code)]

use super::checked_file::{CheckedFile, Pages, below, pages, pass_on};
use super::fault::{HAS_FAILED, PageFault, refuse};
use super::first_page::{begin, complete, last_complete};
use super::stamp;
use super::stamp::{PAGE, STAMP, Stamp};
use rusqlite::ffi::{self, sqlite3_file, sqlite3_int64, sqlite3_io_methods, sqlite3_vfs};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;

/// The name under which SQLite knows it.
pub(crate) const NAME: &CStr = c"lookalike-ledger";

/// Makes SQLite know [`NAME`]; gives its error where it does not.
pub(crate) fn register() -> Result<(), c_int> {
    static REGISTERED: OnceLock<c_int> = OnceLock::new();
    let code = *REGISTERED.get_or_init(|| {
        // SAFETY: SQLite gives a VFS that lives as long as the process, or null. Ours is leaked and lives as long.
        unsafe {
            let below = ffi::sqlite3_vfs_find(std::ptr::null());
            if below.is_null() {
                return ffi::SQLITE_ERROR;
            }
            let ours = sqlite3_vfs {
                szOsFile: (*below).szOsFile + size_of::<CheckedFile>() as c_int,
                pNext: std::ptr::null_mut(),
                zName: NAME.as_ptr(),
                pAppData: below.cast(),
                xOpen: Some(open),
                ..*below
            };
            ffi::sqlite3_vfs_register(Box::leak(Box::new(ours)), 0)
        }
    });
    if code == ffi::SQLITE_OK { Ok(()) } else { Err(code) }
}

/// Leaves room for stamps in the pages of a file that this connection is about to make.
pub(crate) fn reserve_stamps(connection: &rusqlite::Connection) -> Result<(), c_int> {
    let mut bytes = STAMP as c_int;
    // SAFETY: the connection is open, and SQLite reads and writes one number.
    let code = unsafe {
        let argument = std::ptr::from_mut(&mut bytes).cast();
        ffi::sqlite3_file_control(connection.handle(), c"main".as_ptr(), ffi::SQLITE_FCNTL_RESERVE_BYTES, argument)
    };
    if code == ffi::SQLITE_OK { Ok(()) } else { Err(code) }
}

/// The methods that are passed on as they are.
macro_rules! passed_on {
    ($($name:ident = $method:ident($($argument:ident: $type:ty),*);)*) => {$(
        unsafe extern "C" fn $name(file: *mut sqlite3_file $(, $argument: $type)*) -> c_int {
            pass_on!(file, $method $(, $argument)*)
        }
    )*};
}

passed_on! {
    truncate = xTruncate(size: sqlite3_int64);
    file_size = xFileSize(size: *mut sqlite3_int64);
    lock = xLock(level: c_int);
    unlock = xUnlock(level: c_int);
    check_reserved_lock = xCheckReservedLock(answer: *mut c_int);
    sector_size = xSectorSize();
    device_characteristics = xDeviceCharacteristics();
    shm_map = xShmMap(page: c_int, size: c_int, extend: c_int, answer: *mut *mut c_void);
    shm_lock = xShmLock(offset: c_int, count: c_int, flags: c_int);
    shm_unmap = xShmUnmap(delete: c_int);
}

unsafe extern "C" fn shm_barrier(file: *mut sqlite3_file) {
    unsafe {
        let below = below(file);
        if let Some(barrier) = (*(*below).pMethods).xShmBarrier {
            barrier(below);
        }
    }
}

/// Version 2 has no mapped memory, which would pass by [`read`].
static METHODS: sqlite3_io_methods = sqlite3_io_methods {
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(check_reserved_lock),
    xFileControl: Some(file_control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(device_characteristics),
    xShmMap: Some(shm_map),
    xShmLock: Some(shm_lock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    xFetch: None,
    xUnfetch: None,
};

unsafe extern "C" fn open(
    vfs: *mut sqlite3_vfs,
    name: *const c_char,
    file: *mut sqlite3_file,
    flags: c_int,
    flags_out: *mut c_int,
) -> c_int {
    unsafe {
        let vfs = (*vfs).pAppData.cast::<sqlite3_vfs>();
        let Some(open) = (*vfs).xOpen else { return ffi::SQLITE_CANTOPEN };
        (*file).pMethods = std::ptr::null();
        let below = below(file);
        (*below).pMethods = std::ptr::null();
        let code = open(vfs, name, below, flags, flags_out);
        let methods = (*below).pMethods;
        if code != ffi::SQLITE_OK || methods.is_null() || (*methods).iVersion < 2 {
            if let Some(close) = methods.as_ref().and_then(|methods| methods.xClose) {
                close(below);
            }
            return if code == ffi::SQLITE_OK { ffi::SQLITE_CANTOPEN } else { code };
        }
        let is_ledger = flags & ffi::SQLITE_OPEN_MAIN_DB != 0;
        (*file.cast::<CheckedFile>()).pages =
            if is_ledger { Box::into_raw(Box::new(Pages::of(name))) } else { std::ptr::null_mut() };
        (*file).pMethods = &METHODS;
        code
    }
}

unsafe extern "C" fn close(file: *mut sqlite3_file) -> c_int {
    unsafe {
        let checked = file.cast::<CheckedFile>();
        if !(*checked).pages.is_null() {
            // A first page that still waits belongs to a write that was not completed, and is not written.
            drop(Box::from_raw((*checked).pages));
            (*checked).pages = std::ptr::null_mut();
        }
    }
    pass_on!(file, xClose)
}

unsafe extern "C" fn read(file: *mut sqlite3_file, buffer: *mut c_void, size: c_int, at: sqlite3_int64) -> c_int {
    let code = pass_on!(file, xRead, buffer, size, at);
    HAS_FAILED.set(HAS_FAILED.get() || code != ffi::SQLITE_OK);
    // Fewer bytes than a page can have are a look at the header, whose page is read before anything is made of it.
    let Some(pages) = (unsafe { pages(file) }).filter(|_| code == ffi::SQLITE_OK && size >= 512) else { return code };
    let Some(number) = page_number(size, at) else { return refuse(PageFault::Changed { page: 1 }) };
    // SAFETY: SQLite gives a buffer of this size.
    let page = unsafe { &mut *buffer.cast::<[u8; PAGE]>() };
    if let (1, Some(first)) = (number, &pages.first) {
        page.copy_from_slice(&first[..]);
        return code;
    }
    // The first page, and it alone, may be stamped anew by another process at this very moment.
    let mut fault = PageFault::Changed { page: number };
    for _ in 0..8 {
        match stamp::read(page, number) {
            Stamp::Blank => return code,
            Stamp::Of(write) if number == 1 => {
                let (complete, has_begun) = stamp::complete_and_begun(write);
                pages.complete = complete;
                if !has_begun || pages.writing.is_some() || pages.has_journal() {
                    return code;
                }
                // Another process may have completed it and put its journal away in between.
                fault = PageFault::CutOff { page: number };
                std::thread::sleep(std::time::Duration::from_micros(100));
            }
            Stamp::Of(write) if write <= pages.complete || pages.writing == Some(write) => return code,
            Stamp::Of(write) => {
                pages.complete = unsafe { last_complete(file) };
                return if write <= pages.complete { code } else { refuse(PageFault::CutOff { page: number }) };
            }
            // Pages that another process copies from the journal are read from there by all who can see that they changed.
            Stamp::Wrong if number != 1 => return refuse(fault),
            Stamp::Wrong => std::thread::sleep(std::time::Duration::from_micros(100)),
        }
        let code = pass_on!(file, xRead, buffer, size, at);
        if code != ffi::SQLITE_OK {
            return code;
        }
    }
    refuse(fault)
}

unsafe extern "C" fn write(file: *mut sqlite3_file, buffer: *const c_void, size: c_int, at: sqlite3_int64) -> c_int {
    let Some(pages) = (unsafe { pages(file) }) else {
        return pass_on!(file, xWrite, buffer, size, at);
    };
    let Some(number) = page_number(size, at) else { return ffi::SQLITE_IOERR_WRITE };
    let write = match pages.writing {
        Some(write) => write,
        None => match unsafe { begin(file) } {
            Ok(write) => *pages.writing.insert(write),
            Err(code) => return code,
        },
    };
    // SAFETY: SQLite gives a buffer of this size.
    let mut page = Box::new(unsafe { *buffer.cast::<[u8; PAGE]>() });
    stamp::put(&mut page, number, write);
    if number == 1 {
        pages.first = Some(page);
        return ffi::SQLITE_OK;
    }
    let code = pass_on!(file, xWrite, page.as_ptr().cast(), size, at);
    HAS_FAILED.set(HAS_FAILED.get() || code != ffi::SQLITE_OK);
    code
}

unsafe extern "C" fn sync(file: *mut sqlite3_file, flags: c_int) -> c_int {
    match unsafe { complete(file) } {
        ffi::SQLITE_OK => pass_on!(file, xSync, flags),
        code => code,
    }
}

unsafe extern "C" fn file_control(file: *mut sqlite3_file, operation: c_int, argument: *mut c_void) -> c_int {
    match operation {
        ffi::SQLITE_FCNTL_CKPT_START => {
            HAS_FAILED.set(false);
            // One that failed is begun anew, with the number that is next by now.
            if let Some(pages) = unsafe { pages(file) } {
                (pages.writing, pages.first) = (None, None);
            }
        }
        // All pages are copied from the journal, or something failed on the way.
        ffi::SQLITE_FCNTL_CKPT_DONE if HAS_FAILED.get() => {}
        ffi::SQLITE_FCNTL_CKPT_DONE => match unsafe { complete(file) } {
            ffi::SQLITE_OK => {}
            // SQLite does not ask whether this went well. The next write of pages is a new one, and the journal is still there.
            code => return code,
        },
        _ => {}
    }
    pass_on!(file, xFileControl, operation, argument)
}

/// The number of the page that so many bytes at a place are; `None` where they are not a page.
fn page_number(size: c_int, at: sqlite3_int64) -> Option<u64> {
    let (size, at) = (usize::try_from(size).ok()?, u64::try_from(at).ok()?);
    (size == PAGE && at % PAGE as u64 == 0).then_some(at / PAGE as u64 + 1)
}
