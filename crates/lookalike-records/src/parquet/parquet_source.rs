//! Records from Parquet.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema};
use parquet::{
    arrow::{
        ProjectionMask,
        arrow_reader::{
            ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
        },
    },
    basic,
    file::metadata::{ColumnChunkMetaData, ParquetMetaData},
};

use super::ending_input::EndingInput;
use super::parquet_rows::rows_at_once;
use crate::arrow::{ArrowRecords, decoded, is_text};
use crate::columns::{Batch, Encoder, Group, RecordSchema, RecordSource};
use crate::files::WholeInput;
use lookalike_formats::records::{Columns, Compression};
use lookalike_formats::{Error, Result};

/// Records of a Parquet file: of its columns only the wanted ones are read.
///
/// # Complexity
/// One pass, in memory for one batch and one page of each wanted column, whatever the size of the file and of its row
/// groups, and however often a value is repeated in them.
pub struct ParquetSource {
    input: WholeInput,
    length: u64,
    metadata: ArrowReaderMetadata,
    mask: ProjectionMask,
    records: ArrowRecords,
    /// The columns that are read, by their place among the leaves.
    leaves: Vec<usize>,
    /// The row group being read, and its rows still to come.
    group: Option<(ParquetRecordBatchReader, u64)>,
    next_group: usize,
    /// Rows read so far, and in all.
    rows: u64,
    total: u64,
}

const PARQUET: &str = "Parquet";

impl ParquetSource {
    /// A source of the records of a file or of bytes, whose metadata is read at once; see [`CsvSource::open`](crate::csv::CsvSource::open)
    /// for the encoders.
    ///
    /// # Errors
    /// A file that cannot be read or is not Parquet; a column that is missing, occurs twice, or has a type or a
    /// compression that is not supported.
    pub fn open(
        input: impl Into<WholeInput>,
        columns: &Columns,
        profile: Option<Encoder>,
        value: Option<Encoder>,
        unknown: Option<u32>,
    ) -> Result<Self> {
        let input = input.into();
        let cannot_read = |error| Error::system("cannot read", error);
        let (length, again) = (input.length().map_err(cannot_read)?, input.try_clone().map_err(cannot_read)?);
        // The page index and statistics are of no use for a pass over everything.
        let load = || ArrowReaderMetadata::load(&EndingInput(again), ArrowReaderOptions::new());
        let metadata = decoded(PARQUET, load)?;
        let mut records = ArrowRecords::new(metadata.schema(), columns, profile, value, unknown)?;
        let file_metadata = metadata.metadata().clone();
        let wanted = wanted_leaves(&file_metadata, records.projection());
        check_compression(&file_metadata, &wanted)?;
        let compression = value_leaf(&file_metadata, columns).and_then(|chunk| codec(chunk.compression()));
        records.describe(compression, false);
        let schema = with_dictionaries(metadata.schema(), &file_metadata);
        let mask = ProjectionMask::roots(metadata.parquet_schema(), records.projection().iter().copied());
        let metadata =
            ArrowReaderMetadata::try_new(file_metadata.clone(), ArrowReaderOptions::new().with_schema(schema))
                .unwrap_or(metadata);
        let total = file_metadata.row_groups().iter().map(|group| group.num_rows().unsigned_abs()).sum();
        Ok(ParquetSource {
            input,
            length,
            metadata,
            mask,
            records,
            leaves: wanted,
            group: None,
            next_group: 0,
            rows: 0,
            total,
        })
    }

    /// Opens the next row group that has rows.
    fn next_group(&mut self) -> Result<bool> {
        while let Some(group) = self.metadata.metadata().row_groups().get(self.next_group) {
            let rows = group.num_rows().unsigned_abs();
            let index = self.next_group;
            self.next_group += 1;
            if rows == 0 {
                continue;
            }
            let most = rows_at_once(&self.input, group, &self.leaves)?;
            let input = self.input.try_clone().map_err(|error| Error::system("cannot read", error))?;
            let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(EndingInput(input), self.metadata.clone())
                .with_row_groups(vec![index])
                .with_projection(self.mask.clone())
                .with_batch_size(most);
            self.group = Some((decoded(PARQUET, || reader.build())?, rows));
            return Ok(true);
        }
        Ok(false)
    }
}

