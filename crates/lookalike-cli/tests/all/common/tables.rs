//! Parquet and Arrow files, written and read as other programs would.

use arrow_array::*;
use arrow_ipc::{reader, writer};
use arrow_schema::{Field, Schema};
use parquet::arrow::{ArrowWriter, arrow_reader::ParquetRecordBatchReaderBuilder};
use parquet::basic::Compression;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::properties::WriterProperties;
use std::collections::HashMap;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use crate::common::MARKER;

/// The records of `records` as arrays.
pub fn table(rows: usize) -> RecordBatch {
    let column = |texts: [&'static str; 2]| {
        Arc::new(StringArray::from_iter_values(texts.into_iter().cycle().take(rows))) as ArrayRef
    };
    RecordBatch::try_from_iter([("user", column(["ana", "bo"])), ("load", column(["idle", "busy"]))]).unwrap()
}

/// Records with the marker in every place that must not come through: the metadata of the file and of its columns, a
/// value (so that it is in the dictionary and in the statistics), and a column that is not kept.
pub fn secretive(rows: usize) -> RecordBatch {
    let secret = || HashMap::from([("pandas".to_owned(), MARKER.to_owned())]);
    let users = StringArray::from_iter_values(["ana", "bo"].into_iter().cycle().take(rows));
    let loads = (0..rows).map(|row| if row % 7 == 3 { MARKER } else { ["idle", "busy"][row % 2] });
    let days = Date32Array::from_iter((0..rows as i32).map(|row| (row % 10 != 9).then_some(row)));
    let columns: [(&str, ArrayRef); 4] = [
        ("user", Arc::new(users)),
        ("load", Arc::new(StringArray::from_iter_values(loads))),
        ("day", Arc::new(days)),
        ("note", Arc::new(StringArray::from(vec![MARKER; rows]))),
    ];
    let fields =
        columns.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true).with_metadata(secret()));
    let schema = Schema::new_with_metadata(fields.collect::<Vec<_>>(), secret());
    RecordBatch::try_new(Arc::new(schema), columns.into_iter().map(|(_, array)| array).collect()).unwrap()
}

pub fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

fn pieces(records: &RecordBatch, rows: usize) -> impl Iterator<Item = RecordBatch> {
    (0..records.num_rows()).step_by(rows).map(move |at| records.slice(at, rows.min(records.num_rows() - at)))
}

/// A Parquet file with row groups of this many rows.
pub fn parquet(path: &Path, records: &RecordBatch, rows: usize, compression: Compression) {
    let properties =
        WriterProperties::builder().set_max_row_group_row_count(Some(rows)).set_compression(compression).build();
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), records.schema(), Some(properties)).unwrap();
    writer.write(records).unwrap();
    writer.close().unwrap();
}

/// An Arrow file with record batches of this many rows, which are slices.
pub fn arrow(path: &Path, records: &RecordBatch, rows: usize) {
    let mut writer = writer::FileWriter::try_new(File::create(path).unwrap(), &records.schema()).unwrap();
    pieces(records, rows).for_each(|piece| writer.write(&piece).unwrap());
    writer.finish().unwrap();
}

/// An Arrow stream with record batches of this many rows.
pub fn arrow_stream(path: &Path, records: &RecordBatch, rows: usize) {
    let mut writer = writer::StreamWriter::try_new(File::create(path).unwrap(), &records.schema()).unwrap();
    pieces(records, rows).for_each(|piece| writer.write(&piece).unwrap());
    writer.finish().unwrap();
}

/// The content of a Parquet or Arrow file, told by how it begins.
pub fn read(path: &Path) -> Vec<RecordBatch> {
    let begin = std::fs::read(path).unwrap()[..4].to_vec();
    let file = File::open(path).unwrap();
    match &begin[..] {
        b"PAR1" => {
            let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap();
            reader.map(|batch| batch.unwrap()).collect()
        }
        b"ARRO" => reader::FileReader::try_new(file, None).unwrap().map(|batch| batch.unwrap()).collect(),
        _ => reader::StreamReader::try_new(file, None).unwrap().map(|batch| batch.unwrap()).collect(),
    }
}

/// JSON lines of texts: an object a row.
pub fn json_lines(path: &Path, records: &RecordBatch) {
    let schema = records.schema();
    let member = |row: usize, at: usize| {
        let column = records.column(at);
        let text = if column.is_null(row) { "null".to_owned() } else { format!("{:?}", display(column, row)) };
        format!("{:?}: {text}", schema.field(at).name())
    };
    let row = |row: usize| (0..records.num_columns()).map(|at| member(row, at)).collect::<Vec<_>>().join(", ");
    let lines: String = (0..records.num_rows()).map(|at| format!("{{{}}}\n", row(at))).collect();
    std::fs::write(path, lines).unwrap();
}

/// The content of JSON lines as CSV.
fn csv_of_json_lines(text: &str) -> String {
    let field = |value: &serde_json::Value| match value {
        serde_json::Value::Null => String::new(),
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let mut csv = String::new();
    for line in text.lines() {
        let record: serde_json::Map<_, _> = serde_json::from_str(line).unwrap();
        if csv.is_empty() {
            csv += &(record.keys().cloned().collect::<Vec<_>>().join(",") + "\n");
        }
        csv += &(record.values().map(field).collect::<Vec<_>>().join(",") + "\n");
    }
    csv
}

/// The content of a file of any format as CSV.
pub fn text(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap();
    if path.extension().is_some_and(|end| end == "jsonl") {
        return csv_of_json_lines(&String::from_utf8(bytes).unwrap());
    }
    if bytes.is_ascii() && !bytes.starts_with(b"PAR1") && !bytes.starts_with(b"ARROW1") {
        return String::from_utf8(bytes).unwrap();
    }
    let mut text = String::new();
    for batch in read(path) {
        if text.is_empty() {
            let schema = batch.schema();
            let names: Vec<_> = schema.fields().iter().map(|field| field.name().as_str()).collect();
            text += &(names.join(",") + "\n");
        }
        for row in 0..batch.num_rows() {
            let fields = batch.columns().iter().map(|column| display(column, row));
            text += &(fields.collect::<Vec<_>>().join(",") + "\n");
        }
    }
    text
}

fn display(column: &ArrayRef, row: usize) -> String {
    arrow_cast::display::array_value_to_string(column, row).unwrap()
}

pub fn metadata(path: &Path) -> Arc<ParquetMetaData> {
    ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap().metadata().clone()
}

pub fn row_groups(path: &Path) -> Vec<usize> {
    metadata(path).row_groups().iter().map(|group| group.num_rows() as usize).collect()
}

/// The compression of the first column.
pub fn compression(path: &Path) -> Compression {
    metadata(path).row_group(0).column(0).compression()
}
