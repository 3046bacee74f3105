//! The files that the fuzzer begins with: `UPDATE_GOLDEN=1` makes them anew, and each is one that is read.
//!
//! From a file that is refused at its first byte a fuzzer gets nowhere.

use crate::tables;

use crate::common::{Folder, TWO, WARNER, example};
use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::*;
use lookalike_engine::geo::{GeoJson, GeoJsonForm};
use lookalike_engine::records::*;
use lookalike_formats::pufferfish::{ChainFile, FrameworkFile};
use lookalike_formats::{Alone, Plan, Spec, Stated};
use parquet::basic::Compression;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

/// The seeds of a target, by name.
fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = fuzz().join("corpus").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|_| panic!("no seeds for {target} (make golden writes them)"));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    paths.iter().map(|path| (name(path), fs::read(path).unwrap())).collect()
}

/// Texts as a seed; the others have a byte of options before what is read.
fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn every_seed_is_read_and_every_target_has_some() {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        make();
    }
    let folder = Path::new("/nonexistent/folder");
    let makefile = fs::read_to_string(fuzz().join("../Makefile")).unwrap();
    let listed = makefile.lines().find_map(|line| line.strip_prefix("FUZZ_TARGETS ?= ")).unwrap();
    let mut size = 0;
    for target in listed.split(' ') {
        let seeds = seeds(target);
        assert!(seeds.len() >= 2, "{target}");
        for (name, bytes) in seeds {
            size += bytes.len();
            assert!(bytes.len() <= 8_192, "{target}/{name} is longer than what make fuzz reads");
            let json = name.ends_with(".json");
            let read = match target {
                "spec" if json => Spec::from_json(text(&bytes), &Alone).map(drop),
                "spec" => Spec::from_toml(text(&bytes), &Alone).map(drop),
                "plan" => Plan::from_toml(text(&bytes), folder).map(drop),
                "chain" if name.starts_with("chain") => ChainFile::from_toml(text(&bytes)).map(drop),
                "chain" => FrameworkFile::from_toml(text(&bytes), &Alone).map(drop),
                "mechanism" => Stated::from_json(text(&bytes)).map(drop),
                "geojson" => geojson(bytes[0]).places(&bytes[1..]).map(drop),
                "records" | "jsonl" | "parquet" | "arrow" => read_records(target, bytes[0], &bytes[1..]),
                // Changes of five bytes each, and the table of a device without its digest.
                "ledger" => {
                    assert_eq!((bytes[0] & 1, bytes.len() % 5), (0, 1), "{name}");
                    Ok(())
                }
                "device" => {
                    let sealed = [&bytes[..], &lookalike_device::sha256(&bytes)].concat();
                    assert!(lookalike_device::Table::read(&sealed).is_ok(), "{name}");
                    Ok(())
                }
                other => panic!("{other} is a target without seeds"),
            };
            read.unwrap_or_else(|error| panic!("{target}/{name}: {error}"));
        }
        assert!(fuzz().join(format!("fuzz_targets/{target}.rs")).exists(), "{target}");
    }
    assert!(size < 200_000, "{size} bytes of seeds");
    assert_eq!(fs::read_dir(fuzz().join("fuzz_targets")).unwrap().count(), listed.split(' ').count());
}

fn geojson(options: u8) -> GeoJson {
    let form = if options & 1 == 1 { GeoJsonForm::Lines } else { GeoJsonForm::Document };
    GeoJson { form, keep: Vec::new(), shuffle: false }
}

/// Reads records as the targets do: users, loads and notes.
fn read_records(target: &str, options: u8, bytes: &[u8]) -> lookalike_formats::Result<()> {
    let labels = |names: &[&str]| -> Encoder { Box::new(Labels::new(names.iter().map(ToString::to_string)).unwrap()) };
    let (profile, value) = (Some(labels(&["ana", "bo"])), Some(labels(&["idle", "7", "busy"])));
    let columns = Columns { profile: Some("user".into()), values: vec!["load".into()], keep: vec!["note".into()] };
    let mut file = tempfile::tempfile().unwrap();
    std::io::Write::write_all(&mut file, bytes).unwrap();
    let input = Box::new(std::io::Cursor::new(bytes.to_vec()));
    let mut source: Box<dyn RecordSource> = match target {
        "records" => Box::new(CsvSource::open(input, &CsvOptions::default(), &columns, profile, value, None)?),
        "jsonl" => Box::new(JsonLinesSource::open(input, &CsvOptions::default(), &columns, profile, value, None)?),
        "parquet" => Box::new(ParquetSource::open(file, &columns, profile, value, None)?),
        _ if options >> 7 == 1 => Box::new(ArrowFileSource::open(file, &columns, profile, value, None)?),
        _ => Box::new(ArrowStreamSource::open(input, &columns, profile, value, None)?),
    };
    let (mut batch, mut rows) = (Batch::default(), 0);
    while source.read_batch(&mut batch)? {
        rows += batch.len();
    }
    assert!(rows > 0, "{target} without a row");
    Ok(())
}

