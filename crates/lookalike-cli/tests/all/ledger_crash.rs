//! A ledger that is charged by processes that are killed, run together, or out of room.

use crate::common;

use common::{Folder, Random, WARNER, kills};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROWS: usize = 150_000;

fn folder(rows: usize) -> Folder {
    let folder = Folder::new();
    folder.design_toml(WARNER);
    let records: String = (0..rows).map(|at| format!("u{at},{}\n", if at % 3 == 0 { "yes" } else { "no" })).collect();
    folder.write("records.csv", "user,load\n".to_owned() + &records);
    folder
}

const CHARGE: &str = "privatize m.json records.csv --value load --ledger a.ledger --subject user";

fn charge(folder: &Folder, more: &str) -> Command {
    folder.command(format!("{CHARGE} {more}").split_whitespace())
}

fn init(folder: &Folder) {
    for name in folder.names().iter().filter(|name| name.starts_with("a.ledger")) {
        std::fs::remove_file(folder.path(name)).unwrap();
    }
    folder.words("ledger init a.ledger --budget ln(3)").exits(0);
}

/// The complete lines of an output that may have been cut.
fn lines(text: &str) -> Vec<&str> {
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    text[..whole].lines().collect()
}

/// Moves the ledger and its key alone to another folder, as somebody would who does not know of the journal beside them, and
/// back again. Gives whether they were refused there without the journal: then they were being written when the run was
/// killed, and it is moved too.
fn moved(folder: &Folder) -> bool {
    let go = |from: &str, to: &str| std::fs::rename(folder.path(from), folder.path(to)).unwrap();
    std::fs::create_dir(folder.path("elsewhere")).unwrap();
    go("a.ledger", "elsewhere/a.ledger");
    go("a.ledger.key", "elsewhere/a.ledger.key");
    let alone = folder.words("ledger verify elsewhere/a.ledger");
    let needs_journal = alone.code != Some(0);
    if needs_journal {
        // Every verb says so, and none that something is damaged.
        let verbs = ["verify", "status", "export", "backup", "migrate", "correct-clock"];
        let more = |verb: &str| match verb {
            "backup" => " elsewhere/copy",
            "correct-clock" => " --note none",
            _ => "",
        };
        let runs = verbs.map(|verb| folder.words(&format!("ledger {verb} elsewhere/a.ledger{}", more(verb))));
        let charge = folder.words(&format!("{} -o none.csv", CHARGE.replace("a.ledger", "elsewhere/a.ledger")));
        for (run, verb) in runs.into_iter().chain([alone, charge]).zip(verbs.into_iter().chain(["verify", "privatize"]))
        {
            assert_ne!(run.code, Some(0), "{verb} goes on without the journal");
            run.fails_with(&["the journal that completes it is missing", "-wal added"]);
        }
        for name in ["elsewhere/copy", "none.csv"] {
            let _ = std::fs::remove_file(folder.path(name));
        }
        go("a.ledger-wal", "elsewhere/a.ledger-wal");
        folder.words("ledger verify elsewhere/a.ledger").exits(0);
    }
    for name in folder.names().iter().filter(|name| name.starts_with("a.ledger")) {
        std::fs::remove_file(folder.path(name)).unwrap();
    }
    for entry in std::fs::read_dir(folder.path("elsewhere")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        go(&format!("elsewhere/{name}"), &name);
    }
    std::fs::remove_dir(folder.path("elsewhere")).unwrap();
    needs_journal
}

/// Whatever the moment, and although the ledger is moved without its journal each time: what was shown is in the ledger, for
/// it is shown again; no budget is exceeded; and the run goes on where it was, charging nobody twice.
#[test]
fn a_killed_run_has_shown_nothing_that_is_not_in_the_ledger() {
    let folder = folder(ROWS);
    init(&folder);
    let started = Instant::now();
    charge(&folder, "-o whole.csv -q").status().unwrap();
    let usual = started.elapsed().as_micros() as u64;
    init(&folder);
    let (mut random, mut shown, mut killed, mut with_journal) = (Random(0x1ed9e5), String::new(), 0, 0);
    for _ in 0..kills() {
        let mut child = charge(&folder, "-o - -q")
            .stdout(Stdio::from(std::fs::File::create(folder.path("shown.csv")).unwrap()))
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_micros(random.below(usual)));
        let is_done = child.try_wait().unwrap().is_some();
        child.kill().unwrap();
        child.wait().unwrap();
        killed += usize::from(!is_done);
        with_journal += usize::from(moved(&folder));
        let now = folder.read("shown.csv");
        let (before, after) = (lines(&shown), lines(&now));
        let common = before.len().min(after.len());
        assert!(before[..common] == after[..common], "a row was shown with two answers");
        if after.len() > before.len() {
            shown = now.clone();
        }
        if is_done || random.below(4) == 0 {
            finish(&folder, &shown);
            init(&folder);
            shown.clear();
        }
    }
    finish(&folder, &shown);
    assert!(killed > kills() / 10, "{killed} of {} were killed on their way", kills());
    assert!(with_journal < kills() / 2, "{with_journal} of {} needed the journal", kills());
}

