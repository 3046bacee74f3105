//! Commands that are stopped by a signal, and exit codes of those that are not.

#![cfg(unix)]

use crate::common;

use common::{BINARY, Folder, WARNER};
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

const SIGNALS: [&str; 3] = ["-INT", "-TERM", "-HUP"];

#[test]
fn a_signal_while_reading_stops_with_130_and_a_word() {
    for signal in SIGNALS {
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

/// Also verbs that show no progress, and those that write a file of rows.
#[test]
fn every_verb_has_one_exit_code_for_every_signal() {
    for line in [
        "certify pipe",
        "check pipe",
        "privatize m.json pipe --value load -o out.csv",
        "fit pipe --profile user --value load --public-categories --complete",
    ] {
        for signal in SIGNALS {
            let folder = Folder::new();
            folder.design_toml(WARNER);
            let names = folder.names();
            assert!(Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap().success());
            let mut command = folder.command(line.split_whitespace());
            let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            let mut pipe = std::fs::OpenOptions::new().write(true).open(folder.path("pipe")).unwrap();
            if line.starts_with("privatize") {
                pipe.write_all(b"load\nyes\nno\n").unwrap();
            }
            let (code, out, err) = stop(child, signal);
            drop(pipe);
            assert_eq!((code, out.as_str()), (Some(130), ""), "{line}: {signal}: {err}");
            assert_eq!(err, "stopped; a file is there complete or not at all\n", "{line}: {signal}");
            std::fs::remove_file(folder.path("pipe")).unwrap();
            assert_eq!(folder.names(), names, "{line}: {signal}");
        }
    }
}

/// `nohup`, and shells that start something in the background, have a signal ignored; it stays so.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_is_to_be_ignored_is_ignored() {
    let folder = Folder::new();
    folder.design_toml(WARNER);
    assert!(Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap().success());
    let script = format!("trap '' HUP; exec '{BINARY}' privatize m.json pipe --value load -o out.csv -q");
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(folder.path("")).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let mut pipe = std::fs::OpenOptions::new().write(true).open(folder.path("pipe")).unwrap();
    pipe.write_all(b"load\nyes\n").unwrap();
    assert!(Command::new("kill").args(["-HUP", &child.id().to_string()]).status().unwrap().success());
    pipe.write_all(b"no\n").unwrap();
    drop(pipe);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(0), ""));
    assert_eq!(folder.read("out.csv").lines().count(), 3);
}

#[test]
fn a_reader_that_closes_the_pipe_has_seen_enough() {
    let folder = Folder::new();
    folder.design_toml(WARNER);
    folder.write("records.csv", "load\n".to_owned() + &"yes\nno\n".repeat(200_000));
    for line in ["privatize m.json records.csv --value load -o - -q", "report m.json -o - -q", "certify m.json"] {
        let mut child =
            folder.command(line.split_whitespace()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), error.contains("error")), (Some(0), false), "{line}: {error}");
    }
}

/// `2>&1 | head -1`, `2>&1 | grep -q` and a full disk: before, a message that could not be written ended the command with a panic
/// and the exit code 101, after the release as well as before it.
#[cfg(target_os = "linux")]
#[test]
fn messages_that_nobody_takes_change_no_exit_code() {
    let folder = Folder::new();
    folder.design_toml(WARNER);
    folder.write("records.csv", "load\n".to_owned() + &"yes\nno\n".repeat(50));
    for (line, code) in [
        ("privatize m.json records.csv --value load -o out.csv --seed 1", 0),
        ("privatize m.json records.csv --value load -o out.csv", 2),
        ("certify none.json", 2),
        ("ledger withdraw a.ledger --entries 7 --note x", 1),
    ] {
        if line.starts_with("ledger") {
            folder.words("ledger init a.ledger --budget 1").exits(0);
        }
        for listener in ["2> /dev/full", "2>&1 | true", "2>&-"] {
            // The pause lets the other end of the pipe go first.
            let script = format!("{{ sleep 0.2; '{BINARY}' {line}; echo $? >&3; }} {listener}");
            let mut shell = Command::new("bash");
            shell.args(["-c", &format!("exec 3>&1; {script}")]).current_dir(folder.path(""));
            let output = shell.output().unwrap();
            let printed = String::from_utf8(output.stdout).unwrap();
            assert!(printed.ends_with(&format!("{code}\n")), "{line} {listener}: {printed}");
            if code == 0 {
                assert_eq!(folder.read("out.csv").lines().count(), 101, "{listener}");
                std::fs::remove_file(folder.path("out.csv")).unwrap();
            }
        }
        if code == 0 {
            folder.write("out.csv", "older");
        }
    }
}

