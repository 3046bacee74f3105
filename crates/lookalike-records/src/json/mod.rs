//! Records in JSON lines.

mod jsonl_records;
mod jsonl_sink;
mod jsonl_source;

pub use jsonl_sink::JsonLinesSink;
pub use jsonl_source::JsonLinesSource;
