//! No verb shows what is in a private file, however wrongly it is asked: a marker stands in every file that a verb reads, and
//! is looked for in all that the verb says and leaves.

use crate::common::{BINARY, Folder, MARKER, Run, TWO};
use crate::private_files::{DIGITS, arrays, folder, naming, texts};
use std::collections::BTreeSet;
use std::process::Command;

/// Each verb with the ways in which it reads a file: `{}` is the file. A verb of the command that is not here fails the test.
const LINES: &[(&str, &[&str])] = &[
    ("run", &["{}", "records-{}.toml", "spec-{}.toml", "profiles-{}.toml"]),
    (
        "fit",
        &[
            "{} --profile user --value load --categories idle,busy",
            "{} --profile user --value load --bins 0,1 --columns user,load",
            "{} --profile user --value load --public-categories --group-by day --minimum 5",
            "{} --profile user --value load --public-categories --delimiter ; --profile-by day -o out.toml --limits out.csv",
        ],
    ),
    ("check", &["{}", "profiles-{}.toml", "edges-{}.toml"]),
    ("design", &["{}", "profiles-{}.toml -o out.json", "edges-{}.toml", "{} --sweep 0.1..1"]),
    ("certify", &["{}", "m.json --spec {}", "m.json --profiles-within {}"]),
    (
        "privatize",
        &[
            "{} data.csv --profile user --value load -o out.csv",
            "m.json {} --profile user --value load -o out.csv",
            "m.json {} --profile user --value load --keep day -o out.parquet --shuffle",
            "m.json {} --profile user --value load --columns user,load -o out.csv",
            "m.json {} --profile user --value load --delimiter ; -o -",
            "m.json {} --profile user --value load --format parquet -o out.csv",
            "m.json {} --profile user --value load --format arrow-stream -o out.csv",
            "m.json {} --profile user --value load --record-limit 20 --unknown busy -o out.csv",
            "m.json {} --profile user --value load --keep user --ledger l.ledger --subject user -o out.csv",
            "m.json {} --profile user --value load --ledger l.ledger --subject day -o out.csv",
            "m.json data.csv --profile user --value load --ledger {} --subject user -o out.csv",
            "m.json data.csv --profile user --value load --ledger l.ledger --key {} --subject user -o out.csv",
            "noise.json {} --value count -o out.csv",
            "noise.json {} --value count --columns name,count -o out.csv",
            "oracle.json {} --value load -o out.csv",
        ],
    ),
    (
        "estimate",
        &[
            "{} data.csv",
            "m.json {} --value load",
            "m.json {} --value load --columns user,load",
            "oracle.json {} --value load",
            "m.json {} --value load --count day",
            "m.json data.csv --value load --note {}",
        ],
    ),
    (
        "audit",
        &[
            "{} --draws 1000",
            "m.json --records {} --secret user --value load",
            "--secrets ana,bo --epsilon 1 --records {} --secret user --value load --columns user,load",
            "--secrets ana,bo --epsilon 1 --draws 1000 --timeout 20 -- cat {}",
        ],
    ),
    (
        "report",
        &[
            "{} -o out.html",
            "m.json --no-sweep --estimate {} -o out.html",
            "m.json --no-sweep --audit {} -o out.html",
            "m.json --no-sweep --ledger {} -o out.html",
        ],
    ),
    ("export", &["{} --profile ana -o out.table", "m.json --profile {} -o out.table"]),
    ("upgrade", &["{} -o out.json", "old.json --chain {} --length 5 --epsilon 1 -o out.json"]),
    ("counts design", &["--n 2 --alpha 0.9 --prior {} -o out.json"]),
    ("counts compare", &["--n 2 --alpha 0.9 --prior {}"]),
    ("counts properties", &["{}"]),
    (
        "counts release",
        &[
            "{} data.csv --group user --where load=busy -o out.csv",
            "counts.json {} --group day --where load=busy -o out.csv",
            "counts.json {} --group user --where load=busy --delimiter ; -o out.csv",
            "counts.json {} --group day --where load=busy --columns day,load -o out.csv",
        ],
    ),
    ("local design", &["--categories-file {} --epsilon 1 -o out.json"]),
    ("local compare", &["--categories-file {} --epsilon 1"]),
    ("tupling", &["{} --epsilon 1", "warner.json --epsilon 1 --dummy-law {}"]),
    ("noise design", &["--epsilon {} --sensitivity 1"]),
    (
        "noise add",
        &[
            "1 --mechanism {}",
            "{} --epsilon 1 --sensitivity 1",
            "1 {} --mechanism noise.json --on-grid",
            "1 -3{} --epsilon 1 --sensitivity 1",
        ],
    ),
    (
        "noise max",
        &[
            "{} --epsilon 1",
            "{} --epsilon 1 --name user --count load",
            "{} --epsilon 1 --columns name,count",
            "{} --epsilon 1 --delimiter ;",
            "--counts {},31415926 --epsilon 1",
            "--counts a=31415926,a=3 --epsilon 1 {}",
            "--epsilon 1 a=31415926,{}",
        ],
    ),
    (
        "noise choose",
        &["{} --epsilon 1 --sensitivity 1 -o out.json", "scores.csv --edges {} --epsilon 1 --sensitivity 1"],
    ),
    ("geo design", &["--origin 45.07,7.69 --cells 2x2 --step 500m --level ln(2) --within 1km --prior {}"]),
    (
        "geo privatize",
        &[
            "{} places.csv -o out.csv",
            "places.json {} -o out.csv",
            "places.json {} -o out.geojson",
            "places.json {} --geojson document -o out.geojson --keep day",
            "places.json {} --columns lat,lon -o out.csv",
            "places.json {} --latitude name --longitude count -o out.csv",
            "places.json {} --delimiter ; --keep day -o out.parquet",
        ],
    ),
    ("geo remap", &["{} -o out.json", "cells.json --prior {} -o out.json"]),
    ("geo errors", &["{}", "cells.json --data {}", "cells.json --prior {}"]),
    ("geo map", &["{} -o out.svg", "--track {} places.csv -o out.svg", "--track places.csv {} -o out.svg"]),
    (
        "pufferfish fit",
        &[
            "{} --state load --states idle,busy",
            "{} --state load --columns user,load",
            "{} --state count --bins 0,1 --sequence name",
        ],
    ),
    ("pufferfish design", &["{} --length 5 --epsilon 1 --query count:busy"]),
    (
        "pufferfish release",
        &[
            "{} data.csv --state load --query histogram --epsilon 1",
            "chain.toml {} --state load --query histogram --epsilon 1",
            "chain.toml {} --state load --sequence user --query count:busy --epsilon 1 -o out.csv",
            "chain.toml {} --state load --columns user,load --query histogram --epsilon 1",
        ],
    ),
    ("pufferfish report", &["{} --length 5 --epsilon 1 -o out.html"]),
    ("pufferfish spec", &["{} -o out.toml"]),
    ("pufferfish wasserstein", &["{}"]),
    ("account", &["{} --releases 2"]),
    ("ledger init", &["new.ledger --budget 2 --key {}"]),
    (
        "ledger record",
        &[
            "{} m.json data.csv --subject user --made",
            "l.ledger {} data.csv --subject user --made",
            "l.ledger m.json {} --subject user --made",
            "l.ledger m.json {} --subject user --columns user,load --made",
            "l.ledger m.json data.csv --key {} --subject user --made",
        ],
    ),
    ("ledger status", &["{}", "l.ledger --key {} --subject ana"]),
    ("ledger verify", &["{}"]),
    ("ledger export", &["{}"]),
    ("ledger backup", &["{} out.ledger", "l.ledger out.ledger --key {}"]),
    ("ledger correct-clock", &["{} --note x", "l.ledger --key {} --note x"]),
    ("ledger migrate", &["{}"]),
    ("ledger withdraw", &["{} --entries 1 --note x", "l.ledger --key {} --entries 1 --note x"]),
    ("completions", &["{}"]),
];

