//! Files that a verb may be asked to read, with a marker in every place, and good ones to go with them.

use crate::common::{Folder, MARKER, TWO, WARNER, records};
use crate::tables;
use arrow_array::{ArrayRef, Date32Array, Int64Array, RecordBatch, StringArray};
use flate2::{Compression, write::GzEncoder};
use std::io::Write;
use std::sync::Arc;

/// Digits that stand for a private number.
pub const DIGITS: &str = "31415926";

/// Texts with the marker in every place where a file may have it.
pub fn texts() -> Vec<(&'static str, Vec<u8>)> {
    let text = |text: &str| text.replace('M', MARKER).replace('#', DIGITS).into_bytes();
    let gzip = |text: &[u8]| {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(text).unwrap();
        gzip.finish().unwrap()
    };
    vec![
        // Without a header, with one name of the header, with a header of others, with blanks, under a delimiter.
        ("bare.csv", text("M,#\nred,7\n")),
        ("one-name.csv", text("user,M,#\nana,7,7\n")),
        ("other-name.csv", text("M,load,count\nana,7,7\n")),
        ("name.csv", text("name,M\nred,7\n")),
        ("like.csv", text("usr,lod,coutn,M\nana,7,7,7\n")),
        ("place.csv", text("lat,M\n52.5,#\n")),
        ("semicolon.csv", text("user;load;day\nM;M;M\n")),
        ("twice.csv", text("M,M\n7,7\n")),
        // Under the right header: values, profiles, ids and numbers that are none, rows of another length, open quotes.
        ("values.csv", text("user,load,day\nM,M,M\n")),
        ("value.csv", text("user,load,day\nana,M,M\nana,busy,M\n")),
        ("profile.csv", text("user,load,day\nana,busy,x\nM,busy,x\n")),
        ("groups.csv", text("user,load,day\nM,busy,M\nM,busy,other\n")),
        ("counts.csv", text("name,count\nM,#x\n")),
        ("same.csv", text("name,count\nM,#\nM,#\n")),
        ("huge.csv", text("name,count\nM,##########\n")),
        ("nowhere.csv", text("lat,lon,day\n#,#,M\nM,M,M\n")),
        ("short.csv", text("user,load\nana,busy,M,#\n")),
        ("quote.csv", text("user,load\nana,\"M # \n")),
        ("null.csv", text("user,load\nM\0,\0M\n")),
        ("bytes.csv", [b"user,load\nana,\xff\xfe".to_vec(), text("M #\n")].concat()),
        ("long.csv", text(&"M#".repeat(150_000))),
        ("packed.csv.gz", gzip(&text("M,#\nred,7\n"))),
        ("packed-value.csv.gz", gzip(&text("user,load\nana,M\n"))),
        ("cut.csv.gz", gzip(&text("user,load\nana,M\n"))[..20].to_vec()),
        // JSON lines: keys and values of every kind, and lines that are none.
        ("bare.jsonl", text("M #\n")),
        ("keys.jsonl", text("{\"M\":#,\"usr\":\"M\"}\n")),
        ("value.jsonl", text("{\"user\":\"ana\",\"load\":\"M\",\"day\":\"M\"}\n")),
        ("number.jsonl", text("{\"user\":\"ana\",\"load\":#,\"count\":#,\"name\":\"M\"}\n")),
        ("profile.jsonl", text("{\"user\":\"M\",\"load\":\"busy\",\"day\":{\"M\":#}}\n")),
        (
            "later.jsonl",
            text("{\"user\":\"ana\",\"load\":\"busy\"}\n{\"user\":\"bo\",\"load\":\"busy\",\"M\":1,\"M\":#}\n"),
        ),
        ("cut.jsonl", text("{\"user\":\"ana\",\"load\":\"busy\"}\n{\"user\":\"bo\",\"M\":\"#")),
        ("nested.jsonl", text("{\"user\":\"ana\",\"load\":[\"M\",#],\"lat\":\"M\",\"lon\":#}\n")),
        // Tables that specs name, right but for their content.
        ("profiles.csv", text("profile,idle,busy\nM,#,M\n")),
        ("sums.csv", text("profile,idle,busy\nM,#,#\n")),
        ("edges.csv", text("a,b\nana,M\n")),
        ("budgets.csv", text("a,b,epsilon\nana,bo,M\n")),
        ("limits.csv", text("profile,category,lower,upper,confidence\nM,idle,#,M,M\n")),
        ("law.csv", text("output,probability\nM,#\n")),
        ("scores.csv", text("M,near,far\nM,#,M\n")),
        // Other formats, and what is none.
        ("keys.json", text("{\"M\": #, \"M\": 1}")),
        ("object.json", text("{\"M\": {\"M\": \"#\"}, \"kind\": \"M\", \"format\": \"M\"}")),
        ("list.json", text("[\"M\", #]")),
        ("cut.json", text("{\"epsilon\": 1, \"M\": \"#")),
        ("bare.json", text("M #")),
        ("keys.toml", text("M = #\nM = \"M\"\n")),
        ("date.toml", text("M = 1979-05-27\n")),
        ("open.toml", text("[M\nx = #\n")),
        ("some.toml", text("epsilon = 1\nM = #\n")),
        ("line.toml", text("M # M\n")),
        ("line.txt", text("M #\nM #\n")),
        (
            "feature.geojson",
            text(
                "{\"type\": \"Feature\", \"geometry\": {\"type\": \"M\", \"coordinates\": [#, \"M\"]}, \"properties\": {\"M\": #}}",
            ),
        ),
        (
            "place.geojson",
            text(
                "{\"type\": \"Feature\", \"geometry\": {\"type\": \"Point\", \"coordinates\": [#, #]}, \"properties\": {\"day\": \"M\"}}",
            ),
        ),
        ("cut.geojson", text("{\"type\": \"FeatureCollection\", \"features\": [{\"M\": \"#")),
        ("fake.parquet", text("PAR1M#PAR1")),
        ("fake.arrow", text("ARROW1\0\0M#ARROW1")),
        ("fake.ledger", text("SQLite format 3\0M#")),
        ("fake.key", text("lookalike ledger key 1\nM#\n")),
    ]
}

