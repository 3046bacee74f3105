use std::io::Cursor;

use flate2::{Compression, write::GzEncoder};
use proptest::prelude::*;

use super::*;
use crate::columns::Labels;

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(ToString::to_string).collect()
}

fn labels(names: &[&str]) -> Encoder {
    Box::new(Labels::new(strings(names)).unwrap())
}

const LOADS: &[&str] = &["idle", "light", "busy", "full"];

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
    fn open(&self, input: impl Into<Vec<u8>>) -> Result<CsvSource> {
        let profile = self.columns.profile.as_ref().map(|_| labels(&["ana", "bo"]));
        let input = Box::new(Cursor::new(input.into()));
        CsvSource::open(input, &self.options, &self.columns, profile, Some(labels(self.loads)), self.unknown)
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
fn records_become_codes_whatever_the_order_of_columns() {
    let case = Case::default();
    assert_eq!(case.codes("user,load\nana,busy\nbo,idle\n"), (vec![0, 1], vec![2, 0]));
    assert_eq!(case.codes("x,load,y,user\n1,busy,2,ana\n,idle,,bo"), (vec![0, 1], vec![2, 0]));
}

#[test]
fn a_header_alone_means_no_records() {
    assert!(Case::default().read("user,load\n").unwrap().is_empty());
    assert!(Case::default().read("user,load").unwrap().is_empty());
}

#[test]
fn windows_line_ends_a_byte_order_mark_and_quotes_are_understood() {
    let case = Case { loads: &["a,b", "two\nlines", "say \"hi\""], ..Case::default() };
    let text = "\u{feff}\"user\",load\r\nana,\"a,b\"\r\nbo,\"two\nlines\"\r\nana,\"say \"\"hi\"\"\"\r\n";
    assert_eq!(case.codes(text), (vec![0, 1, 0], vec![0, 1, 2]));
}

#[test]
fn gzip_is_recognised_and_progress_counts_the_raw_bytes() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    std::io::Write::write_all(&mut encoder, b"user,load\nana,busy\n").unwrap();
    let packed = encoder.finish().unwrap();
    let (mut source, mut batch) = (Case::default().open(packed.clone()).unwrap(), Batch::default());
    assert!(source.read_batch(&mut batch).unwrap());
    assert!(!source.read_batch(&mut batch).unwrap());
    assert_eq!(source.bytes_read(), packed.len() as u64);
    assert_eq!(
        Case::default().error(&packed[..packed.len() - 3]),
        "row 2: the gzip data ends too early (is the file complete?)"
    );
}

#[test]
fn a_file_without_a_header_has_given_columns() {
    let mut case = Case::default();
    case.options.columns = Some(strings(&["load", "user"]));
    case.options.delimiter = b';';
    assert_eq!(case.codes("busy;ana\nidle;bo\n"), (vec![0, 1], vec![2, 0]));
    assert!(case.read("").unwrap().is_empty());
    assert_eq!(case.error("busy;bo\nload;user\n"), { "row 2, column \"user\": not one of the 2 profiles" });
    case.columns.keep = strings(&["day"]);
    assert_eq!(case.error("busy;ana"), "column \"day\": not found; the columns are \"load\", \"user\"");
}

#[test]
fn several_value_columns_are_one_joint_category() {
    let mut case = Case { loads: &["idle|hot", "busy|cold"], ..Case::default() };
    case.columns.values = strings(&["load", "heat"]);
    assert_eq!(case.codes("heat,user,load\ncold,bo,busy\nhot,ana,idle\n"), (vec![1, 0], vec![1, 0]));
    assert_eq!(
        case.error("heat,user,load\nhot,bo,busy\n"),
        "row 1, columns \"load\", \"heat\": not one of the 2 categories (`unknown CATEGORY` maps such values)"
    );
    assert_eq!(
        case.error("heat,user,load\n,bo,busy\n"),
        "row 1, column \"heat\": empty, expected one of the 2 categories"
    );
}

#[test]
fn kept_columns_come_in_the_order_asked_for_and_unchanged() {
    let mut case = Case::default();
    case.columns.keep = strings(&["note", "day"]);
    case.options.trim = true;
    let batch = case.read("day,user,load,note\nmon,ana,busy,\" a, b\"\ntue,bo,idle,\n").unwrap();
    assert_eq!((kept(&batch, 0), kept(&batch, 1)), (vec![" a, b", "mon"], vec!["", "tue"]));
}

