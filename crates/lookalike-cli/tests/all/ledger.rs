//! `lookalike ledger`, and `privatize --ledger`.

use crate::common::{Folder, Run, golden};
use serde_json::Value;

/// Two profiles with channels of their own, and users whose profile is not their name.
const AWARE: &str = r#"
epsilon = 1
categories = ["idle", "busy"]
[profiles]
ana = [0.75, 0.25]
bo = [0.25, 0.75]
[graph]
shape = "complete"
"#;

/// Values that are the secrets.
const VALUES: &str = r#"
secrets = "values"
epsilon = "ln(3)"
categories = ["idle", "busy"]
[graph]
shape = "complete"
"#;

fn folder(spec: &str, budget: &str) -> Folder {
    let folder = Folder::new();
    folder.write("spec.toml", spec);
    folder.run(["design", "spec.toml", "-o", "m.json", "-q"]).exits(0);
    folder.run(["ledger", "init", "a.ledger", "--budget", budget]).exits(0);
    folder
}

fn charge(folder: &Folder, records: &str, output: &str, more: &[&str]) -> Run {
    let mut arguments =
        vec!["privatize", "m.json", records, "--value", "load", "--ledger", "a.ledger", "--subject", "user"];
    arguments.extend(["-o", output, "--force"]);
    arguments.extend(more);
    folder.run(arguments)
}

/// Rows of two users whose profiles differ, so many each, one after the other.
fn two_users(rows: usize) -> String {
    let mut text = "user,kind,day,load\n".to_owned();
    for day in 0..rows {
        text += &format!("first,ana,{day},idle\nsecond,bo,{day},busy\n");
    }
    text
}

#[test]
fn two_subjects_with_different_profiles_are_refused_at_the_same_point() {
    let folder = folder(AWARE, "3");
    folder.write("records.csv", two_users(8));
    let more = ["--profile", "kind", "--observation", "day", "--independent-observations", "--keep", "day,user"];
    let withheld = [&more[..], &["--over-budget", "withhold"]].concat();
    charge(&folder, "records.csv", "private.csv", &withheld).exits(0).says(&[
        "6 rows charged, 10 over the budget and withheld",
        "warning: rows were withheld, so that the number of rows is released too",
    ]);
    let released = folder.read("private.csv");
    for user in ["first", "second"] {
        let days: Vec<&str> = released.lines().filter(|line| line.ends_with(user)).collect();
        let days: Vec<&str> = days.iter().map(|line| line.split(',').nth(1).unwrap()).collect();
        assert_eq!(days, ["0", "1", "2"], "{user}");
    }
}

#[test]
fn a_second_row_needs_the_declaration_and_nothing_is_written_without_it() {
    let folder = folder(AWARE, "3");
    folder.write("records.csv", two_users(2));
    let run = charge(&folder, "records.csv", "private.csv", &["--profile", "kind"]).exits(1);
    assert!(run.stderr.starts_with("refused: records.csv: row 3: a second observation of a subject"), "{}", run.stderr);
    assert!(!folder.path("private.csv").exists());
    let status = folder.run(["ledger", "status", "a.ledger", "--json"]).exits(0).json();
    assert_eq!(status["subjects"], 0);
}

#[test]
fn known_records_get_their_earlier_answers_and_are_charged_once() {
    let folder = folder(VALUES, "2");
    let rows: String = (0..400).map(|at| format!("u{at},idle\n")).collect();
    folder.write("records.csv", format!("user,load\n{rows}"));
    let first = charge(&folder, "records.csv", "one.csv", &["--json"]).exits(0).json();
    assert_eq!(first["ledger"]["charged"], 400);
    let again = charge(&folder, "records.csv", "two.csv", &["--json"]).exits(0).json();
    assert_eq!(
        (&again["ledger"]["charged"], &again["ledger"]["earlier_answers"]),
        (&Value::from(0), &Value::from(400))
    );
    assert_eq!(folder.read("one.csv"), folder.read("two.csv"));
    assert_eq!(first["ledger"]["head"], again["ledger"]["head"]);
    // Another file has other rows: values add up, until the budget of 2 is spent and rows are constant.
    folder.write("more.csv", format!("user,load\n{rows}x,busy\n"));
    let more = charge(&folder, "more.csv", "three.csv", &["--json"]).exits(0).json();
    assert_eq!((&more["ledger"]["charged"], &more["ledger"]["constant"]), (&Value::from(1), &Value::from(400)));
    assert_eq!(folder.read("three.csv").lines().count(), 402);
}

