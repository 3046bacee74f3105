use arrow_array::{Array, RecordBatch, RecordBatchReader, cast::AsArray};
use arrow_schema::DataType;
use bytes::Bytes;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::*;
use lookalike_formats::records::Compression;

const ALL: [Compression; 5] =
    [Compression::None, Compression::Snappy, Compression::Gzip, Compression::Zstd, Compression::Lz4];

fn schema(value: DataType) -> RecordSchema {
    RecordSchema { value, kept: vec![], compression: None, one_dictionary: false }
}

fn labels(count: usize) -> Vec<String> {
    (0..count).map(|code| code.to_string()).collect()
}

/// The file with these codes, written in batches of 1,000 rows of which every third ends a row group.
fn written(labels: &[String], value: DataType, compression: Option<Compression>, codes: &[u32]) -> Bytes {
    let mut bytes = Vec::new();
    let mut sink = ParquetSink::new(Box::new(&mut bytes), "load", labels, &schema(value), compression).unwrap();
    for (at, codes) in codes.chunks(1000).enumerate() {
        let mut batch = Batch::default();
        batch.values.resize(codes.len(), 0);
        batch.group = if at % 3 == 2 { Group::Ends } else { Group::Open };
        sink.write_batch(&batch, codes).unwrap();
    }
    Box::new(sink).finish().unwrap();
    Bytes::from(bytes)
}

fn read(bytes: Bytes) -> (DataType, Vec<usize>, Vec<RecordBatch>) {
    let builder = ParquetRecordBatchReaderBuilder::try_new(bytes).unwrap();
    let groups = builder.metadata().row_groups().iter().map(|group| group.num_rows() as usize).collect();
    let reader = builder.build().unwrap();
    (reader.schema().field(0).data_type().clone(), groups, reader.map(|batch| batch.unwrap()).collect())
}

fn texts(batches: &[RecordBatch]) -> Vec<String> {
    let column = |batch: &RecordBatch| arrow_cast::cast(batch.column(0), &DataType::Utf8).unwrap();
    let texts = |batch: &RecordBatch| column(batch).as_string::<i32>().iter().flatten().map(str::to_owned).collect();
    batches.iter().flat_map(|batch| -> Vec<String> { texts(batch) }).collect()
}

#[test]
fn every_number_of_labels_and_every_compression_reads_back() {
    for (count, compression) in [1, 2, 3, 16, 17, 200, 256, 257, 5000, 70_000].into_iter().zip(ALL.iter().cycle()) {
        let codes: Vec<u32> = (0..7003u64).map(|row| (row * row * 7919 % count) as u32).collect();
        let labels = labels(count as usize);
        let bytes = written(&labels, DataType::Utf8, Some(*compression), &codes);
        let (data_type, groups, batches) = read(bytes);
        assert_eq!((data_type, groups), (DataType::Utf8, vec![3000, 3000, 1003]));
        let expected: Vec<&String> = codes.iter().map(|&code| &labels[code as usize]).collect();
        assert!(texts(&batches).iter().eq(expected), "{count} labels, {compression}");
    }
}

#[test]
fn every_type_comes_back_as_it_was() {
    use DataType::*;
    let dictionary = Dictionary(Box::new(Int8), Box::new(Utf8));
    let codes = [1, 0, 0, 1, 1];
    for value in [Utf8, LargeUtf8, Utf8View, Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64, dictionary] {
        let (data_type, _, batches) = read(written(&labels(2), value.clone(), None, &codes));
        assert_eq!(data_type, value);
        assert_eq!(texts(&batches), ["1", "0", "0", "1", "1"]);
        assert!(batches[0].schema().fields()[0].metadata().is_empty() && batches[0].column(0).nulls().is_none());
    }
    let flags = ["false", "true"].map(str::to_owned);
    let (data_type, _, batches) = read(written(&flags, Boolean, Some(Compression::Zstd), &codes));
    assert_eq!((data_type, texts(&batches)[..2].to_vec()), (Boolean, vec!["true".to_owned(), "false".to_owned()]));
}

#[test]
fn pages_of_one_code_are_short() {
    let labels = labels(300);
    let long = written(&labels, DataType::Utf8, Some(Compression::None), &vec![299; 100_000]);
    let short = written(&labels, DataType::Utf8, Some(Compression::None), &[299; 3000]);
    assert!(long.len() < 40 * short.len(), "{} and {} bytes", long.len(), short.len());
    assert!(texts(&read(long).2).iter().all(|text| text == "299"));
}

#[test]
fn no_records_make_a_file_with_a_schema() {
    let (data_type, groups, batches) = read(written(&labels(2), DataType::Int32, None, &[]));
    assert_eq!((data_type, groups.len(), batches.len()), (DataType::Int32, 0, 0));
}

#[test]
fn a_row_group_ends_after_a_million_rows_when_the_input_has_none() {
    let mut bytes = Vec::new();
    let labels = labels(2);
    let mut sink = ParquetSink::new(Box::new(&mut bytes), "load", &labels, &schema(DataType::Utf8), None).unwrap();
    let mut batch = Batch::default();
    batch.values.resize(Batch::MAX_ROWS, 0);
    let codes: Vec<u32> = (0..Batch::MAX_ROWS as u32).map(|row| row % 2).collect();
    (0..20).for_each(|_| sink.write_batch(&batch, &codes).unwrap());
    Box::new(sink).finish().unwrap();
    assert_eq!(read(Bytes::from(bytes)).1, [1 << 20, 4 << 16]);
}

#[test]
#[should_panic = "an output has no label"]
fn a_code_without_a_label_is_a_mistake_of_the_caller() {
    written(&labels(2), DataType::Utf8, None, &[2]);
}
