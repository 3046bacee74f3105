//! A design that is stopped by a signal.

#![cfg(unix)]

mod common;

use common::Folder;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A run that reads its spec from a named pipe, so that the test knows when it has begun.
fn start(folder: &Folder, arguments: &[&str]) -> Child {
    assert!(Command::new("mkfifo").arg(folder.path("spec.toml")).status().unwrap().success());
    let mut command = folder.command(["design", "spec.toml"].iter().chain(arguments));
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Sends the signal and waits: exit code, standard output and standard error.
fn stop(mut child: Child, signal: &str) -> (Option<i32>, String, String) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    let sent = Instant::now();
    let status = child.wait().unwrap();
    assert!(sent.elapsed() < Duration::from_secs(20), "it took {:?}", sent.elapsed());
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    (status.code(), out, err)
}

#[test]
fn a_signal_while_reading_stops_with_130_and_a_word() {
    for signal in ["-INT", "-TERM"] {
        let folder = Folder::new();
        let child = start(&folder, &["-o", "m.json"]);
        // Opens once the other side reads.
        let pipe = std::fs::OpenOptions::new().write(true).open(folder.path("spec.toml")).unwrap();
        let (code, out, err) = stop(child, signal);
        drop(pipe);
        assert_eq!((code, out.as_str(), err.as_str()), (Some(130), "", "stopped; nothing was written\n"), "{signal}");
        assert_eq!(folder.names(), ["spec.toml"]);
    }
}

#[test]
fn a_signal_in_a_long_design_stops_it_and_leaves_an_older_file_alone() {
    let folder = Folder::new();
    folder.write("m.json", "older");
    let child = start(&folder, &["-o", "m.json", "--force", "--epsilon-for", "max-flip=0.01"]);
    let mut pipe = std::fs::OpenOptions::new().write(true).open(folder.path("spec.toml")).unwrap();
    pipe.write_all(long_chain(100_000).as_bytes()).unwrap();
    drop(pipe);
    std::thread::sleep(Duration::from_millis(300));
    let (code, out, err) = stop(child, "-INT");
    assert_eq!((code, out.as_str(), err.as_str()), (Some(130), "", "stopped; nothing was written\n"));
    assert_eq!((folder.read("m.json").as_str(), folder.names().len()), ("older", 2));
}

#[test]
fn a_signal_in_a_run_leaves_no_hidden_folder() {
    let folder = Folder::new();
    folder.write("records.csv", "profile,value\np1,no\n");
    folder.write("plan.toml", "spec = \"spec.toml\"\n[data]\nrecords = \"records.csv\"\n");
    assert!(Command::new("mkfifo").arg(folder.path("spec.toml")).status().unwrap().success());
    let mut command = folder.command(["run", "plan.toml"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let pipe = std::fs::OpenOptions::new().write(true).open(folder.path("spec.toml")).unwrap();
    let (code, out, err) = stop(child, "-INT");
    drop(pipe);
    assert_eq!((code, out.as_str(), err.as_str()), (Some(130), "", "stopped; nothing was written\n"));
    let inside: Vec<_> = std::fs::read_dir(folder.path("out")).into_iter().flatten().collect();
    assert!(inside.is_empty(), "{inside:?}");
}

/// Bernoulli profiles up and down along a chain: tens of designs of this take far longer than the test waits.
fn long_chain(count: usize) -> String {
    let profile = |at: usize| format!("p{at} = {}\n", (at % 97) as f64 / 97.0);
    let profiles: String = (0..count).map(profile).collect();
    format!("epsilon = 0.1\ncategories = [\"no\", \"yes\"]\n[graph]\nshape = \"chain\"\n[profiles]\n{profiles}")
}
