//! `lookalike-device` for C. `include/lookalike_device.h` says what each function does.

#![no_std]

use core::mem::{align_of, size_of};
use core::ptr;
use lookalike_device::{Digest, Generator, NotReleased, Refused, Table};

/// As the header has it.
#[repr(C)]
pub struct Storage {
    opaque: [u64; 12],
}

/// What is really in it.
struct Held {
    /// [`READY`] once a table was read.
    ready: u64,
    table: Table<'static>,
}

const READY: u64 = 0x6c6f_6f6b_616c_696b;
const _: () = assert!(size_of::<Held>() <= size_of::<Storage>() && align_of::<Held>() <= align_of::<Storage>());

/// What `output` holds when nothing was released.
const NOTHING: u32 = u32::MAX;
const OK: i32 = 0;
const MISUSE: i32 = 1;
const OTHER_DIGEST: i32 = 8;
const UNKNOWN_VALUE: i32 = 20;
const WORDS: i32 = 21;
const GENERATOR: i32 = 22;

fn status_of(refused: Refused) -> i32 {
    match refused {
        Refused::Length { .. } => 2,
        Refused::Magic => 3,
        Refused::Version(_) => 4,
        Refused::Form => 5,
        Refused::Size => 6,
        Refused::Digest => 7,
        Refused::OtherDigest => OTHER_DIGEST,
        Refused::Keep { .. } => 9,
        Refused::Column { .. } => 10,
        // Refusals may gain kinds; whatever is refused is not read.
        _ => 11,
    }
}

/// See the header.
///
/// # Safety
/// `table` and `bytes` are null or point to what the header says; the bytes stay for as long as the table is used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lookalike_device_read(table: *mut Storage, bytes: *const u8, length: usize) -> i32 {
    // SAFETY: as the caller promises.
    unsafe { lookalike_device_read_by(table, bytes, length, None) }
}

/// See the header.
///
/// # Safety
/// As for [`lookalike_device_read`]; `digest` is null or points to 32 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lookalike_device_read_expected(
    table: *mut Storage,
    bytes: *const u8,
    length: usize,
    digest: *const u8,
) -> i32 {
    // SAFETY: the caller promises 32 bytes or null.
    let digest = unsafe { digest.cast::<Digest>().as_ref() };
    // SAFETY: as the caller promises.
    let status = unsafe { lookalike_device_read_by(table, bytes, length, Some(digest.unwrap_or(&[0; 32]))) };
    if digest.is_none() { MISUSE } else { status }
}

/// # Safety
/// As for [`lookalike_device_read`].
unsafe fn lookalike_device_read_by(
    table: *mut Storage,
    bytes: *const u8,
    length: usize,
    expected: Option<&Digest>,
) -> i32 {
    if table.is_null() {
        return MISUSE;
    }
    // SAFETY: not null, so the caller promises a storage. All zero, it holds no table.
    unsafe { table.write(Storage { opaque: [0; 12] }) };
    if bytes.is_null() || length > isize::MAX as usize {
        return MISUSE;
    }
    // SAFETY: not null, so the caller promises as many bytes, and that they outlive the table.
    let bytes: &'static [u8] = unsafe { core::slice::from_raw_parts(bytes, length) };
    let read = match expected {
        None => Table::read(bytes),
        Some(digest) => Table::read_expected(bytes, digest),
    };
    match read {
        Ok(read) => {
            // SAFETY: a storage has room for it, see the assertion above.
            unsafe { table.cast::<Held>().write(Held { ready: READY, table: read }) };
            OK
        }
        Err(refused) => status_of(refused),
    }
}

/// The table in a storage, if one was read.
///
/// # Safety
/// Null, or a storage that was given to a function that reads, or all zero.
unsafe fn held<'a>(table: *const Storage) -> Option<&'a Table<'static>> {
    if table.is_null() {
        return None;
    }
    let held = table.cast::<Held>();
    // SAFETY: the field is within the storage, and any bits are a number.
    let ready = unsafe { ptr::addr_of!((*held).ready).read() };
    // SAFETY: with this mark a table stands there.
    (ready == READY).then(|| unsafe { &(*held).table })
}

