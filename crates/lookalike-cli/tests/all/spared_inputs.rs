//! What a command reads is never replaced, nor is a ledger: every verb that writes, by every form of a path.

use crate::common;

use common::{Folder, VERBS, WARNER, example};
use std::collections::BTreeSet;

/// Every verb that writes, with the names of what it reads in the place of `OUT`, which is each of them in turn.
const LINES: [(&str, &[&str]); 27] = [
    ("fit records.csv --profile user --value load --complete --public-categories -o OUT", &["records.csv"]),
    (
        "fit records.csv --profile user --value load --complete --public-categories -o fitted.toml --limits OUT",
        &["records.csv"],
    ),
    ("design tables.toml -o OUT", &["tables.toml", "profiles.csv", "edges.csv"]),
    ("certify m.json --spec spec.toml --script OUT", &["m.json", "spec.toml"]),
    ("privatize m.json records.csv --value load -o OUT", &["m.json", "records.csv"]),
    ("privatize m.json records.csv --value load --shuffle -o OUT", &["m.json", "records.csv"]),
    (
        "privatize m.json records.csv --value load --ledger a.ledger --subject user --key own.key -o OUT",
        &["m.json", "records.csv", "own.key"],
    ),
    (
        "privatize m.json records.csv --value load --ledger a.ledger --subject user --key own.key -o inner/noted --note OUT",
        &["m.json", "records.csv", "own.key"],
    ),
    ("estimate m.json private.csv --value load -o OUT", &["m.json", "private.csv"]),
    ("report m.json --estimate estimate.json --no-sweep -o OUT", &["m.json", "estimate.json"]),
    ("export m.json -o OUT", &["m.json"]),
    ("upgrade m.json -o OUT", &["m.json"]),
    ("counts design --n 2 --alpha 1/2 --prior weights.txt -o OUT", &["weights.txt"]),
    ("counts release counts.json people.csv --group ward --where ill=yes -o OUT", &["counts.json", "people.csv"]),
    ("local design --categories-file names.txt --epsilon 1 -o OUT", &["names.txt"]),
    (
        "noise choose scores.csv --edges score-edges.csv --epsilon 2 --sensitivity 2 -o OUT",
        &["scores.csv", "score-edges.csv"],
    ),
    (
        "geo design --origin 57.2,19.5 --cells 4x3 --step 800m --epsilon ln(2)/800m --prior trip.csv -o OUT",
        &["trip.csv"],
    ),
    ("geo privatize planar.mechanism trip.csv -o OUT", &["planar.mechanism", "trip.csv"]),
    ("geo privatize planar.mechanism trip.geojson -o OUT", &["planar.mechanism", "trip.geojson"]),
    ("geo remap cells.json --prior trip.csv -o OUT", &["cells.json", "trip.csv"]),
    ("geo map planar.mechanism -o OUT", &["planar.mechanism"]),
    ("geo map --track trip.csv trip.geojson -o OUT", &["trip.csv", "trip.geojson"]),
    ("pufferfish fit day.csv --state activity --states sit,walk -o OUT", &["day.csv"]),
    ("pufferfish design chain.toml --length 50 --epsilon 1 --query count:walk -o OUT", &["chain.toml"]),
    (
        "pufferfish release chain.toml day.csv --state activity --query count:walk --epsilon 1 -o OUT",
        &["chain.toml", "day.csv"],
    ),
    ("pufferfish wasserstein framework.toml -o OUT", &["framework.toml"]),
    ("pufferfish report chain.toml --length 20 --epsilon 1 -o OUT", &["chain.toml"]),
];

/// Verbs whose rule has a test of its own, since their outputs or inputs are of another kind.
const ELSEWHERE: [&str; 4] = ["run", "ledger export", "noise design", "pufferfish spec"];

