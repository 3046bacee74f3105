//! `lookalike run`.

use crate::common::{Folder, MARKER, PLAN, example, write_plan};
use std::path::Path;

/// A folder with a plan for the spec and the records of the workstation example.
fn workstations() -> Folder {
    let folder = Folder::new();
    write_plan(&folder);
    folder
}

#[test]
fn a_plan_gives_what_its_verbs_give() {
    let folder = workstations();
    folder.words("run plan.toml").exits(0).says(&["warning: seeded with 1: reproducible, hence not private"]);
    assert_eq!(folder.names(), ["out", "plan.toml", "records.csv", "spec.toml"]);
    folder.words("design spec.toml -o m.json").exits(0);
    folder.words("privatize m.json records.csv --profile user --value load --shuffle --seed 1 -o private.csv").exits(0);
    let estimate = folder.words("estimate m.json private.csv --value load --json").exits(0).stdout;
    folder.write("estimate.json", estimate);
    folder.words("report m.json --estimate estimate.json -o report.html").exits(0);
    for name in ["m.json", "private.csv", "estimate.json", "report.html"] {
        assert!(folder.read(name) == folder.read(&format!("out/{name}")), "{name} differs");
    }
}

#[test]
fn rows_are_shuffled_unless_the_plan_says_otherwise() {
    let folder = workstations();
    let rows = |text: String| {
        let mut rows: Vec<String> = text.lines().map(str::to_owned).collect();
        rows[1..].sort();
        rows
    };
    folder.words("run plan.toml").exits(0);
    let plan = folder.read("plan.toml");
    folder.write("plan.toml", plan.replace("value = \"load\"", "value = \"load\"\nshuffle = false"));
    folder.words("run plan.toml --output in-order").exits(0);
    let [shuffled, in_order] = ["out", "in-order"].map(|folder_of| folder.read(&format!("{folder_of}/private.csv")));
    assert!(shuffled != in_order && rows(shuffled) == rows(in_order), "the same rows in another order");
    assert!(folder.read("out/estimate.json") == folder.read("in-order/estimate.json"));
    // A counter that is kept restores the order: the owner is told on the terminal, and no file says so.
    folder.write("plan.toml", plan.replace("value = \"load\"", "value = \"load\"\nkeep = [\"time\"]"));
    let told = "warning: the rows were sorted by the kept column \"time\", which restores the order that was shuffled";
    folder.words("run plan.toml --output kept").exits(0).says(&[told]);
    assert!(!folder.read("kept/report.html").contains("shuffle"));
}

#[test]
fn the_summary_says_what_was_promised_what_it_cost_and_what_was_learnt() {
    let folder = workstations();
    let text = folder.words("run plan.toml").exits(0).stdout;
    for part in [
        "Promised: ",
        "(epsilon 1/2; 18 pairs, proved in exact arithmetic)",
        "Cost: ",
        "with local DP",
        "Learnt: 2400 reports",
    ] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
    assert!(text.ends_with("Wrote estimate.json, m.json, private.csv, report.html to out.\n"), "{text}");
    let json = folder.words("run plan.toml --output elsewhere --json").exits(0).json();
    assert_eq!(json["privatize"]["rows"], 2400);
    assert_eq!(json["files"].as_array().unwrap().len(), 4);
}

#[test]
fn files_are_replaced_only_on_request() {
    let folder = workstations();
    folder.words("run plan.toml").exits(0);
    let refused = "out: has files already (--force replaces those of a run)";
    folder.words("run plan.toml").fails_with(&[refused]);
    folder.words("run plan.toml --force").exits(0);
}

