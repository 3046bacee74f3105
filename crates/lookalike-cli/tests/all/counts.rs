//! `lookalike counts`.

use crate::tables;

use crate::common::{Folder, TWO, golden, texts};
use arrow_array::{ArrayRef, Float64Array, Int8Array, Int32Array, RecordBatch, StringArray, UInt64Array};
use std::sync::Arc;

#[test]
fn the_four_mechanisms_for_four_people_have_the_known_figures() {
    let text = Folder::new().words("counts compare --n 4 --alpha 0.9").exits(0).stdout;
    // The published L_0 and RMSE.
    for known in ["0.94737", "0.96719", "0.96420", "1.00000", "2.18958", "1.93140", "2.00000"] {
        assert!(text.contains(known), "{known} is missing:\n{text}");
    }
    golden("counts-compare.txt", &text);
}

#[test]
fn a_comparison_goes_over_sizes_and_alphas_and_adds_the_optimum() {
    let line = "counts compare --n 4,7 --alpha 0.9,0.76 --mechanisms gm,wm --properties CM --json";
    let object = Folder::new().words(line).exits(0).json();
    let rows = object["mechanisms"].as_array().unwrap();
    assert_eq!(rows.len(), 2 * 2 * 3);
    let l0 = |at: usize| rows[at]["l0"].as_f64().unwrap();
    let near = |at: usize, known: f64| assert!((l0(at) - known).abs() < 5e-6, "{at}: {} for {known}", l0(at));
    // n = 4 at 0.9, then n = 7 at 0.76, where WM is GM.
    for (at, known) in [(0, 0.94737), (1, 0.96420), (2, 0.96543), (9, 0.86364), (10, 0.86364), (11, 0.88616)] {
        near(at, known);
    }
    assert_eq!((&rows[11]["mechanism"], &rows[11]["n"]), (&"counts-optimal".into(), &7.into()));
    assert!(texts(&rows[11]["properties"]).contains(&"CM"));
}

#[test]
fn epsilon_says_the_same_as_alpha() {
    let folder = Folder::new();
    let by_alpha = folder.words("counts compare --n 5 --alpha 0.5 --json").exits(0).stdout;
    let by_epsilon = folder.words("counts compare --n 5 --epsilon ln(2) --json").exits(0).stdout;
    assert_eq!(by_alpha, by_epsilon);
}

#[test]
fn a_design_is_an_ordinary_mechanism_file_that_other_verbs_take() {
    let folder = Folder::new();
    let run = folder.words("counts design --n 8 --alpha 0.9 --properties WH,CM -o m.json").exits(0);
    for part in ["certified at alpha 9/10", "CM", "linear program", "no mechanism with CM,WH goes below 0.96551"] {
        assert!(run.stdout.contains(part), "{part}:\n{}", run.stdout);
    }
    assert_eq!(folder.json("m.json")["kind"], "point");
    folder.words("certify m.json").exits(0);
    folder.words("counts properties m.json --demand WH,CM,CH,S").exits(0);
    folder.words("report m.json -o page.html").exits(0).says(&["counts, which have a section of their own"]);
    assert!(folder.read("page.html").contains("probability of a wrong count"));
}

#[test]
fn every_named_mechanism_and_loss_designs_and_certifies() {
    let folder = Folder::new();
    for more in [
        "--mechanism gm",
        "--mechanism em",
        "--mechanism wm",
        "--mechanism um",
        "--loss l0.5",
        "--loss l1 --properties F",
        "--loss l2 --prior 1,4,6,4,1",
        "--loss more-than-1 --properties all",
        "--prior weights.txt",
    ] {
        folder.write("weights.txt", "1\n2\n3\n2\n1\n");
        let line = format!("counts design --n 4 --epsilon 1/2 -o m.json --force --json {more}");
        let object = folder.words(&line).exits(0).json();
        assert!(object["l0"].as_f64().unwrap() > 0.0 && object["possible"] == true, "{more}");
        folder.words("certify m.json").exits(0);
    }
}

