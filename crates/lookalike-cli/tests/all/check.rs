//! `lookalike check`.

use crate::common::{Folder, TWO, WARNER, example, keys, texts};

/// A valid spec with one part replaced.
#[track_caller]
fn changed(from: &str, to: &str) -> String {
    assert!(TWO.contains(from));
    TWO.replace(from, to)
}

#[test]
fn a_valid_spec_is_described_before_a_design() {
    let folder = Folder::new();
    let spec = example("workstations/spec.toml");
    let run = folder.run(["check".as_ref(), spec.as_os_str()]).exits(0);
    assert!(run.stdout.contains("12 profiles over 4 categories; 18 pairs must look alike, in 3 components"));
    assert!(run.stdout.contains("epsilon 1/2"));
    assert!(run.stdout.contains("a design would use smooth-categorical (aware)"));
    assert!(folder.names().is_empty(), "a check writes nothing");
}

#[test]
fn json_has_the_counts_and_the_mechanism_that_design_then_uses() {
    let folder = Folder::new();
    folder.write("two.toml", TWO);
    folder.write("warner.toml", WARNER);
    for (spec, mechanism, kind) in [("two.toml", "smooth-categorical", "aware"), ("warner.toml", "k-rr", "point")] {
        let check = folder.run(["check", spec, "--json"]).exits(0).json();
        assert_eq!(check["valid"], true);
        assert_eq!((check["mechanism"].as_str(), check["kind"].as_str()), (Some(mechanism), Some(kind)));
        assert_eq!((check["secrets"].as_u64(), check["edges"].as_u64()), (Some(2), Some(1)));
        let design = folder.run(["design", spec, "--json"]).exits(0).json();
        assert_eq!((&design["mechanism"], &design["kind"]), (&check["mechanism"], &check["kind"]));
    }
}

#[test]
fn profiles_without_an_edge_are_named() {
    let folder = Folder::new();
    folder.write("spec.toml", changed("[graph]", "cleo = [0.5, 0.5]\ndan = 0.3\n[graph]"));
    let run = folder.words("check spec.toml").exits(0);
    for name in ["cleo", "dan"] {
        assert!(run.stdout.contains(&format!("Warning: profile \"{name}\" has no edge and is not protected.")));
    }
    let check = folder.words("check spec.toml --json").exits(0).json();
    assert_eq!(texts(&check["unprotected"]), ["cleo", "dan"]);
    assert!(keys(&check).contains(&"components"));
}

#[test]
fn a_spec_is_read_from_standard_input_too() {
    let run = Folder::new().run_on(["check", "-", "--json"], TWO).exits(0);
    assert_eq!(run.json()["categories"], 2);
}

