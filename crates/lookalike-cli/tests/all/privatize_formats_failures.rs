//! `lookalike privatize` on Parquet and Arrow: what is refused, and that nothing is left behind.

use crate::tables;

use crate::common::{Folder, MARKER, Random, Run, TWO, records};
use arrow_array::*;
use parquet::basic::Compression;
use std::process::Stdio;
use std::sync::Arc;
use tables::table;

const RUN: &str = "--profile user --value load";
const FORMATS: [&str; 3] = ["parquet", "arrow", "arrows"];

fn folder() -> Folder {
    let folder = Folder::new();
    folder.design_toml(TWO);
    folder
}

/// Writes the records in a format, in pieces of 1,000 rows.
fn write(folder: &Folder, format: &str, records: &RecordBatch) {
    let path = folder.path(&format!("data.{format}"));
    match format {
        "parquet" => tables::parquet(&path, records, 1000, Compression::SNAPPY),
        "arrow" => tables::arrow(&path, records, 1000),
        _ => tables::arrow_stream(&path, records, 1000),
    }
}

/// Runs a format into itself; the output must not be there afterwards, nor the marker in any message.
#[track_caller]
fn refused(folder: &Folder, format: &str, options: &str) -> Run {
    let before = folder.names();
    let run = folder.words(&format!("privatize m.json data.{format} -o out.{format} {RUN} {options}"));
    assert!(!run.stderr.contains(MARKER), "{}", run.stderr);
    assert_eq!(folder.names(), before);
    run.fails_with(&[])
}

fn with_loads(loads: impl Array + 'static) -> RecordBatch {
    let users = StringArray::from_iter_values(["ana", "bo"].into_iter().cycle().take(loads.len()));
    RecordBatch::try_from_iter([("user", Arc::new(users) as ArrayRef), ("load", Arc::new(loads))]).unwrap()
}

#[test]
fn wrong_content_is_named_by_row_and_column_and_never_shown() {
    let folder = folder();
    let busy =
        |last: Option<&'static str>| StringArray::from_iter(std::iter::repeat_n(Some("busy"), 1234).chain([last]));
    let known = StringArray::from(vec!["busy", MARKER]);
    let used = DictionaryArray::new(Int8Array::from(vec![0, 0, 1]), Arc::new(known.clone()));
    let null = "null, expected one of the 2 categories";
    let unknown = "not one of the 2 categories (--unknown CATEGORY maps such values)";
    let types = "expected text, whole numbers or booleans";
    for (records, place, text) in [
        (with_loads(busy(None)), "row 1235, ", null),
        (with_loads(busy(Some(MARKER))), "row 1235, ", unknown),
        (with_loads(busy(Some(""))), "row 1235, ", "empty, expected one of the 2 categories"),
        (with_loads(used), "row 3, ", unknown),
        (with_loads(StringArray::from(vec![None::<&str>; 3])), "row 1, ", null),
        (with_loads(Int32Array::from(vec![4711])), "row 1, ", unknown),
        (with_loads(Date32Array::from(vec![4711])), "", &format!("the type is Date32, {types}")),
        (with_loads(BinaryArray::from(vec![MARKER.as_bytes()])), "", &format!("the type is Binary, {types}")),
    ] {
        for format in FORMATS {
            write(&folder, format, &records);
            let run = refused(&folder, format, "");
            assert_eq!(run.stderr, format!("error: data.{format}: {place}column \"load\": {text}\n"));
        }
    }
    write(&folder, "parquet", &with_loads(Float64Array::from(vec![0.5])));
    refused(&folder, "parquet", "").says(&["the type is Float64", "need bins in the spec"]);
}

#[test]
fn an_unknown_profile_is_named_by_row_alone() {
    let folder = folder();
    let users = StringArray::from(vec!["ana", MARKER]);
    let columns = [("user", Arc::new(users) as ArrayRef), ("load", Arc::new(StringArray::from(vec!["idle"; 2])))];
    for format in FORMATS {
        write(&folder, format, &RecordBatch::try_from_iter(columns.clone()).unwrap());
        let run = refused(&folder, format, "");
        assert_eq!(run.stderr, format!("error: data.{format}: row 2, column \"user\": not one of the 2 profiles\n"));
    }
}

#[test]
fn a_missing_column_is_named_with_those_that_are_there() {
    let folder = folder();
    for format in FORMATS {
        write(&folder, format, &table(10));
        let run = refused(&folder, format, "--keep day");
        let text = "column \"day\": not found; the columns are \"user\", \"load\"";
        assert_eq!(run.stderr, format!("error: data.{format}: {text}\n"));
    }
}

#[test]
fn a_file_without_rows_makes_one_without_rows() {
    let folder = folder();
    for format in FORMATS {
        write(&folder, format, &table(0));
        let run = folder.words(&format!("privatize m.json data.{format} -o out.{format} {RUN}")).exits(0);
        assert_eq!(run.stderr, "Released 0 rows at epsilon 1/2 for pairs of profiles.\n");
        assert!(tables::read(&folder.path(&format!("out.{format}"))).iter().all(|batch| batch.num_rows() == 0));
    }
}

