//! Sources and sinks by format.

mod chosen;
#[cfg(test)]
mod format_tests;
mod origin;
mod sources;

pub use chosen::open_chosen;
pub use sources::{Input, Output, RecordBytes, RecordFile, Records, create_sink, open_columns, open_source};
