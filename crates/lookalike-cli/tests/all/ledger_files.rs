//! A ledger on its second day: moved, copied, of an older version, dated ahead, with names in other spellings, and with
//! releases that are withdrawn.

use crate::common::{Folder, Run};
use serde_json::Value;
use std::path::Path;

/// Values that are the secrets.
const VALUES: &str = r#"
secrets = "values"
epsilon = 1
categories = ["idle", "busy"]
[graph]
shape = "complete"
"#;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("spec.toml", VALUES);
    folder.words("design spec.toml -o m.json -q").exits(0);
    folder.write("records.csv", "user,day,load\nana,1,idle\nbo,1,busy\nana,2,busy\n");
    folder
}

fn charge(folder: &Folder, ledger: &str) -> Run {
    folder.words(&format!(
        "privatize m.json records.csv --value load --ledger {ledger} --subject user --observation day --keep day -o p.csv --force"
    ))
}

fn status(folder: &Folder, ledger: &str) -> Value {
    folder.words(&format!("ledger status {ledger} --json")).exits(0).json()
}

/// A ledger of the tests' own, with its key: files are written anew where they are used.
fn take(folder: &Folder, name: &str) {
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ledgers");
    for end in ["", ".key"] {
        std::fs::copy(stored.join(format!("{name}{end}")), folder.path(&format!("{name}{end}"))).unwrap();
    }
}

#[test]
fn a_backup_is_whole_and_an_old_one_is_told_by_the_head() {
    let folder = folder();
    folder.words("ledger init a.ledger --budget 5").exits(0);
    charge(&folder, "a.ledger").exits(0).says(&["3 rows charged (entry 3)"]);
    let head = status(&folder, "a.ledger")["head"].as_str().unwrap().to_owned();
    folder.words("ledger backup a.ledger a.copy").exits(0).prints(&["Wrote a.copy: 3 entries, 3 charges.", &head]);
    folder.write("records.csv", "user,day,load\nana,3,idle\n");
    charge(&folder, "a.ledger").exits(0).says(&["1 row charged (entry 4)"]);
    let later = status(&folder, "a.ledger")["head"].as_str().unwrap().to_owned();
    // What a restored copy looks like: whole by itself, and not the ledger that was charged last.
    folder.words("ledger verify a.copy").exits(0).prints(&["Whole: 3 entries, 3 charges."]);
    folder.words(&format!("ledger verify a.copy --head {head}")).exits(0);
    folder.words(&format!("ledger verify a.copy --head {later}")).exits(1).prints(&["no entry has this head"]);
    folder.words("ledger backup a.ledger a.copy").fails_with(&["a.copy: this file exists; a ledger is never replaced"]);
    for taken in ["a.ledger", "a.ledger-wal", "a.ledger.key"] {
        folder.words(&format!("ledger backup a.ledger {taken}")).fails_with(&[taken]);
    }
}

#[test]
fn a_ledger_of_version_1_is_read_and_charged_once_it_is_migrated() {
    let folder = folder();
    take(&folder, "version-1.ledger");
    let before = status(&folder, "version-1.ledger");
    assert_eq!(
        (&before["version"], &before["entries"], &before["names"]),
        (&1.into(), &3.into(), &"as written".into())
    );
    folder.words("ledger status version-1.ledger").exits(0).prints(&["Version 1: lookalike ledger migrate"]);
    folder.words("ledger verify version-1.ledger").exits(0).prints(&["Whole: 3 entries, 3 charges."]);
    charge(&folder, "version-1.ledger").fails_with(&["a ledger of version 1", "lookalike ledger migrate"]);
    let bytes = std::fs::read(folder.path("version-1.ledger")).unwrap();
    let wrong = "0".repeat(64);
    folder.words(&format!("ledger migrate version-1.ledger --head {wrong}")).fails_with(&["no entry has this head"]);
    assert_eq!(std::fs::read(folder.path("version-1.ledger")).unwrap(), bytes, "nothing was changed");
    let head = before["head"].as_str().unwrap();
    let made = folder.words(&format!("ledger migrate version-1.ledger --head {head}")).exits(0);
    made.prints(&["from version 1 to version 2", "The old file is version-1.ledger.version-1"]);
    let after = status(&folder, "version-1.ledger");
    assert_eq!((&after["version"], &after["entries"], &after["spent"]), (&2.into(), &4.into(), &before["spent"]));
    // The same records get their earlier answers: the ledger knows them as it did before.
    charge(&folder, "version-1.ledger").exits(0).says(&["0 rows charged, 3 given their earlier answer"]);
    folder.words(&format!("ledger verify version-1.ledger --head {head}")).exits(0);
    folder.words("ledger migrate version-1.ledger").exits(0);
    folder.words("ledger migrate version-1.ledger").fails_with(&["version-1.ledger.version-2", "in the way"]);
}

