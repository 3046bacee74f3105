//! Privatized records to Parquet.

use std::{io::Write, sync::Arc};

use arrow_schema::{Field, FieldRef, Schema};
use parquet::{
    arrow::{
        ArrowWriter,
        arrow_writer::{ArrowColumnWriter, ArrowRowGroupWriterFactory, ArrowWriterOptions, compute_leaves},
    },
    errors::ParquetError,
    file::{
        properties::{EnabledStatistics, WriterProperties},
        writer::SerializedFileWriter,
    },
};

use super::parquet_codec::parquet_compression;
use super::parquet_pages::LabelPages;
use crate::arrow::{LabelArrays, arrays, unwritable};
use crate::columns::{Batch, Group, RecordSchema, RecordSink};
use lookalike_formats::records::Compression;
use lookalike_formats::{Error, Result};

/// Privatized records as Parquet: the label first, then the kept columns.
///
/// Row groups end where those of the input do, or after 1,048,576 rows if it has none. The metadata is that of the
/// output alone: nothing is taken over from the input but the types of the columns.
pub struct ParquetSink<'a> {
    file: SerializedFileWriter<Box<dyn Write + Send + 'a>>,
    groups: ArrowRowGroupWriterFactory,
    kept: Vec<FieldRef>,
    /// Labels as arrays, with the field of their column; none where records are columns only.
    labels: Option<(LabelArrays, FieldRef)>,
    /// Labels as pages, where their type has dictionaries.
    pages: Option<LabelPages>,
    /// The writers of the row group, and its rows.
    group: Option<(Vec<ArrowColumnWriter>, usize)>,
    finished_groups: usize,
}

/// Rows in a row group when the input does not tell.
const GROUP_ROWS: usize = 1 << 20;
/// Bytes after which a row group ends anyway, since it is in memory until then.
const GROUP_BYTES: usize = 1 << 26;
/// Row groups after which small ones are joined: the format has at most 32,767.
const MANY_GROUPS: usize = 30_000;

impl<'a> ParquetSink<'a> {
    /// A sink that writes `labels[code]` for a code as the column `name`, followed by the kept columns; without labels
    /// only those.
    ///
    /// `schema` is that of the source; `compression` defaults to what it says, and to snappy.
    ///
    /// # Errors
    /// When the output refuses, or a kept column has a type that Parquet has not.
    pub fn new(
        output: Box<dyn Write + Send + 'a>,
        name: &str,
        labels: &[String],
        schema: &RecordSchema,
        compression: Option<Compression>,
    ) -> Result<Self> {
        let compression = compression.or(schema.compression).unwrap_or(Compression::Snappy);
        let labels = (!labels.is_empty()).then(|| {
            let labels = LabelArrays::new(labels, &schema.value);
            let field = Arc::new(Field::new(name, labels.data_type(), false));
            (labels, field)
        });
        let label = labels.iter().map(|(_, field)| field.clone());
        let fields: Vec<FieldRef> = label.chain(schema.kept.iter().cloned()).collect();
        let properties = WriterProperties::builder()
            .set_compression(parquet_compression(compression))
            .set_created_by(concat!("lookalike version ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_offset_index_disabled(true)
            .build();
        let options = ArrowWriterOptions::new().with_properties(properties);
        let writer = ArrowWriter::try_new_with_options(output, Arc::new(Schema::new(fields)), options);
        let (file, groups) =
            writer.and_then(ArrowWriter::into_serialized_writer).map_err(|error| unsupported(error, schema))?;
        let pages = labels.as_ref().and_then(|(labels, _)| LabelPages::new(labels.labels(), compression));
        let kept = schema.kept.clone();
        Ok(ParquetSink { file, groups, kept, labels, pages, group: None, finished_groups: 0 })
    }

    /// Adds the records, and says how many the row group has; the most there is when it is as large as it may be.
    fn append(&mut self, batch: &Batch, outputs: &[u32]) -> Result<usize> {
        let (writers, rows) = match self.group.take() {
            Some(group) => group,
            None => (self.groups.create_column_writers(self.finished_groups).map_err(unwritable)?, 0),
        };
        let (writers, rows) = self.group.insert((writers, rows + batch.len()));
        let mut columns = arrays(batch, &self.kept)?;
        let mut fields = self.kept.clone();
        let mut writers = writers.iter_mut();
        let mut size = 0;
        match &mut self.pages {
            Some(pages) => {
                pages.write(outputs).map_err(unwritable)?;
                size += pages.len();
                writers.next();
            }
            None => {
                if let Some((labels, field)) = &self.labels {
                    columns.insert(0, labels.array(outputs)?);
                    fields.insert(0, field.clone());
                }
            }
        }
        for (field, column) in fields.iter().zip(&columns) {
            for leaf in compute_leaves(field, column).map_err(unwritable)? {
                let writer = writers.next().ok_or_else(|| Error::input("fewer columns to write than there are"))?;
                writer.write(&leaf).map_err(unwritable)?;
                size += writer.memory_size();
            }
        }
        let rows = *rows;
        Ok(if size >= GROUP_BYTES { usize::MAX } else { rows })
    }

    fn finish_group(&mut self) -> Result<()> {
        let Some((writers, _)) = self.group.take() else {
            return Ok(());
        };
        self.finished_groups += 1;
        self.write_group(writers).map_err(unwritable)
    }

    fn write_group(&mut self, writers: Vec<ArrowColumnWriter>) -> std::result::Result<(), ParquetError> {
        let column = self.file.schema_descr().column(0);
        let mut group = self.file.next_row_group()?;
        let mut writers = writers.into_iter();
        if let Some(pages) = &mut self.pages {
            let (bytes, close) = pages.finish(column)?;
            group.append_column(&bytes, close)?;
            writers.next();
        }
        for writer in writers {
            writer.close()?.append_to_row_group(&mut group)?;
        }
        group.close().map(drop)
    }
}

impl RecordSink for ParquetSink<'_> {
    fn write_batch(&mut self, batch: &Batch, outputs: &[u32]) -> Result<()> {
        assert_eq!(batch.len(), outputs.len(), "one output per record");
        if outputs.is_empty() {
            return Ok(());
        }
        let rows = self.append(batch, outputs)?;
        let many = self.finished_groups >= MANY_GROUPS;
        let ends = batch.group == Group::Ends && !many;
        let long = rows >= GROUP_ROWS && (batch.group == Group::None || many);
        if ends || long || rows == usize::MAX {
            self.finish_group()?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        self.finish_group()?;
        self.file.finish().map(drop).map_err(unwritable)
    }
}

/// A kept column that cannot be written is named; anything else is the output's refusal.
fn unsupported(error: ParquetError, schema: &RecordSchema) -> Error {
    if matches!(error, ParquetError::External(_)) {
        return unwritable(error);
    }
    let names: Vec<_> = schema.kept.iter().map(|field| format!("{:?}", field.name())).collect();
    Error::input(format!("Parquet has no type for one of the kept columns {}", names.join(", ")))
}

#[cfg(test)]
#[path = "parquet_sink_tests.rs"]
mod tests;
