//! `lookalike local`: which oracle, and its file.

use crate::common::{Folder, golden};
use serde_json::Value;

#[test]
fn the_oracles_are_compared_and_the_best_is_marked() {
    let folder = Folder::new();
    let text = folder.words("local compare --size 1000 --epsilon 1").exits(0).stdout;
    golden("local-compare.txt", &text);
    let line = "local compare --categories a,b,c --epsilon ln(3),2 --reports 400 --json";
    let object = folder.words(line).exits(0).json();
    assert_eq!((&object["categories"], &object["reports"]), (&3.into(), &400.into()));
    let first = &object["comparisons"][0];
    assert_eq!((&first["epsilon_text"], &first["auto"]), (&"ln(3)".into(), &"k-rr".into()));
    let row = |name: &str| first["candidates"].as_array().unwrap().iter().find(|row| row["oracle"] == name).unwrap();
    // E = 3 and d = 3: (d - 2 + E)/(E - 1)^2 and 4E/(E - 1)^2.
    for (name, variance) in [("k-rr", 1.0), ("oue", 3.0), ("hadamard", 4.0)] {
        let found = |key: &str| row(name)[key].as_f64().unwrap();
        assert!((found("variance") - variance).abs() < 1e-12, "{name}");
        assert!((found("standard_error") - (variance / 400.0f64).sqrt()).abs() < 1e-12, "{name}");
    }
    assert_eq!((&row("k-rr")["bits"], &row("oue")["bits"]), (&2.into(), &3.into()));
    assert_eq!(object["comparisons"][1]["epsilon"], 2.0);
}

#[test]
fn a_design_says_which_oracle_why_and_how_it_was_proved() {
    let folder = Folder::new();
    let run = folder.words("local design --size 1000 --epsilon 1 -o m.json").exits(0);
    for part in [
        "subset for 1000 categories at epsilon 1.\n",
        "│ subset   ┆   3.67333 ┆ 1000 ┆    yes │",
        "A report of olh takes 15 bits instead of 1000; the same error takes 1.03 times as many reports.\n",
        "Certified: any two categories within epsilon 1, by the closed form of the largest ratio.\n",
        "Wrote m.json.\n",
    ] {
        assert!(run.stdout.contains(part), "{part}:\n{}", run.stdout);
    }
    let file = folder.json("m.json");
    assert_eq!((&file["kind"], &file["mechanism"], &file["size"]), (&"subset".into(), &"subset".into(), &269.into()));
    assert_eq!(file["certificate"]["proof"], "closed form");
    let small = folder.words("local design --categories a,b,c --epsilon 1 --oracle oue").exits(0).stdout;
    assert!(small.contains("by the whole law, 8 reports compared") && small.contains("Nothing written"), "{small}");
    let object = folder.words("local design --size 9 --epsilon 1 --oracle hadamard --json").exits(0).json();
    assert_eq!((&object["oracle"], &object["kind"]), (&"hadamard".into(), &"hadamard".into()));
    assert_eq!(object["certificate"]["proof"], "exact law of 16 reports");
    assert!(object["certificate"]["epsilon"]["upper"].as_f64().unwrap() <= 1.0);
}

#[test]
fn every_oracle_has_its_kind_and_is_certified_again() {
    let folder = Folder::new();
    let kinds = ["point", "subset", "hash", "hadamard", "unary", "unary"];
    for (name, kind) in ["k-rr", "subset", "olh", "hadamard", "oue", "sue"].into_iter().zip(kinds) {
        folder.words(&format!("local design --size 20 --epsilon 1 --oracle {name} --force -o m.json")).exits(0);
        let file = folder.json("m.json");
        assert_eq!((&file["kind"], &file["mechanism"]), (&kind.into(), &name.into()));
        folder.words("certify m.json").exits(0);
    }
}

#[test]
fn k_rr_is_a_channel_between_categories_unless_they_are_many() {
    let folder = Folder::new();
    for (size, kind, channel) in [(64, "point", "rows"), (512, "point", "keep"), (513, "subset", "include")] {
        folder.words(&format!("local design --size {size} --epsilon 9 --force -o m.json")).exits(0);
        let file = folder.json("m.json");
        assert_eq!((&file["kind"], &file["mechanism"]), (&kind.into(), &"k-rr".into()), "{size}");
        let place = if kind == "point" { &file["channels"][0] } else { &file };
        assert!(place.get(channel).is_some(), "{size}");
    }
    assert_eq!(folder.json("m.json")["size"], 1);
}

