//! Text that spreadsheets take for formulas.

use crate::common::{Folder, WARNER};

/// Answers that are formulas, and a column to keep with more of them.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.design_toml(&WARNER.replace("\"no\", \"yes\"", "\"=cmd()\", \"-5\""));
    let row = |answer: &str, note: &str| format!("{answer},\"{note}\"\n");
    let rows = ["=1+1", "+x", "@A1", "\tx", "-7", "plain", "a=b", "-a, \"\"b\"\""];
    let rows = rows.iter().map(|note| row("=cmd()", note) + &row("-5", note));
    folder.write("data.csv", "answer,=note\n".to_owned() + &rows.collect::<String>().repeat(20));
    folder
}

const RELEASE: &str = "privatize m.json data.csv --value answer --keep =note --seed 1 --unsafe";

#[test]
fn formulas_are_escaped_when_that_is_asked_for_and_only_then() {
    let folder = folder();
    folder.words(&format!("{RELEASE} -o plain.csv")).exits(0);
    folder.words(&format!("{RELEASE} -o escaped.csv --escape-formulas")).exits(0);
    let (plain, escaped) = (folder.read("plain.csv"), folder.read("escaped.csv"));
    assert!(plain.starts_with("answer,=note\n") && plain.contains("=cmd(),=1+1\n") && !plain.contains('\''));
    let cell = |text: &str| match text.trim_start_matches('"') {
        number if number.parse::<f64>().is_ok() => text.to_owned(),
        formula if formula.starts_with(['=', '+', '-', '@', '\t']) => text.replace(formula, &format!("'{formula}")),
        _ => text.to_owned(),
    };
    let expected: Vec<String> =
        plain.lines().map(|line| line.splitn(2, ',').map(cell).collect::<Vec<_>>().join(",")).collect();
    assert_eq!(escaped.lines().collect::<Vec<_>>(), expected);
    for part in
        ["answer,'=note\n", "'=cmd(),'=1+1\n", "-5,-7\n", ",plain\n", ",a=b\n", ",\"'-a, \"\"b\"\"\"\n", ",'\tx\n"]
    {
        assert!(escaped.contains(part), "{part:?} in\n{escaped}");
    }
}

#[test]
fn escaped_reports_are_read_back() {
    let folder = folder();
    folder.words(&format!("{RELEASE} -o plain.csv")).exits(0);
    folder.words(&format!("{RELEASE} -o escaped.csv --escape-formulas")).exits(0);
    let [plain, escaped] = ["plain", "escaped"]
        .map(|name| folder.words(&format!("estimate m.json {name}.csv --value answer --json")).exits(0).stdout);
    assert_eq!(plain, escaped);
    // Cohorts are called what the file calls them.
    folder.words("estimate m.json escaped.csv --value answer -o table.csv --escape-formulas").exits(0);
    folder.words("estimate m.json escaped.csv --value answer -o as-it-is.csv").exits(0);
    let [table, raw] = ["table.csv", "as-it-is.csv"].map(|name| folder.read(name));
    assert!(table.contains("\n'=cmd(),") && table.contains("\n-5,") && raw.contains("\n=cmd(),"), "{table}\n{raw}");
    let line = "estimate m.json escaped.csv --value answer --escape-formulas";
    folder.words(line).fails_with(&["--escape-formulas is about the CSV of -o FILE"]);
    for output in ["table.json", "table.parquet"] {
        folder.words(&format!("{line} -o {output}")).fails_with(&["--escape-formulas is for CSV"]);
    }
    let by = folder.run(["estimate", "m.json", "escaped.csv", "--value", "answer", "--by", "'=note"]).exits(0);
    by.prints(&["of \"'=1+1\"", "of \"-7\""]);
}

#[test]
fn labels_that_could_not_be_told_apart_and_other_formats_are_refused() {
    let folder = folder();
    for output in ["out.parquet", "out.arrow"] {
        let run = folder.words(&format!("{RELEASE} -o {output} --escape-formulas"));
        run.fails_with(&["--escape-formulas is for CSV, and the output is"]);
    }
    folder.design_toml(&WARNER.replace("\"no\", \"yes\"", "\"=x\", \"'=x\""));
    folder.write("data.csv", "answer\n=x\n'=x\n");
    let run = folder.words("privatize m.json data.csv --value answer -o out.csv --escape-formulas");
    run.fails_with(&["labels \"=x\" and \"'=x\" could not be told apart with --escape-formulas"]);
    assert!(!folder.path("out.csv").exists());
    folder.words("privatize m.json data.csv --value answer -o out.csv").exits(0);
}

#[test]
fn plans_counts_and_sequences_escape_too() {
    let folder = folder();
    folder.write(
        "plan.toml",
        "spec = 'spec.toml'\n[data]\nrecords = 'data.csv'\nvalue = 'answer'\nkeep = '=note'\n[estimate]\nby = '=note'\n\
         [output]\nescape_formulas = true\n",
    );
    folder.words("run plan.toml").exits(0);
    let released = folder.read("out/private.csv");
    assert!(released.starts_with("answer,'=note\n") && released.contains("'=cmd(),"), "{released}");
    let parquet = folder.read("plan.toml") + "records = 'private.parquet'\n";
    folder.write("parquet.toml", parquet);
    folder.words("run parquet.toml").fails_with(&["output: escape_formulas is for CSV, and the released records are"]);

    folder.words("counts design --n 2 --alpha 0.9 -o counts.json").exits(0);
    folder.write("wards.csv", "ward,ill\n=A1,yes\n-3,no\n");
    let release = "counts release counts.json wards.csv --group ward --where ill=yes -o";
    folder.words(&format!("{release} wards-out.csv --escape-formulas")).exits(0);
    let counts = folder.read("wards-out.csv");
    assert!(counts.contains("\n'=A1,") && counts.contains("\n-3,"), "{counts}");

    folder.write(
        "chain.toml",
        "states = ['=sit', 'walk']\ninitial = 'stationary'\ntransition = [[0.9, 0.1], [0.4, 0.6]]\n",
    );
    folder.write("day.csv", "activity\n=sit\nwalk\n".to_owned() + &"=sit\n".repeat(20));
    let release =
        "pufferfish release chain.toml day.csv --state activity --query histogram --epsilon 1 --escape-formulas";
    folder.words(release).fails_with(&["--escape-formulas is about the CSV of -o FILE"]);
    folder.words(&format!("{release} -o states.csv")).exits(0);
    assert!(folder.read("states.csv").contains("\n'=sit,"), "{}", folder.read("states.csv"));
}