/// The system's signal for it would end the process without a word.
#[cfg(target_os = "linux")]
#[test]
fn a_file_beyond_the_limit_is_an_error_and_leaves_nothing() {
    let folder = Folder::new();
    folder.design_toml(WARNER);
    folder.write("records.csv", "load\n".to_owned() + &"yes\nno\n".repeat(200_000));
    let names = folder.names();
    let script = format!("ulimit -f 8; '{BINARY}' privatize m.json records.csv --value load -o out.csv -q");
    let output = Command::new("bash").args(["-c", &script]).current_dir(folder.path("")).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("out.csv: cannot write: File too large"), "{error}");
    assert_eq!(folder.names(), names);
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
fn a_signal_in_a_run_leaves_no_folder() {
    for signal in SIGNALS {
        for output in ["out", "deep/er/out"] {
            let folder = Folder::new();
            folder.write("records.csv", "profile,value\np1,no\n");
            folder.write("plan.toml", "spec = \"spec.toml\"\n[data]\nrecords = \"records.csv\"\n");
            assert!(Command::new("mkfifo").arg(folder.path("spec.toml")).status().unwrap().success());
            let mut command = folder.command(["run", "plan.toml", "--output", output]);
            let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            let pipe = std::fs::OpenOptions::new().write(true).open(folder.path("spec.toml")).unwrap();
            assert!(folder.path(output).join(".lookalike-run").exists());
            let (code, out, err) = stop(child, signal);
            drop(pipe);
            assert_eq!((code, out.as_str(), err.as_str()), (Some(130), "", "stopped; nothing was written\n"));
            assert_eq!(folder.names(), ["plan.toml", "records.csv", "spec.toml"], "{signal}");
        }
    }
}

/// A signal that comes when the first folder has just been made, before the last one is.
#[test]
fn a_signal_while_a_run_makes_its_folders_leaves_none() {
    use nix::sys::signal::{Signal, kill};
    for _ in 0..40 {
        let folder = Folder::new();
        common::write_plan(&folder);
        std::fs::remove_file(folder.path("spec.toml")).unwrap();
        // However late the signal comes on a busy machine: the run has its folders by then, and waits for its spec.
        assert!(Command::new("mkfifo").arg(folder.path("spec.toml")).status().unwrap().success());
        let names = folder.names();
        let deep = format!("n{}", "/n".repeat(60));
        let mut command = folder.command(["run", "plan.toml", "--output", &deep]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        while !folder.path("n").exists() && child.try_wait().unwrap().is_none() {}
        kill(nix::unistd::Pid::from_raw(child.id() as i32), Signal::SIGTERM).unwrap();
        let ended = child.wait_with_output().unwrap();
        let error = String::from_utf8(ended.stderr).unwrap();
        assert_eq!((ended.status.code(), error.as_str()), (Some(130), "stopped; nothing was written\n"));
        assert_eq!(folder.names(), names);
    }
}

/// Whatever the moment, all files are there or none, and nothing hidden.
#[test]
fn a_signal_at_any_moment_of_a_run_leaves_all_files_or_none() {
    let mut random = common::Random(0x51647);
    for at in 0..common::kills() {
        let folder = Folder::new();
        common::write_plan(&folder);
        let mut command = folder.command(["run", "plan.toml", "-q"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Every other time: while the files are moved.
        let wanted = folder.path(["out/.lookalike-run/files", "out/.lookalike-run/journal"][at % 2]);
        while !wanted.exists() && child.try_wait().unwrap().is_none() {}
        if at % 2 == 0 {
            std::thread::sleep(Duration::from_millis(10 + random.below(300)));
        }
        if child.try_wait().unwrap().is_some() {
            continue;
        }
        let (code, _, err) = stop(child, SIGNALS[at % 3]);
        let count = std::fs::read_dir(folder.path("out")).map_or(0, Iterator::count);
        match (code, count) {
            (Some(0), 4) => {}
            (Some(130), 0) => {
                assert!(err.ends_with("stopped; nothing was written\n") && !folder.path("out").exists(), "{err}")
            }
            (Some(130), 4) => assert!(err.ends_with("stopped; the files are all in place\n"), "{err}"),
            other => panic!("{other:?}: {err}"),
        }
        assert!(!folder.path("out/.lookalike-run").exists());
    }
}

/// Bernoulli profiles up and down along a chain: tens of designs of this take far longer than the test waits.
fn long_chain(count: usize) -> String {
    let profile = |at: usize| format!("p{at} = {}\n", (at % 97) as f64 / 97.0);
    let profiles: String = (0..count).map(profile).collect();
    format!("epsilon = 0.1\ncategories = [\"no\", \"yes\"]\n[graph]\nshape = \"chain\"\n[profiles]\n{profiles}")
}
