//! Records on their way through `lookalike privatize`: read as codes, written as labels.
//!
//! A [`RecordSource`] fills [`Batch`]es of bounded size with the codes of profiles and values; a [`RecordSink`] writes
//! the privatized codes back as labels, with the columns that were to be kept. Neither trait knows a file format.
//! The sources and sinks: [`CsvSource`] and [`CsvSink`], [`JsonLinesSource`] and [`JsonLinesSink`], [`ParquetSource`] and [`ParquetSink`], and for Arrow IPC
//! [`ArrowFileSource`], [`ArrowStreamSource`] and [`ArrowSink`]. [`open_source`] and [`create_sink`] choose among them.
//! [`MemorySource`] reads columns that are in memory, [`RecordBatches`] takes Arrow record batches as they come.
//!
//! No error of this module shows the content of a field: rows and columns are named, their content is private.
//!
//! # Example
//! ```
//! use lookalike_io::records::{Batch, Columns, CsvOptions, CsvSink, CsvSource, Labels, RecordSink, RecordSource};
//! # fn main() -> lookalike_io::Result<()> {
//! let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
//! let columns = Columns { profile: Some("user".into()), values: names(&["load"]), keep: names(&["day"]) };
//! let mut source = CsvSource::open(
//!     Box::new(&b"day,user,load\nmon,ana,busy\ntue,bo,idle\n"[..]),
//!     &CsvOptions::default(),
//!     &columns,
//!     Some(Box::new(Labels::new(names(&["ana", "bo"]))?)),
//!     Some(Box::new(Labels::new(names(&["idle", "busy"]))?)),
//!     None,
//! )?;
//! let mut written = Vec::new();
//! let header = Some(names(&["load", "day"]));
//! let mut sink = CsvSink::new(Box::new(&mut written), header, b',', names(&["idle", "busy"]), false)?;
//! let mut batch = Batch::default();
//! while source.read_batch(&mut batch)? {
//!     assert_eq!((&batch.profiles[..], &batch.values[..]), (&[0, 1][..], &[1, 0][..]));
//!     sink.write_batch(&batch, &[0, 0])?;
//! }
//! Box::new(sink).finish()?;
//! assert_eq!(written, b"load,day\nidle,mon\nidle,tue\n");
//! # Ok(())
//! # }
//! ```

mod array_bins;
mod array_codes;
mod array_kept;
mod array_labels;
mod array_text;
mod array_types;
mod array_views;
mod arrow_error;
mod arrow_records;
mod batch;
mod bins;
mod chosen;
mod coding;
mod column_names;
mod counts;
mod csv_column;
mod csv_input;
mod csv_options;
mod csv_records;
mod csv_sink;
mod csv_source;
mod encode;
mod encoders;
mod ending_file;
mod format;
mod formulas;
mod growing;
mod ipc_check;
mod ipc_sink;
mod ipc_source;
mod json_members;
mod jsonl_records;
mod jsonl_sink;
mod jsonl_source;
mod memory;
mod open;
mod parquet_codec;
mod parquet_pages;
mod parquet_rows;
mod parquet_sink;
mod parquet_source;
mod record_batches;
mod schema;
mod short_batches;
mod shuffle;
mod stream;
mod text_output;
mod weight;

#[cfg(test)]
mod format_tests;

pub use array_codes::Integers;
pub(crate) use array_kept::arrays as kept_arrays;
pub use array_labels::LabelArrays;
pub(crate) use array_text::Texts;
pub(crate) use array_types::name as type_name;
pub(crate) use arrow_error::decoded;
pub use batch::Batch;
pub use bins::Bins;
pub use chosen::open_chosen;
pub use column_names::{ColumnNames, NamesOf};
pub use counts::CountLabels;
pub use csv_options::{Columns, CsvOptions};
pub use csv_sink::CsvSink;
pub use csv_source::CsvSource;
pub use encode::{Encode, Encoder, Labels};
pub use encoders::{category_encoder, profile_encoder, value_encoder};
pub(crate) use ending_file::EndingFile;
pub use format::{Compression, Format};
pub use formulas::escape_formula;
pub(crate) use formulas::unescaped;
pub use growing::GrowingLabels;
pub(crate) use ipc_check::{Checked, check_file};
pub use ipc_sink::ArrowSink;
pub use ipc_source::{ArrowFileSource, ArrowStreamSource};
pub use jsonl_sink::JsonLinesSink;
pub use jsonl_source::JsonLinesSource;
pub use memory::{Chunks, MemoryColumn, MemorySource};
pub use open::{Input, Output, create_sink, open_columns, open_source};
pub(crate) use parquet_rows::rows_at_once;
pub use parquet_sink::ParquetSink;
pub use parquet_source::ParquetSource;
pub use record_batches::RecordBatches;
pub use schema::RecordSchema;
pub use short_batches::ShortBatches;
pub use shuffle::Shuffle;
pub(crate) use shuffle::ShuffledTexts;
pub use stream::{RecordSink, RecordSource};
