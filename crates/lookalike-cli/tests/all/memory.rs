//! Memory that is bounded whatever the files say: columns that unpack a thousandfold, long reports, files without end.
//!
//! The command runs under a limit of the operating system on its memory. What is beyond it ends the run.

#![cfg(target_os = "linux")]

use crate::tables;

use crate::common::{BINARY, Folder, Run, TWO, WARNER};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::*;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use std::fs::File;
use std::process::Command;
use std::sync::Arc;

/// The memory that a run may have.
const LIMIT: u64 = 256 << 20;

/// A run in the folder that has at most [`LIMIT`] bytes of memory.
fn limited(folder: &Folder, line: &str) -> Run {
    let script = format!("ulimit -d {} && exec \"$@\"", LIMIT >> 10);
    let mut command = Command::new("sh");
    command.args(["-c", &script, "sh", BINARY]).args(line.split(' ')).current_dir(folder.path("."));
    // Room that is set aside for other threads and not used counts as well.
    command.env("MALLOC_ARENA_MAX", "2").stdin(std::process::Stdio::null());
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Rows that share a value of 50 KB: written out they have 400 MB, and the files less than one.
const ROWS: usize = 8_000;
const LONG: usize = 50_000;

const FORMATS: [&str; 5] = ["csv", "jsonl", "parquet", "arrow", "arrow-stream"];

/// Records with a column `long` that repeats its value.
fn records(long: ArrayRef) -> RecordBatch {
    let columns = tables::table(long.len()).columns().to_vec().into_iter().chain([long]);
    RecordBatch::try_from_iter(["user", "load", "long"].into_iter().zip(columns)).unwrap()
}

/// A Parquet file with one row group, whose column is so many times this array.
fn parquet(folder: &Folder, name: &str, long: ArrayRef) {
    let (records, file) = (records(long), File::create(folder.path(name)).unwrap());
    let properties = WriterProperties::builder().set_compression(Compression::ZSTD(Default::default())).build();
    let mut writer = ArrowWriter::try_new(file, records.schema(), Some(properties)).unwrap();
    (0..ROWS / records.num_rows()).for_each(|_| writer.write(&records).unwrap());
    writer.close().unwrap();
    let length = std::fs::metadata(folder.path(name)).unwrap().len();
    assert!(length < 1 << 20, "{name} has {length} bytes");
}

/// What a run under the limit must have released.
#[track_caller]
fn released(folder: &Folder, line: &str) {
    limited(folder, line).exits(0).says(&["8000"]);
}

#[test]
fn kept_columns_of_parquet_that_unpack_a_thousandfold_are_written_in_parts() {
    let folder = Folder::new();
    folder.design_toml(TWO);
    let (long, some) = ("x".repeat(LONG), ROWS / 40);
    parquet(&folder, "text.parquet", Arc::new(StringArray::from(vec![&long[..]; some])));
    parquet(&folder, "bytes.parquet", Arc::new(BinaryArray::from(vec![long.as_bytes(); some])));
    let lists = (0..some).map(|_| Some(vec![Some(7); LONG / 4]));
    parquet(&folder, "list.parquet", Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(lists)));
    for input in ["text", "bytes", "list"] {
        // Lists as text take long to write, and no more memory than other rows.
        let is_slow = |format: &str| input == "list" && ["csv", "jsonl"].contains(&format);
        for format in FORMATS.into_iter().filter(|format| !is_slow(format)) {
            let line = format!("privatize m.json {input}.parquet -o /dev/null --output-format {format}");
            released(&folder, &format!("{line} --profile user --value load --keep long"));
        }
        let line = format!("privatize m.json {input}.parquet -o {input}.out.parquet --profile user --value load");
        released(&folder, &format!("{line} --keep long --shuffle"));
    }
    // What comes out is what went in.
    let rows = tables::read(&folder.path("text.out.parquet"));
    assert_eq!(rows.iter().map(RecordBatch::num_rows).sum::<usize>(), ROWS);
    let texts = rows[0].column(1).as_string::<i32>();
    assert!(texts.value(0) == long && texts.value(texts.len() - 1) == long);
}

#[test]
fn json_lines_with_long_kept_values_are_read_and_written_in_parts() {
    let folder = Folder::new();
    folder.design_toml(TWO);
    let line = format!("{{\"user\":\"ana\",\"load\":\"idle\",\"long\":\"{}\"}}\n", "x".repeat(LONG));
    let mut gzip =
        flate2::write::GzEncoder::new(File::create(folder.path("data.jsonl.gz")).unwrap(), flate2::Compression::fast());
    (0..ROWS).for_each(|_| std::io::Write::write_all(&mut gzip, line.as_bytes()).unwrap());
    gzip.finish().unwrap();
    for format in FORMATS {
        let line = format!("privatize m.json data.jsonl.gz -o /dev/null --output-format {format}");
        released(&folder, &format!("{line} --profile user --value load --keep long"));
    }
    released(&folder, "privatize m.json data.jsonl.gz -o out.jsonl --profile user --value load --keep long --shuffle");
    let endless = "privatize m.json /dev/zero --format jsonl -o out.csv --profile user --value load";
    limited(&folder, endless).fails_with(&["row 1: longer than 1048576 bytes"]);
}