#[test]
fn constant_rows_do_not_look_at_the_value() {
    // 600 rows over the budget, all idle: as many busy as idle come out, within 5 deviations of a fair coin.
    let folder = folder(VALUES, "1");
    let rows: String = (0..600).map(|at| format!("u{at},idle\n")).collect();
    folder.write("records.csv", format!("user,load\n{rows}"));
    let run = charge(&folder, "records.csv", "p.csv", &["--seed", "5", "--unsafe"]).exits(0);
    run.says(&["600 over the budget and drawn without a look", "one release costs epsilon ln(3), and the budget is 1"]);
    let busy = folder.read("p.csv").lines().filter(|line| *line == "busy").count();
    assert!((239..=361).contains(&busy), "{busy}");
}

#[test]
fn numbers_and_reports_are_charged_too_and_given_again() {
    let folder = Folder::new();
    folder.write("records.csv", "user,load\na,3\nb,7\nc,9\n");
    folder.write("answers.csv", "user,load\na,x\nb,y\nc,z\n");
    let arguments = ["noise", "design", "--epsilon", "1", "--sensitivity", "1", "-o", "m.json", "-q"];
    folder.run(arguments).exits(0);
    let oracle =
        ["local", "design", "--categories", "x,y,z", "--epsilon", "1", "--oracle", "oue", "-o", "o.json", "-q"];
    folder.run(oracle).exits(0);
    for (mechanism, records) in [("m.json", "records.csv"), ("o.json", "answers.csv")] {
        let ledger = format!("{mechanism}.ledger");
        folder.run(["ledger", "init", &ledger, "--budget", "1"]).exits(0);
        let run = |output: &str| {
            let arguments =
                ["privatize", mechanism, records, "--value", "load", "--ledger", &ledger, "--subject", "user"];
            folder.run(arguments.into_iter().chain(["-o", output, "--force"])).exits(0)
        };
        run("one.csv").says(&["3 rows charged"]);
        run("two.csv").says(&["0 rows charged, 3 given their earlier answer"]);
        assert_eq!(folder.read("one.csv"), folder.read("two.csv"));
        assert_eq!(folder.read("one.csv").lines().count(), 4);
        // Over the budget: a number or a report all the same.
        folder.write("more.csv", folder.read(records).trim_end());
        let arguments =
            ["privatize", mechanism, "more.csv", "--value", "load", "--ledger", &ledger, "--subject", "user"];
        let run = folder.run(arguments.into_iter().chain(["-o", "three.csv", "--force"])).exits(0);
        run.says(&["0 rows charged, 3 over the budget"]);
        assert_eq!(folder.read("three.csv").lines().count(), 4);
    }
}

#[test]
fn parquet_and_arrow_are_charged_as_csv_is() {
    let folder = folder(VALUES, "5");
    folder.write("records.csv", "user,day,load\na,1,idle\nb,2,busy\na,3,busy\n");
    folder
        .run(["privatize", "m.json", "records.csv", "--value", "load", "--keep", "user,day", "-o", "r.parquet"])
        .exits(0);
    folder
        .run(["privatize", "m.json", "records.csv", "--value", "load", "--keep", "user,day", "-o", "r.arrow"])
        .exits(0);
    let more = ["--observation", "day", "--keep", "day"];
    charge(&folder, "records.csv", "one.csv", &more).exits(0).says(&["3 rows charged"]);
    for records in ["r.parquet", "r.arrow"] {
        charge(&folder, records, "two.csv", &more).exits(0).says(&["0 rows charged, 3 given"]);
        assert_eq!(folder.read("one.csv"), folder.read("two.csv"));
    }
}

