//! `lookalike noise choose`.

use crate::tables;

use crate::common::{Folder, example, golden};
use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use std::fmt::Write;
use std::sync::Arc;

/// Two inputs, and 400 outputs of which one is better for the second: the sum of the weights hardly moves, so that
/// nearly all of ε is used.
fn one_of_many() -> String {
    let outputs: String = (0..400).fold(String::new(), |mut text, y| {
        let _ = write!(text, ",y{y}");
        text
    });
    let zeros = ",0".repeat(399);
    format!("x{outputs}\na,0{zeros}\nb,1{zeros}\n")
}

#[test]
fn one_percent_less_than_the_claim_is_refused() {
    let folder = Folder::new();
    folder.write("scores.csv", one_of_many());
    folder.words("noise choose scores.csv --epsilon 1 --sensitivity 1 --together -o m.json").exits(0);
    folder.words("certify m.json").exits(0);
    let text = folder.read("m.json");
    folder.write("less.json", text.replacen("\"epsilon\": \"1\"", "\"epsilon\": \"0.99\"", 1));
    let run = folder.words("certify less.json").exits(1);
    assert!(run.stdout.starts_with("NOT PRIVATE: "), "{}", run.stdout);
    // Without --together the form has half the exponent, and here half of ε is enough for it.
    folder.words("noise choose scores.csv --epsilon 1 --sensitivity 1 -o half.json").exits(0);
    folder.write("half.json", folder.read("half.json").replacen("\"epsilon\": \"1\"", "\"epsilon\": \"0.51\"", 1));
    folder.words("certify half.json").exits(0);
}

#[test]
fn the_file_is_of_kind_point_and_other_verbs_take_it() {
    let folder = Folder::new();
    let [scores, edges, records] =
        ["scores.csv", "edges.csv", "records.csv"].map(|name| example("closest").join(name).display().to_string());
    let line = format!("noise choose {scores} --edges {edges} --epsilon 2 --sensitivity 2 --together -o m.json");
    golden("noise-choose.txt", &folder.words(&line).exits(0).stdout);
    let file = folder.json("m.json");
    assert_eq!((&file["kind"], &file["mechanism"]), (&"point".into(), &"exponential".into()));
    folder.words("certify m.json").exits(0);
    folder.words(&format!("privatize m.json {records} --value distances --seed 1 -o private.csv")).exits(0);
    let private = folder.read("private.csv");
    assert!(private.lines().skip(1).all(|name| ["ana", "bo", "cleo"].contains(&name)), "{private}");
    folder.words("estimate m.json private.csv --value distances").exits(0);
    folder.words("report m.json -o page.html").exits(0);
    folder.words("audit m.json --draws 20000 --seed 1").exits(0);
}

#[test]
fn the_tables_of_the_example_say_what_they_are_about() {
    let people = ["ana", "bo", "cleo"];
    let places: Vec<[usize; 3]> = (0..27).map(|at| [at / 9, at / 3 % 3, at % 3]).collect();
    let name = |place: &[usize; 3]| {
        people.iter().zip(place).map(|(person, distance)| format!("{person}{distance}")).collect::<Vec<_>>().join(" ")
    };
    let mut scores = "distances,ana,bo,cleo\n".to_owned();
    let mut edges = "a,b\n".to_owned();
    for (at, place) in places.iter().enumerate() {
        let [ana, bo, cleo] = place.map(|distance| -(distance as i64));
        let _ = writeln!(scores, "{},{ana},{bo},{cleo}", name(place));
        for other in &places[at + 1..] {
            if place.iter().zip(other).filter(|(a, b)| a != b).count() == 1 {
                let _ = writeln!(edges, "{},{}", name(place), name(other));
            }
        }
    }
    let read = |file: &str| std::fs::read_to_string(example("closest").join(file)).unwrap();
    assert_eq!((read("scores.csv"), read("edges.csv")), (scores, edges));
}