#[test]
fn a_value_column_with_long_texts_is_read_in_parts() {
    // A dictionary that is followed by plain pages is written out by the decoder, whether the column is kept or not.
    let folder = Folder::new();
    folder.design_toml(WARNER);
    let (long, file) = ("x".repeat(LONG), File::create(folder.path("data.parquet")).unwrap());
    let column = |texts: Vec<String>| {
        RecordBatch::try_from_iter([("v", Arc::new(StringArray::from(texts)) as ArrayRef)]).unwrap()
    };
    let same = column(vec![long; 100]);
    // Many writers do not say how long texts are.
    let properties = WriterProperties::builder().set_statistics_enabled(EnabledStatistics::None).build();
    let mut writer = ArrowWriter::try_new(file, same.schema(), Some(properties)).unwrap();
    (0..ROWS / 100).for_each(|_| writer.write(&same).unwrap());
    // Enough different texts to fill the dictionary of a writer.
    (0..40).for_each(|row| writer.write(&column(vec![format!("{row}").repeat(LONG)])).unwrap());
    writer.close().unwrap();
    limited(&folder, "privatize m.json data.parquet -o /dev/null --output-format csv --value v --unknown no")
        .exits(0)
        .says(&["8040"]);
}

#[test]
fn kept_dictionaries_of_arrow_are_written_in_parts() {
    let folder = Folder::new();
    folder.design_toml(TWO);
    let long = Arc::new(StringArray::from(vec!["x".repeat(LONG)]));
    let keys = Int8Array::from(vec![0; ROWS]);
    let dictionary = records(Arc::new(DictionaryArray::<Int8Type>::new(keys, long)));
    tables::arrow(&folder.path("in.arrow"), &dictionary, ROWS);
    tables::arrow_stream(&folder.path("in.arrows"), &dictionary, ROWS);
    for input in ["in.arrow", "in.arrows"] {
        for format in FORMATS {
            let line = format!("privatize m.json {input} -o /dev/null --output-format {format}");
            released(&folder, &format!("{line} --profile user --value load --keep long"));
        }
    }
    let line = "privatize m.json in.arrow -o out.arrow --profile user --value load --keep long --shuffle";
    released(&folder, line);
}

#[test]
fn long_reports_are_drawn_written_and_read_back_in_parts() {
    let folder = Folder::new();
    // 5,379 of 20,000 categories make a report of 30 KB, and all reports 250 MB.
    limited(&folder, "local design --size 20000 --epsilon 1 --oracle subset -o m.json").exits(0);
    let rows: String = (0..ROWS).map(|row| format!("{}\n", row % 20_000)).collect();
    folder.write("true.csv", format!("value\n{rows}"));
    for output in ["reports.csv", "reports.parquet", "reports.arrow"] {
        released(&folder, &format!("privatize m.json true.csv -o {output}"));
    }
    released(&folder, "privatize m.json true.csv -o /dev/null --output-format csv --shuffle");
    for input in ["reports.csv", "reports.parquet", "reports.arrow"] {
        let run = limited(&folder, &format!("estimate m.json {input} --json")).exits(0);
        assert_eq!(run.json()["cohorts"][0]["reports"], ROWS);
    }
}

#[test]
fn files_without_end_are_refused_early() {
    let folder = Folder::new();
    let spec =
        "epsilon = 1\ncategories = [\"idle\", \"busy\"]\nprofiles_file = \"/dev/zero\"\ngraph.shape = \"complete\"\n";
    folder.write("spec.toml", spec);
    let refusal = "/dev/zero: byte 0 is NUL, expected text (is this the right file?)";
    limited(&folder, "design spec.toml -o m.json").fails_with(&[refusal]);
    let lines = [
        "design /dev/zero -o m.json",
        "certify /dev/zero",
        "run /dev/zero",
        "local compare --categories-file /dev/zero --epsilon 1",
    ];
    for line in lines.into_iter().chain(["pufferfish report /dev/zero --length 9 --epsilon 1 -o r.html"]) {
        limited(&folder, line).fails_with(&[refusal]);
    }
    let script = format!("yes | {BINARY} check -");
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("longer than it may be, expected at most 256 MiB, since it is read whole"), "{error}");
    assert_eq!(folder.names(), ["spec.toml"]);
}