#[test]
fn records_may_have_no_profile() {
    let mut case = Case::default();
    case.columns.profile = None;
    assert_eq!(case.codes("load\nbusy\nidle\n"), (vec![], vec![2, 0]));
}

#[test]
fn white_space_is_ignored_only_when_asked() {
    let mut case = Case::default();
    let text = "user , load\nana, busy \n";
    assert!(case.error(text).starts_with("column \"user\": not found among the 2 columns of the first record"));
    case.options.trim = true;
    assert_eq!(case.codes(text), (vec![0], vec![2]));
    assert_eq!(case.error("user,load\nana,  \n"), "row 1, column \"load\": empty, expected one of the 4 categories");
}

#[test]
fn an_unknown_value_is_mapped_only_when_asked() {
    let mut case = Case::default();
    let text = "user,load\nana,busy\nbo,idle\nana,Idle\n";
    assert_eq!(
        case.error(text),
        "row 3, column \"load\": not one of the 4 categories (`unknown CATEGORY` maps such values)"
    );
    case.unknown = Some(3);
    assert_eq!(case.codes(text).1, [2, 0, 3]);
    assert_eq!(case.error("user,load\neve,busy\n"), "row 1, column \"user\": not one of the 2 profiles");
    assert_eq!(case.error("user,load\nana,\n"), "row 1, column \"load\": empty, expected one of the 4 categories");
}

#[test]
fn an_empty_field_is_an_error_even_as_the_blank_line_of_a_single_column() {
    let mut case = Case::default();
    let empty = "column \"load\": empty, expected one of the 4 categories";
    assert_eq!(case.error("user,load\nana,busy\nbo,idle\nana,\n"), format!("row 3, {empty}"));
    assert_eq!(case.error("user,load\n,busy\n"), "row 1, column \"user\": empty, expected one of the 2 profiles");
    case.columns.profile = None;
    assert_eq!(case.error("load\nbusy\n\"\"\nidle\n"), format!("row 2, {empty}"));
    assert_eq!(case.error("load\r\nbusy\r\n\r\nidle\r\n"), format!("row 2, {empty}"));
    assert_eq!(case.codes("load\nbusy\nidle\n\n").1, [2, 0]);
}

#[test]
fn text_that_is_not_utf_8_is_an_error_in_a_wanted_column_only() {
    let mut case = Case::default();
    assert_eq!(case.error(b"user,load\nana,\xff\n"), "row 1, column \"load\": not UTF-8 text");
    assert_eq!(case.error(b"user,load\n\xffana,busy\n"), "row 1, column \"user\": not UTF-8 text");
    case.columns.keep = strings(&["note"]);
    let batch = case.read(b"user,load,note\nana,busy,\xff\n").unwrap();
    assert_eq!(batch.kept_raw(0).next().unwrap(), b"\xff");
}

#[test]
fn a_row_of_another_length_is_told_by_row_and_line() {
    let case = Case::default();
    assert_eq!(case.error("user,load\nana,busy\n\nbo\n"), "row 2, line 4: the number of fields is 1, expected 2");
    assert_eq!(
        case.error("user,load\r\nana,busy\r\nbo,idle,7\r\n"),
        "row 2, line 3: the number of fields is 3, expected 2"
    );
}

#[test]
fn a_missing_or_repeated_column_is_told_by_name() {
    let mut case = Case::default();
    let hint = "(`columns` names the columns of a file without a header)";
    assert_eq!(
        case.error("user,lod\nana,busy\n"),
        format!(
            "column \"load\": not found among the 2 columns of the first record; column 2 has a name like it {hint}"
        )
    );
    assert_eq!(case.error("user,load,load\n"), "column \"load\": occurs more than once, expected once");
    assert!(case.read("user,load,x,x\n").unwrap().is_empty());
    case.columns.values = vec![];
    assert_eq!(case.error("user,load\n"), "no value column, expected at least one");
}

#[test]
fn the_first_record_of_a_file_without_a_header_is_not_shown() {
    let mut case = Case::default();
    let text = "column \"user\": not found among the 3 columns of the first record (`columns` names the columns of a file \
                without a header)";
    assert_eq!(case.error("ana,busy,SECRETMARKER\n"), text);
    assert_eq!(case.error("zoe,nap,SECRETMARKER\n"), text, "not even when nothing in it is known");
    assert_eq!(case.error("zoe,load,SECRETMARKER\n"), text, "nor when one of the names is found");
    case.columns.values = strings(&["load", "heat"]);
    assert_eq!(case.error("eve,busy,SECRETMARKER\n"), text);
}

