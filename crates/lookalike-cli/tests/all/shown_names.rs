//! Names may have any characters; none that a terminal acts on is ever printed.

use crate::common::{Folder, Run};
use serde_json::json;

/// A name that would clear the screen, ring, begin a line of its own, turn the text around, and colour it by one byte.
fn name(word: &str) -> String {
    format!("{word}\u{1b}[2J\u{7}\n\u{202e}Certified\u{9b}31m\u{2066}\t\r")
}

/// How it is shown.
fn told(word: &str) -> String {
    format!("{word}\\u{{1b}}[2J\\u{{7}}\\n\\u{{202e}}Certified\\u{{9b}}31m\\u{{2066}}\\t\\r")
}

#[track_caller]
fn harmless(line: &str, run: Run) -> Run {
    for text in [&run.stdout, &run.stderr] {
        let acts =
            |c: char| c != '\n' && c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        assert!(!text.chars().any(acts), "{line}: {text:?}");
        assert!(
            !text.lines().any(|line| line.starts_with("Certified\\u{9b}")),
            "{line}: a line of its own in {text:?}"
        );
    }
    assert!(!run.stderr.contains("panicked"), "{line}: {}", run.stderr);
    run
}

/// A folder with a spec, a mechanism, records, a chain and more whose names are all like that.
fn folder() -> Folder {
    let folder = Folder::new();
    let (ana, bo, idle, busy) = (name("ana"), name("bo"), name("idle"), name("busy"));
    let spec = json!({
        "epsilon": 0.5,
        "categories": [idle, busy],
        "profiles": { &ana: [0.9, 0.1], &bo: [0.2, 0.8], name("alone"): [0.5, 0.5] },
        "graph": { "edges": [[ana, bo]] },
    });
    let spec = folder.write("spec.json", spec.to_string());
    folder.design(&spec);
    let csv = |rows: &[[&String; 2]], header: [&str; 2]| {
        let quoted = |text: &str| format!("\"{text}\"");
        let rows = rows.iter().map(|row| row.map(|text| quoted(text)).join(",") + "\n");
        header.map(quoted).join(",") + "\n" + &rows.collect::<String>()
    };
    let rows = [[&ana, &idle], [&bo, &busy], [&ana, &busy]].repeat(60);
    folder.write("data.csv", csv(&rows, [&name("user"), &name("load")]));
    folder.write("draws.csv", csv(&rows, ["user", "load"]));
    folder.write("scores.csv", csv(&[[&ana, &"1".to_owned()], [&bo, &"2".to_owned()]], ["who", &name("yes")]));
    folder.write("votes.csv", csv(&[[&ana, &"100000".to_owned()], [&bo, &"2".to_owned()]], ["name", "count"]));
    let law = [[&idle, &"0".to_owned()], [&busy, &"1".to_owned()]];
    folder.write("law.csv", csv(&law, ["output", "probability"]));
    let chain = json!({ "states": [idle, busy], "initial": "stationary", "transition": [[0.9, 0.1], [0.4, 0.6]] });
    folder.write("chain.json", chain.to_string());
    let states = [&idle, &idle, &busy, &busy].repeat(20).into_iter().map(|state| format!("\"{state}\"\n"));
    folder.write("day.csv", "state\n".to_owned() + &states.collect::<String>());
    folder.write(
        "towns.txt",
        format!("{}\n{}\n", name("a").replace(['\n', '\r'], ""), name("b").replace(['\n', '\r'], "")),
    );
    folder
}