/// Verbs that release names of the file they read, or answer with them, when all went well.
const RELEASING: &[&str] = &[
    "fit",
    "estimate",
    "audit",
    "noise max",
    "noise choose",
    "local design",
    "local compare",
    "pufferfish fit",
    "pufferfish release",
    "counts release",
    "privatize",
    "geo privatize",
    "report",
];

/// Verbs whose arguments are private themselves, or are no files: some lines are wrong command lines.
const MISUSED: &[&str] = &["noise add", "noise max", "noise design", "completions"];

/// The verbs of the command, with those below them.
pub fn verbs() -> BTreeSet<String> {
    let below = |words: &[&str]| -> Vec<String> {
        let help = Command::new(BINARY).args(words).arg("--help").output().unwrap();
        let help = String::from_utf8(help.stdout).unwrap();
        let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
        let names = commands
            .take_while(|line| !line.is_empty())
            .filter(|line| line.starts_with("  ") && !line.starts_with("   "));
        names
            .filter_map(|line| line.split_whitespace().next())
            .filter(|name| *name != "help")
            .map(str::to_owned)
            .collect()
    };
    let mut all = BTreeSet::new();
    for verb in below(&[]) {
        match &below(&[&verb])[..] {
            [] => drop(all.insert(verb)),
            subverbs => all.extend(subverbs.iter().map(|subverb| format!("{verb} {subverb}"))),
        }
    }
    all
}

