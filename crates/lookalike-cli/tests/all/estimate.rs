//! `lookalike estimate`.

use crate::common::{Folder, MARKER, example};

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
fn few_reports_give_an_estimate_inside_a_wide_interval() {
    let folder = survey();
    folder.write("answers.csv", answers(9, 1));
    let found = folder.words("estimate m.json answers.csv --value answer --json").exits(0).json();
    let yes = &found["cohorts"][0]["histogram"][1];
    // A tenth of the reports: less than noise alone gives. The estimate that is right on average is −0.3.
    assert!((yes["unbiased"].as_f64().unwrap() + 0.3).abs() < 1e-9 && yes["counted"] == 0.1);
    assert!(yes["share"].as_f64().unwrap() < 1e-6 && yes["lower"] == 0.0);
    assert!(yes["upper"].as_f64().unwrap() > 0.3, "{yes}");
    // `counts design --n 8 --alpha 0.9 --mechanism gm`, 0 and 8 six times each, once had a share of 5 beside [0, 0.318].
    folder.words("counts design --n 8 --alpha 0.9 --mechanism gm -o gm.json").exits(0);
    folder.write("counts.csv", format!("value\n{}", "0\n8\n".repeat(6)));
    let found = folder.words("estimate gm.json counts.csv --json").exits(0).json();
    for figure in found["cohorts"][0]["histogram"].as_array().unwrap() {
        let [lower, share, upper] = ["lower", "share", "upper"].map(|key| figure[key].as_f64().unwrap());
        assert!(0.0 <= lower && lower <= share && share <= upper && upper <= 1.0, "{figure}");
    }
}

/// Profiles that are wrong by 0.3 for all who report: figures that rest on nothing hold, and trust is refuted.
#[test]
fn wrong_profiles_mislead_nobody_who_does_not_trust_them() {
    let folder = Folder::new();
    let spec =
        "epsilon = 1\ncategories = [\"no\", \"yes\"]\n[profiles]\nana = 0.2\nbo = 0.4\n[graph]\nshape = \"complete\"\n";
    folder.write("spec.toml", spec);
    folder.words("design spec.toml -o m.json").exits(0);
    let rows: String = (0..4000)
        .map(|at| format!("{},{}\n", ["ana", "bo"][at % 2], ["no", "yes"][usize::from(at % 10 < 7)]))
        .collect();
    folder.write("records.csv", format!("profile,value\n{rows}"));
    folder.words("privatize m.json records.csv --seed 1 -o private.csv").exits(0);
    let found = folder.words("estimate m.json private.csv --json").exits(0).json();
    let yes = &found["cohorts"][0]["histogram"][1];
    assert!(yes["lower"].as_f64().unwrap() < 0.7 && 0.7 < yes["upper"].as_f64().unwrap(), "{yes}");
    assert_eq!((&found["trust"], &found["cohorts"][0]["misfit"]), (&"nothing".into(), &serde_json::Value::Null));
    let refuted = folder.words("estimate m.json private.csv --trust profiles").exits(1).stdout;
    assert!(refuted.contains("The reports do not fit: "), "{refuted}");
    assert!(refuted.contains("read the figures back with --trust nothing."), "{refuted}");
    let error = folder.words("estimate m.json private.csv --trust everything");
    error.fails_with(&["trust in \"everything\", expected \"nothing\", \"limits\" or \"profiles\""]);
}

