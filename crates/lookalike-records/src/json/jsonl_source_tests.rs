use std::io::{self, Cursor};

use flate2::{Compression, write::GzEncoder};
use proptest::prelude::*;

use super::*;
use crate::{GrowingLabels, JsonLinesSink, Labels, RecordSink};

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(ToString::to_string).collect()
}

fn labels(names: &[&str]) -> Encoder {
    Box::new(Labels::new(strings(names)).unwrap())
}

const LOADS: &[&str] = &["idle", "light", "busy", "7"];

/// A reading of the columns `user` and `load`, and of what is set otherwise.
struct Case {
    options: CsvOptions,
    columns: Columns,
    loads: &'static [&'static str],
    unknown: Option<u32>,
}

impl Default for Case {
    fn default() -> Self {
        let columns = Columns { profile: Some("user".into()), values: strings(&["load"]), keep: vec![] };
        Case { options: CsvOptions::default(), columns, loads: LOADS, unknown: None }
    }
}

impl Case {
    fn keeping(names: &[&str]) -> Self {
        let columns = Columns { keep: strings(names), ..Case::default().columns };
        Case { columns, ..Case::default() }
    }

    fn open(&self, input: impl Into<Vec<u8>>) -> Result<JsonLinesSource> {
        let profile = self.columns.profile.as_ref().map(|_| labels(&["ana", "bo"]));
        let input = Box::new(Cursor::new(input.into()));
        JsonLinesSource::open(input, &self.options, &self.columns, profile, Some(labels(self.loads)), self.unknown)
    }

    fn read(&self, input: impl Into<Vec<u8>>) -> Result<Batch> {
        let (mut source, mut batch) = (self.open(input)?, Batch::default());
        source.read_batch(&mut batch)?;
        assert!(!source.read_batch(&mut Batch::default())?);
        Ok(batch)
    }

    fn codes(&self, input: impl Into<Vec<u8>>) -> (Vec<u32>, Vec<u32>) {
        let batch = self.read(input).unwrap();
        (batch.profiles, batch.values)
    }

    fn error(&self, input: impl Into<Vec<u8>>) -> String {
        self.read(input).unwrap_err().to_string()
    }
}

fn kept(batch: &Batch, row: usize) -> Vec<&str> {
    batch.kept_raw(row).map(|field| std::str::from_utf8(field).unwrap()).collect()
}

#[test]
fn records_become_codes_whatever_the_order_and_spelling_of_keys() {
    let case = Case::default();
    let text = r#"{"user":"ana","load":"busy"}
{"load" : "idle", "more": [{"user": 1}], "user": "bo"}
{"\u0075ser":"b\u006f","load":7}"#;
    assert_eq!(case.codes(text), (vec![0, 1, 1], vec![2, 0, 3]));
}

#[test]
fn an_empty_file_has_no_records() {
    for empty in ["", "\n \r\n\n", "\u{feff}"] {
        assert!(Case::keeping(&["day"]).read(empty).unwrap().is_empty());
    }
}

#[test]
fn line_ends_blank_lines_and_a_byte_order_mark_are_understood() {
    let text = "\u{feff}{\"user\":\"ana\",\"load\":\"busy\"}\r\n\r\n  \n{\"user\":\"bo\",\"load\":\"idle\"}  \n\n";
    assert_eq!(Case::default().codes(text), (vec![0, 1], vec![2, 0]));
}

#[test]
fn gzip_is_recognised_and_progress_counts_the_raw_bytes() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    io::Write::write_all(&mut encoder, b"{\"user\":\"ana\",\"load\":\"busy\"}\n").unwrap();
    let packed = encoder.finish().unwrap();
    let (mut source, mut batch) = (Case::default().open(packed.clone()).unwrap(), Batch::default());
    assert!(source.read_batch(&mut batch).unwrap());
    assert!(!source.read_batch(&mut batch).unwrap());
    assert_eq!(source.bytes_read(), packed.len() as u64);
    let cut = Case::default().error(&packed[..packed.len() - 3]);
    assert!(cut.ends_with("the gzip data ends too early (is the file complete?)"), "{cut}");
}

#[test]
fn numbers_and_booleans_are_matched_as_they_are_written() {
    let mut case = Case { loads: &["1", "1.0", "1e0", "true", "-0"], ..Case::default() };
    let text = |value: &str| format!("{{\"user\":\"ana\",\"load\":{value}}}\n");
    for (value, code) in
        [("1", 0), ("\"1\"", 0), ("1.0", 1), ("1e0", 2), ("\"1e0\"", 2), ("true", 3), ("\"true\"", 3), ("-0", 4)]
    {
        assert_eq!(case.codes(text(value)).1, [code], "{value}");
    }
    for value in ["1.00", "1E0", "01", "+1", "10e-1", "false", "0"] {
        assert!(case.read(text(value)).is_err(), "{value}");
    }
    case.unknown = Some(4);
    assert_eq!(case.codes(text("1.00")).1, [4]);
}

