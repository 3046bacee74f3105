//! `lookalike privatize` on Parquet and Arrow: what comes out.

use crate::tables;

use crate::common::{Folder, MARKER, TWO, records};
use arrow_array::*;
use parquet::basic;
use std::sync::Arc;
use tables::table;

/// The mechanism of the two profiles, and records of theirs in every format.
fn folder(rows: usize) -> Folder {
    let folder = Folder::new();
    folder.design_toml(TWO);
    folder.write("data.csv", records(rows));
    let records = table(rows);
    tables::json_lines(&folder.path("data.jsonl"), &records);
    tables::parquet(&folder.path("data.parquet"), &records, 20_000, basic::Compression::SNAPPY);
    tables::arrow(&folder.path("data.arrow"), &records, 7_000);
    tables::arrow_stream(&folder.path("data.arrows"), &records, 9_000);
    folder
}

const RUN: &str = "--profile user --value load --seed 7 --force";
const FORMATS: [&str; 5] = ["csv", "jsonl", "parquet", "arrow", "arrows"];

#[test]
fn the_same_seed_gives_the_same_outputs_through_every_format_and_number_of_threads() {
    let folder = folder(150_000);
    folder.words(&format!("privatize m.json data.csv -o expected.csv {RUN} --threads 1")).exits(0);
    let expected = folder.read("expected.csv");
    for from in FORMATS {
        for to in FORMATS {
            let files = [1, 2].map(|threads| {
                let line = format!("privatize m.json data.{from} -o out.{to} {RUN} --threads {threads}");
                folder.words(&line).exits(0).says(&["Released 150000 rows"]);
                std::fs::read(folder.path(&format!("out.{to}"))).unwrap()
            });
            assert!(files[0] == files[1], "{from} to {to}: one and two threads");
            assert!(tables::text(&folder.path(&format!("out.{to}"))) == expected, "{from} to {to}");
        }
    }
}

#[test]
fn any_size_of_row_groups_and_batches_gives_the_same_outputs() {
    let folder = folder(10_000);
    folder.words(&format!("privatize m.json data.csv -o expected.csv {RUN}")).exits(0);
    let expected = folder.read("expected.csv");
    for rows in [100, 999, 10_000] {
        tables::parquet(&folder.path("data.parquet"), &table(10_000), rows, basic::Compression::UNCOMPRESSED);
        tables::arrow(&folder.path("data.arrow"), &table(10_000), rows);
        for from in ["parquet", "arrow"] {
            folder.words(&format!("privatize m.json data.{from} -o out.parquet {RUN}")).exits(0);
            assert!(tables::text(&folder.path("out.parquet")) == expected, "{from} in pieces of {rows}");
        }
        folder.words(&format!("privatize m.json data.parquet -o out.parquet {RUN}")).exits(0);
        let groups = tables::row_groups(&folder.path("out.parquet"));
        assert!(groups[..groups.len() - 1].iter().all(|group| *group == rows), "as in the input: {groups:?}");
    }
}

#[test]
fn formats_are_told_by_name_or_by_option() {
    let folder = folder(100);
    folder.words(&format!("privatize m.json data.csv -o expected.csv {RUN}")).exits(0);
    let expected = folder.read("expected.csv");
    std::fs::copy(folder.path("data.parquet"), folder.path("data")).unwrap();
    for (line, output) in [
        ("data --format parquet -o out", "out"),
        ("data --format parquet -o out --output-format csv", "out"),
        ("data --format parquet -o out.feather", "out.feather"),
        ("data.arrow -o out.ipc", "out.ipc"),
        ("data.csv -o out.csv", "out.csv"),
        ("data.parquet -o out.csv", "out.csv"),
        ("data.jsonl -o out.csv", "out.csv"),
        ("data.csv -o out.jsonl", "out.jsonl"),
        ("data.parquet -o named.jsonl --output-format jsonl", "named.jsonl"),
    ] {
        folder.words(&format!("privatize m.json {line} {RUN}")).exits(0);
        assert_eq!(tables::text(&folder.path(output)), expected, "{line}");
    }
    folder.words(&format!("privatize m.json data.parquet -o out.tsv {RUN}")).exits(0);
    assert_eq!(folder.read("out.tsv"), expected);
    folder.write("data.tsv", records(100).replace(',', "\t"));
    folder.words(&format!("privatize m.json data.tsv -o out.csv {RUN}")).exits(0);
    assert_eq!(folder.read("out.csv"), expected);
}

