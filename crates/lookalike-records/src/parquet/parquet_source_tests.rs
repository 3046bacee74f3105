use std::{fs::File, sync::Arc};

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use parquet::{
    arrow::ArrowWriter,
    basic::BrotliLevel,
    file::properties::{WriterProperties, WriterPropertiesBuilder},
};

use super::*;
use crate::columns::Labels;

fn labels(names: &[&str]) -> Encoder {
    Box::new(Labels::new(names.iter().map(ToString::to_string)).unwrap())
}

fn columns() -> Columns {
    Columns { profile: None, values: vec!["load".into()], keep: vec!["id".into()] }
}

/// A file with columns `id`, `load` and `other`, in row groups of this many rows.
fn file(rows: usize, group: usize, change: impl FnOnce(WriterPropertiesBuilder) -> WriterPropertiesBuilder) -> File {
    let loads = (0..rows).map(|row| ["idle", "busy"][row * row % 7 % 2]);
    let records = RecordBatch::try_from_iter([
        ("id", Arc::new(Int64Array::from_iter_values(0..rows as i64)) as ArrayRef),
        ("load", Arc::new(StringArray::from_iter_values(loads))),
        ("other", Arc::new(StringArray::from(vec!["SECRETMARKER"; rows]))),
    ]);
    let records = records.unwrap();
    let properties = change(WriterProperties::builder().set_max_row_group_row_count(Some(group))).build();
    let file = tempfile::tempfile().unwrap();
    let mut writer = ArrowWriter::try_new(file.try_clone().unwrap(), records.schema(), Some(properties)).unwrap();
    writer.write(&records).unwrap();
    writer.close().unwrap();
    file
}

fn open(file: File) -> Result<ParquetSource> {
    ParquetSource::open(file, &columns(), None, Some(labels(&["idle", "busy"])), None)
}

#[test]
fn batches_end_where_row_groups_do() {
    for group in [1, 7, 100, 1000] {
        let mut source = open(file(250, group, |properties| properties)).unwrap();
        let (mut batch, mut rows, mut ends) = (Batch::default(), 0, Vec::new());
        while source.read_batch(&mut batch).unwrap() {
            assert_eq!(batch.first_row, rows);
            rows += batch.len() as u64;
            assert_eq!(batch.group, Group::Ends);
            ends.push(rows as usize);
        }
        let expected: Vec<usize> = (1..=250usize.div_ceil(group)).map(|end| (end * group).min(250)).collect();
        assert_eq!(ends, expected);
        assert_eq!(source.bytes_read(), source.length);
    }
}

#[test]
fn a_giant_row_group_is_read_in_batches() {
    let rows = 200_000;
    let mut source = open(file(rows, 1 << 30, |properties| properties)).unwrap();
    let (mut batch, mut lengths) = (Batch::default(), Vec::new());
    while source.read_batch(&mut batch).unwrap() {
        let last = lengths.iter().sum::<usize>() + batch.len() == rows;
        assert_eq!(batch.group, if last { Group::Ends } else { Group::Open });
        lengths.push(batch.len());
    }
    assert_eq!(lengths, [65_536, 65_536, 65_536, 3392]);
}

#[test]
fn texts_are_read_as_dictionaries_where_they_are_stored_so() {
    for (dictionary, read) in [(true, true), (false, false)] {
        let source = open(file(10, 10, |properties| properties.set_dictionary_enabled(dictionary))).unwrap();
        let field = source.metadata.schema().field(1).data_type().clone();
        assert_eq!(matches!(field, DataType::Dictionary(..)), read);
        assert_eq!(source.schema().value, DataType::Utf8, "what is written is what the file says");
    }
}

#[test]
fn long_rows_make_short_batches() {
    let long = StringArray::from(vec!["x".repeat(1 << 20); 40]);
    let records = RecordBatch::try_from_iter([
        ("id", Arc::new(long) as ArrayRef),
        ("load", Arc::new(StringArray::from(vec!["idle"; 40]))),
    ]);
    let records = records.unwrap();
    let file = tempfile::tempfile().unwrap();
    let properties = WriterProperties::builder().set_dictionary_enabled(false).build();
    let mut writer = ArrowWriter::try_new(file.try_clone().unwrap(), records.schema(), Some(properties)).unwrap();
    writer.write(&records).unwrap();
    writer.close().unwrap();
    let (mut source, mut batch, mut rows) = (open(file).unwrap(), Batch::default(), 0);
    while source.read_batch(&mut batch).unwrap() {
        assert!((1..=16).contains(&batch.len()), "{}", batch.len());
        rows += batch.len();
    }
    assert_eq!(rows, 40);
}

#[test]
fn the_compression_of_the_value_column_is_told() {
    for (set, told) in [
        (basic::Compression::UNCOMPRESSED, Compression::None),
        (basic::Compression::SNAPPY, Compression::Snappy),
        (basic::Compression::GZIP(Default::default()), Compression::Gzip),
        (basic::Compression::ZSTD(Default::default()), Compression::Zstd),
        (basic::Compression::LZ4_RAW, Compression::Lz4),
    ] {
        let source = open(file(10, 10, |properties| properties.set_compression(set))).unwrap();
        assert_eq!(source.schema().compression, Some(told));
    }
    assert_eq!(codec(basic::Compression::BROTLI(BrotliLevel::default())), None);
}

#[test]
fn a_missing_column_is_named_with_those_that_are_there() {
    let mut columns = columns();
    columns.keep = vec!["day".into()];
    let error = ParquetSource::open(file(1, 1, |p| p), &columns, None, Some(labels(&["idle"])), None).err().unwrap();
    assert_eq!(error.to_string(), "column \"day\": not found; the columns are \"id\", \"load\", \"other\"");
}