#[test]
fn a_design_to_standard_output_is_the_file_and_nothing_else() {
    let folder = Folder::new();
    let run = folder.words("counts design --n 3 --alpha 1/2 --mechanism em -o -").exits(0).says(&["EM for the counts"]);
    folder.words("counts design --n 3 --alpha 1/2 --mechanism em -o m.json").exits(0);
    assert_eq!(run.stdout, folder.read("m.json"));
    folder.words("counts design --n 3 --alpha 1/2 -o - --json").fails_with(&["--json and -o -"]);
}

#[test]
fn properties_are_told_with_the_cell_that_breaks_them() {
    let folder = Folder::new();
    folder.words("counts design --n 4 --alpha 0.9 --mechanism gm -o gm.json").exits(0);
    golden("counts-properties.txt", &folder.words("counts properties gm.json").exits(0).stdout);
    let run = folder.words("counts properties gm.json --demand WH,S").exits(1);
    assert!(run.stdout.ends_with("MISSING: WH\n"), "{}", run.stdout);
    let object = folder.words("counts properties gm.json --demand WH --json").exits(1).json();
    assert_eq!((texts(&object["missing"]), &object["properties"][5]["holds"]), (vec!["WH"], &false.into()));
    let violation = &object["properties"][5]["violation"];
    assert_eq!((&violation["cell"]["input"], &violation["reference"]), (&"1".into(), &serde_json::Value::Null));
    // 1/5 − (1 − 0.9)/(1 + 0.9), but for the rounding of the weights.
    assert!((violation["by"].as_f64().unwrap() - (0.2 - 0.1 / 1.9)).abs() < 1e-9);
}

#[test]
fn properties_need_one_channel() {
    let folder = Folder::new();
    folder.design_toml(TWO);
    folder.words("counts properties m.json").fails_with(&["m.json: a mechanism with 2 channels, expected one"]);
}

#[test]
fn bad_questions_are_refused() {
    let folder = Folder::new();
    let asked = |more: &str| folder.words(&format!("counts design -o m.json {more}"));
    let above = "expected a number above 0 and below 1";
    asked("--n 4 --alpha 0").fails_with(&["alpha = 0", above]);
    asked("--n 4 --alpha 1").fails_with(&["alpha = 1", above]);
    asked("--n 4 --alpha 2").fails_with(&["alpha = 2", above]);
    asked("--n 4 --alpha -1").fails_with(&["alpha = -1", above]);
    asked("--n 4 --alpha much").fails_with(&["\"much\" is not a number"]);
    asked("--n 4 --alpha 0.5,0.6").fails_with(&["2 values", "expected one"]);
    asked("--n 4").fails_with(&["--alpha", "--epsilon"]);
    asked("--n 4 --alpha 0.5 --epsilon 1").fails_with(&["cannot be used with"]);
    asked("--n 4 --epsilon -1").fails_with(&["--epsilon"]);
    asked("--n 0 --alpha 0.5").fails_with(&["n = 0, expected at least 1"]);
    asked("--n 5000 --alpha 0.5").fails_with(&["n = 5000, expected at most 1024"]);
    asked("--n 4 --alpha 0.5 --properties WH,XX").fails_with(&["property \"XX\"", "RH, RM, CH, CM, F, WH and S"]);
    asked("--n 4 --alpha 0.5 --loss l3").fails_with(&["loss \"l3\"", "more-than-D"]);
    asked("--n 4 --alpha 0.5 --mechanism xm").fails_with(&["'xm'", "possible values: gm, em, wm, um, optimal"]);
    asked("--n 4 --alpha 0.5 --prior 1,2,3").fails_with(&["--prior: 3 weights, expected 5"]);
    asked("--n 4 --alpha 0.5 --prior 0,0,0,0,0").fails_with(&["--prior"]);
    asked("--n 4 --alpha 0.5 --prior=-1,1,1,1,1").fails_with(&["--prior"]);
    asked("--n 4 --alpha 0.5 --prior nowhere.txt").fails_with(&["--prior \"nowhere.txt\"", "nor a file that exists"]);
    folder.words("counts compare --n 0 --alpha 0.5").fails_with(&["n = 0"]);
    folder.words("counts properties nowhere.json").fails_with(&["nowhere.json"]);
    assert!(folder.names().is_empty());
}

