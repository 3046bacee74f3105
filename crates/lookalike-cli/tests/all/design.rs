//! `lookalike design`.

use crate::common::{Folder, TWO, WARNER, example, golden, keys};
use serde_json::Value;

/// A spec by its numbers: categories, and the components with their ε and profiles.
type Component<'a> = (f64, Vec<(&'a str, Vec<f64>)>);

fn workstations() -> Vec<Component<'static>> {
    let group =
        |members: [(&'static str, [f64; 4]); 4]| (0.5, members.map(|(name, law)| (name, law.to_vec())).to_vec());
    vec![
        group([
            ("ana", [0.10, 0.20, 0.40, 0.30]),
            ("bo", [0.05, 0.15, 0.45, 0.35]),
            ("cleo", [0.12, 0.24, 0.38, 0.26]),
            ("dan", [0.08, 0.18, 0.34, 0.40]),
        ]),
        group([
            ("eve", [0.30, 0.40, 0.20, 0.10]),
            ("finn", [0.25, 0.45, 0.22, 0.08]),
            ("gus", [0.36, 0.38, 0.20, 0.06]),
            ("hana", [0.28, 0.34, 0.26, 0.12]),
        ]),
        group([
            ("ivy", [0.60, 0.25, 0.10, 0.05]),
            ("jon", [0.55, 0.30, 0.10, 0.05]),
            ("kim", [0.62, 0.22, 0.12, 0.04]),
            ("lou", [0.58, 0.24, 0.12, 0.06]),
        ]),
    ]
}

fn commute() -> Vec<Component<'static>> {
    vec![
        (
            2f64.ln(),
            vec![("A", vec![0.45, 0.20, 0.20, 0.04, 0.03, 0.08]), ("B", vec![0.20, 0.48, 0.20, 0.02, 0.03, 0.07])],
        ),
        (0.25, vec![("C", vec![0.03, 0.02, 0.2, 0.45, 0.20, 0.10]), ("D", vec![0.02, 0.03, 0.2, 0.35, 0.30, 0.10])]),
    ]
}

/// The weight of each wrong output that a component needs: u/(d·u + E − 1) for the largest u = p − E·p'.
fn closed_form((epsilon, profiles): &Component) -> f64 {
    let size = profiles[0].1.len();
    let e = epsilon.exp();
    let excess = |(_, p): &(&str, Vec<f64>), (_, q): &(&str, Vec<f64>)| {
        p.iter().zip(q).map(|(p, q)| p - e * q).fold(0.0, f64::max)
    };
    let pairs = profiles.iter().flat_map(|p| profiles.iter().map(move |q| excess(p, q)));
    let u = pairs.fold(0.0, f64::max);
    u / (size as f64 * u + e - 1.0)
}

#[track_caller]
fn assert_close(found: &Value, expected: f64) {
    assert!(found.is_number(), "{found} is not a JSON number");
    assert!((found.as_f64().unwrap() - expected).abs() < 1e-12, "found {found}, expected {expected}");
}

fn design_json(example_spec: &str, more: &[&str]) -> Value {
    let spec = example(example_spec);
    let arguments = ["design", spec.to_str().unwrap(), "--json"];
    Folder::new().run(arguments.iter().chain(more)).exits(0).json()
}

#[test]
fn values_are_those_of_the_closed_form() {
    for (spec, components) in [("workstations/spec.toml", workstations()), ("commute/spec.toml", commute())] {
        let design = design_json(spec, &["--mechanism", "cluster"]);
        let mut profiles = design["profiles"].as_array().unwrap().iter();
        for component in &components {
            let flip = closed_form(component);
            for (name, law) in &component.1 {
                let (found, size) = (profiles.next().unwrap(), law.len() as f64);
                assert_eq!(found["name"], *name);
                assert_close(&found["keep_probability"], 1.0 - (size - 1.0) * flip);
                assert_close(&found["expected_error"], (size - 1.0) * flip);
                assert_close(&found["max_flip"], flip);
                let output = found["output"].as_array().unwrap();
                assert_eq!(output.len(), law.len());
                for (found, p) in output.iter().zip(law) {
                    assert_close(found, p * (1.0 - size * flip) + flip);
                }
                assert!((output.iter().map(|p| p.as_f64().unwrap()).sum::<f64>() - 1.0).abs() < 1e-12);
            }
        }
        assert!(profiles.next().is_none());
        let objective = &design["objective"];
        assert_close(&objective["value"], components.iter().map(closed_form).fold(0.0, f64::max));
        let [value, bound, gap] = ["value", "lower_bound", "gap"].map(|key| objective[key].as_f64().unwrap());
        assert!(0.0 < bound && bound <= value && gap == value - bound);
        let smallest = components.iter().map(|(epsilon, _)| *epsilon).fold(f64::INFINITY, f64::min);
        let size = components[0].1[0].1.len() as f64;
        assert_close(&design["baseline"]["value"], 1.0 / (smallest.exp() + size - 1.0));
    }
}

