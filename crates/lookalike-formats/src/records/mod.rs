//! How records are written, as texts say it: formats, and the options of CSV.

mod csv_options;
mod format;

pub use csv_options::{Columns, CsvOptions, check_delimiter};
pub use format::{Compression, Format};