#[test]
fn an_impossible_demand_is_a_no_that_writes_nothing() {
    let folder = Folder::new();
    let no = |more: &str| {
        let run = folder.words(&format!("counts design --n 4 --alpha 0.9 -o m.json {more}")).exits(1);
        assert!(folder.names().is_empty());
        run.stdout
    };
    let text = no("--properties WH,CM --at-most 0.9");
    assert!(text.starts_with("NOT POSSIBLE: the best mechanism with CM,WH for n = 4 and alpha 9/10"), "{text}");
    assert!(text.contains("0.9654") && text.contains("at most 0.9 was asked for"), "{text}");
    let text = no("--mechanism gm --properties WH");
    assert!(text.contains("GM for n = 4 and alpha 9/10 lacks WH") && text.contains("P[1|1]"), "{text}");
    let text = no("--mechanism um --at-most 0.99");
    assert!(text.contains("UM for n = 4") && text.contains("--mechanism optimal"), "{text}");
    assert!(no("--at-most 1/2 --json").contains("\"possible\": false"));
    // Just possible.
    folder.words("counts design --n 4 --alpha 0.9 --properties CM --at-most 0.96544").exits(0);
}

/// A folder with EM for four people.
fn with_mechanism() -> Folder {
    let folder = Folder::new();
    folder.words("counts design --n 4 --alpha 0.9 --mechanism em -o m.json").exits(0);
    folder
}

#[test]
fn a_column_of_counts_is_privatized_from_csv_and_from_integers_of_parquet() {
    let folder = with_mechanism();
    folder.write("data.csv", "ward,count\na,0\nb,4\nc,2\n");
    folder.words("privatize m.json data.csv --value count --keep ward --seed 1 -o csv.csv").exits(0);
    let wards: ArrayRef = Arc::new(StringArray::from(vec!["a", "b", "c"]));
    let integers: [ArrayRef; 3] = [
        Arc::new(Int8Array::from(vec![0, 4, 2])),
        Arc::new(Int32Array::from(vec![0, 4, 2])),
        Arc::new(UInt64Array::from(vec![0, 4, 2])),
    ];
    for counts in integers {
        let records = RecordBatch::try_from_iter([("ward", wards.clone()), ("count", counts)]).unwrap();
        tables::parquet(&folder.path("data.parquet"), &records, 3, parquet::basic::Compression::SNAPPY);
        let line = "privatize m.json data.parquet --value count --keep ward --seed 1 --force -o parquet.csv";
        folder.words(line).exits(0);
        assert_eq!(folder.read("parquet.csv"), folder.read("csv.csv"));
    }
    assert_eq!(folder.read("csv.csv").lines().count(), 4);
}

#[test]
fn counts_out_of_range_and_missing_ones_are_named_by_row_and_column_only() {
    let folder = with_mechanism();
    let outside = "row 2, column \"count\": not one of the 5 categories, which are counts from 0 to 4";
    let hint = "(a mechanism for a larger n takes more; --unknown 4 releases larger ones as 4)";
    let missing = "expected one of the 5 categories (no count stands for missing data";
    let run = |file: &str| {
        let run = folder.words(&format!("privatize m.json {file} --value count -o out.csv"));
        assert!(!folder.names().contains(&"out.csv".to_owned()));
        assert!(!run.stderr.contains("777"), "the value is shown: {}", run.stderr);
        run
    };
    for value in ["777", "-777", "5", "2.0", "04"] {
        folder.write("data.csv", format!("count\n1\n{value}\n"));
        run("data.csv").fails_with(&["data.csv: ", outside, hint]);
    }
    folder.write("data.csv", "ward,count\na,1\nb,\n");
    run("data.csv").fails_with(&["row 2, column \"count\": empty, ", missing]);
    let columns: [(ArrayRef, &str); 3] = [
        (Arc::new(Int32Array::from(vec![1, 777])), outside),
        (Arc::new(Int32Array::from(vec![Some(1), None])), "row 2, column \"count\": null, expected one of the 5"),
        (Arc::new(Float64Array::from(vec![1.0, 2.0])), "the type is Float64, expected text, whole numbers"),
    ];
    for (counts, message) in columns {
        let records = RecordBatch::try_from_iter_with_nullable([("count", counts, true)]).unwrap();
        tables::parquet(&folder.path("data.parquet"), &records, 2, parquet::basic::Compression::SNAPPY);
        run("data.parquet").fails_with(&["data.parquet: ", message]);
    }
}