#[test]
fn wrong_specs_are_refused_with_the_place_and_the_way_out() {
    let folder = Folder::new();
    for (spec, parts) in [
        (changed("[0.9, 0.1]", "[0.9, 0.2]"), &["profile \"ana\"", "sum to 11/10, expected 1", "normalize = true"][..]),
        (changed("[0.9, 0.1]", "[0.9, 0.0999999]"), &["profile \"ana\"", "9999999/10000000"]),
        (changed("[0.9, 0.1]", "[1.1, -0.1]"), &["profile \"ana\"", "-1/10", "at least 0"]),
        (changed("[0.9, 0.1]", "[nan, 0.1]"), &["ana", "nan"]),
        (changed("[0.9, 0.1]", "[0.5, 0.4, 0.1]"), &["profile \"ana\"", "3 probabilities, expected 2"]),
        (changed("epsilon = 0.5", "epsilon = 0"), &["epsilon", "0, expected a number above 0"]),
        (changed("epsilon = 0.5", "epsilon = -1"), &["epsilon", "-1"]),
        (changed("epsilon = 0.5", "epsilon = inf"), &["epsilon", "inf"]),
        (changed("epsilon = 0.5\n", ""), &["epsilon is missing"]),
        (changed("epsilon", "epsilom"), &["\"epsilom\" is not known", "epsilon"]),
        (changed("[graph]", "[graph]\nshpe = \"chain\""), &["graph", "\"shpe\" is not known", "shape"]),
        (changed("[\"ana\", \"bo\"]]", "[\"ana\", \"zoe\"]]"), &["edge 1", "\"zoe\"", "ana, bo"]),
        (changed("[\"ana\", \"bo\"]]", "[\"ana\", \"ana\"]]"), &["edge 1", "\"ana\" to itself"]),
        (changed("[[\"ana\", \"bo\"]]", "[]"), &["no edge", "nothing would be protected"]),
        (changed("\"busy\"", "\"idle\""), &["categor", "\"idle\" occurs twice"]),
        (changed("[profiles]", "epsilon = 1\n[profiles]"), &["duplicate key"]),
        (changed("[profiles]", "[profiles"), &["line 3"]),
    ] {
        folder.write("spec.toml", &spec);
        folder.words("check spec.toml").fails_with(&["spec.toml"]).says(parts);
        folder.words("design spec.toml -o m.json").fails_with(&["spec.toml"]).says(parts);
    }
    folder.write("spec.json", r#"{"epsilon": 1, "epsilon": 2}"#);
    folder.words("check spec.json").fails_with(&["spec.json", "a key occurs twice at line "]);
    folder.words("check nowhere.toml").fails_with(&["nowhere.toml: cannot read"]);
    assert_eq!(folder.names(), ["spec.json", "spec.toml"], "no mechanism file is left");
}

/// Two profiles, of which the first never has "busy".
const ZERO: &str =
    "epsilon = 0.5\ncategories = ['idle', 'busy']\nprofiles = { ana = 0, bo = 0.1 }\ngraph.shape = 'chain'\n";

#[test]
fn a_spec_whose_design_would_keep_impossible_values_is_warned_of() {
    let folder = Folder::new();
    folder.write("aware.toml", ZERO);
    folder.write("shared.toml", "channel = 'shared'\n".to_owned() + ZERO);
    let aware = folder.words("check aware.toml").exits(0);
    assert!(!aware.stdout.contains("never has"), "{}", aware.stdout);
    assert!(folder.words("check aware.toml --json").exits(0).json()["impossible_values"].is_null());
    folder.words("check shared.toml").exits(0).prints(&[
        "Warning: profile \"ana\" never has \"busy\": should it occur all the same, smooth-categorical (shared) may release \
         it nearly as it is",
    ]);
    let json = folder.words("check shared.toml --json").exits(0).json();
    assert_eq!(json["impossible_values"], serde_json::json!({ "count": 1, "profile": "ana", "value": "busy" }));
}

#[test]
fn a_design_that_keeps_impossible_values_says_how_often_and_so_does_its_report() {
    let folder = Folder::new();
    folder.write("aware.toml", ZERO);
    for (options, keeps) in [
        ("", false),
        ("--flips asymmetric", false),
        ("--algorithm lattice", false),
        ("--mechanism k-rr", false),
        ("--channel shared --mechanism k-rr", false),
        ("--mechanism smooth-one-bit", true),
        ("--mechanism two-profile", true),
        ("--mechanism one-bit-cluster", true),
        ("--channel shared", true),
    ] {
        let run = folder.words(&format!("design aware.toml {options} -o m.json --force --json")).exits(0);
        let (found, file) = (&run.json()["impossible_values"], folder.json("m.json"));
        folder.words("report m.json --no-sweep -o r.html --force").exits(0);
        let page = folder.read("r.html");
        assert_eq!(page.contains("would not be hidden"), keeps, "{options}");
        if !keeps {
            assert!(found.is_null() && !run.stderr.contains("never has"), "{options}: {found} {}", run.stderr);
            continue;
        }
        let kept = found["kept"].as_f64().unwrap();
        let line = format!(
            "warning: profile \"ana\" never has \"busy\": should it occur all the same, it is kept with probability {kept:.5} ("
        );
        assert!(run.stderr.contains(&line), "{options}: {}", run.stderr);
        assert_eq!((&found["count"], &found["profile"], &found["value"]), (&1.into(), &"ana".into(), &"busy".into()));
        // The second row of the first channel is that of the value.
        let weight = file["channels"][0]["rows"][1][1].as_u64().unwrap();
        assert_eq!(kept, weight as f64 / 2f64.powi(53), "{options}");
        assert!(page.contains("Should <bdi>busy</bdi> occur for <bdi>ana</bdi> all the same"), "{options}");
    }
}

#[test]
fn an_impossible_value_in_a_chain_of_2001_profiles_comes_out_by_the_law() {
    let folder = Folder::new();
    let profiles: String = (0..=2000).map(|at| format!("p{at} = '{at}/2000'\n")).collect();
    let head = "epsilon = 0.5\ncategories = ['no', 'yes']\n[profiles]\n";
    folder.write("chain.toml", format!("{head}{profiles}[graph]\nshape = 'chain'\n"));
    folder.words("design chain.toml -o m.json").exits(0);
    folder.write("records.csv", "who,answer\n".to_owned() + &"p0,yes\n".repeat(200));
    folder.words("privatize m.json records.csv --profile who --value answer --seed 1 -o out.csv").exits(0);
    // Pr(yes) = .00037, so that of 200 answers more than 5 are yes with a probability below 1e-9.
    let yes = folder.read("out.csv").lines().filter(|line| line.split(',').any(|cell| cell == "yes")).count();
    assert!(yes <= 5, "{yes} of 200");
}
