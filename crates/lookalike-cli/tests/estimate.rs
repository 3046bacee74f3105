//! `lookalike estimate`.

mod common;

use common::{Folder, MARKER, example};

const SURVEY: &str =
    "epsilon = \"ln(3)\"\ncategories = [\"no\", \"yes\"]\nsecrets = \"values\"\n[graph]\nshape = \"complete\"\n";

/// A folder with the mechanism of the survey: the truth with probability 3/4.
fn survey() -> Folder {
    let folder = Folder::new();
    folder.write("spec.toml", SURVEY);
    folder.words("design spec.toml -o m.json").exits(0);
    folder
}

fn answers(no: usize, yes: usize) -> String {
    format!("answer\n{}{}", "no\n".repeat(no), "yes\n".repeat(yes))
}

#[test]
fn the_survey_is_read_back() {
    let folder = survey();
    folder.write("answers.csv", answers(600, 400));
    let found = folder.words("estimate m.json answers.csv --value answer --json").exits(0).json();
    let yes = &found["cohorts"][0]["histogram"][1];
    assert_eq!(yes["categories"][0], "yes");
    // 2(Y − 1/4), with Y = 0.4.
    assert!((yes["unbiased"].as_f64().unwrap() - 0.3).abs() < 1e-9);
    let (lower, upper) = (yes["lower"].as_f64().unwrap(), yes["upper"].as_f64().unwrap());
    assert!(0.235 < lower && lower < 0.3 && 0.3 < upper && upper < 0.365, "{lower} {upper}");
    assert_eq!((&found["confidence"], &found["simultaneous"]), (&0.95.into(), &false.into()));
    assert_eq!(found["cohorts"][0]["mix"].as_array().unwrap().len(), 0);
}

#[test]
fn clipping_is_never_silent() {
    let folder = survey();
    folder.write("answers.csv", answers(9, 1));
    let text = folder.words("estimate m.json answers.csv --value answer").exits(0).stdout;
    assert!(text.contains("-0.30000"), "{text}");
    assert!(text.contains("2 intervals cut at 0 or 1; a share may lie beyond."), "{text}");
}

#[test]
fn a_public_column_gives_an_estimate_for_each_of_its_values() {
    let folder = survey();
    folder.write("answers.csv", "answer,day\nyes,tue\nno,mon\nyes,mon\nno,mon\n");
    let found = folder.words("estimate m.json answers.csv --value answer --by day --json").exits(0).json();
    let cohorts = found["cohorts"].as_array().unwrap();
    let seen: Vec<_> =
        cohorts.iter().map(|cohort| (cohort["name"].as_str().unwrap(), cohort["reports"].as_u64().unwrap())).collect();
    assert_eq!(seen, [("mon", 3), ("tue", 1)]);
}

#[test]
fn profiles_that_look_the_same_are_one_figure() {
    let folder = Folder::new();
    let spec = "epsilon = 1\ncategories = [\"no\", \"yes\"]\n[profiles]\nana = 0.2\nbo = 0.2\ncleo = 0.5\n[graph]\nshape = \"complete\"\n";
    folder.write("spec.toml", spec);
    folder.words("design spec.toml -o m.json").exits(0);
    folder.write("answers.csv", answers(70, 30));
    let text = folder.words("estimate m.json answers.csv --value answer").exits(0).stdout;
    assert!(text.contains("ana + bo") && text.contains("do not tell these apart"), "{text}");
    assert!(text.contains("if the profiles of the mechanism are right"), "{text}");
}

