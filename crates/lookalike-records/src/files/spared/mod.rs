//! What no command replaces: the files that it reads, and ledgers.
//!
//! A file is known by what it is and not by its name, so that links, `./x`, `a/../x`, `/dev/fd/3` and a redirected standard
//! output are all the same to the rule. Every file is opened by [`open_input`] or [`open_stream`], which remember it; the
//! lints of this workspace refuse any other way. [`check_spared`] is asked before an output is begun and again before it is
//! put in place.

mod file_id;
mod inputs;
mod ledgers;
mod place;
mod rule;

pub use file_id::{FileId, is_same_file};
pub use inputs::{InputGuard, note_input, open_input, open_stream};
pub use place::{is_same_place, resolved};
pub use rule::{check_spared, check_stdout};