#[test]
fn json_has_the_promised_keys_and_numbers_are_numbers() {
    for (spec, epsilon, edges) in [("workstations/spec.toml", 0.5, 18), ("commute/spec.json", 2f64.ln(), 2)] {
        let design = design_json(spec, &[]);
        assert_eq!(
            keys(&design),
            [
                "mechanism",
                "kind",
                "epsilon",
                "epsilon_text",
                "promised",
                "objective",
                "baseline",
                "expected_error",
                "kept",
                "profiles",
                "certificate",
                "unprotected",
                "file",
                "algorithm",
                "rounds",
                "components",
                "binding",
                "repair_cost",
                "impossible_values",
            ]
        );
        assert_eq!(keys(&design["objective"]), ["name", "value", "lower_bound", "gap", "tie_break"]);
        assert_eq!(keys(&design["baseline"]), ["name", "value"]);
        for profile in design["profiles"].as_array().unwrap() {
            assert_eq!(keys(profile), ["name", "keep_probability", "expected_error", "max_flip", "output"]);
        }
        assert_eq!((&design["mechanism"], &design["kind"]), (&"smooth-categorical".into(), &"aware".into()));
        assert_eq!((&design["objective"]["name"], &design["baseline"]["name"]), (&"max-flip".into(), &"k-rr".into()));
        assert_close(&design["epsilon"], epsilon);
        let certificate = &design["certificate"];
        assert_eq!(keys(certificate), ["secrets", "epsilon", "worst", "edges"]);
        assert_eq!(certificate["edges"], edges);
        let [lower, upper] = ["lower", "upper"].map(|key| certificate["epsilon"][key].as_f64().unwrap());
        assert!(lower <= upper && upper - lower < 1e-12 && (upper - epsilon).abs() < 1e-12);
    }
}

#[test]
fn the_tables_of_the_examples_are_as_committed() {
    for name in ["workstations", "commute"] {
        let spec = example(&format!("{name}/spec.toml"));
        let table = Folder::new().run(["design".as_ref(), spec.as_os_str()]).exits(0).stdout;
        golden(&format!("design-{name}.txt"), &table);
    }
}

#[test]
fn the_mechanism_can_be_chosen_among_those_that_apply() {
    let folder = Folder::new();
    folder.write("two.toml", TWO);
    folder.write("warner.toml", WARNER);
    let e = 0.5f64.exp();
    let flip = closed_form(&(0.5, vec![("ana", vec![0.9, 0.1]), ("bo", vec![0.2, 0.8])]));
    for (spec, name, value) in [
        ("two.toml", "two-profile", flip),
        ("two.toml", "one-bit-cluster", flip),
        ("two.toml", "cluster", flip),
        ("two.toml", "k-rr", 1.0 / (e + 1.0)),
        ("warner.toml", "k-rr", 0.25),
    ] {
        let design = folder.run(["design", spec, "--mechanism", name, "--json"]).exits(0).json();
        assert_eq!(design["mechanism"], name);
        assert_close(&design["objective"]["value"], value);
    }
    let commute = example("commute/spec.toml");
    let commute = commute.to_str().unwrap();
    for (spec, name, parts) in [
        (
            commute,
            "two-profile",
            &["2 categories and 2 profiles", "found 6 and 4", "smooth-categorical serves any number"],
        ),
        (commute, "one-bit-cluster", &["needs 2 categories", "found 6", "smooth-categorical serves any number"]),
        ("warner.toml", "cluster", &["needs profiles", "secrets = \"values\"", "k-rr serves values"]),
        ("warner.toml", "laplace", &["\"laplace\" is not known", "k-rr, two-profile", "--mechanism"]),
    ] {
        folder.run(["design", spec, "--mechanism", name, "-o", "m.json"]).fails_with(parts);
    }
    assert_eq!(folder.names(), ["two.toml", "warner.toml"]);
}