/// Writes all seeds.
fn make() {
    let corpus = fuzz().join("corpus");
    let _ = fs::remove_dir_all(&corpus);
    let write = |target: &str, name: &str, bytes: &[u8]| {
        fs::create_dir_all(corpus.join(target)).unwrap();
        fs::write(corpus.join(target).join(name), bytes).unwrap();
    };
    let copy = |target: &str, name: &str, from: &str| write(target, name, &fs::read(example(from)).unwrap());
    copy("spec", "workstations.toml", "workstations/spec.toml");
    copy("spec", "commute.json", "commute/spec.json");
    write("spec", "two.toml", TWO.as_bytes());
    write("spec", "warner.toml", WARNER.as_bytes());
    write("spec", "grid.toml", GRID.as_bytes());
    copy("plan", "workstations.toml", "workstations/plan.toml");
    write("plan", "whole.toml", PLAN.as_bytes());
    copy("chain", "flu.toml", "flu/framework.toml");
    copy("chain", "two-seasons.toml", "flu/two-seasons.toml");
    write("chain", "chain-matrix.toml", CHAIN.as_bytes());
    write("chain", "chain-box.toml", BOX.as_bytes());
    mechanisms(&|name, bytes| write("mechanism", name, bytes));
    write("records", "plain.csv", b"\x03user,load,note\nana,idle,\"a, b\"\nbo,busy,\nana,7,x\n");
    write("records", "crlf.csv", b"\x03\xef\xbb\xbfnote,user,load\r\n\"two\nlines\",bo,7\r\n,ana,idle");
    for (name, bytes) in JSON_LINES {
        write("jsonl", name, bytes);
    }
    tables_of(&|target, name, bytes| write(target, name, bytes));
    let trip = fs::read(example("places/trip.geojson")).unwrap();
    write("geojson", "trip.geojson", &[&b"\0"[..], &trip].concat());
    write("geojson", "lines.geojsonl", LINES.as_bytes());
    write("geojson", "nested.geojson", NESTED.as_bytes());
    // The second bit makes a ledger of version 1, whose pages have no stamps.
    for (version, options) in [("", 0), ("version-1-", 2)] {
        write("ledger", &format!("{version}as-it-is"), &[options]);
        for (name, place) in
            [("header", 24u32), ("schema", 600), ("page-2", 4_100), ("page-5", 16_500), ("late", 40_000)]
        {
            let change = [&[options][..], &place.to_le_bytes(), &[0x41]].concat();
            write("ledger", &format!("{version}{name}"), &change);
        }
    }
    for form in ["rows", "keep"] {
        let table = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../lookalike-device/vectors")
            .join(form)
            .with_extension("table");
        let bytes = fs::read(table).unwrap();
        write("device", form, &bytes[..bytes.len() - 32]);
    }
}

/// A small file of each kind of mechanism.
fn mechanisms(write: &dyn Fn(&str, &[u8])) {
    let folder = Folder::new();
    folder.write("two.toml", TWO);
    folder.write("warner.toml", WARNER);
    folder.write("chain.toml", CHAIN);
    folder.write("box.toml", BOX);
    let design = |name: &str, line: &str| {
        folder.words(&format!("{line} -o {name}.json")).exits(0);
        write(&format!("{name}.json"), folder.read(&format!("{name}.json")).as_bytes());
    };
    design("aware", "design two.toml");
    design("point", "design warner.toml");
    for (name, oracle) in [("unary", "oue"), ("hash", "olh"), ("hadamard", "hadamard"), ("subset", "subset")] {
        design(name, &format!("local design --categories a,b,c,d --epsilon 1 --oracle {oracle}"));
    }
    design("noise", "noise design --epsilon 1 --sensitivity 5 --clamp 0,50");
    design("counts", "counts design --n 3 --alpha 0.9 --mechanism gm");
    design("moments", "pufferfish design chain.toml --length 20 --epsilon 1 --query count:on");
    design("moments-box", "pufferfish design box.toml --length 20 --epsilon 1 --query count:on");
    design("planar", "geo design --origin 57.2,19.5 --extent 10km --level 1 --radius 200m");
    design("cells", "geo design --origin 57.2,19.5 --cells 2x2 --step 800m --level 1 --radius 800m");
}