fn shows(text: &str) -> bool {
    text.contains(MARKER) || text.contains(DIGITS)
}

/// Fails where a run shows the marker, panics, or leaves a file though it failed.
fn check(verb: &str, line: &str, folder: &Folder, before: &[String], run: &Run) {
    assert!(!run.stderr.contains("panicked"), "{verb} {line}: {}", run.stderr);
    let failed = run.code != Some(0);
    let answers = !failed && RELEASING.contains(&verb);
    assert!(answers || !shows(&run.stdout), "{verb} {line} shows the marker:\n{}", run.stdout);
    assert!(!shows(&run.stderr), "{verb} {line} shows the marker:\n{}", run.stderr);
    for name in folder.names().into_iter().filter(|name| !before.contains(name)) {
        let path = folder.path(&name);
        // What SQLite keeps beside a database may stay, without anything in it.
        let is_beside = name.ends_with("-shm") || name.ends_with("-wal");
        assert!(!failed || is_beside, "{verb} {line} failed and left {name}:\n{}", run.stderr);
        let bytes = std::fs::read(&path).unwrap_or_default();
        assert!(!failed || !shows(&String::from_utf8_lossy(&bytes)), "{verb} {line} left the marker in {name}");
        if path.is_dir() { std::fs::remove_dir_all(path).unwrap() } else { std::fs::remove_file(path).unwrap() }
    }
}

#[test]
fn no_verb_shows_what_is_in_a_file() {
    let known: BTreeSet<String> = LINES.iter().map(|(verb, _)| (*verb).to_owned()).collect();
    assert_eq!(verbs(), known, "every verb of the command has its lines here");
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for worker in 0..workers {
            scope.spawn(move || check_files(worker, workers));
        }
    });
}

/// Every line with every so-manieth file, in a folder of its own.
fn check_files(first: usize, step: usize) {
    let folder = folder();
    let mut files: Vec<String> = arrays(&folder);
    for (name, bytes) in texts() {
        folder.write(name, bytes);
        files.push(name.to_owned());
    }
    for (place, file) in files.iter().enumerate().skip(first).step_by(step) {
        naming(&folder, file);
        let before = folder.names();
        let lines = LINES.iter().flat_map(|(verb, lines)| lines.iter().map(move |line| (verb, line)));
        for (number, (verb, line)) in lines.enumerate() {
            let line = line.replace("{}", file);
            // Half of the runs answer in JSON, and every line does for half of the files.
            let json = (number + place) % 2 == 0;
            let words = verb.split(' ').chain(line.split(' '));
            let run = folder.run(words.chain(json.then_some("--json")));
            // A line that the command does not take would test nothing.
            assert!(MISUSED.contains(verb) || !run.stderr.contains("Usage:"), "{verb} {line}: {}", run.stderr);
            check(verb, &line, &folder, &before, &run);
        }
    }
}

