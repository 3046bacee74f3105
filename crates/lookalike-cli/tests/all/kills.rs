//! Releases and runs that are killed at any moment: what is there is whole, and the next run finds no trace, also where the folder
//! was moved in between.

#![cfg(unix)]

use crate::common::{Folder, PLAN, Random, WARNER, example, kills};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const ROWS: usize = 150_000;

/// Files by name, hidden ones too.
type Files = BTreeMap<String, Vec<u8>>;

fn files(folder: &Path) -> Files {
    let entries = std::fs::read_dir(folder).into_iter().flatten().map(Result::unwrap);
    entries.map(|entry| (entry.file_name().into_string().unwrap(), read(&entry.path()))).collect()
}

/// The bytes of a file; of a folder none.
fn read(path: &Path) -> Vec<u8> {
    if path.is_dir() { Vec::new() } else { std::fs::read(path).unwrap() }
}

fn started(mut command: Command) -> Child {
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Kills the process; whether it was still on its way.
fn kill(mut child: Child) -> bool {
    let is_done = child.try_wait().unwrap().is_some();
    child.kill().unwrap();
    child.wait().unwrap();
    !is_done
}

/// Moves a folder every other time; gives the name that it has then.
fn moved(folder: &Folder, random: &mut Random) -> &'static str {
    if random.below(2) == 0 || !folder.path("out").exists() {
        return "out";
    }
    std::fs::rename(folder.path("out"), folder.path("elsewhere")).unwrap();
    "elsewhere"
}

/// Two releases in turn to one file, killed at a random moment: the file is absent, the one or the other, and whole.
fn a_killed_release_leaves_the_old_file_or_the_new_one(line: &str, records: &str) {
    let folder = Folder::new();
    folder.design_toml(WARNER);
    folder.write("records.csv", records);
    let command = |seed: usize, output: &str| {
        folder.command(format!("{line} --seed {seed} -o {output} -q --force").split_whitespace())
    };
    let mut usual = u64::MAX;
    let whole = [0, 1].map(|seed| {
        let time = Instant::now();
        assert!(command(seed, "whole.csv").stderr(Stdio::null()).status().unwrap().success());
        usual = usual.min(time.elapsed().as_micros() as u64);
        std::fs::read(folder.path("whole.csv")).unwrap()
    });
    std::fs::create_dir(folder.path("out")).unwrap();
    assert!(whole[0] != whole[1] && whole[0].iter().filter(|byte| **byte == b'\n').count() == ROWS + 1);
    let inputs = ["m.json", "records.csv", "spec.toml"].map(|name| (name, std::fs::read(folder.path(name)).unwrap()));
    let (mut random, mut killed) = (Random(0x1ed9e5), 0);
    for at in 0..kills() {
        let before = std::fs::read(folder.path("out/out.csv")).ok();
        let child = started(command(at % 2, "out/out.csv"));
        std::thread::sleep(Duration::from_micros(random.below(usual)));
        killed += usize::from(kill(child));
        let after = std::fs::read(folder.path("out/out.csv")).ok();
        assert!(after == before || after.as_ref() == Some(&whole[at % 2]), "a file is neither the old nor the new one");
        // The same command again, to its end.
        if random.below(3) == 0 {
            let out = moved(&folder, &mut random);
            assert!(command(at % 2, &format!("{out}/out.csv")).stderr(Stdio::null()).status().unwrap().success());
            let there = files(&folder.path(out));
            assert!(there.len() == 1 && there["out.csv"] == whole[at % 2], "{:?}", there.keys());
            std::fs::rename(folder.path(out), folder.path("out")).unwrap();
            assert_eq!(folder.names(), ["m.json", "out", "records.csv", "spec.toml", "whole.csv"]);
        }
        if random.below(3) == 0 {
            let _ = std::fs::remove_file(folder.path("out/out.csv"));
        }
        for (name, bytes) in &inputs {
            assert!(std::fs::read(folder.path(name)).unwrap() == *bytes, "{name} has changed");
        }
    }
    // Half of them, were the usual time that of each: then 2 of 20 or fewer come in one of 5,000 runs.
    assert!(killed > kills() / 10, "{killed} of {} were killed on their way", kills());
}

#[test]
fn a_release_to_a_file() {
    let row = |at: usize| format!("u{at},{}\n", if at.is_multiple_of(3) { "yes" } else { "no" });
    let records = "user,load\n".to_owned() + &(0..ROWS).map(row).collect::<String>();
    a_killed_release_leaves_the_old_file_or_the_new_one("privatize m.json records.csv --value load", &records);
}

