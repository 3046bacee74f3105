use super::*;
use lookalike::audit::{Family, Options, Output, Pair, View, audit};
use std::collections::HashMap;
use std::io::Write;

fn names(what: &str, names: &[&str]) -> Names {
    Names::new(what, names).unwrap()
}

fn read(csv: &str, outputs: Option<&Names>) -> Result<Written> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(csv.as_bytes()).unwrap();
    let input = WrittenInput {
        path: file.path(),
        format: Format::Csv,
        csv: &CsvOptions::default(),
        secret: "who",
        output: "said",
    };
    Written::read(&input, &names("secret", &["ana", "bo", "cleo"]), outputs, &mut |_| {})
}

/// What each run shows of each secret.
#[derive(Default)]
struct Shown(HashMap<u32, Vec<String>>, Vec<u64>);

impl Collect<Text> for Shown {
    fn see(&mut self, secret: u32, place: u64, output: &Text) {
        self.0.entry(secret).or_default().push(output.label());
        self.1.push(place);
    }

    fn merge(&mut self, _: Self) {
        unreachable!("one collector")
    }
}

#[test]
fn the_even_draws_of_each_secret_choose_and_the_odd_ones_test() {
    let written = read("who,said\nana,a0\nana,a1\nbo,b0\nana,a2\nbo,b1\nana,a3\nana,a4\n", None).unwrap();
    assert_eq!((written.len(), written.is_empty(), written.starts_afresh()), (7, false, false));
    let schedule = Schedule::new(vec![(vec![0, 1], 99)], 7);
    let shown = |run| written.run(run, &schedule, &Shown::default).unwrap();
    let texts = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
    let choosing = shown(Run::Choosing);
    assert_eq!(choosing.0, HashMap::from([(0, texts(&["a0", "a2", "a4"])), (1, texts(&["b0"]))]));
    assert_eq!(choosing.1, [0, 1, 2, 3]);
    let testing = shown(Run::Testing);
    assert_eq!(testing.0, HashMap::from([(0, texts(&["a1", "a3"])), (1, texts(&["b1"]))]));
    let only = written.run(Run::Testing, &Schedule::new(vec![(vec![1], 1)], 7), &Shown::default).unwrap();
    assert_eq!(only.0.len(), 1, "only the secrets of the schedule");
}

#[test]
fn a_secret_with_too_few_draws_is_named() {
    let written = read("who,said\nana,x\nana,y\nbo,x\n", None).unwrap();
    let pairs = [Pair { secrets: [0, 1], claimed: None }];
    let error = audit(&pairs, &written, &Options::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "secret \"bo\" has 1 of the draws, expected at least 2: one to choose the tests, one to make them"
    );
}

#[test]
fn what_is_not_known_is_refused_by_row_and_column_without_its_content() {
    let outputs = names("output", &["x", "y"]);
    let said = |csv: &str| read(csv, Some(&outputs)).unwrap_err().to_string();
    assert_eq!(said("who,said\nana,x\nzoe,y\n"), "row 2, column \"who\": none of the 3 secrets of the mechanism");
    assert_eq!(said("who,said\nana,x\nana,z\n"), "row 2, column \"said\": none of the 2 outputs of the mechanism");
    assert_eq!(said("who,said\nana,\n"), "row 1, column \"said\": none of the 2 outputs of the mechanism");
    assert_eq!(said("who,said\n,x\n"), "row 1, column \"who\": empty, expected a name");
    assert!(said("who,heard\nana,x\n").contains("\"said\""));
    assert!(read("who,said\nana,z\n", None).is_ok());
    let nowhere = read("who,said\nzoe,z\n", None).unwrap_err().to_string();
    assert_eq!(nowhere, "row 1, column \"who\": none of the 3 secrets", "there is no mechanism");
}

#[test]
fn an_empty_text_is_an_output_like_an_empty_line_of_a_program() {
    let rows: String = (0..400).map(|at| ["ana,\n", "bo,x\n"][at % 2]).collect();
    let written = read(&("who,said\n".to_owned() + &rows), None).unwrap();
    let found = audit(&[Pair { secrets: [0, 1], claimed: Some(1.0) }], &written, &Options::default()).unwrap();
    assert!(found.worst().is_evidence(), "{found:?}");
    let outputs = names("output", &["x", "y"]);
    assert!(read("who,said\nana,x\n", Some(&outputs)).is_ok(), "that no row is empty is no error");
}

#[test]
fn numbers_keep_their_order_and_their_bits() {
    let rows: String =
        (0..4_000).map(|at| format!("{},{}\n", ["ana", "bo"][at % 2], at % 2 * 8 + at / 2 % 9)).collect();
    let written = read(&("who,said\n".to_owned() + &rows), None).unwrap();
    let options = Options { families: vec![Family::Threshold], ..Options::default() };
    let found = audit(&[Pair { secrets: [0, 1], claimed: Some(1.0) }], &written, &options).unwrap();
    assert_eq!((found.chosen_on, found.tested_on), (2_000, 2_000));
    // ana says 0 to 8, bo 8 to 16.
    assert!(found.worst().is_evidence() && found.worst().bound > 4.0, "{found:?}");
    assert!(Text::new("8").symbol(View::Number).is_some());
}