#[test]
fn a_record_that_runs_on_from_the_header_is_not_shown() {
    // The line end after the header is missing, so that the first record stands in it.
    let message = Case::default().error("usr,load,noteana,idle,SECRETMARKER\n");
    assert!(message.starts_with("column \"user\": not found among the 5 columns"), "{message}");
}

#[test]
fn an_empty_file_lacks_its_header() {
    let text = "empty, expected a header (`columns` names the columns without one)";
    for empty in ["", "\n\n", "\u{feff}"] {
        assert_eq!(Case::default().error(empty), text);
    }
}

#[test]
fn an_unclosed_quote_is_told_by_row() {
    let mut case = Case::default();
    case.columns.keep = strings(&["note"]);
    let text = "user,load,note\nana,busy,x\nbo,idle,\"open\nana,busy,x\n";
    assert_eq!(case.error(text), "row 2: a quote is opened and never closed");
}

#[test]
fn batches_are_bounded_by_rows_and_by_kept_text() {
    let mut case = Case::default();
    let rows = Batch::MAX_ROWS + 10;
    let mut source = case.open(format!("user,load\n{}", "bo,busy\n".repeat(rows))).unwrap();
    let mut batch = Batch::default();
    assert!(source.read_batch(&mut batch).unwrap());
    assert_eq!((batch.len(), batch.first_row), (Batch::MAX_ROWS, 0));
    assert!(source.read_batch(&mut batch).unwrap());
    assert_eq!((batch.len(), batch.first_row), (10, Batch::MAX_ROWS as u64));
    assert!(!source.read_batch(&mut batch).unwrap());

    case.columns.keep = strings(&["note"]);
    let row = format!("bo,busy,{}\n", "x".repeat(1_000_000));
    let mut source = case.open(format!("user,load,note\n{}", row.repeat(20))).unwrap();
    let mut sizes = vec![];
    while source.read_batch(&mut batch).unwrap() {
        sizes.push(batch.len());
    }
    assert_eq!(sizes, [9, 9, 2]);
}

#[test]
fn a_profile_column_needs_its_profiles() {
    let input = || Box::new(&b"user,load\n"[..]);
    let columns = Case::default().columns;
    let opened = CsvSource::open(input(), &CsvOptions::default(), &columns, None, Some(labels(LOADS)), None);
    assert_eq!(opened.err().unwrap().to_string(), "expected a profile column and its profiles, or neither");
}

/// All errors and codes of an input, read to its end.
fn drain(case: &Case, input: Vec<u8>) -> Result<u64> {
    let (mut source, mut batch) = (case.open(input)?, Batch::default());
    let mut rows = 0;
    while source.read_batch(&mut batch)? {
        rows += batch.len() as u64;
    }
    Ok(rows)
}

proptest! {
    #[test]
    fn random_bytes_end_in_records_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut case = Case::default();
        let _ = drain(&case, bytes.clone());
        case.options.columns = Some(strings(&["user", "load"]));
        let _ = drain(&case, bytes.clone());
        let _ = drain(&case, [&b"\x1f\x8b\x08\0\0\0\0\0\0\0"[..], &bytes].concat());
    }

    #[test]
    fn no_error_shows_the_text_of_a_field(
        parts in prop::collection::vec(
            prop::sample::select(&[
                "ana", "bo", "busy", "idle", ",", ",", "\n", "\n", "\r\n", "\"", " ", "\u{feff}", "SECRETMARKER",
                "SECRETMARKER", "0"
            ][..]),
            0..40,
        ),
        limit in prop::sample::select(&[8, 1 << 20][..]),
        joint in any::<bool>(),
        trim in any::<bool>(),
    ) {
        let options = CsvOptions { record_limit: limit, trim, ..CsvOptions::default() };
        let mut case = Case { options, ..Case::default() };
        if joint {
            case.columns.values.push("heat".into());
        }
        let text = format!("heat,user,load\n{}", parts.concat());
        if let Err(error) = drain(&case, text.into_bytes()) {
            prop_assert!(!error.to_string().contains("SECRETMARKER"), "{error}");
            prop_assert!(!format!("{error:?}").contains("SECRETMARKER"), "{error:?}");
        }
    }
}
