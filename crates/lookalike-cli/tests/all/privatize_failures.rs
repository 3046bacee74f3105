//! `lookalike privatize` when something is wrong: no value is shown, and nothing is written.

use crate::common::{Folder, MARKER, Random, TWO, WARNER, records};
use std::io::{Read, Write};
use std::process::Stdio;

const RUN: &str = "privatize m.json data.csv --profile user --value load -o out.csv";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.design_toml(TWO);
    folder
}

/// What stands in the folder of a run that left nothing.
const UNTOUCHED: [&str; 3] = ["data.csv", "m.json", "spec.toml"];

#[test]
fn errors_name_row_and_column_and_never_the_value() {
    let folder = folder();
    let long = MARKER.repeat(100);
    for (text, options, parts) in [
        (
            format!("user,load\nana,idle\nana,{MARKER}\n"),
            "",
            &["row 2, column \"load\"", "2 categories", "--unknown"][..],
        ),
        (format!("user,load\n{MARKER},idle\n"), "", &["row 1, column \"user\"", "2 profiles"]),
        (format!("user,load\n{MARKER},idle\n"), "--unknown busy", &["row 1, column \"user\"", "2 profiles"]),
        (format!("user,load,note\nana,,{MARKER}\n"), "", &["row 1, column \"load\"", "empty"]),
        (format!("user,load,note\n,idle,{MARKER}\n"), "", &["row 1, column \"user\"", "empty"]),
        (
            format!("user,load\nana,idle\nbo,busy,{MARKER}\n"),
            "",
            &["row 2, line 3", "the number of fields is 3, expected 2"],
        ),
        (format!("user,load\nana,idle\n{MARKER}\n"), "", &["row 2, line 3", "the number of fields is 1, expected 2"]),
        (format!("user,load\nana,idle\nbo,\"{MARKER}\n"), "", &["row 2", "quote"]),
        (format!("user,load\nana,{long}\n"), "--record-limit 100", &["row 1", "longer than 100 bytes"]),
        (format!("user,load\nana,idle {MARKER}\n"), "--trim", &["row 1, column \"load\""]),
        (
            format!("ana,idle,{MARKER}\nbo,busy,{MARKER}\n"),
            "",
            &["column \"user\"", "among the 3 columns of the first record", "--columns"],
        ),
        (format!("ana,idle\n{MARKER},idle\n"), "--columns user,load", &["row 2, column \"user\""]),
        (format!("user,load,user\nana,idle,{MARKER}\n"), "", &["column \"user\"", "more than once"]),
        (format!("user;load\nana;{MARKER}\n"), "--delimiter ;", &["row 1, column \"load\""]),
        (String::new(), "", &["empty, expected a header"]),
    ] {
        folder.write("data.csv", &text);
        for json in ["", " --json"] {
            let run = folder.words(&format!("{RUN} {options}{json}")).fails_with(&["data.csv: "]).says(parts);
            assert!(!run.stderr.contains(MARKER) && !run.stdout.contains(MARKER), "{}", run.stderr);
            assert_eq!(folder.names(), UNTOUCHED);
        }
        let input = RUN.replace("data.csv", "-");
        let run = folder.run_on(format!("{input} {options}").split_whitespace(), text);
        let run = run.fails_with(&["standard input: "]).says(parts);
        assert!(!run.stderr.contains(MARKER), "{}", run.stderr);
    }
    folder.write("data.csv", [b"user,load\nana,".as_slice(), MARKER.as_bytes(), b"\xff\n"].concat());
    let run = folder.words(RUN).fails_with(&["row 1, column \"load\": not UTF-8"]);
    assert!(!run.stderr.contains(MARKER));
}