#[test]
fn a_count_that_is_too_large_may_stand_as_the_largest_only() {
    let folder = with_mechanism();
    folder.write("data.csv", "count\n1\n9\n");
    let run = |unknown: &str| {
        folder.words(&format!("privatize m.json data.csv --value count --unknown {unknown} --force -o out.csv"))
    };
    assert!(!run("4").exits(0).stderr.contains("warning"));
    run("0").fails_with(&["--unknown 0: a count above 4 is a neighbour of 4 and of no other, expected --unknown 4"]);
    // What is no larger count is none: 3.0 as 4 would be one step off, and -1 five.
    for other in ["-777", "777.0", "0777", "x777"] {
        folder.write("data.csv", format!("count\n1\n{other}\n"));
        let refused = run("4").fails_with(&["row 2", "counts from 0 to 4, nor a larger whole number"]);
        assert!(!refused.stderr.contains("777"));
    }
}

const PEOPLE: &str = "ward,ill\nsouth,yes\nnorth,yes\nnorth,no\nsouth,very\nsouth,no\n\"ea,st\",no\n";

#[test]
fn groups_are_counted_and_released_with_one_draw_each() {
    let folder = with_mechanism();
    folder.write("people.csv", PEOPLE);
    let run = folder.words("counts release m.json people.csv --group ward --where ill=yes,very --seed 3 -o out.csv");
    run.exits(0).says(&["the counts of 3 groups at epsilon ln(10/9)", "\"ill\" of one row", "k rows"]);
    // The same draws as those of a column with the true counts.
    folder.write("counts.csv", "count\n0\n1\n2\n");
    folder.words("privatize m.json counts.csv --value count --seed 3 -o column.csv").exits(0);
    let released = folder.read("out.csv");
    let drawn: Vec<&str> = released.lines().map(|line| line.rsplit(',').next().unwrap()).collect();
    assert_eq!(drawn, folder.read("column.csv").lines().collect::<Vec<_>>());
    let groups: Vec<&str> = released.lines().map(|line| line.rsplit_once(',').unwrap().0).collect();
    assert_eq!(groups, ["ward", "\"ea,st\"", "north", "south"]);
    let line = "counts release m.json people.csv --group ward --where ill=yes -o more.csv --json";
    assert_eq!(folder.words(line).exits(0).json()["groups"], 3);
}

#[test]
fn a_release_at_almost_no_noise_is_the_truth() {
    let folder = Folder::new();
    folder.words("counts design --n 3 --alpha 1e-12 --mechanism gm -o m.json").exits(0);
    folder.write("people.csv", PEOPLE);
    let run = folder.words("counts release m.json people.csv --group ward --where ill=yes,very -o -").exits(0);
    assert_eq!(run.stdout, "ward,count\n\"ea,st\",0\nnorth,1\nsouth,2\n");
}

