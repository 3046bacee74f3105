//! `lookalike check`.

mod common;

use common::{Folder, TWO, WARNER, example, keys, texts};

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
    folder.words("check spec.json").fails_with(&["spec.json", "\"epsilon\" occurs twice"]);
    folder.words("check nowhere.toml").fails_with(&["nowhere.toml: cannot read"]);
    assert_eq!(folder.names(), ["spec.json", "spec.toml"], "no mechanism file is left");
}
