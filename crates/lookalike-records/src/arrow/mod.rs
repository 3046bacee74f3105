//! Records in Arrow arrays: from memory and in Arrow files and streams.

mod array_bins;
mod array_codes;
mod array_kept;
mod array_labels;
mod array_text;
mod array_types;
mod array_views;
mod arrow_error;
mod arrow_records;
mod ipc_check;
mod ipc_sink;
mod ipc_source;
mod memory;
mod record_batches;

pub use array_codes::Integers;
pub(crate) use array_kept::arrays;
pub use array_kept::arrays as kept_arrays;
pub use array_labels::LabelArrays;
pub(crate) use array_text::KeptTexts;
pub use array_text::Texts;
pub(crate) use array_types::is_text;
pub use array_types::name as type_name;
pub(crate) use arrow_error::{decoded, unwritable};
pub(crate) use arrow_records::ArrowRecords;
pub(crate) use ipc_check::{Checked, check_file};
pub use ipc_sink::ArrowSink;
pub use ipc_source::{ArrowFileSource, ArrowStreamSource};
pub use memory::{Chunks, MemoryColumn, MemorySource};
pub use record_batches::RecordBatches;