/// Rows that a ledger drew evenly are taken out again.
#[test]
fn stand_ins_are_told_from_reports() {
    let folder = survey();
    // Of 1,000 reports 700 are yes, and 1,000 stand-ins are half and half.
    folder.write("answers.csv", answers(300 + 500, 700 + 500));
    let yes = |options: &str| {
        let found =
            folder.words(&format!("estimate m.json answers.csv --value answer --json {options}")).exits(0).json();
        let cohort = found["cohorts"][0].clone();
        (cohort["reports"].as_u64().unwrap(), cohort["stand_ins"].as_u64().unwrap(), cohort["histogram"][1].clone())
    };
    let (reports, stand_ins, share) = yes("--stand-ins 1000");
    assert_eq!((reports, stand_ins), (1000, 1000));
    // 2(0.7 − 1/4).
    assert!((share["unbiased"].as_f64().unwrap() - 0.9).abs() < 1e-9, "{share}");
    let (reports, _, counted) = yes("");
    assert_eq!(reports, 2000);
    assert!(counted["upper"].as_f64().unwrap() < 0.9, "{counted}");
    let error = folder.words("estimate m.json answers.csv --value answer --stand-ins 2000");
    error.fails_with(&["2000 of 2000 reports stand in for others, expected fewer"]);
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
    let text = folder.words("estimate m.json answers.csv --value answer --trust profiles").exits(0).stdout;
    assert!(text.contains("ana + bo") && text.contains("do not tell these apart"), "{text}");
    assert!(text.ends_with("true if values are drawn from the profiles of the mechanism.\n"), "{text}");
    let text = folder.words("estimate m.json answers.csv --value answer").exits(0).stdout;
    assert!(
        !text.contains("ana") && text.ends_with("About those who reported; nothing is assumed of them.\n"),
        "{text}"
    );
}

#[test]
fn the_error_is_predicted_beside_local_dp() {
    let folder = Folder::new();
    let spec = "epsilon = 0.5\ncategories = [\"a\", \"b\", \"c\", \"d\"]\n[profiles]\np1 = [0.2, 0.3, 0.4, 0.1]\n\
                p2 = [0.3, 0.3, 0.3, 0.1]\np3 = [0.4, 0.4, 0.1, 0.1]\n[graph]\nshape = \"chain\"\n";
    folder.write("spec.toml", spec);
    folder.words("design spec.toml -o m.json").exits(0);
    let width = |words: &str, of: &str| {
        let found = folder.words(&format!("estimate m.json --json --predict {words}")).exits(0).json();
        found[of]["root_mean_square"].as_f64().unwrap()
    };
    let of_trusted = |reports: &str| width(&format!("{reports} --trust profiles"), "mechanism");
    let (few, many) = (of_trusted("10000"), of_trusted("40000"));
    assert!((few / many - 2.0).abs() < 0.1, "four times the reports, half the width: {few} {many}");
    let text = folder.words("estimate m.json --predict 10000 --trust profiles").exits(0).stdout;
    assert!(text.contains("times as many reports for intervals that are as narrow."), "{text}");
    // Where no profile is trusted, part of the width does not go away.
    let (few, many) = (width("10000", "mechanism"), width("40000", "mechanism"));
    assert!(few < width("10000", "local_dp") && few / many < 1.9, "{few} {many}");
    // Twelve profiles, four outputs: some of the width does not go away with more reports.
    folder.run(["design", example("workstations/spec.toml").to_str().unwrap(), "-o", "many.json"]).exits(0);
    let text = folder.words("estimate many.json --predict 10000").exits(0).stdout;
    assert!(text.contains("Some shares cannot be determined exactly, however many reports there are."), "{text}");
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
    // Near 1 it is not said to be 1.
    let run = folder.words("estimate m.json good.csv --value answer --confidence 0.9999999");
    run.exits(0).prints(&["99.99999 % intervals"]);
    folder
        .words("estimate m.json --predict 1 --confidence 0.9999999")
        .exits(0)
        .prints(&["With 1 report, ", " 99.99999 % intervals"]);
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
        (
            "\"trust\": \"nothing\"",
            "\"trust\": \"all\"",
            "trust: trust in \"all\", expected \"nothing\", \"limits\" or \"profiles\"",
        ),
        ("\"yes\"", "\"maybe\"", "\"maybe\" is not in the mechanism"),
        ("\"lower\": 0.", "\"lower\": 1.", "an interval from 1."),
        (confidence, "\"confidense\": 0.95", "key \"confidense\" is not known"),
    ] {
        assert!(good.contains(from), "{from} is not in {good}");
        folder.write("bad.json", good.replace(from, to));
        folder.words("report m.json --estimate bad.json").fails_with(&["bad.json", message]);
    }
}

