//! Records through every pair of formats.

use std::{io::Write as _, sync::Arc};

use ::parquet::{arrow::ArrowWriter, file::properties::WriterProperties};
use arrow_array::{types::*, *};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{DataType, Field, Schema};
use tempfile::TempDir;

use crate::*;
use lookalike::sample::RandomKey;
use lookalike_formats::Result;

const FORMATS: [Format; 5] = [Format::Csv, Format::JsonLines, Format::Parquet, Format::Arrow, Format::ArrowStream];

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(ToString::to_string).collect()
}

fn columns() -> Columns {
    Columns { profile: Some("user".into()), values: strings(&["load"]), keep: strings(&["day", "n", "tags"]) }
}

/// Records with kept columns of several types; `tags` is nested and the metadata is full of secrets.
fn records(rows: usize) -> RecordBatch {
    let secret = || [("pandas".to_owned(), "SECRETMARKER".to_owned())].into();
    let users = (0..rows).map(|row| ["ana", "bo"][row % 3 % 2]);
    let loads = (0..rows).map(|row| ["idle", "busy", "full"][row * row % 5 % 3]);
    let tags = (0..rows).map(|row| (row % 4 != 3).then(|| (0..row as i32 % 3).map(Some).collect::<Vec<_>>()));
    let tags = ListArray::from_iter_primitive::<Int32Type, _, _>(tags);
    let arrays: Vec<ArrayRef> = vec![
        Arc::new(users.map(Some).collect::<DictionaryArray<Int16Type>>()),
        Arc::new(StringArray::from(vec!["SECRETMARKER"; rows])),
        Arc::new(LargeStringArray::from_iter_values(loads)),
        Arc::new(Date32Array::from_iter((0..rows as i32).map(|row| (row % 5 != 4).then_some(row)))),
        Arc::new(Float64Array::from_iter_values((0..rows).map(|row| row as f64 / 4.0))),
        Arc::new(tags),
    ];
    let names = ["user", "unkept", "load", "day", "n", "tags"];
    let fields = names
        .iter()
        .zip(&arrays)
        .map(|(name, array)| Field::new(*name, array.data_type().clone(), true).with_metadata(secret()));
    let schema = Schema::new_with_metadata(fields.collect::<Vec<_>>(), secret());
    RecordBatch::try_new(Arc::new(schema), arrays).unwrap()
}

/// Writes records as another program would, in pieces of this many rows.
fn write(folder: &TempDir, format: Format, records: &RecordBatch, piece: usize) -> std::path::PathBuf {
    let path = folder.path().join(format!("in.{format}"));
    let mut file = std::fs::File::create(&path).unwrap();
    let pieces = (0..records.num_rows().div_ceil(piece))
        .map(|at| records.slice(at * piece, piece.min(records.num_rows() - at * piece)));
    match format {
        Format::Parquet => {
            let properties = WriterProperties::builder().set_max_row_group_row_count(Some(piece)).build();
            let mut writer = ArrowWriter::try_new(file, records.schema(), Some(properties)).unwrap();
            writer.write(records).unwrap();
            writer.close().unwrap();
        }
        Format::Arrow => {
            let mut writer = FileWriter::try_new(file, &records.schema()).unwrap();
            pieces.for_each(|piece| writer.write(&piece).unwrap());
            writer.finish().unwrap();
        }
        Format::ArrowStream => {
            let mut writer = StreamWriter::try_new(file, &records.schema()).unwrap();
            pieces.for_each(|piece| writer.write(&piece).unwrap());
            writer.finish().unwrap();
        }
        Format::JsonLines => {
            let columns: Vec<ArrayRef> = records.columns().to_vec();
            let (texts, mut text) = (crate::arrow::KeptTexts::of(&columns).unwrap(), String::new());
            for row in 0..records.num_rows() {
                let (mut members, schema) = (Vec::new(), records.schema());
                texts
                    .each(row, &mut text, |field| {
                        let (name, column) = (schema.field(members.len()).name(), &columns[members.len()]);
                        let value = match column.data_type() {
                            _ if column.is_null(row) => "null".to_owned(),
                            DataType::Float64 => field.to_owned(),
                            _ => format!("{field:?}"),
                        };
                        members.push(format!("{name:?}: {value}"));
                    })
                    .unwrap();
                writeln!(file, "{{{}}}", members.join(", ")).unwrap();
            }
        }
        Format::Csv => {
            writeln!(file, "user,unkept,load,day,n,tags").unwrap();
            let columns: Vec<ArrayRef> = records.columns().to_vec();
            let (texts, mut text) = (crate::arrow::KeptTexts::of(&columns).unwrap(), String::new());
            for row in 0..records.num_rows() {
                let mut fields = Vec::new();
                texts.each(row, &mut text, |field| fields.push(format!("\"{field}\""))).unwrap();
                writeln!(file, "{}", fields.join(",")).unwrap();
            }
        }
    }
    path
}