#[test]
fn an_older_output_stays_as_it_was() {
    let folder = folder();
    folder.write("out.csv", "older");
    // Wrong only in the third batch of 65,536 rows.
    folder.write("data.csv", records(150_000) + "ana,asleep\n");
    folder.words(&format!("{RUN} --force")).fails_with(&["row 150001, column \"load\""]);
    assert_eq!(folder.read("out.csv"), "older");
    folder.write("data.csv", records(10));
    folder.words(RUN).fails_with(&["out.csv: exists already", "--force"]);
    assert_eq!((folder.read("out.csv").as_str(), folder.names().len()), ("older", 4));
    folder.words(&format!("{RUN} --force")).exits(0);
    assert_eq!(folder.read("out.csv").lines().count(), 11);
}

#[test]
fn places_that_cannot_be_read_or_written_are_named() {
    let folder = folder();
    folder.words(RUN).fails_with(&["data.csv: cannot read: No such file"]);
    folder.write("data.csv", records(10));
    folder.words(&RUN.replace("m.json", "nowhere.json")).fails_with(&["nowhere.json: cannot read"]);
    folder.words(&RUN.replace("data.csv", ".")).fails_with(&[".: cannot read: Is a directory"]);
    folder
        .words(&RUN.replace("out.csv", "nowhere/out.csv"))
        .fails_with(&["nowhere/out.csv", "\"nowhere\" does not exist"]);
    folder.words(&RUN.replace("out.csv", ".")).fails_with(&["is a directory, expected the name of a file"]);
    assert_eq!(folder.names(), UNTOUCHED);
}

#[test]
fn a_mechanism_that_is_not_private_releases_nothing() {
    let folder = Folder::new();
    let mut file = folder.design_toml(WARNER);
    file["channels"][0]["rows"] = serde_json::json!([[(3u64 << 51) + 1, (1u64 << 51) - 1], [1u64 << 51, 3u64 << 51]]);
    folder.write("m.json", file.to_string());
    folder.write("data.csv", "value\nno\nyes\n");
    let run = "privatize m.json data.csv -o out.csv";
    let refused = folder.words(run).exits(1).says(&["nothing released", "not private", "output \"yes\"", "e^(ln(3))"]);
    assert_eq!(refused.stdout, "");
    let verdict = folder.words(&format!("{run} --json")).exits(1).json();
    assert!(verdict["certified"] == false && verdict["witness"]["output"] == "yes");
    assert_eq!(folder.names(), UNTOUCHED);
    assert_eq!(folder.words(&run.replace("out.csv", "-")).exits(1).stdout, "");
}

#[test]
fn damaged_files_never_panic_and_write_all_or_nothing() {
    let folder = folder();
    let mut random = Random(7);
    let [mechanism, spec] = ["m.json", "spec.toml"].map(|name| folder.read(name).into_bytes());
    let data = format!("user,load,note\n{}", format!("ana,idle,{MARKER}\nbo,busy,\"a b\"\n").repeat(5)).into_bytes();
    let (mut written, mut refused) = (0, 0);
    for round in 0..600 {
        folder.write("m.json", if round % 3 == 0 { random.damage(&mechanism) } else { mechanism.clone() });
        folder.write("data.csv", if round % 3 == 1 { random.damage(&data) } else { data.clone() });
        folder.write("spec.toml", if round % 3 == 2 { random.damage(&spec) } else { spec.clone() });
        let output = if round % 3 == 2 { "designed.json" } else { "out.csv" };
        let run = if round % 3 == 2 { folder.words("design spec.toml -o designed.json") } else { folder.words(RUN) };
        assert!(matches!(run.code, Some(0..=2)) && !run.stderr.contains("panicked"), "{run:?}");
        assert!(round % 3 == 2 || !run.stderr.contains("MARKER"), "{run:?}");
        assert_eq!(folder.path(output).exists(), run.code == Some(0), "{run:?}");
        if run.code == Some(0) {
            std::fs::remove_file(folder.path(output)).unwrap();
            written += 1;
        } else {
            refused += 1;
        }
        assert_eq!(folder.names(), UNTOUCHED);
    }
    assert!(written > 50 && refused > 200, "{written} written, {refused} refused");
}