#[test]
fn what_is_missing_or_nested_is_told_by_row_and_column() {
    let mut case = Case::keeping(&["day"]);
    case.unknown = Some(1);
    let first = r#"{"user":"ana","load":"busy","day":1}"#;
    for (record, expected) in [
        (r#"{"user":"ana","load":null,"day":1}"#, "column \"load\": null, expected one of the 4 categories"),
        (r#"{"user":"ana","day":1}"#, "column \"load\": missing, expected one of the 4 categories"),
        (r#"{"user":"ana","load":"","day":1}"#, "column \"load\": empty, expected one of the 4 categories"),
        (r#"{"user":null,"load":"busy","day":1}"#, "column \"user\": null, expected one of the 2 profiles"),
        (r#"{"load":"busy","day":1}"#, "column \"user\": missing, expected one of the 2 profiles"),
        (r#"{"user":"eve","load":"busy","day":1}"#, "column \"user\": not one of the 2 profiles"),
        (
            r#"{"user":"ana","load":["busy"],"day":1}"#,
            "column \"load\": a list or an object, expected text, a number or a boolean",
        ),
        (
            r#"{"user":{"a":1},"load":"busy","day":1}"#,
            "column \"user\": a list or an object, expected text, a number or a boolean",
        ),
        (
            r#"{"user":"ana","load":"busy","day":[]}"#,
            "column \"day\": a list or an object, expected text, a number or a boolean",
        ),
        (r#"{"user":"ana","load":"busy","day":"\ud800"}"#, "column \"day\": half of a character, expected text"),
        (r#"{"user":"ana","load":"\ud800","day":1}"#, "column \"load\": half of a character, expected text"),
    ] {
        assert_eq!(case.error(format!("{first}\n\n{record}\n")), format!("row 2, {expected}"), "{record}");
    }
    case.unknown = None;
    let unknown = case.error(r#"{"user":"ana","load":"SECRETMARKER","day":1}"#);
    assert!(unknown.starts_with("row 1, column \"load\": not one of the 4 categories (`unknown"), "{unknown}");
}

#[test]
fn kept_values_are_as_they_were_read_and_null_where_they_are_missing() {
    let case = Case::keeping(&["day", "n"]);
    let text = r#"{"n":1.50,"user":"ana","load":"busy","day":"m\u006fn"}
{"user":"ana","load":"busy","day":true}
{"user":"ana","load":"busy","n":-1E+5,"day":null}"#;
    let batch = case.read(text).unwrap();
    assert_eq!(
        [0, 1, 2].map(|row| kept(&batch, row)),
        [["\"m\\u006fn\"", "1.50"], ["true", "null"], ["null", "-1E+5"]]
    );
    let texts = |row| batch.kept(row).map(|text| String::from_utf8(text.into_owned()).unwrap()).collect::<Vec<_>>();
    assert_eq!([0, 1, 2].map(texts), [["mon", "1.50"], ["true", ""], ["", "-1E+5"]]);
    assert!(case.open(text).unwrap().schema().kept.iter().all(|field| field.is_nullable()));
}

#[test]
fn several_columns_make_a_joint_category_of_which_no_part_is_missing() {
    let mut case = Case { loads: &["busy|7", "|7"], ..Case::default() };
    case.columns.values = strings(&["load", "heat"]);
    assert_eq!(case.codes(r#"{"user":"ana","heat":7,"load":"busy"}"#).1, [0]);
    for (record, column) in [
        (r#"{"user":"ana","heat":7,"load":""}"#, "\"load\": empty"),
        (r#"{"user":"ana","heat":null,"load":"busy"}"#, "\"heat\": null"),
    ] {
        assert_eq!(case.error(record), format!("row 1, column {column}, expected one of the 2 categories"));
    }
    assert!(
        case.error(r#"{"user":"ana","heat":8,"load":"busy"}"#)
            .starts_with("row 1, columns \"load\", \"heat\": not one of")
    );
}

#[test]
fn lines_that_are_no_objects_are_told_by_row_and_line() {
    let case = Case::default();
    let first = "{\"user\":\"ana\",\"load\":\"busy\"}\n\n";
    for line in [
        "SECRETMARKER",
        "{\"load\":",
        "[1]",
        "{\"user\":\"ana\",\"load\":\"busy\",}",
        "{\"x\":tru}",
        "null",
        "{\"\\ud800\":1}",
    ] {
        assert_eq!(case.error(format!("{first}{line}\n")), "row 2, line 3: not a JSON object on one line", "{line}");
        assert!(case.error(line).starts_with("row 1, line 1: "), "{line}");
    }
    assert_eq!(case.error([first.as_bytes(), b"{\"a\":\"\xff\"}"].concat()), "row 2, line 3: not UTF-8 text");
    let pretty = "{\n  \"user\": \"ana\",\n  \"load\": \"busy\"\n}\n";
    assert_eq!(case.error(pretty), "row 1, line 1: not a JSON object on one line");
}

#[test]
fn a_key_that_comes_twice_is_refused_and_not_shown() {
    let case = Case::default();
    let first = "{\"user\":\"ana\",\"load\":\"busy\"}\n";
    for (record, expected) in [
        (
            "{\"load\":\"busy\",\"user\":\"ana\",\"l\\u006fad\":\"idle\"}",
            "key 2 of the 2 of the first record comes twice, expected once",
        ),
        (
            "{\"user\":\"ana\",\"user\":\"ana\",\"load\":\"idle\"}",
            "key 1 of the 2 of the first record comes twice, expected once",
        ),
        ("{\"user\":\"ana\",\"load\":\"idle\",\"MARK\":1,\"MARK\":2}", "a key comes twice, expected each once"),
    ] {
        assert_eq!(case.error(format!("{first}{record}")), format!("row 2: {expected}"), "{record}");
        assert!(case.error(record).starts_with("row 1: a key comes twice"), "{record}");
    }
}

#[test]
fn a_column_that_the_first_record_has_not_is_missing_from_the_file() {
    let case = Case::keeping(&["day"]);
    let error =
        case.error("{\"user\":\"ana\",\"lod\":1,\"SECRETMARKER\":2}\n{\"user\":\"ana\",\"load\":\"busy\",\"day\":1}\n");
    assert_eq!(error, "column \"load\": not found among the 3 keys of the first record; key 2 is like it");
    let opened =
        JsonLinesSource::open(Box::new(io::empty()), &case.options, &case.columns, None, Some(labels(LOADS)), None);
    assert_eq!(opened.err().unwrap().to_string(), "expected a profile column and its profiles, or neither");
}

#[test]
fn values_are_of_one_kind_where_the_output_would_tell_otherwise() {
    let open = |loads: &[&str], text: &str| {
        let columns = Columns { values: strings(&["load"]), ..Columns::default() };
        let input = Box::new(Cursor::new(text.to_owned().into_bytes()));
        JsonLinesSource::open(input, &CsvOptions::default(), &columns, None, Some(labels(loads)), None).unwrap()
    };
    let of = |values: [&str; 2]| values.map(|value| format!("{{\"load\":{value}}}\n")).concat();
    for (loads, values, value_type, mixes) in [
        (&["1", "2"][..], ["1", "2"], DataType::Int64, false),
        (&["1", "2"], ["\"1\"", "\"2\""], DataType::Utf8, false),
        (&["1", "2"], ["1", "\"2\""], DataType::Int64, true),
        (&["1", "2"], ["\"1\"", "2"], DataType::Utf8, true),
        (&["true", "false"], ["true", "false"], DataType::Boolean, false),
        (&["true", "false"], ["true", "\"false\""], DataType::Boolean, true),
        // Labels of which one is no number are texts whatever the values are.
        (&["1", "n/a"], ["1", "\"n/a\""], DataType::Utf8, false),
        (&["1", "n/a"], ["\"n/a\"", "1"], DataType::Utf8, false),
    ] {
        let mut source = open(loads, &of(values));
        assert_eq!(source.schema().value, value_type, "{values:?}");
        let read = source.read_batch(&mut Batch::default()).map_err(|error| error.to_string());
        let error =
            "row 2, column \"load\": of another kind than in row 1, expected only texts, only numbers or only booleans";
        assert_eq!(read, if mixes { Err(error.to_owned()) } else { Ok(true) }, "{values:?}");
    }
}

#[test]
fn an_endless_line_ends_in_an_error_after_bounded_reading() {
    for (start, byte) in [("", b'a'), ("{\"a\":\"", b'x'), ("", b'\n'), ("", b' ')] {
        let options = CsvOptions { record_limit: 1000, ..CsvOptions::default() };
        let input = Box::new(Cursor::new(start).chain(io::repeat(byte)));
        let error = JsonLinesSource::open(input, &options, &Columns::default(), None, None, None).err().unwrap();
        assert_eq!(error.to_string(), "row 1: longer than 1000 bytes (is a line end missing?)", "{byte}");
    }
    let line = |letters: usize| format!("{{\"user\":\"ana\",\"load\":\"busy\",\"x\":\"{}\"}}\n", "x".repeat(letters));
    let case = Case { options: CsvOptions { record_limit: line(9).len(), ..CsvOptions::default() }, ..Case::default() };
    assert_eq!(case.codes(line(9).repeat(3)).1, [2, 2, 2]);
    assert!(case.error(line(9) + &line(10)).starts_with("row 2: longer than "));
}

#[test]
fn batches_are_bounded_by_rows_and_by_kept_text() {
    let rows = Batch::MAX_ROWS + 10;
    let mut source = Case::default().open("{\"user\":\"bo\",\"load\":\"busy\"}\n".repeat(rows)).unwrap();
    let mut batch = Batch::default();
    for (first, count) in [(0, Batch::MAX_ROWS), (Batch::MAX_ROWS, 10)] {
        assert!(source.read_batch(&mut batch).unwrap());
        assert_eq!((batch.len(), batch.first_row), (count, first as u64));
    }
    assert!(!source.read_batch(&mut batch).unwrap());
    let line = format!("{{\"user\":\"bo\",\"load\":\"busy\",\"note\":\"{}\"}}\n", "x".repeat(1_000_000));
    let (mut source, mut sizes) = (Case::keeping(&["note"]).open(line.repeat(20)).unwrap(), vec![]);
    while source.read_batch(&mut batch).unwrap() {
        sizes.push(batch.len());
    }
    assert_eq!(sizes, [9, 9, 2]);
}

/// A JSON value that a column can have, as it may be written.
fn scalar() -> impl Strategy<Value = String> {
    let text = any::<String>().prop_map(|text| serde_json::to_string(&text).unwrap());
    let plain = prop::sample::select(
        &["null", "true", "false", "0", "-0", "1.50", "1E+400", "\"\\u0041\\/\"", "12345678901234567890123"][..],
    );
    prop_oneof![text, plain.prop_map(str::to_owned)]
}

proptest! {
    #[test]
    fn records_that_are_kept_come_back_byte_by_byte(rows in prop::collection::vec((scalar(), scalar()), 1..20)) {
        let text: String = rows.iter().map(|(a, b)| format!("{{\"load\":\"x\",\"a\":{a},\"b \\\"\":{b}}}\n")).collect();
        let columns = Columns { values: strings(&["load"]), keep: strings(&["a", "b \""]), ..Columns::default() };
        let input = Box::new(Cursor::new(text.clone().into_bytes()));
        let value: Encoder = Box::<GrowingLabels>::default();
        let mut source = JsonLinesSource::open(input, &CsvOptions::default(), &columns, None, Some(value), None).unwrap();
        let (schema, mut written, mut batch) = (source.schema(), Vec::new(), Batch::default());
        let mut sink = JsonLinesSink::new(Box::new(&mut written), "load", &strings(&["x"]), &schema, false).unwrap();
        while source.read_batch(&mut batch).unwrap() {
            let outputs = batch.values.clone();
            sink.write_batch(&batch, &outputs).unwrap();
        }
        Box::new(sink).finish().unwrap();
        prop_assert_eq!(String::from_utf8(written).unwrap(), text);
    }

    #[test]
    fn no_error_shows_the_text_of_a_key_or_a_value(
        parts in prop::collection::vec(
            prop::sample::select(&[
                "{", "}", "{", "}\n", "\"user\"", "\"load\"", ":", ":", ",", ",", "\"ana\"", "\"busy\"", "\n", " ", "1", "null", "[", "]",
                "\"SECRETMARKER\"", "SECRETMARKER", "\\", "\"", "\u{feff}", "{\"user\":\"ana\",\"load\":", "\"busy\"}\n",
            ][..]),
            0..40,
        ),
        limit in prop::sample::select(&[20, 1 << 20][..]),
        joint in any::<bool>(),
    ) {
        let mut case = Case { options: CsvOptions { record_limit: limit, ..CsvOptions::default() }, ..Case::default() };
        if joint {
            case.columns.values.push("heat".into());
        }
        if let Err(error) = case.read(parts.concat()) {
            prop_assert!(!error.to_string().contains("MARKER"), "{error}");
            prop_assert!(!format!("{error:?}").contains("MARKER"), "{error:?}");
        }
    }

    #[test]
    fn random_bytes_end_in_records_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = Case::default().read(bytes.clone());
        let _ = Case::default().read([&b"{\"user\":\"ana\",\"load\":\"busy\"}\n"[..], &bytes].concat());
    }
}