#[test]
fn probabilities_are_in_proportion_to_the_form_that_is_stated() {
    let folder = Folder::new();
    folder.write("scores.csv", "x,near,far\na,1,0\nb,0,1\nc,0.5,0.5\n");
    for (more, form) in [("", "e^(epsilon u(x,y) / (2 sensitivity))"), ("--shape chain", "e^(epsilon u(x,y) / (2 ")] {
        let line = format!("noise choose scores.csv --epsilon 2*ln(3) --sensitivity 1 --force -o m.json {more}");
        let run = folder.words(&line).exits(0);
        assert!(run.stdout.contains(form), "{}", run.stdout);
        let file = folder.json("m.json");
        let share = |x: usize| file["channels"][0]["rows"][x][0].as_f64().unwrap() / 2f64.powi(53);
        // Weights e^(ln 3) and 1.
        assert!((share(0) - 0.75).abs() < 1e-12 && (share(1) - 0.25).abs() < 1e-12 && (share(2) - 0.5).abs() < 1e-12);
    }
    let object = folder.words("noise choose scores.csv --epsilon 2*ln(3) --sensitivity 1 --json").exits(0).json();
    assert!((object["shortfall"]["worst"].as_f64().unwrap() - 0.25).abs() < 1e-12);
    assert!((object["shortfall"]["mean"].as_f64().unwrap() - 0.5 / 3.0).abs() < 1e-12);
    assert_eq!(object["shortfall"]["input"], "a");
}

#[test]
fn scores_come_from_parquet_too() {
    let folder = Folder::new();
    folder.write("scores.csv", "x,near,far\na,1,0.25\nb,0,1\n");
    let columns: [(&str, ArrayRef); 3] = [
        ("x", Arc::new(StringArray::from(vec!["a", "b"]))),
        ("near", Arc::new(Float64Array::from(vec![1.0, 0.0]))),
        ("far", Arc::new(Float64Array::from(vec![0.25, 1.0]))),
    ];
    let records = RecordBatch::try_from_iter(columns).unwrap();
    tables::parquet(&folder.path("scores.parquet"), &records, 1, parquet::basic::Compression::SNAPPY);
    let run =
        |file: &str| folder.words(&format!("noise choose {file} --epsilon 1 --sensitivity 1 -o -")).exits(0).stdout;
    assert_eq!(run("scores.csv"), run("scores.parquet"));
}

#[test]
fn edges_have_their_own_budgets_and_an_input_without_one_is_told() {
    let folder = Folder::new();
    folder.write("scores.csv", "x,near,far\na,1,0\nb,0,1\nc,0,0\n");
    folder.write("edges.csv", "a,b,epsilon\na,b,1/2\n");
    let line = "noise choose scores.csv --edges edges.csv --epsilon 1 --sensitivity 1 -o m.json";
    let run = folder.words(line).exits(0).says(&["warning: input \"c\" has no edge and is not protected"]);
    assert!(run.stdout.contains("epsilon 1/2, sensitivity 1, scores that move anyhow"), "{}", run.stdout);
    assert_eq!(folder.json("m.json")["epsilon"], "1/2");
}

#[test]
fn tables_that_break_their_promise_are_refused() {
    let folder = Folder::new();
    let choose = |more: &str| folder.words(&format!("noise choose scores.csv --epsilon 1 -o m.json {more}"));
    choose("--sensitivity 1").fails_with(&["scores.csv: cannot read"]);
    folder.write("scores.csv", "x,near,far\na,1,0\nb,0,1\n");
    choose("--sensitivity 1/2").fails_with(&["scores.csv: edge (\"a\", \"b\"): scores of one output differ by 1"]);
    choose("--sensitivity 1 --together").fails_with(&["some scores rise and others fall"]);
    choose("--sensitivity 0").fails_with(&["sensitivity = 0"]);
    choose("--sensitivity 1 --shape star").fails_with(&["'star'", "complete, chain"]);
    choose("").fails_with(&["--sensitivity <D>"]);
    folder.write("edges.csv", "a,b\na,z\n");
    choose("--sensitivity 1 --edges edges.csv").fails_with(&["edges.csv: row 1: column \"b\": not known"]);
    choose("--sensitivity 1 --edges edges.csv --shape chain").fails_with(&["cannot be used with"]);
    folder.write("scores.csv", "x,near,far\na,1,0\n");
    choose("--sensitivity 1").fails_with(&["scores.csv: the graph has no edge"]);
    folder.write("scores.csv", "x,near,far\na,good,0\nb,1,1\n");
    choose("--sensitivity 1").fails_with(&["scores.csv: row 1: column 2: not a number"]);
    assert!(!folder.names().contains(&"m.json".to_owned()));
}
