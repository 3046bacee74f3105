//! Rows that are in a pipe already when a run stops.

#![cfg(unix)]

use crate::common::{Folder, TWO, records};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

const TO_PIPE: &str = "privatize m.json data.csv --profile user --value load -o -";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.design_toml(TWO);
    folder
}

/// The number before " rows had been written already".
fn told(stderr: &str) -> usize {
    let before = stderr.split(" rows had been written already").next().unwrap();
    before.rsplit(' ').next().unwrap().parse().unwrap_or_else(|_| panic!("{stderr}"))
}

#[test]
fn a_bad_row_says_how_many_rows_are_out_and_what_a_second_run_would_be() {
    let folder = folder();
    folder.write("data.csv", records(200_000) + "ana,nonsense\n");
    let run = folder.words(TO_PIPE).exits(2).says(&[
        "error: data.csv: row 200001, column \"load\": not one of the 2 categories",
        "rows had been written already and cannot be called back: running again would draw for them a second time",
        "which no theorem covers for profiles; for values what both draws cost adds up",
        "-o FILE",
    ]);
    assert!(!run.stderr.contains("nonsense") && !run.stderr.contains("up to"), "{}", run.stderr);
    // Below the header, exactly as many as it says.
    assert_eq!(told(&run.stderr), run.stdout.lines().count() - 1);
    assert!(told(&run.stderr) > 100_000, "{}", run.stderr);
    // A file is there whole or not at all, and there is nothing to say.
    let run = folder.words(&TO_PIPE.replace("-o -", "-o out.csv")).fails_with(&["row 200001"]);
    assert!(!run.stderr.contains("written already"), "{}", run.stderr);
    // Nor where the first rows fail, before anything is out, or where they wait to be shuffled.
    let run = folder.words(&format!("{TO_PIPE} --shuffle")).exits(2);
    assert!(!run.stderr.contains("written already"), "{}", run.stderr);
    folder.write("data.csv", "user,load\nana,nonsense\n");
    assert!(!folder.words(TO_PIPE).exits(2).stderr.contains("written already"));
}

#[test]
fn compressed_rows_may_be_out_or_not() {
    let folder = folder();
    folder.write("data.csv", records(200_000) + "ana,nonsense\n");
    let mut command = folder.command(TO_PIPE.split(' ').chain(["--compression", "gzip"]));
    let output = command.output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("; up to ") && told(&stderr) > 100_000, "{stderr}");
}

/// A run from one pipe to another.
fn start(folder: &Folder) -> Child {
    let mut command = folder.command(TO_PIPE.replace("data.csv", "-").split(' '));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn a_signal_says_how_many_rows_are_out() {
    let folder = folder();
    let mut child = start(&folder);
    let mut input = child.stdin.take().unwrap();
    // More than a batch, and the end of the input is kept open.
    input.write_all(records(70_000).as_bytes()).unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    (0..1000).for_each(|_| assert!(lines.next().unwrap().is_ok()));
    let mut taken = 1000;
    // The rest of the batch is on its way; nothing more can come before the signal.
    let reader = std::thread::spawn(move || {
        taken += lines.count();
        taken
    });
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let status = child.wait().unwrap();
    drop(input);
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(status.code(), Some(130), "{stderr}");
    assert!(stderr.starts_with("stopped; ") && stderr.contains("no theorem covers"), "{stderr}");
    assert_eq!(told(&stderr), reader.join().unwrap() - 1, "{stderr}");
}

#[test]
fn a_reader_that_has_seen_enough_is_told_of() {
    let folder = folder();
    folder.write("data.csv", records(300_000));
    let mut command = folder.command(TO_PIPE.split(' '));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 10];
    let mut output = child.stdout.take().unwrap();
    output.read_exact(&mut first).unwrap();
    drop(output);
    let status = child.wait().unwrap();
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!((status.code(), &first[..5]), (Some(0), &b"load\n"[..]), "{stderr}");
    assert!(stderr.contains("The reader closed the pipe; up to ") && told(&stderr) > 10_000, "{stderr}");
}

#[test]
fn features_of_geojson_are_counted_too() {
    let folder = Folder::new();
    folder.words("geo design --origin 45.07,7.69 --extent 10km --epsilon ln(4)/200 -o m.json").exits(0);
    let point = r#"{"type":"Feature","properties":null,"geometry":{"type":"Point","coordinates":[7.69,45.07]}}"#;
    folder.write("places.geojsonl", format!("{point}\n").repeat(70_000) + "{\"type\":\"Nonsense\"}\n");
    let run = folder.words("geo privatize m.json places.geojsonl -o - --geojson lines").exits(2);
    let written = run.stdout.lines().count();
    let said = run.stderr.replace("features had", "rows had");
    assert!(written > 1000 && (written..=65_536).contains(&told(&said)), "{written}: {}", run.stderr);
    assert!(run.stderr.contains("features had been written already and cannot be called back"), "{}", run.stderr);
}