fn open(path: &std::path::Path, format: Format, columns: &Columns) -> Result<Box<dyn RecordSource>> {
    let csv = CsvOptions::default();
    let input = Input { path, format, csv: &csv, columns, charging: None };
    let encoder = |names: &[&str]| -> Encoder { Box::new(Labels::new(strings(names)).unwrap()) };
    let profile = columns.profile.as_ref().map(|_| encoder(&["ana", "bo"]));
    open_source(&input, profile, encoder(&["idle", "busy", "full"]), None)
}

/// Sends records through unchanged, and perhaps shuffled.
fn copy(source: &mut dyn RecordSource, format: Format, shuffle: bool) -> Vec<u8> {
    let (labels, schema) = (strings(&["idle", "busy", "full"]), source.schema());
    let schema = if shuffle { Shuffle::schema(&schema) } else { schema };
    let output = Output {
        escape_formulas: false,
        format,
        name: "load".into(),
        header: true,
        delimiter: b',',
        compression: None,
        labels: &labels,
        schema: &schema,
    };
    let mut bytes = Vec::new();
    let mut sink = create_sink(Box::new(&mut bytes), &output).unwrap();
    if shuffle {
        sink = Box::new(Shuffle::new(sink, &RandomKey::from_seed(1), std::env::temp_dir()));
    }
    let mut batch = Batch::default();
    while source.read_batch(&mut batch).unwrap() {
        sink.write_batch(&batch, &batch.values).unwrap();
    }
    sink.finish().unwrap();
    bytes
}

/// A file of any format as CSV text: what it says, whatever its types.
fn text(folder: &TempDir, bytes: &[u8], format: Format) -> String {
    if format == Format::Csv {
        return String::from_utf8(bytes.to_vec()).unwrap();
    }
    let path = folder.path().join("copy");
    std::fs::write(&path, bytes).unwrap();
    let columns = Columns { profile: None, ..columns() };
    String::from_utf8(copy(&mut *open(&path, format, &columns).unwrap(), Format::Csv, false)).unwrap()
}

#[test]
fn every_format_can_be_turned_into_every_other() {
    let folder = tempfile::tempdir().unwrap();
    let records = records(1000);
    let expected = {
        let path = write(&folder, Format::Csv, &records, 1000);
        String::from_utf8(copy(&mut *open(&path, Format::Csv, &columns()).unwrap(), Format::Csv, false)).unwrap()
    };
    assert!(expected.starts_with("load,day,n,tags\nidle,1970-01-01,0.0,[]\n"), "{}", &expected[..80]);
    for from in FORMATS {
        for piece in [1, 37, 1000] {
            let path = write(&folder, from, &records, piece);
            for to in FORMATS {
                let bytes = copy(&mut *open(&path, from, &columns()).unwrap(), to, false);
                assert!(text(&folder, &bytes, to) == expected, "{from} in pieces of {piece} to {to}");
                let found = bytes.windows(12).any(|window| window == b"SECRETMARKER");
                assert!(!found, "{from} to {to}: metadata or an unkept column came through");
            }
        }
    }
}

#[test]
fn shuffled_rows_keep_their_columns_together_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let records = records(500);
    let path = write(&folder, Format::Csv, &records, 500);
    let first = copy(&mut *open(&path, Format::Csv, &columns()).unwrap(), Format::Csv, true);
    let expected = String::from_utf8(first).unwrap();
    for from in FORMATS {
        for to in FORMATS {
            let path = write(&folder, from, &records, 77);
            let bytes = copy(&mut *open(&path, from, &columns()).unwrap(), to, true);
            assert!(text(&folder, &bytes, to) == expected, "{from} to {to}");
        }
    }
}

#[test]
fn kept_columns_and_the_value_keep_their_types() {
    let folder = tempfile::tempdir().unwrap();
    let records = records(100);
    for from in [Format::Parquet, Format::Arrow, Format::ArrowStream] {
        let path = write(&folder, from, &records, 30);
        for to in [Format::Parquet, Format::Arrow, Format::ArrowStream] {
            let bytes = copy(&mut *open(&path, from, &columns()).unwrap(), to, false);
            let copied = folder.path().join("copy");
            std::fs::write(&copied, bytes).unwrap();
            let schema = open(&copied, to, &Columns { profile: None, ..columns() }).unwrap().schema();
            assert_eq!(schema.value, DataType::LargeUtf8);
            let types: Vec<_> = schema.kept.iter().map(|field| field.data_type().clone()).collect();
            let kept = ["day", "n", "tags"].map(|name| records.column_by_name(name).unwrap().data_type().clone());
            assert_eq!(types, kept, "{from} to {to}");
        }
    }
}