#[test]
fn the_error_is_predicted_beside_local_dp() {
    let folder = Folder::new();
    let spec = "epsilon = 0.5\ncategories = [\"a\", \"b\", \"c\", \"d\"]\n[profiles]\np1 = [0.2, 0.3, 0.4, 0.1]\n\
                p2 = [0.3, 0.3, 0.3, 0.1]\np3 = [0.4, 0.4, 0.1, 0.1]\n[graph]\nshape = \"chain\"\n";
    folder.write("spec.toml", spec);
    folder.words("design spec.toml -o m.json").exits(0);
    let found = folder.words("estimate m.json --predict 10000 --json").exits(0).json();
    let error = |of: &str, reports: f64| found[of]["root_mean_square"].as_f64().unwrap() * reports.sqrt();
    assert!(error("mechanism", 1.0) < error("local_dp", 1.0));
    let more = folder.words("estimate m.json --predict 40000 --json").exits(0).json();
    let (few, many) = (error("mechanism", 1.0), more["mechanism"]["root_mean_square"].as_f64().unwrap());
    assert!((few / many - 2.0).abs() < 1e-3, "four times the reports, half the error");
    let text = folder.words("estimate m.json --predict 10000").exits(0).stdout;
    assert!(text.contains("times as many reports for the same mean squared error."), "{text}");
    // Twelve profiles, four outputs: some of the error does not go away with more reports.
    folder.run(["design", example("workstations/spec.toml").to_str().unwrap(), "-o", "many.json"]).exits(0);
    let text = folder.words("estimate many.json --predict 10000").exits(0).stdout;
    assert!(text.contains("which no number of reports can tell."), "{text}");
}

#[test]
fn mistakes_are_explained_without_a_private_value() {
    let folder = survey();
    folder.write("answers.csv", format!("answer\nno\n{MARKER}\n"));
    let run = folder.words("estimate m.json answers.csv --value answer");
    let run = run.fails_with(&[
        "answers.csv: row 2, column \"answer\": not one of the 2 categories (records that another mechanism",
    ]);
    assert!(!run.stderr.contains(MARKER), "{}", run.stderr);
    folder.words("estimate m.json answers.csv --value load").fails_with(&["answers.csv", "\"load\""]);
    folder.words("estimate m.json").fails_with(&["<DATA>"]);
    folder.words("estimate m.json answers.csv --predict 5").fails_with(&["--predict"]);
    folder.words("estimate m.json --predict 0").fails_with(&["0 reports, expected at least 1"]);
    folder.write("empty.csv", "answer\n");
    folder
        .words("estimate m.json empty.csv --value answer")
        .fails_with(&["empty.csv: no reports, expected at least one"]);
    folder.write("good.csv", answers(1, 1));
    let run = folder.words("estimate m.json good.csv --value answer --confidence 95");
    run.fails_with(&["a confidence of 95, expected one strictly between 0 and 1 such as 0.95"]);
}

#[test]
fn all_at_once_is_over_all_cohorts() {
    let folder = survey();
    let rows: String = (0..400).map(|at| format!("{},d{}\n", ["no", "yes"][at % 2], at % 4)).collect();
    folder.write("answers.csv", format!("answer,day\n{rows}"));
    let width = |options: &str| {
        let found = folder.words(&format!("estimate m.json answers.csv --value answer --by day --json {options}"));
        let figure = found.exits(0).json()["cohorts"][0]["histogram"][0].clone();
        figure["upper"].as_f64().unwrap() - figure["lower"].as_f64().unwrap()
    };
    // Two figures in each of four cohorts: eight intervals share 5 %, as each of one shares 0.625 %.
    assert!((width("--simultaneous") - width("--confidence 0.99375")).abs() < 1e-9);
}

#[test]
fn a_file_of_estimates_must_make_sense() {
    let folder = survey();
    folder.write("answers.csv", answers(60, 40));
    let good = folder.words("estimate m.json answers.csv --value answer --json").exits(0).stdout;
    let confidence = "\"confidence\": 0.95";
    for (from, to, message) in [
        (confidence, "\"confidence\": 7", "confidence: found 7, expected a number strictly between 0 and 1"),
        ("\"reports\": 100", "\"reports\": 1.5", "cohort 1: reports: found the number 1.5, expected a whole number"),
        ("\"cut\": false", "\"cut\": 3", "cut: found a number, expected true or false"),
        ("\"yes\"", "\"maybe\"", "\"maybe\" is not in the mechanism"),
        ("\"lower\": 0.", "\"lower\": 1.", "an interval from 1."),
        (confidence, "\"confidense\": 0.95", "key \"confidense\" is not known"),
    ] {
        assert!(good.contains(from), "{from} is not in {good}");
        folder.write("bad.json", good.replace(from, to));
        folder.words("report m.json --estimate bad.json").fails_with(&["bad.json", message]);
    }
}
