//! Records in Parquet.

mod ending_input;
mod parquet_codec;
mod parquet_pages;
mod parquet_rows;
mod parquet_sink;
mod parquet_source;

pub(crate) use ending_input::EndingInput;
pub(crate) use parquet_rows::rows_at_once;
pub use parquet_sink::ParquetSink;
pub use parquet_source::ParquetSource;