#[test]
fn a_ledger_shows_no_name_and_no_value() {
    let folder = folder(VALUES, "2");
    folder.write("records.csv", "user,load\nSECRETMARKER,idle\nbo,busy\n");
    charge(&folder, "records.csv", "p.csv", &[]).exits(0);
    let bytes = std::fs::read(folder.path("a.ledger")).unwrap();
    let has = |text: &[u8]| bytes.windows(text.len()).any(|window| window == text);
    assert!(!has(b"SECRETMARKER") && has(b"registered"), "names are hashed");
    let key = folder.read("a.ledger.key");
    let digits = key.lines().nth(1).unwrap();
    let raw: Vec<u8> = (0..32).map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap()).collect();
    assert!(!has(digits.as_bytes()) && !has(&raw), "the key is not in the ledger");
    let export = folder.run(["ledger", "export", "a.ledger", "--charges"]).exits(0).stdout;
    assert!(!export.contains("SECRETMARKER") && export.lines().count() == 3);
}

#[test]
fn the_status_is_a_table_people_can_read() {
    let folder = folder(AWARE, "5/2");
    folder.write("records.csv", &(two_users(2) + "third,bo,0,idle\n"));
    let more = ["--profile", "kind", "--observation", "day", "--independent-observations"];
    charge(&folder, "records.csv", "p.csv", &more).exits(0);
    let status = folder.run(["ledger", "status", "a.ledger"]).exits(0).stdout;
    // The time and the head differ from run to run.
    let steady = |text: &str| -> String {
        let line = |line: &str| match line {
            _ if line.starts_with("Ledger head: ") => "Ledger head: …".to_owned(),
            _ if line.contains(", the last at ") => "3 entries, the last at …; 3 subjects.".to_owned(),
            line => line.to_owned(),
        };
        text.lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
    };
    assert!(status.starts_with("3 entries, the last at 20"), "{status}");
    golden("ledger-status.txt", &steady(&status));
    let one = folder.run(["ledger", "status", "a.ledger", "--subject", "first"]).exits(0).stdout;
    assert!(one.starts_with("Spent 2 of 5/2, 0.50000 left, most about \"ana\" and \"bo\".\n"), "{one}");
    let json = folder.run(["ledger", "status", "a.ledger", "--json"]).exits(0).json();
    assert_eq!(json["spent"][0]["epsilon_text"], "2");
    assert_eq!(json["spent"][0]["subjects"], 2);
}

#[test]
fn verify_answers_no_with_the_first_bad_entry() {
    let folder = folder(VALUES, "2");
    folder.write("records.csv", "user,load\na,idle\n");
    let head = charge(&folder, "records.csv", "p.csv", &["--json"]).exits(0).json()["ledger"]["head"].clone();
    let head = head.as_str().unwrap().to_owned();
    folder.run(["ledger", "verify", "a.ledger", "--head", &head]).exits(0).prints(&["Whole: 3 entries, 1 charge."]);
    let other = "0".repeat(64);
    let run = folder.run(["ledger", "verify", "a.ledger", "--head", &other]).exits(1);
    run.prints(&["NOT WHOLE: no entry has this head"]);
    folder.run(["ledger", "verify", "a.ledger", "--head", "12"]).exits(2);
    // One byte in the middle of an entry's text.
    let mut bytes = std::fs::read(folder.path("a.ledger")).unwrap();
    let at = bytes.windows(10).position(|window| window == b"registered").unwrap();
    let budget = bytes.windows(12).position(|window| window == b"\"budget\":\"2\"").unwrap();
    bytes[budget + 10] = b'9';
    std::fs::write(folder.path("a.ledger"), &bytes).unwrap();
    let json = folder.run(["ledger", "verify", "a.ledger", "--json"]).exits(1).json();
    assert_eq!((&json["whole"], &json["entry"]), (&Value::from(false), &Value::from(1)));
    bytes[budget + 10] = b'2';
    bytes[at] = b'R';
    std::fs::write(folder.path("a.ledger"), &bytes).unwrap();
    folder.run(["ledger", "verify", "a.ledger"]).exits(1).prints(&["NOT WHOLE: entry 2"]);
}