#[test]
fn no_rows_make_a_file_without_rows() {
    let folder = tempfile::tempdir().unwrap();
    for from in FORMATS {
        let path = write(&folder, from, &records(0), 10);
        for to in FORMATS {
            let bytes = copy(&mut *open(&path, from, &columns()).unwrap(), to, false);
            assert_eq!(text(&folder, &bytes, to), "load,day,n,tags\n", "{from} to {to}");
        }
    }
}

#[test]
fn a_kept_dictionary_that_changes_goes_through_a_stream_and_becomes_text_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let batch = |day: &str| {
        let days = std::iter::repeat_n(Some(day), 3).collect::<DictionaryArray<Int8Type>>();
        let loads = StringArray::from(vec!["idle"; 3]);
        RecordBatch::try_from_iter([("load", Arc::new(loads) as ArrayRef), ("day", Arc::new(days))]).unwrap()
    };
    let path = folder.path().join("in.arrows");
    let mut writer = StreamWriter::try_new(std::fs::File::create(&path).unwrap(), &batch("mon").schema()).unwrap();
    ["mon", "tue", "mon"].iter().for_each(|day| writer.write(&batch(day)).unwrap());
    writer.finish().unwrap();
    let columns = Columns { profile: None, values: strings(&["load"]), keep: strings(&["day"]) };
    for (to, data_type) in [
        (Format::ArrowStream, DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8))),
        (Format::Parquet, DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8))),
        (Format::Arrow, DataType::Utf8),
    ] {
        let bytes = copy(&mut *open(&path, Format::ArrowStream, &columns).unwrap(), to, false);
        let copied = folder.path().join("copy");
        std::fs::write(&copied, bytes).unwrap();
        let mut source = open(&copied, to, &columns).unwrap();
        assert_eq!(*source.schema().kept[0].data_type(), data_type, "{to}");
        let text = String::from_utf8(copy(&mut *source, Format::Csv, false)).unwrap();
        let rows = ["idle,mon\n", "idle,tue\n", "idle,mon\n"].map(|row| row.repeat(3)).concat();
        assert_eq!(text, format!("load,day\n{rows}"));
    }
}

#[test]
fn broken_files_are_told_from_missing_ones() {
    let folder = tempfile::tempdir().unwrap();
    let records = records(1000);
    for (format, what) in
        [(Format::Parquet, "Parquet"), (Format::Arrow, "an Arrow file"), (Format::ArrowStream, "an Arrow stream")]
    {
        let path = write(&folder, format, &records, 100);
        let whole = std::fs::read(&path).unwrap();
        let text = format!("damaged, cut short, or not {what} (is the file complete?)");
        for cut in [0, 3, whole.len() / 3, whole.len() / 2] {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let failed = open(&path, format, &columns()).and_then(|mut source| {
                let mut batch = Batch::default();
                while source.read_batch(&mut batch)? {}
                Ok(())
            });
            let message = failed.expect_err(&format!("{format} cut to {cut} bytes")).to_string();
            assert!(message.ends_with(&text), "{message}");
        }
        std::fs::remove_file(&path).unwrap();
        assert!(open(&path, format, &columns()).err().unwrap().is_system());
    }
    let dash = std::path::Path::new("-");
    assert_eq!(
        open(dash, Format::Parquet, &columns()).err().unwrap().to_string(),
        "parquet is read from its end, so it must be a file"
    );
    assert_eq!(
        open(dash, Format::Arrow, &columns()).err().unwrap().to_string(),
        "arrow is read from its end, so it must be a file (`format arrow-stream` reads a stream)"
    );
}

#[test]
fn views_pass_through() {
    let folder = tempfile::tempdir().unwrap();
    let loads = StringViewArray::from(vec!["idle", "a text longer than twelve bytes", "busy"]);
    let batch = RecordBatch::try_from_iter([
        ("load", Arc::new(loads.slice(0, 1)) as ArrayRef),
        ("day", Arc::new(loads.slice(1, 1))),
    ]);
    let path = write(&folder, Format::ArrowStream, &batch.unwrap(), 1);
    let columns = Columns { profile: None, values: strings(&["load"]), keep: strings(&["day"]) };
    for to in FORMATS {
        let bytes = copy(&mut *open(&path, Format::ArrowStream, &columns).unwrap(), to, false);
        let copied = folder.path().join("copy");
        std::fs::write(&copied, bytes).unwrap();
        let text = copy(&mut *open(&copied, to, &columns).unwrap(), Format::Csv, false);
        assert_eq!(String::from_utf8(text).unwrap(), "load,day\nidle,a text longer than twelve bytes\n", "{to}");
    }
}
