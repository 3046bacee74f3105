//! Records in CSV.

mod csv_input;
mod csv_records;
mod csv_sink;
mod csv_source;
mod formulas;
mod text_output;

pub(crate) use csv_input::{BUFFER, Input, explain};
pub(crate) use csv_records::Records;
pub use csv_sink::CsvSink;
pub use csv_source::CsvSource;
pub(crate) use csv_source::empty;
pub use formulas::{escape_formula, unescaped};
pub(crate) use text_output::TextOutput;
