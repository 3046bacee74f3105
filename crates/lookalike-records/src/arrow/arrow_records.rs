//! Record batches as batches of codes: what Parquet and Arrow sources share.

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Schema};

use super::array_codes::{ArrayCoder, Integers};
use super::array_kept::without_metadata;
use crate::columns::{Batch, Coding, Encoder, Header, RecordSchema, plain, plain_type};
use lookalike_formats::records::{Columns, Compression};
use lookalike_formats::{Error, Result};

/// The wanted columns of a file with an Arrow schema.
pub(crate) struct ArrowRecords {
    profile: Option<ArrayCoder>,
    value: Option<ArrayCoder>,
    /// The positions of kept columns among the read ones.
    kept: Vec<usize>,
    /// The columns that are read, in the order of the file.
    projection: Vec<usize>,
    schema: RecordSchema,
}

impl ArrowRecords {
    /// The columns of a file with this schema; see [`CsvSource::open`](crate::csv::CsvSource::open) for the encoders.
    ///
    /// # Errors
    /// A column that is missing, occurs twice, or has a type without categories.
    pub fn new(
        schema: &Schema,
        columns: &Columns,
        profile: Option<Encoder>,
        value: Option<Encoder>,
        unknown: Option<u32>,
    ) -> Result<Self> {
        let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
        let header = Header::given(&names);
        header.check(columns)?;
        if columns.profile.is_some() != profile.is_some() {
            return Err(Error::input("expected a profile column and its profiles, or neither"));
        }
        let place = |name: &String| header.position(name).unwrap_or_default();
        let mut projection: Vec<usize> = columns.wanted().map(place).collect();
        projection.sort_unstable();
        projection.dedup();
        let position = |name: &String| projection.partition_point(|&read| read < place(name));
        let column = |name: &String| (name.clone(), position(name), schema.field(place(name)).data_type());
        let coder = |names: &[String], coding| ArrayCoder::new(names.iter().map(column).collect(), coding);
        let profile = columns.profile.as_ref().zip(profile);
        let profile =
            profile.map(|(name, encoder)| coder(std::slice::from_ref(name), Coding::profile(encoder))).transpose()?;
        let value_type = match &columns.values[..] {
            [] if value.is_some() => return Err(Error::input("no value column, expected at least one")),
            [] => DataType::Utf8,
            [name] => plain_type(schema.field(place(name)).data_type()),
            _ => DataType::Utf8,
        };
        let kept = columns.keep.iter().map(|name| plain(schema.field(place(name)))).collect();
        let value = value.map(|value| coder(&columns.values, Coding::value(value, unknown))).transpose()?;
        let positions = columns.keep.iter().map(position).collect();
        let schema = RecordSchema { value: value_type, kept, compression: None, one_dictionary: false };
        Ok(ArrowRecords { profile, value, kept: positions, projection, schema })
    }

    /// The columns to read, by place in the file, increasing; record batches have exactly these.
    pub fn projection(&self) -> &[usize] {
        &self.projection
    }

    pub fn schema(&self) -> &RecordSchema {
        &self.schema
    }

    /// Notes how the file is made, for sinks.
    pub fn describe(&mut self, compression: Option<Compression>, one_dictionary: bool) {
        self.schema.compression = compression;
        self.schema.one_dictionary = one_dictionary;
    }

    /// Makes `batch` these records, which begin at row `first_row` of the file.
    pub fn fill(&mut self, records: &RecordBatch, first_row: u64, batch: &mut Batch) -> Result<()> {
        batch.restart(first_row, 0);
        self.append(records, batch)
    }

    /// Whether records can be put behind others: codes can, and kept columns cannot.
    pub fn can_append(&self) -> bool {
        self.kept.is_empty()
    }

    /// Whether records can come as the numbers of their columns: each column makes codes of its own.
    pub fn takes_integers(&self) -> bool {
        self.kept.is_empty() && [&self.profile, &self.value].into_iter().flatten().all(|coder| !coder.is_joint())
    }

    /// Puts records with these numbers in the columns of the projection behind those of the batch.
    pub fn append_integers(&mut self, columns: &[Integers<'_>], batch: &mut Batch) -> Result<()> {
        let first_row = batch.first_row + batch.len() as u64;
        if let Some(profile) = &mut self.profile {
            profile.append_integers(columns, first_row, &mut batch.profiles)?;
        }
        self.value.as_mut().map_or(Ok(()), |value| value.append_integers(columns, first_row, &mut batch.values))
    }

    /// Puts these records behind those of the batch, which must have none where a column is kept.
    pub fn append(&mut self, records: &RecordBatch, batch: &mut Batch) -> Result<()> {
        let first_row = batch.first_row + batch.len() as u64;
        if let Some(profile) = &mut self.profile {
            profile.append(records, first_row, &mut batch.profiles)?;
        }
        match &mut self.value {
            Some(value) => value.append(records, first_row, &mut batch.values)?,
            None => batch.values.resize(batch.values.len() + records.num_rows(), 0),
        }
        for &position in &self.kept {
            batch.keep_array(without_metadata(records.column(position))?);
        }
        Ok(())
    }
}