const JSON_LINES: [(&str, &[u8]); 2] = [
    ("plain.jsonl", b"\x03{\"user\":\"ana\",\"load\":\"idle\",\"note\":\"a \\u0041\"}\n{\"user\":\"bo\",\"load\":7,\"note\":-1E+5}\n"),
    ("mixed.jsonl", b"\x23\xef\xbb\xbf{\"note\":null, \"load\":\"7\", \"x\":[{}], \"user\":\"bo\"}\r\n\r\n{\"load\":\"busy\",\"user\":\"ana\"}"),
];

/// Small tables of each type and form.
fn tables_of(write: &dyn Fn(&str, &str, &[u8])) {
    let folder = Folder::new();
    let text = |texts: [&'static str; 4]| -> ArrayRef { Arc::new(StringArray::from(texts.to_vec())) };
    let long = "long ".repeat(8);
    let notes: [(&str, ArrayRef); 4] = [
        ("text", text(["a", "b", "a", ""])),
        ("number", Arc::new(Int32Array::from(vec![Some(1), None, Some(-3), Some(4)]))),
        (
            "list",
            Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>([
                Some(vec![Some(1), None]),
                None,
                Some(vec![]),
                Some(vec![Some(4)]),
            ])),
        ),
        ("dictionary", Arc::new([&long[..], "b", &long, "b"].into_iter().collect::<DictionaryArray<Int8Type>>())),
    ];
    for (name, note) in notes {
        let (users, loads) = (text(["ana", "bo", "ana", "bo"]), text(["idle", "busy", "7", "idle"]));
        let records = RecordBatch::try_from_iter_with_nullable([
            ("user", users, false),
            ("load", loads, false),
            ("note", note, true),
        ])
        .unwrap();
        let path = folder.path("table");
        for (form, compression) in [("plain", Compression::UNCOMPRESSED), ("snappy", Compression::SNAPPY)] {
            tables::parquet(&path, &records, 3, compression);
            write("parquet", &format!("{name}-{form}"), &[&[0x0b][..], &fs::read(&path).unwrap()].concat());
        }
        tables::arrow(&path, &records, 3);
        write("arrow", &format!("{name}-file"), &[&[0x93][..], &fs::read(&path).unwrap()].concat());
        tables::arrow_stream(&path, &records, 3);
        write("arrow", &format!("{name}-stream"), &[&[0x1b][..], &fs::read(&path).unwrap()].concat());
    }
}

const GRID: &str = "\
epsilon = \"ln(2)/2\"
bins = [0, 10, 50]
secrets = \"values\"

[graph]
shape = \"chain\"
";

const PLAN: &str = "\
epsilon = 0.5
categories = [\"idle\", \"busy\"]
[profiles]
ana = [0.9, 0.1]
bo = [0.2, 0.8]
[graph]
edges = [[\"ana\", \"bo\"]]
[data]
records = \"records.csv\"
profile = \"user\"
value = \"load\"
keep = [\"day\"]
budget = 2
shuffle = false
[estimate]
by = \"day\"
confidence = 0.9
[output]
folder = \"out\"
";

const CHAIN: &str = "\
states = [\"off\", \"on\"]
initial = \"stationary\"
transition = [[0.9, 0.1], [0.3, 0.7]]
";

const BOX: &str = "\
states = [\"off\", \"on\"]
initial = \"arbitrary\"
[leave]
off = [0.1, 0.3]
on = [0.2, 0.2]
";

const LINES: &str = "\u{1}{\"type\": \"Feature\", \"id\": 7, \"properties\": {\"name\": \"a\"}, \"geometry\": {\"type\": \"Point\", \"coordinates\": [13.4, 52.5, 30]}}
{\"type\": \"LineString\", \"coordinates\": [[13.4, 52.5], [13.5, 52.6]]}
";

const NESTED: &str = "\0{\"type\": \"GeometryCollection\", \"geometries\": [{\"type\": \"MultiPoint\", \"coordinates\": [[1, 2]]}, \
{\"type\": \"MultiLineString\", \"coordinates\": [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]}]}";