#[test]
fn a_profile_without_an_edge_is_warned_of_by_name_and_released_unchanged() {
    let folder = Folder::new();
    folder.write("spec.toml", TWO.replace("[graph]", "cleo = [0.25, 0.75]\n[graph]"));
    let run = folder.words("design spec.toml --json --quiet").exits(0);
    assert_eq!(run.stderr, "warning: profile \"cleo\" has no edge and is not protected\n");
    let design = run.json();
    assert_eq!(design["unprotected"], Value::from(vec!["cleo"]));
    let cleo = &design["profiles"][2];
    assert_eq!((cleo["keep_probability"].as_f64(), cleo["expected_error"].as_f64()), (Some(1.0), Some(0.0)));
    assert_eq!(cleo["output"], serde_json::json!([0.25, 0.75]));
}

#[test]
fn toml_and_json_specs_and_repeated_runs_give_equal_bytes() {
    let folder = Folder::new();
    let specs = [example("commute/spec.toml"), example("commute/spec.json"), example("commute/spec.toml")];
    for (at, spec) in specs.iter().enumerate() {
        let (output, threads) = (format!("{at}.json"), format!("{}", 1 + at % 2));
        let spec = spec.to_str().unwrap();
        let run = folder.run(["design", spec, "-o", &output, "--threads", &threads]).exits(0);
        assert!(run.stdout.ends_with(&format!("Wrote {output}.\n")));
    }
    assert_eq!(folder.read("0.json"), folder.read("1.json"));
    assert_eq!(folder.read("0.json"), folder.read("2.json"));
    assert!(folder.read("0.json").len() > 1000);
}

#[test]
fn an_existing_file_is_replaced_only_when_told_to() {
    let folder = Folder::new();
    folder.write("spec.toml", TWO);
    folder.write("m.json", "older");
    folder.words("design spec.toml -o m.json").fails_with(&["m.json: exists already", "--force"]);
    assert_eq!(folder.read("m.json"), "older");
    folder.words("design spec.toml -o m.json --force").exits(0);
    assert_eq!(folder.json("m.json")["kind"], "aware");
    assert_eq!(folder.names(), ["m.json", "spec.toml"]);
}

#[test]
fn a_wrong_spec_leaves_no_file_and_an_older_one_alone() {
    let folder = Folder::new();
    folder.write("spec.toml", TWO.replace("0.8", "0.9"));
    folder.words("design spec.toml -o new.json").fails_with(&["spec.toml", "profile \"bo\"", "11/10"]);
    folder.write("m.json", "older");
    folder.words("design spec.toml -o m.json --force").fails_with(&["profile \"bo\""]);
    assert_eq!((folder.read("m.json").as_str(), folder.names().len()), ("older", 2));
}

#[test]
fn the_file_goes_to_standard_output_on_request_and_the_table_beside_it() {
    let folder = Folder::new();
    folder.write("spec.toml", TWO);
    folder.words("design spec.toml -o m.json").exits(0);
    let run = folder.words("design spec.toml -o -").exits(0).says(&["smooth-categorical (aware)", "max-flip: "]);
    assert_eq!(run.stdout, folder.read("m.json"));
    folder.run_on(["certify", "-"], run.stdout).exits(0);
    folder.words("design spec.toml -o - --json").fails_with(&["--json and -o -"]);
    assert_eq!(folder.names(), ["m.json", "spec.toml"], "no file is called -");
}

#[test]
fn a_design_that_is_further_from_the_least_than_asked_for_is_refused() {
    let folder = Folder::new();
    let line = |more: &str| format!("design {} {more} -o m.json", example("workstations/spec.toml").display());
    let refused = folder.words(&line("--mechanism cluster --max-gap 1e-6"));
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    assert!(refused.stderr.contains("above the least there is, more than the 1e-6"), "{}", refused.stderr);
    assert!(folder.names().is_empty(), "nothing is written: {:?}", folder.names());
    folder.words(&line("--max-gap 1e-6")).exits(0);
}