#[test]
fn no_verb_prints_what_a_terminal_acts_on() {
    let folder = folder();
    let (ana, bo, user, load) = (name("ana"), name("bo"), name("user"), name("load"));
    let pair = format!("{ana},{bo}");
    let lines: Vec<Vec<&str>> = vec![
        vec!["check", "spec.json"],
        vec!["design", "spec.json"],
        vec!["design", "spec.json", "--mechanism", "smooth-categorical"],
        vec!["design", "spec.json", "--sweep", "0.1..1"],
        vec!["certify", "m.json"],
        vec!["certify", "m.json", "--spec", "spec.json", "--delta-at", "0.1"],
        vec!["privatize", "m.json", "data.csv", "--profile", &user, "--value", &load, "-o", "out.csv", "--force"],
        vec!["privatize", "m.json", "data.csv", "--profile", &user, "--value", &load, "--keep", &load, "-o", "no.csv"],
        vec!["privatize", "m.json", "data.csv", "--profile", &user, "--value", &load, "--unknown", "x", "-o", "no.csv"],
        vec!["privatize", "m.json", "data.csv", "--profile", &ana, "--value", &load, "-o", "no.csv"],
        vec!["fit", "data.csv", "--profile", &user, "--value", &load, "--public-categories", "--complete"],
        vec!["fit", "data.csv", "--profile", &user, "--value", &load, "--public-categories", "-o", "f.toml", "--force"],
        vec!["fit", "data.csv", "--profile", &user, "--value", &load, "--public-categories", "--group-by", &load],
        vec!["estimate", "m.json", "data.csv", "--value", &load],
        vec!["estimate", "m.json", "data.csv", "--value", &load, "--by", &user],
        vec!["estimate", "m.json", "--predict", "1000"],
        vec!["audit", "m.json", "--draws", "20000"],
        vec!["audit", "m.json", "--draws", "20000", "--pair", &pair],
        vec!["audit", "m.json", "--records", "draws.csv", "--secret", "user", "--value", "load"],
        vec!["export", "m.json", "--profile", "nobody", "-o", "no.table"],
        vec!["export", "m.json", "-o", "no.table"],
        vec!["account", "m.json", "--releases", "3"],
        vec!["tupling", "m.json", "--epsilon", "0.1"],
        vec!["tupling", "m.json", "--epsilon", "0.1", "--dummy-law", "law.csv"],
        vec!["noise", "choose", "scores.csv", "--epsilon", "1", "--sensitivity", "1"],
        vec!["noise", "max", "votes.csv", "--epsilon", "1"],
        vec!["noise", "max", "votes.csv", "--epsilon", "1", "--name", &user],
        vec!["local", "design", "--categories-file", "towns.txt", "--epsilon", "1"],
        vec!["local", "compare", "--categories-file", "towns.txt", "--epsilon", "1"],
        vec!["pufferfish", "fit", "day.csv", "--state", "state"],
        vec!["pufferfish", "fit", "day.csv", "--state", "state", "-o", "c.toml", "--force"],
        vec![
            "pufferfish",
            "release",
            "chain.json",
            "day.csv",
            "--state",
            "state",
            "--query",
            "histogram",
            "--epsilon",
            "1",
        ],
        vec!["pufferfish", "design", "chain.json", "--length", "20", "--epsilon", "1", "--query", "count:x"],
        vec!["pufferfish", "design", "chain.json", "--length", "20", "--epsilon", "1", "--query", "histogram"],
        vec!["report", "m.json", "--no-sweep", "-o", "page.html", "--force"],
        vec!["ledger", "status", &ana],
        vec!["check", &ana],
        vec!["privatize", "m.json", "data.csv", "--value", &load, "-o", &ana, "--force", "--profile", &user],
        vec!["certify", &ana],
        vec!["frobnicate"],
    ];
    for line in lines {
        for json in [None, Some("--json")] {
            let shown = format!("{line:?} {json:?}");
            harmless(&shown, folder.run(line.iter().copied().chain(json)));
        }
    }
}

#[test]
fn names_are_told_in_one_line_and_machines_get_them_exactly() {
    let folder = folder();
    let run = harmless("design", folder.words("design spec.json").exits(0));
    assert!((run.stdout.clone() + &run.stderr).contains(&told("ana")), "{}\n{}", run.stdout, run.stderr);
    let json = harmless("certify", folder.words("certify m.json --json").exits(0)).json();
    assert!(json.to_string().contains(&json!(name("ana")).to_string()), "{json}");
    harmless("max", folder.words("noise max votes.csv --epsilon 1 --seed 1").exits(0))
        .prints(&[&format!("Chosen: {}\n", told("ana"))]);
    // A spec on standard output comes back to the same names.
    let fit =
        ["fit", "data.csv", "--profile", &name("user"), "--value", &name("load"), "--public-categories", "--complete"];
    let spec = harmless("fit", folder.run(fit).exits(0)).stdout;
    folder.write("fitted.toml", spec);
    folder.words("design fitted.toml -o fitted.json").exits(0);
    assert!(folder.json("fitted.json")["profiles"].get(name("ana")).is_some());
}

#[test]
fn ledgers_tell_their_releases_by_names_that_do_nothing() {
    let folder = folder();
    folder.words("ledger init l.ledger --budget 5").exits(0);
    let (user, load) = (name("user"), name("load"));
    let release = ["privatize", "m.json", "data.csv", "--profile", &user, "--value", &load, "--ledger", "l.ledger"];
    let more = ["--subject", &user, "-o", "out.csv"];
    harmless("privatize", folder.run(release.into_iter().chain(more)));
    for line in ["ledger status l.ledger", "ledger status l.ledger --json", "ledger verify l.ledger"] {
        harmless(line, folder.words(line).exits(0));
    }
}
