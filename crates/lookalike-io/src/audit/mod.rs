//! Draws of a mechanism from outside, for [`lookalike::audit`]: a [`Program`] that answers line by line, or draws that
//! were [`Written`] down.

mod lines;
mod process;
mod program;
mod written;

pub use process::Stopper;
pub use program::Program;
pub use written::{Written, WrittenInput};