#[test]
fn groups_are_counted_from_integers_of_parquet_and_a_null_is_an_error() {
    let folder = Folder::new();
    folder.words("counts design --n 3 --alpha 1e-12 --mechanism gm -o m.json").exits(0);
    let release = |ages: Vec<Option<i32>>| {
        let wards: ArrayRef = Arc::new(UInt64Array::from(vec![7, 7, 8, 7]));
        let ages: ArrayRef = Arc::new(Int32Array::from(ages));
        let records = RecordBatch::try_from_iter_with_nullable([("ward", wards, false), ("age", ages, true)]).unwrap();
        tables::parquet(&folder.path("people.parquet"), &records, 2, parquet::basic::Compression::SNAPPY);
        folder.words("counts release m.json people.parquet --group ward --where age=80,81 -o -")
    };
    assert_eq!(release(vec![Some(80), Some(81), Some(9), Some(8)]).exits(0).stdout, "ward,count\n7,2\n8,0\n");
    let null = release(vec![Some(80), None, Some(9), Some(8)]);
    null.fails_with(&["people.parquet: row 2, column \"age\": null, expected", "leave the row out"]);
}

#[test]
fn a_release_that_cannot_be_made_writes_nothing() {
    let folder = with_mechanism();
    folder.write("people.csv", PEOPLE);
    let run = |file: &str, more: &str| {
        let run = folder.words(&format!("counts release m.json {file} -o out.csv {more}"));
        assert!(!folder.names().contains(&"out.csv".to_owned()));
        run
    };
    let asked = "--group ward --where ill=yes";
    // The limit is on the rows, which are public: nobody of these five is ill.
    folder.write("large.csv", format!("ward,ill\n{}", "north,no\n".repeat(5)));
    run("large.csv", asked)
        .fails_with(&["large.csv: row 5: one row more of its group than n = 4", "counts design --n"]);
    folder.write("missing.csv", "ward,ill\nnorth,yes\nnorth,\n");
    run("missing.csv", asked).fails_with(&["missing.csv: row 2, column \"ill\": empty", "whether it matches"]);
    folder.write("nobody.csv", "ward,ill\n,yes\n");
    run("nobody.csv", asked).fails_with(&["nobody.csv: row 1, column \"ward\": empty"]);
    folder.write("empty.csv", "ward,ill\n");
    run("empty.csv", asked).fails_with(&["empty.csv: no records"]);
    run("people.csv", "--group ward --where sick=yes").fails_with(&["people.csv", "\"sick\""]);
    run("people.csv", "--group ill --where ill=yes").fails_with(&["--group and --where both name \"ill\""]);
    run("people.csv", "--group ward --where ill").fails_with(&["expected a column and its values"]);
    run("people.csv", "--group ward --where ill=").fails_with(&["an empty value"]);
    let line = format!("counts release m.json people.csv -o out.parquet {asked}");
    folder.words(&line).fails_with(&["out.parquet: counts are released as plain CSV"]);
    folder.design_toml(TWO);
    run("people.csv", asked).fails_with(&["m.json: not a mechanism over counts", "counts design writes one"]);
}

#[test]
fn files_of_mechanisms_that_are_not_the_only_optimum_name_their_tie_break() {
    let folder = Folder::new();
    for (name, rule) in [
        ("gm", None),
        ("em", Some("every row a permutation of the same numbers")),
        ("wm", Some("symmetric and row monotone, inner outputs in proportion")),
        ("um", None),
    ] {
        let line = format!("counts design --n 6 --alpha 0.9 --mechanism {name} -o {name}.json --json");
        let object = folder.words(&line).exits(0).json();
        assert_eq!(object["objective"]["tie_break"].as_str(), rule, "{name}");
        assert_eq!(folder.json(&format!("{name}.json"))["objective"]["tie_break"].as_str(), rule, "{name}");
    }
    // The optimum that is one of them has the same rule.
    let fair = folder.words("counts design --n 6 --alpha 0.9 --properties F -o best.json --json").exits(0).json();
    assert_eq!(fair["objective"]["tie_break"], "every row a permutation of the same numbers");
    assert_eq!(folder.json("best.json")["channels"], folder.json("em.json")["channels"]);
}