/// The generator of the caller.
struct Callback {
    word: unsafe extern "C" fn(*mut core::ffi::c_void, *mut u64) -> i32,
    context: *mut core::ffi::c_void,
}

impl Generator for Callback {
    type Error = ();

    fn word(&mut self) -> Result<u64, ()> {
        let mut word = 0;
        // SAFETY: the caller promises a function that takes this context.
        if unsafe { (self.word)(self.context, &mut word) } == 0 { Ok(word) } else { Err(()) }
    }
}

/// See the header.
///
/// # Safety
/// Pointers are null or as the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lookalike_device_privatize(
    table: *const Storage,
    value: u32,
    generator: Option<unsafe extern "C" fn(*mut core::ffi::c_void, *mut u64) -> i32>,
    context: *mut core::ffi::c_void,
    output: *mut u32,
) -> i32 {
    // SAFETY: as the caller promises.
    let (table, output) = unsafe { (held(table), output.as_mut()) };
    let Some(output) = output else { return MISUSE };
    *output = NOTHING;
    let (Some(table), Some(word)) = (table, generator) else { return MISUSE };
    released(table.privatize(value, &mut Callback { word, context }), GENERATOR, output)
}

/// See the header.
///
/// # Safety
/// Pointers are null or as the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lookalike_device_draw(
    table: *const Storage,
    value: u32,
    words: *const u64,
    count: usize,
    output: *mut u32,
) -> i32 {
    // SAFETY: as the caller promises.
    let (table, output) = unsafe { (held(table), output.as_mut()) };
    let Some(output) = output else { return MISUSE };
    *output = NOTHING;
    let Some(table) = table else { return MISUSE };
    if words.is_null() || count > isize::MAX as usize / 8 {
        return MISUSE;
    }
    // SAFETY: not null, so the caller promises as many words.
    let words = unsafe { core::slice::from_raw_parts(words, count) };
    released(table.draw(value, words), WORDS, output)
}

fn released<E>(released: Result<u32, NotReleased<E>>, otherwise: i32, output: &mut u32) -> i32 {
    match released {
        Ok(code) => {
            *output = code;
            OK
        }
        Err(NotReleased::UnknownValue { .. }) => UNKNOWN_VALUE,
        Err(NotReleased::Generator(_)) => otherwise,
    }
}

/// See the header.
///
/// # Safety
/// As for [`lookalike_device_privatize`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lookalike_device_inputs(table: *const Storage) -> u32 {
    // SAFETY: as the caller promises.
    unsafe { held(table) }.map_or(0, Table::inputs)
}

/// See the header.
///
/// # Safety
/// As for [`lookalike_device_privatize`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lookalike_device_outputs(table: *const Storage) -> u32 {
    // SAFETY: as the caller promises.
    unsafe { held(table) }.map_or(0, Table::outputs)
}

/// See the header.
///
/// # Safety
/// As for [`lookalike_device_privatize`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lookalike_device_words_a_value(table: *const Storage) -> usize {
    // SAFETY: as the caller promises.
    unsafe { held(table) }.map_or(0, Table::words_a_value)
}

/// See the header.
///
/// # Safety
/// As for [`lookalike_device_privatize`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lookalike_device_input_name(
    table: *const Storage,
    value: u32,
    length: *mut usize,
) -> *const u8 {
    // SAFETY: as the caller promises.
    unsafe { text(held(table).and_then(|table| table.input_name(value)), length) }
}

/// See the header.
///
/// # Safety
/// As for [`lookalike_device_privatize`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lookalike_device_output_name(
    table: *const Storage,
    output: u32,
    length: *mut usize,
) -> *const u8 {
    // SAFETY: as the caller promises.
    unsafe { text(held(table).and_then(|table| table.output_name(output)), length) }
}

/// # Safety
/// `length` is null or may be written to.
unsafe fn text(text: Option<&str>, length: *mut usize) -> *const u8 {
    // SAFETY: as the caller promises.
    if let Some(length) = unsafe { length.as_mut() } {
        *length = text.map_or(0, str::len);
    }
    text.map_or(ptr::null(), str::as_ptr)
}

/// Nothing leads here; and if something did, nothing more would be released.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    unsafe extern "C" {
        fn abort() -> !;
    }
    // SAFETY: every C library has it.
    unsafe { abort() }
}