#[test]
fn categories_come_from_a_list_a_file_a_number_or_edges() {
    let folder = Folder::new();
    folder.write("names.txt", "red\r\ngreen, or so\n");
    let designed = |domain: &str| {
        let line = format!("local design {domain} --epsilon 1 --oracle sue --force -o m.json");
        folder.words(&line).exits(0);
        folder.json("m.json")
    };
    assert_eq!(designed("--categories red,green")["categories"], Value::from(vec!["red", "green"]));
    assert_eq!(designed("--categories-file names.txt")["categories"], Value::from(vec!["red", "green, or so"]));
    assert_eq!(designed("--size 3")["categories"], Value::from(vec!["0", "1", "2"]));
    assert_eq!(designed("--bins -5,0.5,10")["bins"], Value::from(vec!["-5", "1/2", "10"]));
    let words = ["local", "design", "--categories-file", "-", "--epsilon", "1", "-o", "-"];
    let run = folder.run_on(words, "a\nb\n").exits(0).says(&["k-rr for 2 categories at epsilon 1."]);
    assert_eq!(run.json()["categories"], Value::from(vec!["a", "b"]));
}

#[test]
fn auto_takes_the_best_report_that_is_short_enough() {
    let folder = Folder::new();
    let chosen = |bits: &str| {
        let line = format!("local design --size 1000 --epsilon 1 --most-bits {bits} --json");
        folder.words(&line).exits(0).json()["oracle"].as_str().unwrap().to_owned()
    };
    assert_eq!(["1000", "999", "15", "14", "10"].map(chosen), ["subset", "olh", "olh", "hadamard", "hadamard"]);
    let run = folder.words("local design --size 1000 --epsilon 1 --most-bits 9 -o m.json").exits(1);
    let expected = "NOT POSSIBLE: the shortest report, of k-rr, takes 10 bits, and at most 9 were asked for\n";
    assert_eq!(run.stdout, expected);
    let object = folder.words("local design --size 1000 --epsilon 1 --most-bits 9 --json").exits(1).json();
    assert_eq!(object["possible"], false);
    let line = "local design --size 9 --epsilon 1 --oracle oue --most-bits 9";
    folder.words(line).fails_with(&["--most-bits is for --oracle auto, and oue was asked for"]);
    assert!(folder.names().is_empty());
}

#[test]
fn bad_questions_are_refused() {
    let folder = Folder::new();
    let asked = |more: &str| folder.words(&format!("local design -o m.json {more}"));
    for few in ["--categories a", "--size 1", "--bins 3"] {
        asked(&format!("{few} --epsilon 1")).fails_with(&["1 category, expected at least 2: there is nothing to hide"]);
    }
    asked("--size 0 --epsilon 1").fails_with(&["--size: no category"]);
    asked("--size 10000001 --epsilon 1").fails_with(&["--size", "0..=10000000"]);
    asked("--categories a,b,a --epsilon 1")
        .fails_with(&["--categories: category \"a\" occurs twice, at places 1 and 3"]);
    asked("--categories a,,b --epsilon 1").fails_with(&["--categories: category 2 has an empty name"]);
    asked("--bins 1,1 --epsilon 1").fails_with(&["bins: edge 2 is 1, expected more than 1 before it"]);
    asked("--bins low --epsilon 1").fails_with(&["\"low\" is not a number"]);
    asked("--categories-file no.txt --epsilon 1").fails_with(&["no.txt: cannot read"]);
    asked("--categories a,b --size 2 --epsilon 1").fails_with(&["cannot be used with"]);
    asked("--epsilon 1").fails_with(&["--categories", "--categories-file", "--size", "--bins"]);
    asked("--size 4").fails_with(&["--epsilon"]);
    for epsilon in ["0", "-1"] {
        asked(&format!("--size 4 --epsilon {epsilon}"))
            .fails_with(&[&format!("epsilon = {epsilon}, expected a number above 0")]);
    }
    asked("--size 4 --epsilon much").fails_with(&["epsilon = \"much\" is not understood"]);
    asked("--size 4 --epsilon 1e-20").fails_with(&["weights out of 2^53 leave nothing to read back, choose a larger"]);
    asked("--size 4 --epsilon 1 --oracle rappor")
        .fails_with(&["'rappor'", "auto, k-rr, subset, olh, hadamard, oue, sue"]);
    folder.words("local compare --size 4 --epsilon 1 --reports 0").fails_with(&["--reports"]);
    folder.words("local compare --size 4 --epsilon 1,0").fails_with(&["epsilon = 0"]);
    assert!(folder.names().is_empty());
    // Oracles that cannot be used at a small epsilon are named.
    let text = folder.words("local compare --size 100000 --epsilon 1e-13").exits(0).stdout;
    assert!(text.ends_with("Left out, since at so small an epsilon nothing can be read back: k-rr.\n"), "{text}");
}

#[test]
fn nothing_is_replaced_without_force() {
    let folder = Folder::new();
    folder.write("m.json", "mine");
    folder.words("local design --size 4 --epsilon 1 -o m.json").fails_with(&["m.json", "--force"]);
    assert_eq!(folder.read("m.json"), "mine");
}
