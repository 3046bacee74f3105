//! `lookalike design` with what the command line says instead of the spec.

use crate::common::{Folder, TWO, WARNER, example, golden, keys, texts};
use serde_json::Value;

/// Six Bernoulli profiles spaced evenly on [0, 1] along a chain.
const CHAIN: &str = "\
epsilon = 0.5
categories = [\"no\", \"yes\"]
[profiles]
p0 = 0
p1 = 0.2
p2 = 0.4
p3 = 0.6
p4 = 0.8
p5 = 1
[graph]
shape = \"chain\"
";

/// Budgets of an edge and of a group that differ, over three categories.
const BUDGETS: &str = "\
epsilon = 0.5
categories = [\"a\", \"b\", \"c\"]
[profiles]
ana = [0.2, 0.3, 0.5]
bo = [0.5, 0.3, 0.2]
cleo = [0.8, 0.1, 0.1]
[graph]
edges = [[\"ana\", \"bo\"]]
groups = { late = { members = [\"bo\", \"cleo\"], epsilon = 0.25 } }
";

fn folder(spec: &str) -> Folder {
    let folder = Folder::new();
    folder.write("spec.toml", spec);
    folder
}

#[track_caller]
fn design(folder: &Folder, options: &str) -> Value {
    folder.words(&format!("design spec.toml --json {options}")).exits(0).json()
}

fn value(design: &Value) -> f64 {
    design["objective"]["value"].as_f64().unwrap()
}

#[test]
fn one_bit_can_be_smooth_and_says_why() {
    let folder = folder(CHAIN);
    let smooth = design(&folder, "--mechanism smooth-one-bit");
    assert_eq!((&smooth["mechanism"], &smooth["algorithm"]), (&"smooth-one-bit".into(), &"lattice".into()));
    assert!((value(&smooth) - 0.147151776469).abs() < 1e-9, "the published value");
    assert_eq!(keys(&smooth["binding"]), ["profiles", "output"]);
    let binding = texts(&smooth["binding"]["profiles"]);
    assert!(binding.len() > 1 && binding.iter().all(|name| name.starts_with('p')));
    assert_eq!(smooth["components"], 1);
    assert!(smooth["rounds"].as_u64().unwrap() > 1 && smooth["repair_cost"].as_f64().unwrap() < 1e-12);
    assert!(smooth["objective"]["tie_break"].is_string());
    let bound = smooth["family_bound"].as_f64().unwrap();
    assert!(bound <= value(&smooth) && value(&smooth) - bound < 1e-12);
    golden("design-chain.txt", &folder.words("design spec.toml --mechanism smooth-one-bit").exits(0).stdout);
    folder.words("design spec.toml --mechanism smooth-one-bit -o m.json --force").exits(0);
    assert_eq!(folder.json("m.json")["objective"]["tie_break"], smooth["objective"]["tie_break"]);
    folder.words("certify m.json --spec spec.toml").exits(0);
}

#[test]
fn flips_and_algorithms_are_taken_or_refused_with_what_applies() {
    let folder = folder(CHAIN);
    let symmetric = design(&folder, "--mechanism smooth-one-bit");
    let asymmetric = design(&folder, "--flips asymmetric");
    assert!(value(&asymmetric) <= value(&symmetric) + 1e-12);
    assert!((value(&asymmetric) - value(&design(&folder, ""))).abs() < 1e-9, "the default is the optimum");
    let closed = design(&folder, "--algorithm closed-form");
    assert_eq!((&closed["mechanism"], &closed["algorithm"]), (&"one-bit-cluster".into(), &"closed-form".into()));
    assert!(closed["objective"]["tie_break"].is_null() && closed.get("family_bound").is_none());
    assert_eq!(closed["repair_cost"], 0.0);
    assert!(value(&symmetric) < value(&closed));
    folder
        .words("design spec.toml --mechanism k-rr --flips asymmetric")
        .fails_with(&["asymmetric flips are for smooth-one-bit, found k-rr"]);
    folder
        .words("design spec.toml --mechanism k-rr --algorithm lattice")
        .fails_with(&["lattice does not find k-rr, expected closed-form"]);
    folder.words("design spec.toml --algorithm simplex").fails_with(&["\"simplex\" is not known", "closed-form"]);
    folder.words("design spec.toml --flips some").fails_with(&["--flips", "symmetric or asymmetric"]);
}

#[test]
fn channel_and_objective_replace_those_of_the_spec() {
    let folder = folder(CHAIN);
    let shared = design(&folder, "--channel shared");
    assert_eq!((&shared["kind"], &shared["components"]), (&"shared".into(), &1.into()));
    assert!(value(&shared) >= value(&design(&folder, "")) - 1e-12, "aware is never worse");
    folder.write("spec.toml", format!("channel = \"shared\"\nobjective = \"ordinal-error\"\n{CHAIN}"));
    assert_eq!(design(&folder, "")["kind"], "shared");
    assert_eq!(design(&folder, "--channel aware")["kind"], "aware");
    for name in ["max-flip", "expected-error", "ordinal-error"] {
        assert_eq!(design(&folder, &format!("--objective {name}"))["objective"]["name"], name);
    }
    folder.words("design spec.toml --objective loss").fails_with(&["needs a loss matrix"]);
    folder.words("design spec.toml --objective speed").fails_with(&["'speed'", "max-flip"]);
    folder.words("design spec.toml --channel both").fails_with(&["'both'", "shared"]);
    folder.write("spec.toml", format!("loss = [[0, 1], [2, 0]]\n{CHAIN}"));
    assert_eq!(design(&folder, "--objective loss")["objective"]["name"], "loss");
    folder.write("spec.toml", WARNER);
    folder.words("design spec.toml --channel shared").fails_with(&["secrets = \"values\""]);
}

#[test]
fn epsilon_replaces_one_budget_and_scales_several() {
    let budgets = |file: &Value| {
        let texts = |list: &Value| -> Vec<String> {
            list.as_array().unwrap().iter().map(|item| item["epsilon"].as_str().unwrap().to_owned()).collect()
        };
        (texts(&file["edges"]), texts(&file["groups"]))
    };
    let folder = folder(BUDGETS);
    folder.words("design spec.toml --epsilon ln(3) -o m.json").exits(0);
    assert_eq!(budgets(&folder.json("m.json")), (vec!["ln(3)".to_owned()], vec!["1/2*ln(3)".to_owned()]));
    folder.words("certify m.json").exits(0);
    folder.write("spec.toml", TWO);
    folder.words("design spec.toml --epsilon 0.75 -o n.json").exits(0);
    folder.write("direct.toml", TWO.replace("0.5", "0.75"));
    folder.words("design direct.toml -o direct.json").exits(0);
    assert_eq!(folder.read("n.json"), folder.read("direct.json"), "as if the spec had said so");
    folder.words("design spec.toml --epsilon 0").fails_with(&["--epsilon", "a number above 0"]);
}

#[test]
fn what_cannot_be_written_is_known_before_the_design() {
    let folder = folder("not a spec");
    folder.write("m.json", "older");
    folder.words("design spec.toml -o m.json").fails_with(&["m.json: exists already"]);
    let commute = example("commute/spec.toml");
    folder.run(["design", commute.to_str().unwrap(), "-o", "missing/m.json"]).fails_with(&["missing/m.json"]);
    assert_eq!(folder.names(), ["m.json", "spec.toml"]);
}