#[test]
fn files_that_are_cut_short_leave_no_output() {
    let folder = folder();
    for (format, what) in [("parquet", "Parquet"), ("arrow", "an Arrow file"), ("arrows", "an Arrow stream")] {
        write(&folder, format, &tables::secretive(5000));
        let whole = std::fs::read(folder.path(&format!("data.{format}"))).unwrap();
        for cut in [0, 5, 100, whole.len() / 2, whole.len() * 9 / 10] {
            folder.write(&format!("data.{format}"), &whole[..cut]);
            let text = format!("damaged, cut short, or not {what} (is the file complete?)\n");
            let run = refused(&folder, format, "--unknown busy");
            assert!(run.stderr.ends_with(&text), "{cut} of {}: {}", whole.len(), run.stderr);
        }
    }
}

#[test]
fn damaged_files_never_panic_and_write_all_or_nothing() {
    let folder = folder();
    let mut random = Random(11);
    let wholes = FORMATS.map(|format| {
        write(&folder, format, &tables::secretive(200));
        std::fs::read(folder.path(&format!("data.{format}"))).unwrap()
    });
    let (mut written, mut refused) = (0, 0);
    for round in 0..600 {
        let (format, whole) = (FORMATS[round % 3], &wholes[round % 3]);
        folder.write(&format!("data.{format}"), random.damage(whole));
        let line = format!("privatize m.json data.{format} -o out.{format} {RUN} --keep day --unknown busy");
        let run = folder.words(&line);
        assert!(matches!(run.code, Some(0 | 2)) && !run.stderr.contains("panicked"), "round {round}: {run:?}");
        assert!(!run.stderr.contains("MARKER"), "{run:?}");
        assert_eq!(folder.path(&format!("out.{format}")).exists(), run.code == Some(0), "{run:?}");
        match run.code {
            Some(0) => {
                std::fs::remove_file(folder.path(&format!("out.{format}"))).unwrap();
                written += 1;
            }
            _ => refused += 1,
        }
    }
    assert!(written > 50 && refused > 50, "{written} written, {refused} refused");
}

#[test]
fn options_without_effect_are_refused() {
    let folder = folder();
    write(&folder, "parquet", &table(10));
    folder.write("data.csv", records(10));
    for (option, name) in [
        ("--delimiter ;", "--delimiter"),
        ("--columns user,load", "--columns"),
        ("--trim", "--trim"),
        ("--record-limit 100", "--record-limit"),
    ] {
        let run = refused(&folder, "parquet", option);
        let formats = if name == "--record-limit" { "CSV and JSON lines" } else { "CSV" };
        assert_eq!(run.stderr, format!("error: {name} is for {formats}, and the records are parquet\n"));
    }
    tables::json_lines(&folder.path("data.jsonl"), &table(10));
    for option in ["--delimiter ;", "--columns user,load", "--trim"] {
        let name = option.split(' ').next().unwrap();
        let run = refused(&folder, "jsonl", option);
        assert_eq!(run.stderr, format!("error: {name} is for CSV, and the records are jsonl\n"));
    }
    folder.words(&format!("privatize m.json data.parquet -o out.csv {RUN} --delimiter ; ")).exits(0);
    for (line, text) in [
        ("data.csv -o out.arrow --compression snappy", "Arrow has no snappy compression, expected none, lz4 or zstd"),
        ("data.csv -o no.csv --compression zstd", "CSV has no zstd compression, expected none or gzip"),
        ("data.csv -o no.jsonl --compression zstd", "JSON lines have no zstd compression, expected none or gzip"),
        ("data.csv -o no.jsonl --escape-formulas", "--escape-formulas is for CSV, and the output is jsonl"),
        ("data.csv -o no.csv --compression rar", "expected none, snappy, gzip, zstd or lz4"),
        ("data.csv -o no.csv --format xls", "expected csv, jsonl, parquet, arrow or arrow-stream"),
        ("- --format parquet -o no.csv", "standard input: parquet is read from its end, so it must be a file"),
        ("- --format arrow -o no.csv", "(--format arrow-stream reads a stream)"),
        ("data.csv --format parquet -o no.csv", "data.csv: damaged, cut short, or not Parquet"),
        ("nowhere.parquet -o no.csv", "nowhere.parquet: cannot read: No such file"),
        (". --format parquet -o no.csv", ".: is a directory, expected a file"),
    ] {
        folder.words(&format!("privatize m.json {line} {RUN}")).fails_with(&[text]);
    }
    assert!(!folder.path("no.csv").exists() && !folder.path("out.arrow").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error_that_names_it() {
    let folder = folder();
    folder.write("data.csv", records(200_000));
    for (rows, options) in [(10, ""), (200_000, ""), (200_000, "--shuffle")] {
        folder.write("data.csv", records(rows));
        for format in ["jsonl", "parquet", "arrow", "arrow-stream"] {
            let run = format!("privatize m.json data.csv -o /dev/full --output-format {format} {RUN} {options}");
            folder.words(&run).fails_with(&["/dev/full: cannot write: No space left on device"]);
        }
    }
}

#[test]
fn a_reader_of_a_stream_that_closes_early_is_no_error() {
    let folder = folder();
    folder.write("data.csv", records(2_000_000));
    let line = format!("privatize m.json data.csv -o - --output-format arrow-stream {RUN}");
    let mut child = folder.command(line.split(' ')).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let done = child.wait_with_output().unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!((done.status.code(), said.lines().count()), (Some(0), 1), "{said}");
    assert!(said.starts_with("The reader closed the pipe; up to "), "{said}");
}