/// With a kept text that is long enough, rows wait on disk.
#[test]
fn a_release_in_another_order() {
    let note = "x".repeat(240);
    let row = |at: usize| format!("{note}{at},{}\n", if at.is_multiple_of(3) { "yes" } else { "no" });
    let records = "note,load\n".to_owned() + &(0..ROWS).map(row).collect::<String>();
    let line = "privatize m.json records.csv --value load --keep note --shuffle";
    a_killed_release_leaves_the_old_file_or_the_new_one(line, &records);
}

/// Two plans whose files all differ, and the files of each.
fn plans() -> (Folder, [Files; 2]) {
    let folder = Folder::new();
    let text = |name: &str| std::fs::read_to_string(example("workstations").join(name)).unwrap();
    folder.write("records.csv", text("records.csv"));
    let (spec, plan) = (text("spec.toml"), PLAN);
    for (at, epsilon) in [(0, "0.5"), (1, "0.6")] {
        let own = spec.replace("epsilon = 0.5", &format!("epsilon = {epsilon}"));
        folder.write(&format!("spec{at}.toml"), own);
        let own = plan.replace("spec.toml", &format!("spec{at}.toml")).replace("seed = 1", &format!("seed = {at}"));
        folder.write(&format!("plan{at}.toml"), own);
    }
    let whole = [0, 1].map(|at| {
        folder.words(&format!("run plan{at}.toml --output whole{at} -q")).exits(0);
        files(&folder.path(&format!("whole{at}")))
    });
    assert!(whole[0].iter().zip(&whole[1]).all(|(a, b)| a.0 == b.0 && a.1 != b.1) && whole[0].len() == 4);
    (folder, whole)
}

/// Waits for a random moment of a run; every other time for the moments in which its files are moved.
fn wait(random: &mut Random, usual: u64, child: &mut Child, journal: &Path) {
    if random.below(2) == 0 {
        return std::thread::sleep(Duration::from_micros(random.below(usual)));
    }
    while !journal.exists() && child.try_wait().unwrap().is_none() {}
    let more = Instant::now();
    let pause = Duration::from_micros(random.below(400));
    while more.elapsed() < pause {}
}

fn a_killed_run_leaves_all_files_or_none(force: bool) {
    let (folder, whole) = plans();
    let out = folder.path("out");
    let journal = out.join(".lookalike-run/journal");
    let more = if force { "--force" } else { "" };
    let time = Instant::now();
    folder.words("run plan0.toml --output out -q").exits(0);
    let usual = time.elapsed().as_micros() as u64;
    let inputs = files(&folder.path(""));
    let (mut random, mut killed, mut completed) = (Random(0x1ed9e5), 0, 0);
    for at in 0..kills() {
        let (own, other) = (at % 2, 1 - at % 2);
        let before = if force {
            files(&out)
        } else {
            let _ = std::fs::remove_dir_all(&out);
            Files::new()
        };
        let line = format!("run plan{own}.toml --output out {more} -q");
        let mut child = started(folder.command(line.split_whitespace()));
        wait(&mut random, usual, &mut child, &journal);
        killed += usize::from(kill(child));
        completed += usize::from(journal.exists());
        // The next run completes it or undoes it, whatever else becomes of it.
        let name = moved(&folder, &mut random);
        let next = folder.words(&format!("run plan{other}.toml --output {name} -q"));
        if name != "out" {
            std::fs::rename(folder.path(name), &out).unwrap();
        }
        let found = files(&out);
        match next.code {
            Some(2) => {
                assert!(next.stderr.contains(&format!("{name}: has files already")), "{}", next.stderr);
                assert!(found == before || found == whole[own], "{:?} is mixed", found.keys());
            }
            _ => assert!(next.code == Some(0) && before.is_empty() && found == whole[other], "{}", next.stderr),
        }
        assert!(!found.keys().any(|name| name.starts_with('.')), "{:?}", found.keys());
        assert!(files(&folder.path("")) == inputs, "an input has changed, or something is left");
    }
    assert!(killed > kills() / 10, "{killed} of {} were killed on their way", kills());
    assert!(completed > 0, "none of {} was killed while its files were moved", kills());
}

#[test]
fn a_run_to_a_new_folder() {
    a_killed_run_leaves_all_files_or_none(false);
}

#[test]
fn a_run_over_the_files_of_another() {
    a_killed_run_leaves_all_files_or_none(true);
}
