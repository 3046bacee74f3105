//! Files: read and remembered, so that no output replaces them; and written whole or not at all.

#[cfg(feature = "files")]
mod atomic;
mod counted;
mod named;
mod os_random;
mod read_text;
mod spared;
mod whole_input;
#[cfg(any(test, not(feature = "files")))]
mod without;

#[cfg(feature = "files")]
pub(crate) use atomic::scratch_file;
#[cfg(feature = "files")]
pub use atomic::{AtomicFile, sync_directory, write_atomically, write_for_owner};
pub(crate) use counted::Counted;
pub use named::{at_input, at_output, is_stdout, is_written_through, length};
pub use os_random::os_random;
pub(crate) use read_text::text_in;
pub use read_text::{read_text, read_text_up_to};
pub use spared::{
    FileId, InputGuard, check_spared, check_stdout, is_same_file, is_same_place, note_input, open_input, open_stream,
    resolved,
};
pub use whole_input::WholeInput;
#[cfg(not(feature = "files"))]
pub(crate) use without::scratch_file;
#[cfg(not(feature = "files"))]
pub use without::{AtomicFile, sync_directory, write_atomically, write_for_owner};