#[test]
fn record_enters_what_was_released_elsewhere() {
    let folder = folder(AWARE, "2");
    folder.write("subjects.csv", "user,day\na,1\nb,1\na,2\n");
    let record = |more: &[&str]| {
        let base =
            ["ledger", "record", "a.ledger", "m.json", "subjects.csv", "--subject", "user", "--observation", "day"];
        folder.run(base.iter().chain(more))
    };
    record(&[]).exits(1).says(&["refused: subjects.csv: row 3: a second observation"]);
    record(&["--independent-observations", "--value", "load"]).exits(0).prints(&["Recorded 3 releases (entry 3)."]);
    record(&["--independent-observations", "--value", "load"])
        .exits(0)
        .prints(&["Recorded 0 releases, 3 known already."]);
    folder.write("subjects.csv", "user,day\na,3\n");
    let over = record(&["--independent-observations", "--value", "load"]).exits(1);
    over.says(&["row 1: the subject has no budget left for this release, so nothing was entered (--made"]);
    record(&["--independent-observations", "--value", "load", "--made"])
        .exits(0)
        .prints(&["Recorded 1 release (entry 4)."]);
    let status = folder.run(["ledger", "status", "a.ledger", "--json"]).exits(0).json();
    assert_eq!(status["spent"][0]["epsilon_text"], "3");
}

#[test]
fn an_account_says_the_sum_and_epsilon_at_delta() {
    let folder = folder(VALUES, "2");
    let json = folder.run(["account", "m.json", "--releases", "2,100", "--delta", "3/8", "--json"]).exits(0).json();
    // yes, yes has 9/16 against 1/16, and 9/16 − 3/16 = 3/8: at that δ two releases are within ln 3.
    assert_eq!(json["releases"][0]["sum_text"], "2*ln(3)");
    let two = json["releases"][0]["epsilon_at_delta"].as_f64().unwrap();
    assert!((0.0..1e-9).contains(&(two - 3f64.ln())), "{two}");
    assert_eq!(json["releases"][0]["method"], "exact");
    let hundred = folder.run(["account", "m.json", "--releases", "100", "--json"]).exits(0).json();
    let hundred = hundred["releases"][0]["epsilon_at_delta"].as_f64().unwrap();
    assert!(94.28 < hundred && hundred < 94.30, "{hundred}");
    folder.run(["account", "m.json", "--releases", "0"]).fails_with(&["--releases"]);
    folder.run(["account", "m.json", "--releases", "1", "--delta", "2"]).exits(2).says(&["2"]);
}

#[test]
fn a_report_shows_the_account() {
    let folder = folder(AWARE, "5/2");
    folder.write("records.csv", two_users(1));
    charge(&folder, "records.csv", "p.csv", &["--profile", "kind"]).exits(0);
    folder.run(["report", "m.json", "--ledger", "a.ledger", "--no-sweep", "-o", "r.html"]).exits(0);
    let page = folder.read("r.html");
    for part in
        ["The account", "2 subjects in the ledger, 3 entries", "at most", "of the budget 5/2", "Head of the ledger"]
    {
        assert!(page.contains(part), "{part}");
    }
    folder.run(["report", "m.json", "--no-sweep", "-o", "plain.html"]).exits(0);
    assert!(!folder.read("plain.html").contains("The account"));
}