/// Rows, their counts, and two files that add up to them are one estimate.
#[test]
fn counts_and_batches_are_what_their_rows_are() {
    let folder = survey();
    folder.write("answers.csv", answers(600, 400));
    folder.write("counts.csv", "answer,n\nno,250\nyes,400\nno,350\n");
    folder.write("monday.csv", answers(600, 100));
    folder.write("tuesday.csv", answers(0, 300));
    let read = |words: &str| folder.words(&format!("estimate m.json {words} --value answer --json")).exits(0).json();
    let rows = read("answers.csv");
    assert_eq!(read("counts.csv --count n"), rows);
    assert_eq!(read("monday.csv tuesday.csv"), rows);
    // Cohorts of several files are joined by name.
    folder.write("a.csv", "answer,town,n\nno,north,30\nyes,south,10\n");
    folder.write("b.csv", "answer,town,n\nno,south,7\nyes,north,20\n");
    let towns = read("a.csv b.csv --count n --by town");
    let seen: Vec<_> = towns["cohorts"].as_array().unwrap().iter().map(|cohort| cohort["reports"].clone()).collect();
    assert_eq!(seen, [50, 17]);
}

#[test]
fn counts_that_are_none_are_refused_and_not_shown() {
    let folder = survey();
    for (row, why) in [
        (format!("no,{MARKER}"), "row 2, column \"n\": not a whole number from 0 on"),
        ("no,-3".to_owned(), "row 2, column \"n\": not a whole number from 0 on"),
        ("no,1.5".to_owned(), "row 2, column \"n\": not a whole number from 0 on"),
        ("no,9007199254740993".to_owned(), "more than 2^53 reports"),
        ("no,9223372036854775807".to_owned(), "more than 2^53 reports"),
    ] {
        folder.write("counts.csv", format!("answer,n\nyes,1\n{row}\n"));
        let run = folder.words("estimate m.json counts.csv --value answer --count n").fails_with(&["counts.csv", why]);
        assert!(!run.stderr.contains(MARKER), "{}", run.stderr);
    }
    folder.write("counts.csv", "answer,n\nyes,0\n");
    folder.words("estimate m.json counts.csv --value answer --count n").fails_with(&["no reports"]);
    folder.words("local design --size 4 --epsilon 1 --oracle oue -o oue.json").exits(0);
    folder.write("reports.csv", "value,n\n1000,5\n");
    folder.words("estimate oue.json reports.csv --count n").fails_with(&["each report of an oracle is read by itself"]);
}

/// Either would make intervals too narrow without a word.
#[test]
fn a_file_counts_once_and_cohorts_are_not_what_was_released() {
    let folder = survey();
    folder.write("a.csv", "answer,town,n\nno,north,30\nyes,south,10\n");
    folder.write("b.csv", "answer,town,n\nno,north,30\nyes,south,10\n");
    let line = |words: &str| folder.words(&format!("estimate m.json {words} --value answer"));
    line("a.csv b.csv --count n --by town").exits(0);
    line("a.csv b.csv a.csv --count n").fails_with(&["a.csv: given twice", "count twice"]);
    line("b.csv ./a.csv a.csv").fails_with(&["a.csv: given twice"]);
    line("- -").fails_with(&["-: given twice"]);
    line("a.csv --by answer").fails_with(&["--by answer: this is the column of --value"]);
    line("a.csv --count n --by n").fails_with(&["--by n: this is the column of --count"]);
    line("a.csv --count answer").fails_with(&["--count answer: this is the column of --value"]);
}