const READ: &str = "this command reads this file, and what is read is never replaced (choose another name)";
const LEDGER: &str = "ledger, its key or its journal";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.design_toml(WARNER);
    folder.write("records.csv", "user,load\n".to_owned() + &"ana,no\nbo,yes\nana,no\nbo,no\n".repeat(40));
    folder.words("privatize m.json records.csv --value load --seed 1 -o private.csv").exits(0);
    folder.write("estimate.json", folder.words("estimate m.json private.csv --value load --json").exits(0).stdout);
    folder.write("profiles.csv", "profile,idle,busy\nana,0.9,0.1\nbo,0.2,0.8\n");
    folder.write("edges.csv", "a,b\nana,bo\n");
    let tables = "epsilon = 1\ncategories = [\"idle\", \"busy\"]\nprofiles_file = \"profiles.csv\"\n[graph]\nedges_file = \"edges.csv\"\n";
    folder.write("tables.toml", tables);
    folder.words("ledger init a.ledger --budget 10 --key own.key").exits(0);
    folder.write("weights.txt", "1,2,1\n");
    folder.write("names.txt", "red\ngreen\nblue\n");
    folder.words("counts design --n 2 --alpha 1/2 --mechanism gm -o counts.json").exits(0);
    folder.write("people.csv", "ward,ill\nnorth,yes\nnorth,no\nsouth,no\n");
    for (name, path) in [
        ("scores.csv", "closest/scores.csv"),
        ("score-edges.csv", "closest/edges.csv"),
        ("trip.csv", "places/trip.csv"),
        ("trip.geojson", "places/trip.geojson"),
        ("framework.toml", "flu/framework.toml"),
    ] {
        folder.write(name, std::fs::read(example(path)).unwrap());
    }
    folder.words("geo design --origin 57.2,19.5 --extent 10km --epsilon ln(4)/200 -o planar.mechanism").exits(0);
    let cells = "geo design --origin 57.2,19.5 --cells 4x3 --step 800m --epsilon ln(2)/800m -o cells.json";
    folder.words(cells).exits(0);
    folder.write("day.csv", "activity\n".to_owned() + &"sit\nsit\nwalk\nwalk\nsit\n".repeat(20));
    let chain = "states = ['sit', 'walk']\ninitial = 'stationary'\ntransition = [[0.9, 0.1], [0.4, 0.6]]\n";
    folder.write("chain.toml", chain);
    std::fs::create_dir(folder.path("inner")).unwrap();
    folder
}

/// Every file of a folder with its bytes.
fn bytes(folder: &Folder) -> Vec<(String, Vec<u8>)> {
    let files = folder.names().into_iter().filter(|name| folder.path(name).is_file());
    files.map(|name| (name.clone(), std::fs::read(folder.path(&name)).unwrap())).collect()
}

#[test]
fn no_verb_replaces_what_it_reads() {
    let folder = folder();
    for (line, inputs) in LINES {
        // The line is right but for its output.
        folder.words(&format!("{} --force", line.replace("OUT", "inner/out"))).exits(0);
        let _ = std::fs::remove_file(folder.path("fitted.toml"));
        let before = bytes(&folder);
        for input in inputs {
            let line = line.replace("OUT", input) + " --force";
            let run = folder.words(&line).exits(2).says(&[input]);
            assert!([READ, LEDGER].iter().any(|message| run.stderr.contains(message)), "{line}: {}", run.stderr);
            assert!(bytes(&folder) == before, "{line}: a file has changed");
        }
    }
}

/// A verb with an output that the table above does not have would be missed.
#[test]
fn every_verb_with_an_output_is_among_them() {
    let folder = Folder::new();
    let is_output = |line: &str| {
        ["-o, --output", "--limits", "--note <FILE>", "--script <FILE>"]
            .iter()
            .any(|option| line.trim_start().starts_with(option))
    };
    let mut found = BTreeSet::new();
    let mut open: Vec<Vec<String>> = VERBS.iter().map(|verb| vec![(*verb).to_owned()]).collect();
    while let Some(verb) = open.pop() {
        let help = folder.run(verb.iter().map(String::as_str).chain(["--help"])).exits(0).stdout;
        if let Some((_, commands)) = help.split_once("\nCommands:\n") {
            let names = commands.lines().take_while(|line| line.starts_with("  "));
            let names = names.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
            open.extend(names.filter(|name| *name != "help").map(|name| [&verb[..], &[name.to_owned()]].concat()));
        } else if help.lines().any(is_output) {
            found.insert(verb.join(" "));
        }
    }
    let table = LINES.iter().map(|(line, _)| *line).chain(ELSEWHERE);
    let covered = |verb: &String| table.clone().any(|line| line == verb || line.starts_with(&format!("{verb} ")));
    let missed: Vec<&String> = found.iter().filter(|verb| !covered(verb)).collect();
    assert!(missed.is_empty() && found.len() >= 20, "{missed:?} of {found:?}");
}