#[test]
fn a_killed_run_leaves_no_file() {
    let folder = folder();
    let out = Folder::new();
    let path = out.path("out.csv");
    let arguments = ["privatize", "m.json", "-", "--profile", "user", "--value", "load", "-o", path.to_str().unwrap()];
    let rows = records(200_000);
    for older in [false, true] {
        if older {
            out.write("out.csv", "older");
        }
        let mut command = folder.command(arguments);
        command.args(older.then_some("--force")).stdin(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        // All but what fits into a pipe has been read when this returns, more than two batches; and more could come.
        input.write_all(rows.as_bytes()).unwrap();
        assert!(child.try_wait().unwrap().is_none(), "the run waits for more");
        child.kill().unwrap();
        assert!(!child.wait().unwrap().success());
        if older {
            assert_eq!((out.names(), out.read("out.csv").as_str()), (vec!["out.csv".to_owned()], "older"));
        } else {
            assert!(out.names().is_empty(), "{:?}", out.names());
        }
    }
}

#[test]
fn a_reader_that_closes_early_is_no_error() {
    let folder = folder();
    folder.write("data.csv", records(200_000));
    let mut command = folder.command(RUN.replace("out.csv", "-").split(' '));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 5];
    let mut output = child.stdout.take().unwrap();
    output.read_exact(&mut first).unwrap();
    drop(output);
    let done = child.wait_with_output().unwrap();
    assert_eq!((&first, done.status.code()), (b"load\n", Some(0)));
    let said = String::from_utf8(done.stderr).unwrap();
    assert!(said.starts_with("The reader closed the pipe; up to ") && said.lines().count() == 1, "{said}");

    let mut command = folder.command(["completions", "bash"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let done = child.wait_with_output().unwrap();
    assert_eq!((done.status.code(), done.stderr.len()), (Some(0), 0));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error_that_names_it() {
    let folder = folder();
    folder.write("data.csv", records(200_000));
    for shuffle in ["", " --shuffle"] {
        let run = folder.words(&format!("{}{shuffle}", RUN.replace("out.csv", "/dev/full")));
        run.fails_with(&["/dev/full: cannot write: No space left on device"]);
    }
    folder.write("data.csv", records(10));
    folder
        .words(&RUN.replace("out.csv", "/dev/full"))
        .fails_with(&["/dev/full: cannot write: No space left on device"]);

    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let to_full = |line: &str| {
        let output = folder.command(line.split(' ')).stdout(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    let text = to_full(&RUN.replace("out.csv", "-"));
    let refused =
        "error: standard output: cannot write: No space left on device (os error 28); up to 10 rows had been written";
    assert!(text.starts_with(refused), "{text}");
    let text = to_full("design spec.toml --json");
    assert_eq!(text, "error: cannot write to standard output: No space left on device (os error 28)\n");
}

/// Before, the note was written and then replaced by the release, exit 0.
#[test]
fn a_note_in_the_place_of_the_release_is_refused_before_anything_is_charged() {
    let folder = Folder::new();
    folder.design_toml(WARNER);
    folder.write("data.csv", "user,load\nana,yes\nbo,no\n");
    std::fs::create_dir(folder.path("inner")).unwrap();
    folder.words("ledger init a.ledger --budget 10").exits(0);
    let charged = "privatize m.json data.csv --value load --ledger a.ledger --subject user";
    for (output, note) in [("new", "new"), ("new", "inner/../new"), ("./new", "new"), ("-", "/dev/stdout")] {
        let run = folder.words(&format!("{charged} -o {output} --note {note} --force"));
        run.fails_with(&["-o and --note name the same file, expected two"]);
        assert!(!folder.path("new").exists());
    }
    folder.words(&format!("{charged} -o new --note -")).fails_with(&["--note -: expected a file"]);
    let charges = || folder.words("ledger verify a.ledger --json").exits(0).json()["charges"].clone();
    assert_eq!(charges(), 0);
    folder.words(&format!("{charged} -o /dev/null --note /dev/null")).exits(0);
    assert_eq!(charges(), 2);
}
