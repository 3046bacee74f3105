//! Records from Arrow IPC, files and streams.

use std::io::{BufReader, Read};

use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, FileReaderBuilder, StreamReader};
use arrow_schema::ArrowError;

use super::arrow_error::decoded;
use super::arrow_records::ArrowRecords;
use super::ipc_check::{Checked, check_file};
use crate::columns::{Batch, Encoder, RecordSchema, RecordSource, weight};
use crate::files::{Counted, WholeInput};
use lookalike_formats::records::Columns;
use lookalike_formats::{Error, Result};

/// Records of an Arrow IPC file, also known as Feather.
///
/// # Complexity
/// One pass, in memory for one record batch of the file with its wanted columns decoded.
pub struct ArrowFileSource {
    reader: FileReader<BufReader<WholeInput>>,
    pieces: Pieces,
    length: u64,
    /// Record batches read so far.
    batches: usize,
}

impl ArrowFileSource {
    /// A source of the records of a file or of bytes; see [`CsvSource::open`](crate::csv::CsvSource::open) for the encoders.
    ///
    /// # Errors
    /// A file that cannot be read or is not an Arrow file; a column that is missing, occurs twice, or has a type
    /// without categories.
    pub fn open(
        input: impl Into<WholeInput>,
        columns: &Columns,
        profile: Option<Encoder>,
        value: Option<Encoder>,
        unknown: Option<u32>,
    ) -> Result<Self> {
        let cannot_read = |error| Error::system("cannot read", error);
        let mut input = input.into();
        let length = input.length().map_err(cannot_read)?;
        decoded(FILE, || check_file(&mut input))?;
        // Once for the schema and once for the wanted columns alone.
        let again = input.try_clone().map_err(cannot_read)?;
        let whole = decoded(FILE, || FileReaderBuilder::new().build(BufReader::new(again)))?;
        let mut records = ArrowRecords::new(&whole.schema(), columns, profile, value, unknown)?;
        records.describe(None, true);
        let reader = FileReaderBuilder::new().with_projection(records.projection().to_vec());
        let reader = decoded(FILE, || reader.build(BufReader::new(input)))?;
        Ok(ArrowFileSource { reader, pieces: Pieces::new(records), length, batches: 0 })
    }
}

impl RecordSource for ArrowFileSource {
    fn read_batch(&mut self, batch: &mut Batch) -> Result<bool> {
        let next = || {
            self.batches += 1;
            self.reader.next()
        };
        self.pieces.read(next, FILE, batch)
    }

    fn schema(&self) -> RecordSchema {
        self.pieces.records.schema().clone()
    }

    fn bytes_read(&self) -> u64 {
        let (done, all) = (self.batches as u64, self.reader.num_batches() as u64);
        (u128::from(self.length) * u128::from(done.min(all)) / u128::from(all.max(1))) as u64
    }
}

/// Records of an Arrow IPC stream, which may come from a pipe.
///
/// # Complexity
/// One pass, in memory for one record batch of the stream.
pub struct ArrowStreamSource {
    reader: StreamReader<Checked<Counted>>,
    pieces: Pieces,
}

impl ArrowStreamSource {
    /// A source of the records of `input`, whose schema is read at once; see [`CsvSource::open`](crate::csv::CsvSource::open)
    /// for the encoders.
    ///
    /// # Errors
    /// Those of [`ArrowFileSource::open`].
    pub fn open(
        input: Box<dyn Read + Send>,
        columns: &Columns,
        profile: Option<Encoder>,
        value: Option<Encoder>,
        unknown: Option<u32>,
    ) -> Result<Self> {
        let input = Checked::new(Counted::new(input));
        // A stream is read whole anyway; unwanted columns are left out when it is coded.
        let reader = decoded(STREAM, || StreamReader::try_new(input, None))?;
        let records = ArrowRecords::new(&reader.schema(), columns, profile, value, unknown)?;
        Ok(ArrowStreamSource { reader, pieces: Pieces::new(records) })
    }
}

impl RecordSource for ArrowStreamSource {
    fn read_batch(&mut self, batch: &mut Batch) -> Result<bool> {
        let projection = self.pieces.records.projection().to_vec();
        let next = || self.reader.next().map(|records| records.and_then(|records| records.project(&projection)));
        self.pieces.read(next, STREAM, batch)
    }

    fn schema(&self) -> RecordSchema {
        self.pieces.records.schema().clone()
    }

    fn bytes_read(&self) -> u64 {
        self.reader.get_ref().get_ref().bytes
    }
}

const FILE: &str = "an Arrow file";
const STREAM: &str = "an Arrow stream";

/// Record batches cut into pieces of bounded length: rows of a dictionary take little room until they are written out.
struct Pieces {
    records: ArrowRecords,
    current: Option<RecordBatch>,
    rows: u64,
    /// How many rows the next piece may have, by those of the last one.
    most: usize,
}

impl Pieces {
    fn new(records: ArrowRecords) -> Self {
        Pieces { records, current: None, rows: 0, most: Batch::MAX_ROWS }
    }

    /// How many of these rows make a piece: as many as are light enough together, and at least one.
    fn fitting(&mut self, records: &RecordBatch) -> usize {
        let weigh = |rows: usize| records.columns().iter().map(|column| weight(&column.slice(0, rows))).sum::<u64>();
        let mut rows = records.num_rows().min(self.most);
        while rows > 1 && weigh(rows) > Batch::MAX_BYTES {
            rows /= 2;
        }
        self.most = rows.saturating_mul(2).min(Batch::MAX_ROWS);
        rows
    }

    fn read(
        &mut self,
        mut next: impl FnMut() -> Option<std::result::Result<RecordBatch, ArrowError>>,
        what: &str,
        batch: &mut Batch,
    ) -> Result<bool> {
        batch.restart(self.rows, 0);
        let records = loop {
            match self.current.take().filter(|records| records.num_rows() > 0) {
                Some(records) => break records,
                None => match decoded(what, || next().transpose()) {
                    Ok(Some(records)) => {
                        self.current = Some(records);
                        self.most = Batch::MAX_ROWS;
                    }
                    Ok(None) => return Ok(false),
                    Err(error) => return Err(error.at(format!("after row {}", self.rows))),
                },
            }
        };
        let count = self.fitting(&records);
        self.records.fill(&records.slice(0, count), self.rows, batch)?;
        self.rows += count as u64;
        self.current = Some(records.slice(count, records.num_rows() - count));
        Ok(true)
    }
}