#[cfg(unix)]
#[test]
fn links_and_other_forms_of_a_path_change_nothing() {
    let folder = folder();
    std::os::unix::fs::symlink("records.csv", folder.path("link.csv")).unwrap();
    std::os::unix::fs::symlink("../link.csv", folder.path("inner/link.csv")).unwrap();
    std::fs::hard_link(folder.path("records.csv"), folder.path("hard.csv")).unwrap();
    let before = bytes(&folder);
    let absolute = folder.path("records.csv").display().to_string();
    let forms = ["./records.csv", "inner/../records.csv", "link.csv", "inner/link.csv", "hard.csv", &absolute];
    for form in forms {
        for line in ["privatize m.json records.csv --value load", LINES[0].0.split(" -o").next().unwrap()] {
            let run = folder.words(&format!("{line} --force -o {form}")).fails_with(&[form]);
            assert!(run.stderr.contains(READ), "{form}: {}", run.stderr);
        }
        // And the other way round: the input by another name.
        let run = folder.words(&format!("privatize m.json {form} --value load --force -o records.csv"));
        run.fails_with(&[READ]);
    }
    assert!(bytes(&folder) == before);
}

/// Redirections: an input as standard input, or as an output that a shell has opened.
#[cfg(target_os = "linux")]
#[test]
fn redirected_streams_are_files_too() {
    let folder = folder();
    let before = bytes(&folder);
    let lookalike = common::BINARY;
    let value = "--value load --force";
    for script in [
        format!("'{lookalike}' privatize m.json - {value} -o records.csv < records.csv"),
        format!("'{lookalike}' privatize m.json records.csv {value} -o - >> records.csv"),
        format!("'{lookalike}' privatize m.json records.csv {value} -o /dev/stdout >> records.csv"),
        format!("'{lookalike}' privatize m.json records.csv {value} -o /dev/fd/3 3>> records.csv"),
        format!("'{lookalike}' privatize m.json records.csv {value} -o /proc/self/fd/3 3>> m.json"),
        format!("'{lookalike}' geo privatize planar.mechanism trip.csv -o - >> trip.csv"),
        format!("'{lookalike}' design spec.toml -o - >> spec.toml"),
        format!("'{lookalike}' fit records.csv --profile user --value load --public-categories >> records.csv"),
        format!("'{lookalike}' certify m.json >> m.json"),
        format!("'{lookalike}' ledger export a.ledger --key own.key >> a.ledger"),
    ] {
        let mut shell = std::process::Command::new("sh");
        let run = shell.args(["-c", &script]).current_dir(folder.path("")).output().unwrap();
        let error = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(2), "{script}: {error}");
        assert!([READ, LEDGER].iter().any(|message| error.contains(message)), "{script}: {error}");
        assert!(bytes(&folder) == before, "{script}: a file has changed");
    }
}

/// Refused before a row is drawn: nothing is charged, and no row is said to be out.
#[cfg(target_os = "linux")]
#[test]
fn a_redirection_to_an_input_is_refused_before_anything_is_charged() {
    let folder = folder();
    let charged = "--ledger a.ledger --key own.key --subject user";
    for (line, file) in [
        (format!("privatize m.json records.csv --value load {charged} -o -"), "records.csv"),
        (format!("privatize m.json records.csv --value load {charged} -o -"), "m.json"),
        ("privatize m.json - --value load -o - < records.csv".to_owned(), "records.csv"),
        ("geo privatize planar.mechanism trip.csv -o -".to_owned(), "trip.csv"),
    ] {
        let before = folder.words("ledger status a.ledger --key own.key --json").exits(0).stdout;
        let script = format!("'{}' {line} >> {file}", common::BINARY);
        let mut shell = std::process::Command::new("sh");
        let run = shell.args(["-c", &script]).current_dir(folder.path("")).output().unwrap();
        let error = String::from_utf8(run.stderr).unwrap();
        assert!(run.status.code() == Some(2) && error.contains(READ), "{script}: {error}");
        assert!(!error.contains("written already"), "{script}: {error}");
        assert_eq!(folder.words("ledger status a.ledger --key own.key --json").exits(0).stdout, before, "{script}");
    }
}