impl RecordSource for ParquetSource {
    fn read_batch(&mut self, batch: &mut Batch) -> Result<bool> {
        batch.restart(self.rows, 0);
        if self.group.is_none() && !self.next_group()? {
            return Ok(false);
        }
        let Some((reader, left)) = &mut self.group else {
            return Ok(false);
        };
        let place = |error: Error| error.at(format!("after row {}", self.rows));
        let records = decoded(PARQUET, || reader.next().transpose()).map_err(place)?;
        let records = records.ok_or_else(|| place(Error::input("a row group has fewer rows than it says")))?;
        let count = records.num_rows() as u64;
        *left = left
            .checked_sub(count)
            .filter(|_| count > 0)
            .ok_or_else(|| place(Error::input("a row group has other rows than it says")))?;
        let ends = *left == 0;
        self.records.fill(&records, self.rows, batch)?;
        batch.group = if ends { Group::Ends } else { Group::Open };
        self.rows += count;
        if ends {
            self.group = None;
        }
        Ok(true)
    }

    fn schema(&self) -> RecordSchema {
        self.records.schema().clone()
    }

    fn bytes_read(&self) -> u64 {
        (u128::from(self.length) * u128::from(self.rows) / u128::from(self.total.max(1))) as u64
    }
}

/// The leaf columns below the wanted columns.
fn wanted_leaves(metadata: &ParquetMetaData, roots: &[usize]) -> Vec<usize> {
    let schema = metadata.file_metadata().schema_descr();
    (0..schema.num_columns()).filter(|&leaf| roots.contains(&schema.get_column_root_idx(leaf))).collect()
}

/// The first chunk of the value column.
fn value_leaf<'a>(metadata: &'a ParquetMetaData, columns: &Columns) -> Option<&'a ColumnChunkMetaData> {
    let value = columns.values.first()?;
    let mut chunks = metadata.row_groups().first()?.columns().iter();
    chunks.find(|chunk| chunk.column_path().parts().first() == Some(value))
}

fn codec(compression: basic::Compression) -> Option<Compression> {
    match compression {
        basic::Compression::UNCOMPRESSED => Some(Compression::None),
        basic::Compression::SNAPPY => Some(Compression::Snappy),
        basic::Compression::GZIP(_) => Some(Compression::Gzip),
        basic::Compression::ZSTD(_) => Some(Compression::Zstd),
        basic::Compression::LZ4 | basic::Compression::LZ4_RAW => Some(Compression::Lz4),
        _ => None,
    }
}

fn check_compression(metadata: &ParquetMetaData, leaves: &[usize]) -> Result<()> {
    for group in metadata.row_groups() {
        let chunks = leaves.iter().filter_map(|&leaf| group.columns().get(leaf));
        if let Some(chunk) = chunks.into_iter().find(|chunk| codec(chunk.compression()).is_none()) {
            let name = chunk.column_path().parts().first().cloned().unwrap_or_default();
            return Err(Error::input(format!(
                "column {name:?}: its compression is not supported, expected none, snappy, gzip, zstd or lz4"
            )));
        }
    }
    Ok(())
}

/// The schema with texts that are stored in dictionaries read as such, so that repeated ones are never written out.
fn with_dictionaries(schema: &Schema, metadata: &ParquetMetaData) -> Arc<Schema> {
    let leaves = metadata.file_metadata().schema_descr();
    let stored = |root: usize| {
        let leaf = (0..leaves.num_columns()).find(|&leaf| leaves.get_column_root_idx(leaf) == root);
        let group = metadata.row_groups().first();
        let chunk = leaf.zip(group).and_then(|(leaf, group)| group.columns().get(leaf));
        chunk.is_some_and(|chunk| chunk.dictionary_page_offset().is_some())
    };
    let field = |(root, field): (usize, &Arc<Field>)| match field.data_type() {
        text if is_text(text) && stored(root) => {
            // The values of a dictionary are never views in what this reader makes.
            let text = if *text == DataType::LargeUtf8 { DataType::LargeUtf8 } else { DataType::Utf8 };
            let dictionary = DataType::Dictionary(Box::new(DataType::Int32), Box::new(text));
            Arc::new(field.as_ref().clone().with_data_type(dictionary))
        }
        _ => field.clone(),
    };
    Arc::new(Schema::new(schema.fields().iter().enumerate().map(field).collect::<Vec<_>>()))
}

#[cfg(test)]
#[path = "parquet_source_tests.rs"]
mod tests;