#[test]
fn a_note_beside_a_release_says_how_many_rows_stand_in() {
    let folder = survey();
    let rows: String =
        (0..600).map(|at| format!("{},{}\n", at % 300, ["no", "yes"][usize::from(at % 10 < 8)])).collect();
    folder.write("answers.csv", format!("who,answer\n{rows}"));
    folder.words("ledger init a.ledger --budget ln(3)").exits(0);
    let charged = "privatize m.json answers.csv --value answer --ledger a.ledger --subject who --seed 1 --unsafe";
    folder.words(&format!("{charged} --note note.json -o private.csv")).exits(0);
    let note: serde_json::Value = serde_json::from_str(&folder.read("note.json")).unwrap();
    assert_eq!(note, serde_json::json!({ "rows": 600, "stand_ins": 300 }));
    let noted = folder.words("estimate m.json private.csv --value answer --note note.json --json").exits(0).json();
    let told = folder.words("estimate m.json private.csv --value answer --stand-ins 300 --json").exits(0).json();
    assert_eq!(noted, told);
    let cohort = &noted["cohorts"][0];
    assert_eq!((&cohort["reports"], &cohort["stand_ins"]), (&300.into(), &300.into()));
    let yes = &cohort["histogram"][1];
    assert!(yes["lower"].as_f64().unwrap() < 0.8 && 0.8 < yes["upper"].as_f64().unwrap(), "{yes}");
    // The note of another release.
    folder.write("fewer.csv", answers(5, 5));
    let run = folder.words("estimate m.json fewer.csv --value answer --note note.json");
    run.fails_with(&["10 reports, expected 600: the notes are those of other releases"]);
    // Nothing is replaced, and a note needs a ledger.
    folder.words(&format!("{charged} --note note.json -o again.csv")).fails_with(&["note.json", "exists"]);
    assert!(!folder.path("again.csv").exists());
    folder.words("privatize m.json answers.csv --value answer --note n.json -o x.csv").fails_with(&["--ledger"]);
}

#[test]
fn estimates_are_sorted_cut_and_written() {
    let folder = Folder::new();
    folder.words("local design --size 6 --epsilon 2 --oracle k-rr -o m.json").exits(0);
    let rows: String = [(3, 500), (0, 300), (5, 200), (1, 50), (2, 50), (4, 50)]
        .map(|(value, times)| format!("{value}\n").repeat(times))
        .concat();
    folder.write("reports.csv", format!("value\n{rows}"));
    let text = folder.words("estimate m.json reports.csv --sort share --top 2").exits(0).stdout;
    let (three, zero) = (text.find("│ 3 ").unwrap(), text.find("│ 0 ").unwrap());
    assert!(three < zero && !text.contains("│ 5 ") && text.contains("… and 4 more with smaller shares"), "{text}");
    folder.words("estimate m.json reports.csv --top 2 -o estimate.csv").exits(0);
    let csv = folder.read("estimate.csv");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "category,share,lower,upper,counted,unbiased,reports,trust,confidence,simultaneous");
    assert!(lines[1].starts_with("0,0.") && lines[2].starts_with("3,0.") && lines.len() == 3, "{csv}");
    // What one command writes another reads.
    folder.words("estimate m.json reports.csv -o estimate.json").exits(0);
    folder.words("report m.json --estimate estimate.json -o report.html").exits(0);
    folder.words("estimate m.json reports.csv -o estimate.parquet").exits(0);
    assert!(folder.path("estimate.parquet").exists());
    folder.words("estimate m.json reports.csv -o estimate.csv").fails_with(&["estimate.csv", "exists"]);
    folder.words("estimate m.json reports.csv -o reports.csv --force").fails_with(&["reports.csv"]);
    folder.words("estimate m.json reports.csv -o estimate.xlsx").fails_with(&["expected a name like estimate.csv"]);
    folder.words("estimate m.json reports.csv --sort size").fails_with(&["expected mechanism, share or name"]);
}

#[test]
fn the_smallest_epsilon_for_narrow_intervals_is_found() {
    let folder = survey();
    let words = "design spec.toml --epsilon-for width=0.1 --reports 1000 -o narrow.json --json";
    let found = folder.words(words).exits(0).json();
    let object = &found["epsilon_for"];
    assert!(object["value"].as_f64().unwrap() <= 0.1 && object["one_step_lower"].as_f64().unwrap() > 0.1, "{object}");
    let predicted = folder.words("estimate narrow.json --predict 1000 --json").exits(0).json();
    assert_eq!(predicted["mechanism"]["widest"], object["value"]);
    let said = folder.words("design spec.toml --epsilon-for width=0.1 --reports 1000").exits(0).stdout;
    assert!(said.contains("is the smallest, to a millionth of itself, for 95 % intervals from 1000 reports"), "{said}");
    folder.words("design spec.toml --epsilon-for width=0.1").fails_with(&["from how many reports?"]);
    folder.words("design spec.toml --epsilon-for max-flip=0.1 --reports 5").fails_with(&["expected width=0.02"]);
    folder.words("design spec.toml --reports 5").fails_with(&["--epsilon-for"]);
}