#[test]
fn no_text_meant_for_people_decides_what_noise_is_about() {
    let folder = folder(VALUES, "2");
    folder.run(["noise", "design", "--epsilon", "1", "--sensitivity", "1", "-o", "n.json", "-q"]).exits(0);
    let renamed =
        folder.read("n.json").replacen("\"mechanism\": \"discrete-laplace\"", "\"mechanism\": \"markov-quilt\"", 1);
    folder.write("renamed.json", renamed);
    folder.write("subjects.csv", "user\na\n");
    folder.words("ledger init n.ledger --budget 2").exits(0);
    for file in ["n.json", "renamed.json"] {
        folder.run(["ledger", "record", "n.ledger", file, "subjects.csv", "--subject", "user"]).exits(0);
    }
    folder.words("ledger status n.ledger").exits(0).prints(&["numbers at most 1 apart"]);
}

#[test]
fn a_claim_that_is_false_is_not_counted() {
    let folder = folder(VALUES, "2");
    let text = folder.read("m.json").replace("ln(3)", "ln(2)");
    folder.write("m.json", text);
    folder.write("subjects.csv", "user\na\n");
    let run = folder.run(["ledger", "record", "a.ledger", "m.json", "subjects.csv", "--subject", "user"]).exits(1);
    run.says(&["nothing recorded, since the mechanism is not private"]);
    assert_eq!(folder.run(["ledger", "status", "a.ledger", "--json"]).exits(0).json()["entries"], 1);
}

#[test]
fn mistakes_are_named() {
    let folder = folder(VALUES, "2");
    folder.write("records.csv", "user,load\na,idle\n,busy\n");
    charge(&folder, "records.csv", "p.csv", &[])
        .fails_with(&["row 2, column \"user\": empty, expected whom the record is about"]);
    charge(&folder, "records.csv", "a.ledger", &[]).fails_with(&["this is the ledger, its key or its journal"]);
    charge(&folder, "records.csv", "a.ledger.key", &[]).fails_with(&["this is the ledger, its key or its journal"]);
    charge(&folder, "records.csv", "a.ledger-wal", &[]).fails_with(&["this is the ledger, its key or its journal"]);
    charge(&folder, "records.csv", "p.csv", &["--observation", "load"]).fails_with(&["this column is private"]);
    charge(&folder, "records.csv", "p.csv", &["--seed", "1"]).fails_with(&["--seed with --ledger", "--unsafe"]);
    folder.run(["ledger", "export", "a.ledger", "-o", "a.ledger", "--force"]).fails_with(&["this is the ledger"]);
    folder.run(["ledger", "init", "z.ledger", "--budget", "1", "--key", "z.ledger-wal"]).fails_with(&["one place"]);
    folder.run(["ledger", "init", "z.ledger", "--budget", "1", "--key", "no/z.key"]).exits(2);
    assert!(!folder.path("z.ledger").exists());
    folder
        .run(["ledger", "status", "a.ledger", "--subject", "nobody"])
        .exits(0)
        .prints(&["No charge under this name."]);
    charge(&folder, "-", "p.csv", &[]).fails_with(&["standard input with a ledger", "--observation COLUMN"]);
    folder.run(["ledger", "init", "a.ledger", "--budget", "1"]).fails_with(&["never replaced"]);
    folder.run(["ledger", "init", "b.ledger"]).fails_with(&["no budget"]);
    folder.run(["ledger", "status", "none.ledger"]).fails_with(&["there is no ledger here", "ledger init"]);
    folder.write("not.ledger", "user,load\n");
    folder.run(["ledger", "verify", "not.ledger"]).fails_with(&["no SQLite file"]);
    std::fs::remove_file(folder.path("a.ledger.key")).unwrap();
    charge(&folder, "records.csv", "p.csv", &[]).fails_with(&["cannot read the key of the ledger", "--key FILE"]);
    assert!(!folder.path("p.csv").exists() && !folder.path("b.ledger").exists());
}