#[test]
fn a_stream_goes_from_standard_input_to_standard_output() {
    let folder = folder(1000);
    folder.words(&format!("privatize m.json data.arrows -o expected.arrows {RUN}")).exits(0);
    let mut command = folder.command(format!("privatize m.json - --format arrow-stream -o - {RUN}").split(' '));
    let input = std::fs::File::open(folder.path("data.arrows")).unwrap();
    let output = command.stdin(input).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout == std::fs::read(folder.path("expected.arrows")).unwrap());
}

#[test]
fn the_compression_is_kept_or_chosen() {
    let folder = folder(1000);
    for (name, codec) in [
        ("none", basic::Compression::UNCOMPRESSED),
        ("snappy", basic::Compression::SNAPPY),
        ("gzip", basic::Compression::GZIP(Default::default())),
        ("zstd", basic::Compression::ZSTD(Default::default())),
        ("lz4", basic::Compression::LZ4_RAW),
    ] {
        tables::parquet(&folder.path("in.parquet"), &table(1000), 300, codec);
        folder.words(&format!("privatize m.json in.parquet -o kept.parquet {RUN}")).exits(0);
        folder.words(&format!("privatize m.json data.csv -o set.parquet {RUN} --compression {name}")).exits(0);
        for output in ["kept.parquet", "set.parquet"] {
            let found = tables::compression(&folder.path(output));
            assert_eq!(std::mem::discriminant(&found), std::mem::discriminant(&codec), "{output} of {name}");
        }
        assert_eq!(tables::text(&folder.path("kept.parquet")), tables::text(&folder.path("set.parquet")));
    }
    for name in ["lz4", "zstd"] {
        folder.words(&format!("privatize m.json data.csv -o out.arrow {RUN} --compression {name}")).exits(0);
        folder.words(&format!("privatize m.json data.csv -o out.csv {RUN}")).exits(0);
        assert_eq!(tables::text(&folder.path("out.arrow")), folder.read("out.csv"));
    }
}

#[test]
fn the_output_has_the_type_of_the_input() {
    let folder = Folder::new();
    let users = || Arc::new(StringArray::from(vec!["ana", "bo", "ana"])) as ArrayRef;
    let run = |names: &str, loads: ArrayRef| {
        folder.design_toml(&TWO.replace("\"idle\", \"busy\"", names));
        let records = RecordBatch::try_from_iter([("user", users()), ("load", loads.clone())]).unwrap();
        tables::arrow(&folder.path("data.arrow"), &records, 3);
        tables::parquet(&folder.path("data.parquet"), &records, 3, basic::Compression::SNAPPY);
        ["arrow", "parquet"].map(|format| {
            folder.words(&format!("privatize m.json data.{format} -o out.{format} {RUN}")).exits(0);
            let out = tables::read(&folder.path(&format!("out.{format}")));
            let schema = out[0].schema();
            assert!(!schema.field(0).is_nullable() && schema.field(0).metadata().is_empty());
            assert!(schema.metadata().is_empty() && schema.fields().len() == 1);
            schema.field(0).data_type() == loads.data_type()
        })
    };
    let numbers = "\"1\", \"2\"";
    assert_eq!(run(numbers, Arc::new(Int32Array::from(vec![1, 2, 1]))), [true, true]);
    assert_eq!(run(numbers, Arc::new(UInt8Array::from(vec![1, 2, 1]))), [true, true]);
    assert_eq!(run("\"false\", \"true\"", Arc::new(BooleanArray::from(vec![true, false, true]))), [true, true]);
    let texts = vec!["1", "2", "1"];
    assert_eq!(run(numbers, Arc::new(LargeStringArray::from(texts.clone()))), [true, true]);
    let dictionary: DictionaryArray<types::Int16Type> = texts.into_iter().collect();
    assert_eq!(run(numbers, Arc::new(dictionary)), [true, true]);
}