/// Tables that are whole, with the marker as a value, a number or in a type that does not fit.
pub fn arrays(folder: &Folder) -> Vec<String> {
    let text = |values: [&str; 2]| Arc::new(StringArray::from(values.to_vec())) as ArrayRef;
    let number = |value: i64| Arc::new(Int64Array::from(vec![value, value])) as ArrayRef;
    let digits = DIGITS.parse::<i64>().unwrap();
    let batches = [
        vec![("user", text(["ana", MARKER])), ("load", text([MARKER, "busy"])), ("day", text([MARKER, MARKER]))],
        vec![
            ("user", number(digits)),
            ("load", number(digits)),
            ("lat", number(digits)),
            ("lon", text([MARKER, MARKER])),
        ],
        vec![("name", text([MARKER, MARKER])), ("count", number(digits)), ("profile", text([MARKER, MARKER]))],
        vec![
            ("user", text(["ana", "bo"])),
            ("load", Arc::new(Date32Array::from(vec![1, 2]))),
            ("day", text([MARKER, MARKER])),
        ],
    ];
    let mut names = Vec::new();
    for (at, columns) in batches.into_iter().enumerate() {
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let [parquet, arrow, stream] = ["parquet", "arrow", "arrows"].map(|format| format!("table{at}.{format}"));
        tables::parquet(&folder.path(&parquet), &batch, 2, parquet::basic::Compression::SNAPPY);
        tables::arrow(&folder.path(&arrow), &batch, 2);
        tables::arrow_stream(&folder.path(&stream), &batch, 2);
        names.extend([parquet, arrow, stream]);
    }
    names
}

/// A folder with good files of every kind, to go with a bad one.
pub fn folder() -> Folder {
    let folder = Folder::new();
    folder.design_toml(WARNER);
    std::fs::rename(folder.path("m.json"), folder.path("warner.json")).unwrap();
    folder.design_toml(TWO);
    folder.write("data.csv", records(4));
    folder.write("places.csv", "lat,lon,day\n45.07,7.69,mon\n45.08,7.7,tue\n");
    folder.write("scores.csv", "x,near,far\na,1,0\nb,0,1\n");
    folder.write(
        "chain.toml",
        "states = ['idle', 'busy']\ninitial = 'stationary'\ntransition = [[0.9, 0.1], [0.4, 0.6]]\n",
    );
    for line in [
        "noise design --epsilon 1 --sensitivity 1 -o noise.json",
        "local design --categories idle,busy --epsilon 1 --oracle oue -o oracle.json",
        "counts design --n 2 --alpha 0.9 -o counts.json",
        "geo design --origin 45.07,7.69 --extent 20km --epsilon ln(4)/200 -o places.json",
        "geo design --origin 45.07,7.69 --cells 2x2 --step 500m --epsilon ln(2)/500m -o cells.json",
        "ledger init l.ledger --budget 2",
    ] {
        folder.words(line).exits(0);
    }
    // Noise as version 1 had it, which an upgrade needs more for.
    let old = folder.read("noise.json").replace("\"version\": 2", "\"version\": 1");
    let (start, end) = (old.find("\"secrets\"").unwrap(), old.find("\"law\"").unwrap_or(0));
    folder.write("old.json", if end > start { old[..start].to_owned() + &old[end..] } else { old });
    folder
}

/// Specs and plans that name the file, so that a line may name them.
pub fn naming(folder: &Folder, file: &str) -> Vec<String> {
    let head = "epsilon = 1\ncategories = ['idle', 'busy']\n";
    let plan = |spec: &str, records: &str| {
        format!(
            "spec = '{spec}'\n[data]\nrecords = '{records}'\nprofile = 'user'\nvalue = 'load'\n[output]\nfolder = 'out'\n"
        )
    };
    let profiles = format!("{head}profiles_file = '{file}'\ngraph.shape = 'complete'\n");
    let inner = folder.write(&format!("inner-{file}.toml"), &profiles);
    let files = [
        (format!("profiles-{file}.toml"), profiles),
        (
            format!("edges-{file}.toml"),
            format!("{head}profiles = {{ ana = 0.1, bo = 0.2 }}\ngraph.edges_file = '{file}'\n"),
        ),
        (format!("records-{file}.toml"), plan("spec.toml", file)),
        (format!("spec-{file}.toml"), plan(file, "data.csv")),
    ];
    let mut names = vec![inner.file_name().unwrap().to_str().unwrap().to_owned()];
    for (name, text) in files {
        folder.write(&name, text);
        names.push(name);
    }
    names
}
