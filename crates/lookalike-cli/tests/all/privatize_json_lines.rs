//! JSON lines wherever records are read or written: values as they are, through every verb.

use crate::common::{Folder, TWO};

const LINES: &str = r#"{"user":"ana","load":"idle","day":3,"note":"a\u0041"}
{"user":"bo","load":"busy","day":"3","note":null}

{"load":"busy","more":{"x":[1]},"user":"ana","day":1.50}
"#;

/// The mechanism of two profiles, and records of theirs.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.design_toml(TWO);
    folder.write("data.jsonl", LINES);
    folder
}

const RUN: &str = "--profile user --value load --seed 7 --force";

#[test]
fn kept_values_are_written_as_they_were_read() {
    let folder = folder();
    for shuffle in ["", " --shuffle"] {
        folder.words(&format!("privatize m.json data.jsonl -o out.jsonl {RUN} --keep day,note{shuffle}")).exits(0);
        let text = folder.read("out.jsonl");
        let mut rests: Vec<&str> = text.lines().map(|line| line.split_once(",").unwrap().1).collect();
        rests.sort_unstable();
        let expected = [r#""day":"3","note":null}"#, r#""day":1.50,"note":null}"#, r#""day":3,"note":"a\u0041"}"#];
        assert_eq!(rests, expected, "{shuffle}");
        assert!(
            text.lines().all(|line| line.starts_with("{\"load\":\"idle\",") || line.starts_with("{\"load\":\"busy\","))
        );
    }
    folder.words(&format!("privatize m.json data.jsonl -o out.csv {RUN} --keep day,note")).exits(0);
    let csv = folder.read("out.csv");
    let rests: Vec<&str> = csv.lines().map(|line| line.split_once(",").unwrap().1).collect();
    assert_eq!(rests, ["day,note", "3,aA", "3,", "1.50,"]);
}

#[test]
fn compressed_lines_go_in_and_out_by_name_and_through_pipes() {
    let folder = folder();
    folder.words(&format!("privatize m.json data.jsonl -o out.jsonl {RUN} --keep day")).exits(0);
    folder.words(&format!("privatize m.json data.jsonl -o packed.ndjson.gz {RUN} --keep day")).exits(0);
    assert!(std::fs::read(folder.path("packed.ndjson.gz")).unwrap().starts_with(b"\x1f\x8b"));
    for file in ["out.jsonl", "packed.ndjson.gz"] {
        let counted = folder.words(&format!("estimate m.json {file} --value load --json")).exits(0).stdout;
        assert!(counted.contains("\"reports\": 3") || counted.contains("\"reports\":3"), "{counted}");
    }
    let run = folder.run_on(format!("privatize m.json - --format jsonl -o - {RUN} --keep day").split(' '), LINES);
    assert_eq!(run.exits(0).stdout, folder.read("out.jsonl"));
}

#[test]
fn released_values_are_numbers_where_values_and_labels_are() {
    let folder = Folder::new();
    folder.design_toml(&TWO.replace("\"idle\", \"busy\"", "\"1\", \"2\""));
    let run = |values: [&str; 2], to: &str| {
        let line = |value: &str| format!("{{\"user\":\"ana\",\"load\":{value}}}\n");
        folder.write("data.jsonl", values.map(line).concat());
        folder.words(&format!("privatize m.json data.jsonl -o out.{to} {RUN}"))
    };
    let is = |begin: &str| folder.read("out.jsonl").lines().all(|line| line.starts_with(begin));
    run(["1", "2"], "jsonl").exits(0);
    let text = folder.read("out.jsonl");
    assert!(text.lines().all(|line| ["{\"load\":1}", "{\"load\":2}"].contains(&line)), "{text}");
    folder.words("estimate m.json out.jsonl --value load").exits(0);
    run(["\"1\"", "\"2\""], "jsonl").exits(0);
    assert!(is("{\"load\":\""));
    folder.words("estimate m.json out.jsonl --value load").exits(0);
    run(["1", "\"2\""], "jsonl").fails_with(&["row 2, column \"load\": of another kind than in row 1"]);
    run(["1", "2"], "parquet").exits(0);
    let types = crate::tables::read(&folder.path("out.parquet"))[0].schema().field(0).data_type().to_string();
    assert_eq!(types, "Int64");
}

#[test]
fn bins_take_numbers_exactly() {
    let folder = Folder::new();
    let spec = TWO.replace("categories = [\"idle\", \"busy\"]", "bins = [0, 0.1]");
    folder.design_toml(&spec.replace("[graph]", "cleo = [0.5, 0.5]\n[graph]"));
    // No double lies between this number and 0.1, and it lies below.
    let below = "0.09999999999999999999999999999999999999";
    let lines: String = ["0.1", below, "1e-1", "\"0.1\"", "5E+3"]
        .map(|load| format!("{{\"user\":\"cleo\",\"load\":{load}}}\n"))
        .concat();
    folder.write("data.jsonl", lines);
    folder.words(&format!("privatize m.json data.jsonl -o out.csv {RUN}")).exits(0);
    // A profile without an edge is released unchanged.
    assert_eq!(folder.read("out.csv"), "load\n1/10..\n0..1/10\n1/10..\n1/10..\n1/10..\n");
}

#[test]
fn a_ledger_knows_the_records_and_withholds_those_beyond_the_budget() {
    let folder = folder();
    folder.words("ledger init l.ledger --budget 1/2").exits(0);
    let line = "privatize m.json data.jsonl --profile user --value load --keep day --ledger l.ledger --subject user \
                --observation day --independent-observations --over-budget withhold --seed 1 --unsafe";
    folder.words(&format!("{line} -o first.jsonl")).exits(0);
    assert_eq!(folder.read("first.jsonl").lines().count(), 2, "ana has a second record");
    folder.words(&format!("{line} -o again.jsonl")).exits(0);
    assert_eq!(folder.read("again.jsonl"), folder.read("first.jsonl"), "the same answers");
}

#[test]
fn records_are_fitted_audited_and_run_by_a_plan() {
    let folder = folder();
    let csv = "user,load,day\nana,idle,3\nbo,busy,3\nana,busy,1.50\n";
    folder.write("data.csv", csv);
    let fit = "--profile user --value load --categories idle,busy --complete --epsilon 1 --minimum 1";
    for name in ["csv", "jsonl"] {
        folder.words(&format!("fit data.{name} {fit} -o {name}.toml")).exits(0);
    }
    assert_eq!(folder.read("csv.toml"), folder.read("jsonl.toml"));
    folder.write(
        "plan.toml",
        "spec = \"spec.toml\"\nseed = 1\n[data]\nrecords = \"data.jsonl\"\nprofile = \"user\"\nvalue = \"load\"\n\
         keep = \"day\"\n[output]\nrecords = \"private.jsonl\"\n",
    );
    folder.write("spec.toml", TWO);
    folder.words("run plan.toml").exits(0);
    let released = folder.read("out/private.jsonl");
    assert_eq!(released.lines().count(), 3, "{released}");
    assert!(released.contains("\"day\":1.50}") && released.contains("\"day\":\"3\"}"), "{released}");
    folder.write("trim.toml", folder.read("plan.toml").replace("keep =", "trim = true\nkeep ="));
    folder.words("run trim.toml --force").fails_with(&["trim is for CSV, and the records are jsonl"]);
}

#[test]
fn columns_of_numbers_get_noise_and_the_others_stay_as_they_were() {
    let folder = Folder::new();
    folder.words("noise design --epsilon 1 --sensitivity 1 -o noise.json").exits(0);
    folder.write("data.jsonl", "{\"n\":7,\"note\":\"x\",\"m\":1.50}\n{\"n\":\"8\",\"note\":null,\"m\":\"1.50\"}\n");
    folder.words("privatize noise.json data.jsonl --value n --keep note,m --seed 1 -o out.jsonl").exits(0);
    let text = folder.read("out.jsonl");
    let rests: Vec<&str> = text.lines().map(|line| line.split_once(",").unwrap().1).collect();
    assert_eq!(rests, ["\"note\":\"x\",\"m\":1.50}", "\"note\":null,\"m\":\"1.50\"}"]);
    assert!(
        text.lines().all(|line| line.split(',').next().unwrap().trim_start_matches("{\"n\":").parse::<f64>().is_ok())
    );
    folder.write("data.jsonl", "{\"n\":null}\n");
    folder
        .words("privatize noise.json data.jsonl --value n --seed 1 -o no.jsonl")
        .fails_with(&["row 1, column \"n\": null"]);
}

#[test]
fn a_table_of_a_spec_is_no_json_lines() {
    let folder = Folder::new();
    folder.write("spec.toml", "epsilon = 1\ncategories = [\"idle\", \"busy\"]\nprofiles_file = \"p.jsonl\"\n");
    folder.write("p.jsonl", "{\"profile\":\"ana\",\"idle\":0.5,\"busy\":0.5}\n");
    folder.words("check spec.toml").fails_with(&["p.jsonl: JSON lines are no table, expected CSV, Parquet or Arrow"]);
}