#[test]
fn numbers_go_into_bins_by_their_shortest_decimal_form() {
    let folder = Folder::new();
    let spec = TWO.replace("categories = [\"idle\", \"busy\"]", "bins = [0, 0.1]");
    folder.design_toml(&spec.replace("[graph]", "cleo = [0.5, 0.5]\n[graph]"));
    let users = || Arc::new(StringArray::from(vec!["cleo"; 3])) as ArrayRef;
    for loads in [
        Arc::new(Float64Array::from(vec![0.1, 0.1f64.next_down(), 5.0])) as ArrayRef,
        Arc::new(Float32Array::from(vec![0.1, 0.1f32.next_down(), 5.0])),
        Arc::new(Decimal128Array::from(vec![10, 9, 500]).with_precision_and_scale(5, 2).unwrap()),
        Arc::new(StringArray::from(vec!["0.1", "0.09", "5"])),
        Arc::new(Int64Array::from(vec![1, 0, 5])),
    ] {
        let records = RecordBatch::try_from_iter([("user", users()), ("load", loads)]).unwrap();
        tables::parquet(&folder.path("data.parquet"), &records, 3, basic::Compression::SNAPPY);
        folder.words(&format!("privatize m.json data.parquet -o out.parquet {RUN}")).exits(0);
        // A profile without an edge is released unchanged.
        assert_eq!(tables::text(&folder.path("out.parquet")), "load\n1/10..\n0..1/10\n1/10..\n");
    }
}

#[test]
fn kept_columns_follow_and_nothing_else_of_the_input() {
    let folder = Folder::new();
    folder.design_toml(TWO);
    let records = tables::secretive(1000);
    tables::parquet(&folder.path("data.parquet"), &records, 300, basic::Compression::UNCOMPRESSED);
    tables::arrow(&folder.path("data.arrow"), &records, 300);
    tables::arrow_stream(&folder.path("data.arrows"), &records, 300);
    tables::json_lines(&folder.path("data.jsonl"), &records);
    for from in ["jsonl", "parquet", "arrow", "arrows"] {
        let input = std::fs::read(folder.path(&format!("data.{from}"))).unwrap();
        assert!(tables::contains(&input, MARKER), "planted");
        for to in FORMATS {
            let line = format!("privatize m.json data.{from} -o out.{to} {RUN} --keep day --unknown busy");
            for line in [line.clone(), format!("{line} --shuffle")] {
                let run = folder.words(&line).exits(0).says(&["Released in clear, outside epsilon: day."]);
                let output = std::fs::read(folder.path(&format!("out.{to}"))).unwrap();
                assert!(!tables::contains(&output, MARKER) && !run.stderr.contains(MARKER), "{line}");
            }
            folder.words(&line).exits(0);
            let text = tables::text(&folder.path(&format!("out.{to}")));
            let days: Vec<&str> = text.lines().skip(1).map(|row| row.split_once(',').unwrap().1).collect();
            let (first, nulls) = (&days[..3], days.iter().filter(|day| day.is_empty()).count());
            assert_eq!((first, nulls, days.len()), (&["1970-01-01", "1970-01-02", "1970-01-03"][..], 100, 1000));
        }
    }
}

#[test]
fn statistics_and_metadata_of_the_output_are_its_own() {
    let folder = Folder::new();
    folder.design_toml(TWO);
    tables::parquet(&folder.path("data.parquet"), &tables::secretive(1000), 300, basic::Compression::SNAPPY);
    folder.words(&format!("privatize m.json data.parquet -o out.parquet {RUN} --keep day --unknown busy")).exits(0);
    let metadata = tables::metadata(&folder.path("out.parquet"));
    let keys: Vec<_> =
        metadata.file_metadata().key_value_metadata().into_iter().flatten().map(|pair| &pair.key).collect();
    assert_eq!(keys, ["ARROW:schema"], "the types of the columns, without metadata of theirs");
    for group in metadata.row_groups() {
        assert!(group.column(0).statistics().is_none() && group.column(0).bloom_filter_offset().is_none());
        assert!(group.columns().iter().all(|column| column.column_index_offset().is_none()));
    }
}
