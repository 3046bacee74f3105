//! Sources and sinks by format.

mod chosen;
#[cfg(test)]
mod format_tests;
mod sources;
pub use chosen::open_chosen;
pub use sources::Input;
pub use sources::Output;
pub use sources::create_sink;
pub use sources::open_columns;
pub use sources::open_source;
