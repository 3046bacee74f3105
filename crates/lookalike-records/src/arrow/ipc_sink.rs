//! Privatized records to Arrow IPC, files and streams.

use std::{
    io::{BufWriter, Write},
    sync::Arc,
};

use arrow_array::RecordBatch;
use arrow_ipc::{
    CompressionType,
    writer::{FileWriter, IpcWriteOptions, StreamWriter},
};
use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef};

use super::array_kept::typed_arrays;
use super::array_labels::LabelArrays;
use super::arrow_error::unwritable;
use crate::columns::{Batch, RecordSchema, RecordSink};
use lookalike_formats::records::Compression;
use lookalike_formats::{Error, Result};

/// Privatized records as an Arrow IPC file or stream: the label first, then the kept columns.
///
/// The schema has the names and types of the columns, and no metadata.
pub struct ArrowSink<'a> {
    writer: Writer<'a>,
    schema: SchemaRef,
    kept: Vec<FieldRef>,
    labels: Option<LabelArrays>,
}

type Sink<'a> = BufWriter<Box<dyn Write + Send + 'a>>;

enum Writer<'a> {
    File(Box<FileWriter<Sink<'a>>>),
    Stream(Box<StreamWriter<Sink<'a>>>),
}

impl<'a> ArrowSink<'a> {
    /// A sink that writes `labels[code]` for a code as the column `name`, followed by the kept columns, or without labels
    /// only those; a stream, or else a file. `schema` is that of the source.
    ///
    /// # Errors
    /// When the output refuses, or for a compression that Arrow has not.
    pub fn new(
        output: Box<dyn Write + Send + 'a>,
        stream: bool,
        name: &str,
        labels: &[String],
        schema: &RecordSchema,
        compression: Option<Compression>,
    ) -> Result<Self> {
        let compression = match compression.unwrap_or(Compression::None) {
            Compression::None => None,
            Compression::Lz4 => Some(CompressionType::LZ4_FRAME),
            Compression::Zstd => Some(CompressionType::ZSTD),
            other => return Err(Error::input(format!("Arrow has no {other} compression, expected none, lz4 or zstd"))),
        };
        let options = IpcWriteOptions::default().try_with_compression(compression).map_err(unwritable)?;
        let labels = (!labels.is_empty()).then(|| LabelArrays::new(labels, &schema.value));
        let kept: Vec<FieldRef> = match stream || schema.one_dictionary {
            true => schema.kept.clone(),
            false => schema.kept.iter().map(without_dictionary).collect(),
        };
        let label = labels.iter().map(|labels| Arc::new(Field::new(name, labels.data_type(), false)));
        let fields: Vec<FieldRef> = label.chain(kept.iter().cloned()).collect();
        let schema = Arc::new(Schema::new(fields));
        let output = BufWriter::with_capacity(1 << 16, output);
        let writer = match stream {
            true => StreamWriter::try_new_with_options(output, &schema, options).map(|w| Writer::Stream(Box::new(w))),
            false => FileWriter::try_new_with_options(output, &schema, options).map(|w| Writer::File(Box::new(w))),
        };
        Ok(ArrowSink { writer: writer.map_err(unwritable)?, schema, kept, labels })
    }
}

impl RecordSink for ArrowSink<'_> {
    fn write_batch(&mut self, batch: &Batch, outputs: &[u32]) -> Result<()> {
        assert_eq!(batch.len(), outputs.len(), "one output per record");
        let mut columns: Vec<_> = self.labels.iter().map(|labels| labels.array(outputs)).collect::<Result<_>>()?;
        columns.extend(typed_arrays(batch, &self.kept)?);
        let records = RecordBatch::try_new(self.schema.clone(), columns).map_err(unwritable)?;
        match &mut self.writer {
            Writer::File(writer) => writer.write(&records),
            Writer::Stream(writer) => writer.write(&records),
        }
        .map_err(unwritable)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        let output = match self.writer {
            Writer::File(mut writer) => writer.finish().and_then(|()| writer.into_inner()),
            Writer::Stream(mut writer) => writer.finish().and_then(|()| writer.into_inner()),
        };
        output.map_err(unwritable)?.flush().map_err(unwritable)
    }
}

/// A file has one dictionary for a column; where the input has several the column becomes plain.
fn without_dictionary(field: &FieldRef) -> FieldRef {
    match field.data_type() {
        DataType::Dictionary(_, value) => Arc::new(field.as_ref().clone().with_data_type((**value).clone())),
        _ => field.clone(),
    }
}
