//! Sources and sinks by format.

mod chosen;
#[cfg(test)]
mod format_tests;
mod sources;

pub use chosen::open_chosen;
pub use sources::{Input, Output, RecordFile, Records, create_sink, open_columns, open_source};