/// Runs to the end, and checks that all is as if nothing had happened.
fn finish(folder: &Folder, shown: &str) {
    let run = folder.words(&format!("{CHARGE} -o done.csv --force --json")).exits(0).json();
    let known = run["ledger"]["earlier_answers"].as_u64().unwrap();
    assert_eq!(run["ledger"]["charged"].as_u64().unwrap() + known, ROWS as u64);
    assert!(known + 1 >= lines(shown).len() as u64, "a row was shown and is not in the ledger");
    let done = folder.read("done.csv");
    assert!(lines(&done)[..lines(shown).len()] == lines(shown)[..], "what was shown is shown again");
    assert_eq!(lines(&done).len(), ROWS + 1);
    let status = folder.words("ledger status a.ledger --json").exits(0).json();
    assert_eq!((&status["subjects"], &status["spent"][0]["epsilon_text"]), (&(ROWS as u64).into(), &"ln(3)".into()));
    assert_eq!(folder.words("ledger verify a.ledger --json").exits(0).json()["charges"], ROWS as u64);
}

/// A copy or a new file is there when it is whole, or not at all; what was begun is hidden, and goes with the next.
#[test]
fn a_killed_backup_or_migration_leaves_nothing_that_looks_like_a_ledger() {
    let folder = folder(ROWS);
    init(&folder);
    folder.words(&format!("{CHARGE} -o done.csv -q")).exits(0);
    let (mut random, mut killed) = (Random(13), 0);
    for verb in ["backup a.ledger a.copy", "migrate a.ledger"] {
        let arguments = format!("ledger {verb}");
        let (made, started) =
            (if verb.starts_with("backup") { "a.copy" } else { "a.ledger.version-2" }, Instant::now());
        folder.words(&arguments).exits(0);
        let usual = started.elapsed().as_micros() as u64;
        for _ in 0..kills() / 2 {
            std::fs::remove_file(folder.path(made)).unwrap();
            let mut child = folder.command(arguments.split_whitespace()).stdout(Stdio::null()).spawn().unwrap();
            std::thread::sleep(Duration::from_micros(random.below(usual)));
            killed += usize::from(child.try_wait().unwrap().is_none());
            child.kill().unwrap();
            child.wait().unwrap();
            let names = folder.names();
            let seen: Vec<&String> =
                names.iter().filter(|name| name.starts_with("a.") && !name.contains("ledger-")).collect();
            assert!(
                seen.iter().all(|name| ["a.copy", "a.ledger", "a.ledger.key", made].contains(&name.as_str())),
                "{names:?}"
            );
            folder.words("ledger status a.ledger -q").exits(0);
            if names.iter().any(|name| name == made) {
                folder.words(&format!("ledger verify {made}")).exits(0);
            } else {
                folder.words(&arguments).exits(0);
                assert!(!folder.names().iter().any(|name| name.starts_with(".lookalike")), "{:?}", folder.names());
            }
            assert_eq!(folder.words("ledger verify a.ledger --json").exits(0).json()["charges"], ROWS as u64);
        }
    }
    assert!(killed > kills() / 10, "{killed} were killed on their way");
}