#[test]
fn a_ledger_is_never_replaced_whatever_the_command() {
    let folder = folder();
    folder.words("ledger init b.ledger --budget 10").exits(0);
    #[cfg(unix)]
    std::os::unix::fs::symlink("b.ledger", folder.path("link")).unwrap();
    #[cfg(unix)]
    let names = ["a.ledger", "own.key", "a.ledger-wal", "a.ledger-journal", "b.ledger", "b.ledger.key", "link"];
    #[cfg(not(unix))]
    let names = ["a.ledger", "own.key", "a.ledger-wal", "a.ledger-journal", "b.ledger", "b.ledger.key"];
    let before = bytes(&folder);
    for name in names {
        for line in [
            "privatize m.json records.csv --value load",
            "design spec.toml",
            "noise design --epsilon 1 --sensitivity 1",
            "pufferfish spec framework.toml",
            "ledger export a.ledger --key own.key",
        ] {
            folder.words(&format!("{line} --force -o {name}")).exits(2).says(&[name, LEDGER]);
            assert!(bytes(&folder) == before, "{line} -o {name}");
        }
    }
    folder.words("ledger verify a.ledger").exits(0);
    folder.words("ledger verify b.ledger").exits(0);
}

/// `.lookalike-NAME` is the beginning of the names under which outputs wait.
#[test]
fn an_input_or_a_ledger_with_a_hidden_name_stays() {
    let folder = folder();
    folder.write(".lookalike-out.csv", folder.read("records.csv"));
    folder.words("ledger init .lookalike-book.csv --budget 10").exits(0);
    for output in ["out.csv", "book.csv"] {
        folder.write(output, "old");
    }
    let before = bytes(&folder);
    for output in ["out.csv", "book.csv"] {
        folder.words(&format!("privatize m.json .lookalike-out.csv --value load --force -o {output}")).exits(0);
    }
    let others = |files: Vec<(String, Vec<u8>)>| -> Vec<(String, Vec<u8>)> {
        files.into_iter().filter(|(name, _)| !["out.csv", "book.csv"].contains(&name.as_str())).collect()
    };
    assert!(others(bytes(&folder)) == others(before));
    folder.words("ledger verify .lookalike-book.csv").exits(0);
}

#[test]
fn a_framework_is_not_replaced_by_its_spec() {
    let folder = folder();
    folder.words("pufferfish spec framework.toml -o framework.toml --force").fails_with(&[READ]);
    assert_eq!(folder.read("framework.toml"), std::fs::read_to_string(example("flu/framework.toml")).unwrap());
}

/// Whole folders: what a plan or its spec names.
#[test]
fn folders_of_outputs_spare_inputs_too() {
    let folder = folder();
    let plan = |output: &str| {
        format!(
            "spec = \"tables.toml\"\n[data]\nrecords = \"loads.csv\"\nprofile = \"user\"\nvalue = \"load\"\n[output]\n{output}"
        )
    };
    folder.write("loads.csv", "user,load\n".to_owned() + &"ana,idle\nbo,busy\n".repeat(20));
    for (output, input) in [
        ("folder = \".\"\nrecords = \"profiles.csv\"", "profiles.csv"),
        ("folder = \"inner/..\"\nrecords = \"edges.csv\"", "edges.csv"),
        ("folder = \".\"\nrecords = \"loads.csv\"", "loads.csv"),
        ("folder = \".\"\nrecords = \"plan.toml\"", "plan.toml"),
        ("folder = \".\"\nrecords = \"tables.toml\"", "tables.toml"),
        ("folder = \".\"\nrecords = \"a.ledger\"", "a.ledger"),
    ] {
        folder.write("plan.toml", plan(output));
        let before = bytes(&folder);
        let run = folder.words("run plan.toml --force").exits(2).says(&[input]);
        assert!(run.stderr.contains(READ) || run.stderr.contains(LEDGER), "{}", run.stderr);
        assert!(bytes(&folder) == before, "{input}");
    }
}
