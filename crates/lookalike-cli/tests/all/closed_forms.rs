//! Oracles and noise in the verbs that take a file of any kind.

use crate::common::Folder;

/// Numbers 3/10 apart, on quarters: two steps at most.
const NOISE: &str = r#"{"format": "lookalike-mechanism", "version": 2, "kind": "noise", "epsilon": "1", "secrets": {"are": "numbers"},
    "law": "discrete-laplace", "decay": "1/2", "sensitivity": "3/10", "grid": "1/4"}"#;
const ORACLE: &str = r#"{"format": "lookalike-mechanism", "version": 2, "mechanism": "oue", "kind": "unary", "secrets": {"are": "values"},
    "epsilon": "ln(3)", "categories": ["a", "b", "c"], "one": 4503599627370496, "other": 2251799813685248}"#;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("noise.json", NOISE);
    folder.write("oracle.json", ORACLE);
    // Each claims one per cent less than is true.
    folder.write("false-noise.json", NOISE.replace("\"epsilon\": \"1\"", "\"epsilon\": \"99/100\""));
    folder.write("false-oracle.json", ORACLE.replace("ln(3)", "99/100*ln(3)"));
    folder
}

#[test]
fn a_proof_says_how_it_was_made() {
    let folder = folder();
    let noise = folder.words("certify noise.json").exits(0).stdout;
    assert_eq!(
        noise,
        "Certified: numbers at most 3/10 apart within epsilon 1, by the closed form of the law.\n\
         Neighbours are at most 2 grid steps apart, and each step costs 1/2: true epsilon 1.\n"
    );
    let oracle = folder.words("certify oracle.json").exits(0).stdout;
    assert_eq!(
        oracle,
        "Certified: any two categories within epsilon ln(3), by the whole law, 8 reports compared for every category.\n\
         True epsilon at most 1.098612288669 of ln(3) claimed.\n"
    );
    let json: serde_json::Value =
        serde_json::from_str(&folder.words("certify oracle.json --json").exits(0).stdout).unwrap();
    assert_eq!((&json["certified"], &json["proof"]), (&true.into(), &"exact law of 8 reports".into()));
}

#[test]
fn a_false_claim_is_refused_by_every_verb() {
    let folder = folder();
    folder.write("values.csv", "value\na\n");
    for kind in ["noise", "oracle"] {
        let run = folder.words(&format!("certify false-{kind}.json")).exits(1);
        assert!(run.stdout.starts_with("NOT PRIVATE: "), "{}", run.stdout);
        folder.words(&format!("audit false-{kind}.json")).exits(1).says(&["nothing audited"]);
        folder.words(&format!("report false-{kind}.json")).exits(1).says(&["no report"]);
        let run = folder.words(&format!("privatize false-{kind}.json values.csv -o out.csv")).exits(1);
        run.says(&["nothing released, since the mechanism is not private"]);
        assert!(!folder.path("out.csv").exists());
    }
}

/// The bounds hold with probability 0.999 for any draws; the seeds are fixed.
#[test]
fn an_attack_comes_near_the_truth_and_not_beyond() {
    let folder = folder();
    for (kind, least) in [("noise", 0.9), ("oracle", 0.9)] {
        let run = folder.words(&format!("audit {kind}.json --draws 100000 --seed 3 --json")).exits(0);
        let json: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!((&json["verdict"], &json["source"]), (&"no evidence against".into(), &"mechanism".into()));
        let bound = json["bound"].as_f64().unwrap();
        assert!((least..1.0987).contains(&bound), "{kind}: {bound}");
    }
    let run = folder.words("audit noise.json --draws 20000 --seed 3 --json").exits(0);
    let json: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let mut pair: Vec<&str> = json["pair"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    pair.sort_unstable();
    assert_eq!(pair, ["3/40", "3/8"], "two numbers that round to points two steps apart");
}

#[test]
fn a_page_is_about_the_kind() {
    let folder = folder();
    folder.words("report noise.json -o noise.html").exits(0);
    let page = folder.read("noise.html");
    for part in
        ["Two numbers that differ by at most <strong>3/10</strong>", "<strong>2.72 times</strong>", "<td>0.95</td>"]
    {
        assert!(page.contains(part), "expected {part:?}");
    }
    folder.words("report oracle.json -o oracle.html").exits(0);
    let page = folder.read("oracle.html");
    for part in ["<strong>3 times</strong>", "All 8 reports were written out", "oue (this one)"] {
        assert!(page.contains(part), "expected {part:?}");
    }
}

#[test]
fn what_is_about_channels_is_refused() {
    let folder = folder();
    let about = "is about channels between categories, and this file is of the kind noise";
    folder.words("certify noise.json --delta-at 1").fails_with(&["noise.json: --delta-at", about]);
    folder.words("counts properties noise.json").fails_with(&["noise.json: kind: \"noise\", expected \"aware\""]);
    folder.words("export oracle.json --profile a -o x.json").fails_with(&["oracle.json: kind: \"unary\", expected"]);
    folder.words("report noise.json --audit a.json").fails_with(&["--audit is shown for channels"]);
}