/// Limits that the file has are trusted where nobody says otherwise; values within them that are far from the profiles are covered,
/// and values beyond them refute the limits.
#[test]
fn limits_are_trusted_by_default_and_not_in_cohorts() {
    let folder = Folder::new();
    let spec = "epsilon = 1\ncategories = [\"no\", \"yes\"]\n[profiles]\nana = 0.2\nbo = 0.4\n[limits]\nana = [[0.7, 0.9], [0.1, 0.3]]\n\
                bo = [[0.5, 0.7], [0.3, 0.5]]\n[graph]\nshape = \"complete\"\n";
    folder.write("spec.toml", spec);
    folder.words("design spec.toml -o m.json").exits(0);
    let records = |ana: usize, bo: usize| {
        let value = |at: usize| usize::from(at / 2 % 100 < [ana, bo][at % 2]);
        let row = |at: usize| {
            format!("{},{},{}\n", ["ana", "bo"][at % 2], ["no", "yes"][value(at)], ["mon", "tue"][at / 2 % 2])
        };
        let rows: String = (0..20_000).map(row).collect();
        folder.write("records.csv", format!("profile,value,day\n{rows}"));
        folder.words("privatize m.json records.csv --keep day --seed 1 -o private.csv --force").exits(0);
    };
    let found = |options: &str, exit: i32| {
        let found = folder.words(&format!("estimate m.json private.csv --json {options}")).exits(exit).json();
        let cohort = found["cohorts"][0].clone();
        let ends = ["lower", "upper"].map(|key| cohort["histogram"][1][key].as_f64().unwrap());
        (found["trust"].as_str().unwrap().to_owned(), ends, cohort["misfit"] != serde_json::Value::Null)
    };
    // 30 and 50 of a hundred, as far from the profiles as the limits allow: 0.4 in all.
    records(30, 50);
    let (trust, within, misfit) = found("", 0);
    assert_eq!((trust.as_str(), misfit), ("limits", false));
    assert!(within[0] <= 0.4 && 0.4 <= within[1], "{within:?}");
    let (_, free, _) = found("--trust nothing", 0);
    assert!(within[1] - within[0] <= free[1] - free[0] + 1e-6, "{within:?} {free:?}");
    let (trust, _, misfit) = found("--trust profiles", 1);
    assert_eq!((trust.as_str(), misfit), ("profiles", true));
    assert_eq!(found("--by day", 0).0, "nothing");
    assert_eq!(found("--by day --trust limits", 0).0, "limits");
    let text = folder.words("estimate m.json private.csv").exits(0).stdout;
    assert!(text.ends_with("true if the values of each profile are drawn from one law within its limits.\n"), "{text}");
    let predicted = folder.words("estimate m.json --predict 1000 --json").exits(0).json();
    assert_eq!(predicted["trust"], "limits");
    // Everybody says yes.
    records(100, 100);
    let refuted = folder.words("estimate m.json private.csv").exits(1).stdout;
    assert!(refuted.contains("The limits of the profiles are wrong for these respondents"), "{refuted}");
    folder.write(
        "point.toml",
        "epsilon = 1\ncategories = [\"no\", \"yes\"]\n[profiles]\nana = 0.2\nbo = 0.4\n[graph]\nshape = \"complete\"\n",
    );
    folder.words("design point.toml -o point.json").exits(0);
    let error = folder.words("estimate point.json private.csv --trust limits");
    error.fails_with(&["trust in limits, but the profiles of this mechanism have none"]);
}
