//! How records are written, as texts say it: formats, and the options of CSV.

mod csv_options;
mod format;
pub use csv_options::Columns;
pub use csv_options::CsvOptions;
pub use csv_options::check_delimiter;
pub use format::Compression;
pub use format::Format;