/// The same from standard input, where a table may come from.
#[test]
fn no_verb_shows_what_is_on_standard_input() {
    let folder = folder();
    let before = folder.names();
    for (verb, lines) in LINES {
        for line in lines.iter().filter(|line| line.starts_with("{} ") || line.contains(" {} ")) {
            let line = line.replace("{}", "-");
            for (_, bytes) in texts().into_iter().filter(|(name, _)| {
                ["bare.csv", "one-name.csv", "value.csv", "keys.toml", "packed.csv.gz"].contains(name)
            }) {
                let words = verb.split(' ').chain(line.split(' '));
                let run = folder.run_on(words, bytes);
                check(verb, &line, &folder, &before, &run);
            }
        }
    }
}

/// Private arguments, and a group with too many rows.
#[test]
fn arguments_that_are_private_are_not_repeated() {
    let folder = folder();
    folder.words("geo design --origin 45.07,7.69 --cells 2x2 --step 500m --epsilon ln(2)/500m -o grid.json").exits(0);
    folder.words("geo design --origin 45.07,7.69 --extent 10km --epsilon ln(4)/200 -o noise-on-places.json").exits(0);
    folder.write("wards.csv", format!("ward,ill\n{}", format!("{MARKER},yes\n").repeat(3)));
    for (line, said) in [
        ("geo map grid.json --at SECRETMARKER,7 -o x.svg", "--at: no place, expected LATITUDE,LONGITUDE"),
        ("geo map noise-on-places.json --at 31415926,7 -o x.svg", "--at: no place, expected LATITUDE,LONGITUDE"),
        ("geo map grid.json --at 1,31415926 -o x.svg", "--at: no place, expected LATITUDE,LONGITUDE"),
        ("geo map grid.json --cell 31415926,3 -o x.svg", "--cell: not a cell of the grid, expected one of 2x2"),
        ("geo map grid.json --cell 314159265358979,3 -o x.svg", "--cell: no cell, expected column and row"),
        ("noise max --epsilon 1 a=31415926", "COUNTS: no file of this name, which looks like counts"),
        ("noise max --epsilon 1 31415926", "COUNTS: no file of this name, which looks like counts"),
        (
            "counts release counts.json wards.csv --group ward --where ill=yes -o o.csv",
            "wards.csv: row 3: one row more of its group than n = 2",
        ),
    ] {
        let run = folder.words(line).fails_with(&[said]);
        assert!(!shows(&run.stderr), "{line}: {}", run.stderr);
    }
}

/// The three cases that were found, with what is said instead.
#[test]
fn what_is_said_instead_helps() {
    let folder = Folder::new();
    folder.design_toml(TWO);
    let silent = |line: &str| {
        let run = folder.words(line);
        assert!(!shows(&run.stderr), "{line}: {}", run.stderr);
        run
    };
    folder.write("bare.csv", "red,31415926\nblue,7\n");
    let said =
        "column \"name\": not found among the 2 columns of the first record (--columns names the columns of a file";
    silent("noise max bare.csv --epsilon 1").fails_with(&[said]);
    silent("noise max bare.csv --columns name,count --epsilon 1 --seed 1").exits(0).prints(&["Chosen: red\n"]);
    folder.write("half.csv", "ana,load,SECRETMARKER\n");
    let run = silent("privatize m.json half.csv --profile user --value load -o out.csv");
    run.fails_with(&["column \"user\": not found among the 3 columns of the first record"]);
    folder.write(
        "spec.toml",
        "epsilon = 1\ncategories = ['no', 'yes']\nprofiles_file = 'diary.txt'\ngraph.shape = 'chain'\n",
    );
    folder.write("diary.txt", "Dear SECRETMARKER, I owe you 31415926\n");
    silent("check spec.toml").fails_with(&["diary.txt: column 1 is not known, expected profile, no, yes"]);
    silent("check diary.txt").fails_with(&["diary.txt: not TOML: ", " at line 1 column "]);
}