const FITTED: &str = "\
epsilon = 1
seed = 2
[fit]
same_data = true
categories = [\"idle\", \"light\", \"busy\", \"full\"]
complete = true
[data]
records = \"records.csv\"
profile = \"user\"
value = \"load\"
";

#[test]
fn profiles_are_fitted_where_the_plan_says_so() {
    let folder = workstations();
    folder.write("fitted.toml", FITTED);
    let run = folder.words("run fitted.toml").exits(0);
    run.says(&["profiles fitted to the released records: epsilon does not cover what the profiles reveal"]);
    let options = "--profile user --value load --categories idle,light,busy,full --complete --epsilon 1 --same-data";
    folder.words(&format!("fit records.csv {options} -o spec2.toml --limits limits.csv")).exits(0);
    assert_eq!(folder.read("spec2.toml"), folder.read("out/spec.toml"));
    assert_eq!(folder.read("limits.csv"), folder.read("out/limits.csv"));
    folder.words("certify out/m.json --spec spec2.toml --profiles-within limits.csv").exits(0);
}

/// The example: profiles from a sample of an earlier time, with limits.
fn fitted() -> Folder {
    let folder = Folder::new();
    for name in ["plan.toml", "sample.csv", "records.csv"] {
        folder.write(name, std::fs::read(example("workstations").join(name)).unwrap());
    }
    folder
}

#[test]
fn a_run_with_a_sample_promises_for_all_laws_within_limits_and_says_how_often_they_fail() {
    let folder = fitted();
    let run = folder.words("run plan.toml").exits(0);
    // Lines are broken between words.
    let text = run.stdout.replace('\n', " ");
    for part in [
        "Promised: no report is more than 1.649 times as likely",
        "proved in exact arithmetic for all profiles within their limits), unless a profile is off by more than its limits, which \
         happens in at most 1 of 20 fits.",
        "This assumes that the records of the fit are independent draws of the very laws that reports follow",
        "% if the profiles were trusted, 64.",
        "Released unchanged: idle ",
    ] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
    let spec = "fit sample.csv --profile user --value load --categories idle,light,busy,full --group-by role --simultaneous \
                --epsilon 0.5 -o spec.toml --limits limits.csv";
    folder.words(spec).exits(0);
    folder.words("design spec.toml -o m.json").exits(0);
    for name in ["spec.toml", "limits.csv", "m.json"] {
        assert!(folder.read(name) == folder.read(&format!("out/{name}")), "{name} differs");
    }
    assert!(
        !folder.read("m.json").contains("total") && !folder.read("spec.toml").contains("count"),
        "counts are private"
    );
    let certified = folder.words("certify m.json --spec spec.toml --profiles-within limits.csv --json").exits(0).json();
    assert_eq!(certified["limits_basis"]["holds_for"], "all pairs");
    let upper = certified["within"]["epsilon"]["upper"].as_f64().unwrap();
    assert!(upper <= 0.5 + 1e-12, "the exact limits lie within the public ones: {upper}");
}

#[test]
fn the_facts_of_a_run_say_what_limits_cost_and_rest_on() {
    let folder = fitted();
    let json = folder.words("run plan.toml --json").exits(0).json();
    let design = &json["design"];
    assert_eq!(design["limits_basis"], serde_json::json!({ "confidence": "19/20", "holds_for": "all pairs" }));
    let promised = design["promised"].as_str().unwrap();
    assert!(
        promised.ends_with("unless a profile is off by more than its limits, which happens in at most 1 of 20 fits")
    );
    let (ours, trusting, local) =
        (&design["objective"]["value"], &json["trusting"]["value"], &design["baseline"]["value"]);
    let [ours, trusting, local] = [ours, trusting, local].map(|value| value.as_f64().unwrap());
    assert!(trusting < ours && ours < local, "{trusting} {ours} {local}");
    assert_eq!(design["kept"].as_array().unwrap().len(), 4);
    assert_eq!(json["within"], serde_json::Value::Null);
}

/// Where limits come from makes no difference.
#[test]
fn a_plan_whose_spec_has_limits_runs_as_one_that_fits_them() {
    let folder = fitted();
    folder.words("run plan.toml --output fitted").exits(0);
    folder.write("spec.toml", folder.read("fitted/spec.toml"));
    folder.write("plan.toml", PLAN);
    let text = folder.words("run plan.toml").exits(0).stdout.replace('\n', " ");
    for part in ["which happens in at most 1 of 20 fits. ", "This assumes that ", "% if the profiles were trusted, "] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
    for name in ["m.json", "private.csv", "estimate.json"] {
        assert!(folder.read(&format!("out/{name}")) == folder.read(&format!("fitted/{name}")), "{name} differs");
    }
}

/// The old way: its true ε is another one within the limits, and the run says which.
#[test]
fn trusted_profiles_cost_less_and_the_run_says_what_their_limits_would_allow() {
    let folder = fitted();
    let plan = folder.read("plan.toml");
    folder.write("plan.toml", plan.replace("simultaneous = true", "simultaneous = true\ntrust_profiles = true"));
    let run = folder.words("run plan.toml").exits(0);
    assert!(!folder.read("out/spec.toml").contains("[limits"), "{}", folder.read("out/spec.toml"));
    let told = folder.words("certify out/m.json --profiles-within out/limits.csv").exits(0);
    let within = told.stdout.lines().last().unwrap();
    assert!(
        within.starts_with("If the true profiles lie within these limits (95 % for all pairs), epsilon is at most ")
    );
    assert!(run.stdout.contains(within), "{within} is not in:\n{}", run.stdout);
    assert!(
        run.stdout.starts_with("Promised, if the profiles are exactly as they were fitted: no report"),
        "{}",
        run.stdout
    );
    let json = folder.words("run plan.toml --output elsewhere --json").exits(0).json();
    assert!(json["within"]["epsilon"]["upper"].as_f64().unwrap() > 0.5, "{}", json["within"]);
    assert_eq!(json["trusting"], serde_json::Value::Null);
}

#[test]
fn no_confidence_is_promised_where_the_released_records_are_fitted() {
    let folder = workstations();
    folder.write("fitted.toml", FITTED);
    let text = folder.words("run fitted.toml").exits(0).stdout.replace('\n', " ");
    assert!(text.contains("Promised: for all profiles within their limits no report is"), "{text}");
    assert!(!text.contains("unless") && !text.contains("This assumes"), "{text}");
    assert!(!folder.read("out/m.json").contains("limits_basis"));
}

#[test]
fn the_same_records_are_not_fitted_and_released_by_accident() {
    let folder = workstations();
    folder.write("fitted.toml", FITTED.replace("same_data = true\n", ""));
    folder.words("run fitted.toml").fails_with(&[
        "fitted.toml: fit: the profiles would be fitted to the records that are released (same_data = true allows it; \
         epsilon then does not cover what the profiles reveal)",
    ]);
    assert!(!folder.path("out").exists());
}

#[test]
fn a_design_that_is_further_from_the_least_than_the_plan_allows_is_refused() {
    let folder = workstations();
    let plan = folder.read("plan.toml");
    folder.write("plan.toml", plan.clone() + "[design]\nmax_gap = 1e-6\n");
    folder.words("run plan.toml --output within").exits(0);
    // No double is the least there is to the last bit.
    folder.write("plan.toml", plan + "[design]\nmax_gap = 0\n");
    let refused = folder.words("run plan.toml");
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    assert!(refused.stderr.contains("above the least there is, more than the 0e0"), "{}", refused.stderr);
    assert!(!folder.path("out").exists(), "nothing is released");
}

/// Each mistake with the message that it gets; `PLAN` is the plan of the example.
#[test]
fn every_kind_of_mistake_has_a_message_to_act_on() {
    let plan = PLAN.to_owned();
    let spec = std::fs::read_to_string(example("workstations/spec.toml")).unwrap();
    let mistakes: Vec<(&str, String, &str)> = vec![
        (
            "no data",
            plan.replace("[data]", "[dtaa]"),
            "key \"dtaa\" is not known, expected one of spec, data, design, estimate, output, seed",
        ),
        (
            "a spec alone",
            spec.clone(),
            "data is missing (a table [data] with records = \"records.csv\"; design takes a spec alone)",
        ),
        (
            "no such records",
            plan.replace("records.csv", "rceords.csv"),
            "rceords.csv: cannot read: No such file or directory",
        ),
        (
            "a misspelt key",
            plan.replace("value =", "valeu ="),
            "data: key \"valeu\" is not known, expected one of records, profile, value, keep",
        ),
        ("a wrong column", plan.replace("\"load\"", "\"laod\""), "column \"laod\""),
        ("a wrong profile column", plan.replace("\"user\"", "\"usr\""), "column \"usr\""),
        ("no records", plan.replace("records = \"records.csv\"\n", ""), "data: records is missing"),
        ("a seed in quotes", plan.replace("seed = 1", "seed = \"1\""), "seed: found a text, expected a whole number"),
        (
            "a number for a text",
            plan.replace("\"user\"", "7"),
            "data: profile: found a number, expected a text in quotes",
        ),
        (
            "a spec that is not there",
            plan.replace("spec.toml", "spce.toml"),
            "spce.toml: cannot read: No such file or directory",
        ),
        ("two specs", plan.replace("seed = 1", "seed = 1\nepsilon = 2"), "with spec: key \"epsilon\" is not known"),
        (
            "a cohort that is not kept",
            plan.clone() + "[estimate]\nby = \"time\"\n",
            "estimate: by: column \"time\" is not released (add it to keep in [data], which releases it in clear)",
        ),
        (
            "a confidence in percent",
            plan.clone() + "[estimate]\nconfidence = 95\n",
            "estimate: confidence: expected a number strictly between 0 and 1 such as 0.95",
        ),
        (
            "the private column in clear",
            plan.replace("value = \"load\"", "value = \"load\"\nkeep = [\"load\"]"),
            "keep = \"load\" in [data]: this is the private column, it cannot be released in clear",
        ),
        (
            "a folder for the records",
            plan.replace("folder = \"out\"", "records = \"a/b.csv\""),
            "output: records: \"a/b.csv\", expected the name of a file in the folder",
        ),
        (
            "a gap that is none",
            plan.clone() + "[design]\nmax_gap = -1\n",
            "design: max_gap: a gap of -1, expected a number at least 0",
        ),
        ("not TOML", plan.replace("[data]", "[data"), "not TOML: "),
        (
            "an unknown option of fit",
            FITTED.replace("complete = true", "compleet = true"),
            "fit: key \"compleet\" is not known, expected one of records, same_data, profile, value, categories",
        ),
        (
            "fit and profiles",
            FITTED.to_owned() + "[profiles]\nana = 0.5\n",
            "key \"profiles\" is not known, expected one of epsilon, objective, channel, fit",
        ),
        ("an epsilon of nothing", FITTED.replace("epsilon = 1", "epsilon = 0"), "epsilon"),
        (
            "no epsilon to promise",
            FITTED.replace("epsilon = 1\n", ""),
            "epsilon is missing (for example epsilon = 0.5): what is promised must be chosen",
        ),
        (
            "a name that is taken",
            plan.replace("folder = \"out\"", "records = \"m.json\""),
            "output: records: \"m.json\" is the name of another file of a run, expected a name of its own",
        ),
        ("standard input", plan.replace("records.csv", "-"), "data: records: found \"-\", expected the name of a file"),
        (
            "a folder in which the records would be replaced",
            plan.replace("folder = \"out\"", "folder = \".\"\nrecords = \"records.csv\""),
            "records.csv: this command reads this file, and what is read is never replaced (choose another name)",
        ),
    ];
    for (what, text, message) in mistakes {
        let folder = workstations();
        folder.write("plan.toml", text);
        folder.words("run plan.toml").fails_with(&[message]);
        assert_eq!(folder.names(), ["plan.toml", "records.csv", "spec.toml"], "{what}: nothing is left behind");
    }
}

#[test]
fn mistakes_in_the_records_name_row_and_column_and_leave_nothing() {
    let records = std::fs::read_to_string(example("workstations/records.csv")).unwrap();
    let mistakes = [
        (
            records.clone() + &format!("2026,{MARKER},idle\n"),
            "records.csv: row 2401, column \"user\": not one of the 12 profiles",
        ),
        (
            records.clone() + &format!("2026,ana,{MARKER}\n"),
            "records.csv: row 2401, column \"load\": not one of the 4 categories (unknown = CATEGORY in [data] maps such values)",
        ),
        (records.clone() + "2026,ana\n", "row 2401"),
        ("time,user,load\n".to_owned(), "records.csv: no records, expected at least one"),
        (String::new(), "records.csv"),
    ];
    for (text, message) in mistakes {
        let folder = workstations();
        folder.write("records.csv", text);
        let run = folder.words("run plan.toml").fails_with(&[message]);
        assert!(!run.stderr.contains(MARKER), "{}", run.stderr);
        assert_eq!(folder.names(), ["plan.toml", "records.csv", "spec.toml"]);
    }
}

#[test]
fn input_is_never_replaced_even_with_force() {
    let folder = workstations();
    let plan = folder.read("plan.toml").replace("folder = \"out\"", "folder = \".\"\nrecords = \"records.csv\"");
    folder.write("plan.toml", plan);
    let before = folder.read("records.csv");
    folder
        .words("run plan.toml --force")
        .fails_with(&["this command reads this file, and what is read is never replaced"]);
    assert_eq!(folder.read("records.csv"), before);
}

#[test]
fn a_place_that_is_taken_is_found_before_anything_is_moved() {
    let folder = workstations();
    std::fs::create_dir_all(folder.path("out/report.html")).unwrap();
    let run = folder.words("run plan.toml --force").exits(2);
    run.says(&["report.html: is a folder where a file is to be written"]);
    let names: Vec<_> =
        std::fs::read_dir(folder.path("out")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["report.html"], "and nothing else");
    folder.words("run plan.toml --output deep/er --force").exits(0);
}

#[test]
fn records_with_another_delimiter_and_cohorts_go_all_the_way() {
    let folder = workstations();
    let records = folder.read("records.csv");
    let lines = records.lines().enumerate();
    let records: String = lines
        .map(|(at, line)| {
            format!("{};{}\n", line.replace(',', ";"), if at == 0 { "day" } else { ["mon", "tue"][at % 2] })
        })
        .collect();
    folder.write("records.csv", records);
    let plan =
        folder.read("plan.toml").replace("value = \"load\"", "value = \"load\"\nkeep = [\"day\"]\ndelimiter = \";\"");
    folder.write("plan.toml", plan + "[estimate]\nby = \"day\"\nsimultaneous = true\n");
    let json = folder.words("run plan.toml --json").exits(0).json();
    assert_eq!(json["estimate"]["cohorts"].as_array().unwrap().len(), 2);
    assert_eq!(json["estimate"]["confidence"], 0.95);
}

/// UCI Adult: hours per week by occupation, occupations in two roles. Skipped with a word where the file is not there.
#[test]
fn the_adult_data_go_through_the_whole_path() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/adult.data");
    if !data.exists() {
        eprintln!("skipped: {} is not there", data.display());
        return;
    }
    let desk = ["Exec-managerial", "Prof-specialty", "Adm-clerical", "Sales", "Tech-support"];
    let mut records = String::from("occupation,role,hours\n");
    for line in std::fs::read_to_string(data).unwrap().lines() {
        let fields: Vec<&str> = line.split(", ").collect();
        if let [_, _, _, _, _, _, occupation, .., hours, _, _] = fields[..]
            && occupation != "?"
        {
            let role = if desk.contains(&occupation) { "desk" } else { "hands" };
            records += &format!("{occupation},{role},{hours}\n");
        }
    }
    let folder = Folder::new();
    folder.write("adult.csv", records);
    folder.write(
        "plan.toml",
        "epsilon = 0.5\nobjective = \"expected-error\"\nseed = 1\n[fit]\nsame_data = true\nbins = [0, 20, 35, 40, 41, 50, 60]\n\
         group_by = \"role\"\nminimum = 5\n[data]\nrecords = \"adult.csv\"\nprofile = \"occupation\"\nvalue = \"hours\"\n",
    );
    let run = folder.words("run plan.toml").exits(0);
    assert!(run.stdout.contains("Promised: ") && run.stdout.contains("35..40"), "{}", run.stdout);
    folder.words("certify out/m.json --spec out/spec.toml --profiles-within out/limits.csv").exits(0);
}