/// A ledger is there when it is whole and has its key, or not at all; what was begun is hidden, and goes with the next.
#[test]
fn a_killed_init_leaves_a_whole_ledger_or_none() {
    let folder = Folder::new();
    const INIT: &str = "ledger init a.ledger --budget ln(3)";
    let remove = || {
        for name in folder.names() {
            std::fs::remove_file(folder.path(&name)).unwrap();
        }
    };
    let started = Instant::now();
    folder.words(INIT).exits(0);
    let usual = started.elapsed().as_micros() as u64;
    let (mut random, mut without) = (Random(24), 0);
    for _ in 0..kills() {
        remove();
        let mut child = folder.command(INIT.split_whitespace()).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_micros(random.below(usual)));
        child.kill().unwrap();
        child.wait().unwrap();
        let names = folder.names();
        let has = |name: &str| names.iter().any(|other| other == name);
        if !has("a.ledger") {
            without += 1;
            if has("a.ledger.key") {
                // Nobody can tell it from the key of a ledger that is elsewhere.
                folder.words(INIT).fails_with(&["a.ledger.key", "this key file exists"]);
                std::fs::remove_file(folder.path("a.ledger.key")).unwrap();
            }
            folder.words(INIT).exits(0);
            assert_eq!(folder.names(), ["a.ledger", "a.ledger.key"], "after {names:?}");
        }
        assert!(names.iter().all(|name| !name.starts_with("a.ledger-")), "{names:?}");
        folder.words("ledger status a.ledger -q").exits(0);
        assert_eq!(folder.words("ledger verify a.ledger --json").exits(0).json()["entries"], 1, "after {names:?}");
        // A hidden folder that is left although the ledger is there goes with the next that is written here.
        folder.words("ledger backup a.ledger copy -q").exits(0);
    }
    assert!(without > 0, "none was killed on its way");
}

/// The same subjects, each in the file of every process: who comes first is charged, the others get constant rows.
#[test]
fn processes_that_charge_together_never_exceed_a_budget() {
    let folder = folder(20_000);
    init(&folder);
    for part in 0..8 {
        // Another file has other records.
        folder.write(&format!("part{part}.csv"), folder.read("records.csv") + &format!("extra{part},no\n"));
    }
    let line =
        |part: usize| CHARGE.replace("records.csv", &format!("part{part}.csv")) + &format!(" -o out{part}.csv -q");
    let children: Vec<_> = (0..8).map(|part| folder.command(line(part).split_whitespace()).spawn().unwrap()).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let status = folder.words("ledger status a.ledger --json").exits(0).json();
    assert_eq!(status["subjects"], 20_008);
    assert_eq!((status["spent"].as_array().unwrap().len(), &status["spent"][0]["epsilon_text"]), (1, &"ln(3)".into()));
    folder.words("ledger verify a.ledger").exits(0);
}

/// On a disk of its own where the machine lets us make one, else under a limit on the size of files.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_gives_a_clear_error_and_releases_nothing_uncharged() {
    let folder = folder(ROWS);
    std::fs::create_dir(folder.path("small")).unwrap();
    let lookalike = common::BINARY;
    let charge = CHARGE.replace("a.ledger", "small/a.ledger");
    let rest = "ledger verify small/a.ledger";
    let script = |limit: &str| {
        format!(
            "{limit} && '{lookalike}' ledger init small/a.ledger --budget 'ln(3)' >/dev/null && \
             {{ '{lookalike}' {charge} -o - -q > shown.csv; echo \"exit $?\"; }} && '{lookalike}' {rest} --json"
        )
    };
    let disk = script("mount -t tmpfs -o size=3m none small");
    let shell = |program: &str, arguments: &[&str], script: &str| {
        let mut command = Command::new(program);
        command.args(arguments).arg(script).current_dir(folder.path("")).output()
    };
    let own_disk = shell("unshare", &["--user", "--map-root-user", "--mount", "sh", "-c"], &disk);
    let output = match own_disk {
        Ok(output) if String::from_utf8_lossy(&output.stdout).contains("exit") => output,
        _ => {
            let limit = script("trap '' XFSZ && ulimit -f 6000");
            shell("sh", &["-c"], &limit).unwrap()
        }
    };
    let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(out.contains("exit 2"), "{out}{error}");
    let is_clear = error.contains("the disk is full") || error.contains("the ledger could not be read or written");
    assert!(is_clear && error.contains("what is not in the ledger is not released"), "{error}");
    // What was shown has its charge: rows of whole batches, each charged before it was shown.
    let verified: serde_json::Value = serde_json::from_str(out.split_once("exit 2").unwrap().1).unwrap();
    let shown = lines(&folder.read("shown.csv")).len().saturating_sub(1) as u64;
    let charges = verified["charges"].as_u64().unwrap();
    assert!(verified["whole"] == true && shown <= charges && charges < ROWS as u64, "{shown} shown, {charges} charged");
}
