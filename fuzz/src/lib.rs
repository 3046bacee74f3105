//! What the targets share.

use lookalike_engine::records::{Batch, Columns, Encoder, Format, Labels, Output, RecordSource, create_sink};
use lookalike_formats::{Error, Result};
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

/// What came of an input: a value, or a message that says something.
pub fn told<T>(result: Result<T>) -> Option<T> {
    result.inspect_err(|error: &Error| assert!(!error.to_string().is_empty(), "an error says something")).ok()
}

/// A folder in memory where there is one: a fuzzer writes a file for each of a million inputs.
pub fn folder() -> &'static Path {
    let shared = Path::new("/dev/shm");
    if shared.is_dir() { shared } else { Path::new("/tmp") }
}

/// A file without a name that holds these bytes.
pub fn file_of(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile_in(folder()).expect("room for a file");
    file.write_all(bytes).and_then(|()| file.seek(SeekFrom::Start(0))).expect("room for its bytes");
    file
}

/// How records are read and written: each bit of a byte decides something.
#[derive(Clone, Copy)]
pub struct Options(pub u8);

impl Options {
    pub fn has(self, bit: u8) -> bool {
        self.0 >> bit & 1 == 1
    }

    /// Records with a value, perhaps a profile, and perhaps a column to keep.
    pub fn columns(self) -> Columns {
        let profile = self.has(0).then(|| "user".to_owned());
        let keep = if self.has(1) { names(&["note"]) } else { Vec::new() };
        Columns { profile, values: names(&["load"]), keep }
    }

    pub fn profiles(self) -> Option<Encoder> {
        self.has(0).then(|| labels(&["ana", "bo"]))
    }

    pub fn values(self) -> Option<Encoder> {
        Some(labels(&VALUES))
    }

    /// The code for values that are none.
    pub fn unknown(self) -> Option<u32> {
        self.has(2).then_some(2)
    }

    fn format(self) -> Format {
        let formats = [Format::Csv, Format::Parquet, Format::Arrow, Format::ArrowStream, Format::JsonLines];
        formats[usize::from(self.0 >> 3 & 7) % formats.len()]
    }
}

const VALUES: [&str; 3] = ["idle", "7", "busy"];

pub fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

fn labels(all: &[&str]) -> Encoder {
    Box::new(Labels::new(names(all)).expect("different names"))
}

/// More rows are not read: some bytes may stand for a billion.
const MOST_ROWS: u64 = 1 << 18;

/// Reads records and writes them again with the codes that they have: all codes exist, and rows are counted.
///
/// # Errors
/// Those of the source and of the sink.
pub fn pass_on(source: &mut dyn RecordSource, options: Options) -> Result<()> {
    let (schema, labels) = (source.schema(), names(&VALUES));
    let output = Output {
        format: options.format(),
        name: "load".into(),
        header: true,
        delimiter: b',',
        compression: None,
        escape_formulas: options.format() == Format::Csv,
        labels: &labels,
        schema: &schema,
    };
    let mut sink = create_sink(Box::new(io::sink()), &output)?;
    let (mut batch, mut rows) = (Batch::default(), 0);
    while rows < MOST_ROWS && source.read_batch(&mut batch)? {
        assert_eq!(batch.first_row, rows, "rows are counted");
        assert!(!batch.is_empty() && batch.len() <= Batch::MAX_ROWS, "batches are bounded");
        assert!(batch.values.iter().all(|&value| value < 3), "values have codes");
        assert!(batch.profiles.iter().all(|&profile| profile < 2), "profiles have codes");
        assert!(batch.profiles.len() == if options.has(0) { batch.len() } else { 0 }, "a profile a row");
        rows += batch.len() as u64;
        let outputs = batch.values.clone();
        sink.write_batch(&batch, &outputs)?;
    }
    sink.finish()
}
