//! Records on their way through `lookalike privatize`: read as codes, written as labels.
//!
//! A [`RecordSource`] fills [`Batch`]es of bounded size with the codes of profiles and values; a [`RecordSink`] writes
//! the privatized codes back as labels, with the columns that were to be kept. Neither trait knows a file format.
//! The sources and sinks: [`CsvSource`] and [`CsvSink`], [`JsonLinesSource`] and [`JsonLinesSink`], [`ParquetSource`] and
//! [`ParquetSink`], and for Arrow IPC [`ArrowFileSource`], [`ArrowStreamSource`] and [`ArrowSink`]. [`open_source`] and [`create_sink`] choose among them.
//! [`MemorySource`] reads columns that are in memory, [`RecordBatches`] takes Arrow record batches as they come.
//!
//! No error of this module shows the content of a field: rows and columns are named, their content is private.
//!
//! # Example
//! ```
//! use lookalike_records::{Batch, CsvSink, CsvSource, Labels, RecordSink, RecordSource};
//! use lookalike_formats::records::{Columns, CsvOptions};
//! # fn main() -> lookalike_formats::Result<()> {
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

// Inputs are opened by `files::open_input` and `open_stream` alone (clippy.toml has the list), so that none is replaced.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod arrow;
mod columns;
mod csv;
mod files;
mod json;
mod open;
mod parquet;
mod shuffle;
pub mod tables;

pub use self::csv::{CsvSink, CsvSource, escape_formula, unescaped};
pub use self::parquet::{ParquetSink, ParquetSource};
pub use arrow::{
    ArrowFileSource, ArrowSink, ArrowStreamSource, Chunks, Integers, LabelArrays, MemoryColumn, MemorySource,
    RecordBatches, Texts, kept_arrays, type_name,
};
pub use bytes::Bytes;
pub use columns::{
    Batch, BatchMechanism, Bins, ColumnNames, CountLabels, Encode, Encoder, GrowingLabels, Id, Labels, NameRecords,
    NamesOf, RecordId, RecordSchema, RecordSink, RecordSource, ShortBatches, at_field, category_encoder,
    profile_encoder, value_encoder,
};
pub use files::{
    AtomicFile, FileId, InputGuard, WholeInput, at_input, at_output, check_spared, check_stdout, is_same_file,
    is_same_place, is_stdout, is_written_through, length, note_input, open_input, open_stream, os_random, read_text,
    read_text_up_to, resolved, sync_directory, write_atomically, write_for_owner,
};
pub use json::{JsonLinesSink, JsonLinesSource};
pub use lookalike_formats::records::{Columns, Compression, CsvOptions, Format};
pub use open::{Input, Output, RecordBytes, RecordFile, Records, create_sink, open_chosen, open_columns, open_source};
pub use shuffle::{Shuffle, ShuffledTexts};
pub use tables::Folder;