#[test]
fn a_ledger_that_was_dated_ahead_goes_on_after_a_correction() {
    let folder = folder();
    folder.words("ledger init a.ledger --budget 5").exits(0);
    let refused = folder.words("ledger correct-clock a.ledger --note none").exits(1);
    refused.says(&["refused: ", "nothing is to be corrected"]);
    take(&folder, "ahead.ledger");
    folder.words("ledger status ahead.ledger").exits(0).prints(&[
        "the last at 2099-01-01",
        "no further period opens",
        "This day: at most 2 spent",
    ]);
    let warning = "warning: the last entry of the ledger is dated 2099-01-01";
    let earlier = "0 rows charged, 3 given their earlier answer";
    charge(&folder, "ahead.ledger").exits(0).says(&[warning, "lookalike ledger correct-clock", earlier]);
    folder.write("records.csv", "user,day,load\nana,7,idle\ncleo,7,idle\n");
    charge(&folder, "ahead.ledger").exits(0).says(&["1 row charged, 1 over the budget"]);
    let run = folder.run(["ledger", "correct-clock", "ahead.ledger", "--note", "the battery was empty"]).exits(0);
    run.prints(&["Noted that entries 2 to 4 were dated ahead, up to 2099-01-01", "The ledger goes on from 20"]);
    let other = Folder::new();
    take(&other, "ahead.ledger");
    let facts = other.words("ledger correct-clock ahead.ledger --note again --json").exits(0).json();
    assert_eq!((&facts["first_entry"], &facts["last_entry"]), (&2.into(), &3.into()));
    let run = charge(&folder, "ahead.ledger").exits(0);
    assert!(!run.stderr.contains("is dated"), "{}", run.stderr);
    let status = status(&folder, "ahead.ledger");
    assert_eq!(status["clock_corrections"], 1);
    assert!(!status["last_entry"].as_str().unwrap().starts_with("2099"), "{status}");
    folder.words("ledger verify ahead.ledger").exits(0);
    folder.words("ledger export ahead.ledger").exits(0).prints(&["clock corrected", "the battery was empty"]);
}

#[test]
fn names_are_compared_as_the_ledger_was_told_when_it_was_made() {
    let folder = folder();
    folder.write("records.csv", "user,day,load\nJosé,1,idle\nJose\u{301} ,1,busy\nJOSÉ,1,busy\n");
    for (option, subjects, charged) in
        [("", 2, "2 rows charged, 1 given"), (" --fold-case", 1, "1 row charged, 2 given")]
    {
        let ledger = format!("{subjects}.ledger");
        folder.words(&format!("ledger init {ledger} --budget 1{option}")).exits(0);
        charge(&folder, &ledger).exits(0).says(&[charged]);
        assert_eq!(status(&folder, &ledger)["subjects"], subjects);
        let one = folder.run(["ledger", "status", &ledger, "--subject", " Jose\u{301}"]).exits(0);
        one.prints(&["Spent 1 of 1"]);
    }
    assert_eq!(status(&folder, "1.ledger")["names"], "folded case");
    folder.write("records.csv", "user,day,load\n  ,1,idle\n");
    charge(&folder, "1.ledger").fails_with(&["row 1, column \"user\": empty"]);
}

#[test]
fn a_release_is_withdrawn_and_its_charges_stay() {
    let folder = folder();
    folder.words("ledger init a.ledger --budget 5").exits(0);
    let run = charge(&folder, "a.ledger").exits(0);
    run.says(&["3 rows charged (entry 3)"]);
    let withdraw = |entries: &str| {
        folder.run(["ledger", "withdraw", "a.ledger", "--entries", entries, "--note", "the wrong month"])
    };
    withdraw("2").exits(1).says(&["refused: entry 2 released nothing, so nothing was withdrawn"]);
    withdraw("3..9").exits(1).says(&["entry 4 is not there"]);
    withdraw("9..3").exits(2).says(&["expected numbers of entries"]);
    withdraw("3").exits(0).prints(&["Withdrawn: entry 3, with 3 charges that stay."]);
    withdraw("3").exits(1).says(&["was withdrawn before"]);
    let records = folder.read("records.csv");
    folder.write("records.csv", "user,day,load\nleo,1,idle\n");
    charge(&folder, "a.ledger").exits(0).says(&["1 row charged (entry 5)"]);
    withdraw("5").exits(0).prints(&["Withdrawn: entry 5, with 1 charge that stays."]);
    folder.write("records.csv", &records);
    charge(&folder, "a.ledger").exits(0);
    folder
        .words("ledger status a.ledger")
        .exits(0)
        .prints(&["4 charges of releases that were withdrawn count as before."]);
    assert_eq!(status(&folder, "a.ledger")["spent"][0]["epsilon_text"], "2");
    let before = folder.read("p.csv");
    charge(&folder, "a.ledger").exits(0).says(&["0 rows charged, 3 given"]);
    assert_eq!(folder.read("p.csv"), before, "the same observation keeps its answer");
    folder.words("ledger verify a.ledger").exits(0);
    folder.words("ledger export a.ledger").exits(0).prints(&["\"kind\":\"withdrawn\"", "the wrong month"]);
}

/// An answer that was changed by another program: before, it was given out, or panicked where it was out of range.
#[test]
fn a_run_stops_at_a_page_that_was_changed_and_names_the_entry() {
    let folder = folder();
    folder.words("ledger init a.ledger --budget 5").exits(0);
    charge(&folder, "a.ledger").exits(0);
    let whole = std::fs::read(folder.path("a.ledger")).unwrap();
    let released = folder.read("p.csv");
    let mut named = 0;
    for at in (0..whole.len()).step_by(41) {
        let mut bytes = whole.clone();
        bytes[at] ^= 4;
        folder.write("a.ledger", &bytes);
        let run = charge(&folder, "a.ledger");
        match run.code {
            // No page that matters was touched.
            Some(0) => assert_eq!(folder.read("p.csv"), released, "byte {at}"),
            Some(2) => named += usize::from(run.stderr.contains("entry 3: ")),
            _ => panic!("byte {at}: {}", run.stderr),
        }
        assert!(!run.stderr.contains("panicked"), "byte {at}: {}", run.stderr);
        for name in folder.names().iter().filter(|name| name.starts_with("a.ledger-")) {
            std::fs::remove_file(folder.path(name)).unwrap();
        }
    }
    assert!(named > 0, "some of these bytes belong to charges");
    folder.write("a.ledger", &whole);
    charge(&folder, "a.ledger").exits(0);
    assert_eq!(folder.read("p.csv"), released);
}
