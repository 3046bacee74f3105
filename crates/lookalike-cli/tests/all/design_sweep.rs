//! `lookalike design --sweep` and `--epsilon-for`.

use crate::common::{Folder, TWO, WARNER, example, keys};
use serde_json::Value;

fn warner() -> Folder {
    let folder = Folder::new();
    folder.write("spec.toml", WARNER);
    folder
}

#[test]
fn a_sweep_prints_a_row_for_each_epsilon() {
    let folder = warner();
    let table = folder.words("design spec.toml --sweep 0.1,ln(3),2").exits(0).stdout;
    let rows: Vec<Vec<&str>> = table
        .lines()
        .filter(|line| line.contains('┆'))
        .map(|line| line.split(['│', '┆']).map(str::trim).collect())
        .collect();
    assert_eq!(rows.len(), 4, "{table}");
    assert_eq!(
        rows[0][1..9],
        ["epsilon", "max-flip", "lower bound", "gap", "local DP", "error", "certified", "algorithm"]
    );
    assert_eq!(rows[2][1..4], ["ln(3)", "0.25000", "0.25000"]);
    assert_eq!(rows[2][5..9], ["0.25000", "0.25000", "yes", "closed-form"]);
    assert_eq!(folder.words("design spec.toml --sweep 0.05..3:60").exits(0).stdout.matches("closed-form").count(), 60);
    assert_eq!(folder.names(), ["spec.toml"]);
}

#[test]
fn a_sweep_is_an_array_for_machines_and_falls_with_epsilon() {
    let spec = example("workstations/spec.toml");
    let folder = Folder::new();
    let run = folder.run(["design", spec.to_str().unwrap(), "--sweep", "0.05..3:6", "--json"]).exits(0);
    let points = run.json();
    let points = points.as_array().unwrap();
    assert_eq!(points.len(), 6);
    for point in points {
        assert_eq!(
            keys(point),
            [
                "epsilon",
                "epsilon_text",
                "mechanism",
                "algorithm",
                "objective",
                "baseline",
                "expected_error",
                "repair_cost",
                "certified"
            ]
        );
        assert_eq!(point["certified"], true);
        let [value, bound] = ["value", "lower_bound"].map(|key| point["objective"][key].as_f64().unwrap());
        assert!(bound <= value && value <= point["baseline"]["value"].as_f64().unwrap());
    }
    let column = |key: &str| -> Vec<f64> { points.iter().map(|point| point[key].as_f64().unwrap()).collect() };
    assert!(column("epsilon").windows(2).all(|pair| pair[0] < pair[1]));
    assert_eq!((column("epsilon")[0], column("epsilon")[5]), (0.05, 3.0));
    let values: Vec<f64> = points.iter().map(|point| point["objective"]["value"].as_f64().unwrap()).collect();
    assert!(values.windows(2).all(|pair| pair[0] >= pair[1]) && values[5] == 0.0, "{values:?}");
}

#[test]
fn a_sweep_writes_no_file_and_refuses_what_contradicts_it() {
    let folder = warner();
    folder.words("design spec.toml --sweep 0.1..1 -o m.json").fails_with(&[
        "--sweep",
        "cannot be used with",
        "--output",
    ]);
    folder.words("design spec.toml --sweep 0.1..1 --epsilon 1").fails_with(&["--sweep", "--epsilon"]);
    folder.words("design spec.toml --sweep 1..0.1").fails_with(&["--sweep", "expected the smaller epsilon first"]);
    folder.words("design spec.toml --sweep wide").fails_with(&["--sweep", "\"wide\" is not understood"]);
    assert_eq!(folder.names(), ["spec.toml"]);
}

#[test]
fn the_smallest_epsilon_for_a_utility_is_found_designed_and_written() {
    let folder = warner();
    // Warner's 1/(1 + E) is 1/4 at ln 3 = 1.09861228…
    let run = folder.words("design spec.toml --epsilon-for max-flip=1/4 -o m.json").exits(0);
    assert!(
        run.stdout.contains("Epsilon 1.098613 is the smallest, to a millionth of itself, for max-flip at most 0.25.")
    );
    assert_eq!(folder.json("m.json")["epsilon"], "1098613/1000000");
    folder.words("certify m.json").exits(0);
    folder.write("spec.toml", TWO);
    let found = folder.words("design spec.toml --epsilon-for expected-error=0.1 --json").exits(0).json();
    let object = &found["epsilon_for"];
    assert_eq!(keys(object), ["objective", "at_most", "value", "relative_resolution", "one_step_lower"]);
    assert_eq!((&object["objective"], &object["at_most"]), (&"expected-error".into(), &0.1.into()));
    assert_eq!(found["objective"]["name"], "expected-error");
    let value = |design: &Value| design["objective"]["value"].as_f64().unwrap();
    assert!(value(&found) <= 0.1 && object["one_step_lower"].as_f64().unwrap() > 0.1);
    // The same by hand, at the epsilon found and a little lower.
    let at = |epsilon: f64| {
        let line = format!("design spec.toml --json --objective expected-error --epsilon {epsilon}");
        value(&folder.words(&line).exits(0).json())
    };
    let epsilon = found["epsilon"].as_f64().unwrap();
    assert!(at(epsilon) <= 0.1 && at(epsilon * (1.0 - 2e-6)) > 0.1);
}

#[test]
fn utilities_out_of_reach_are_refused_and_trivial_ones_are_named() {
    let folder = warner();
    folder
        .words("design spec.toml --epsilon-for max-flip=0 -o m.json")
        .fails_with(&["spec.toml", "max-flip at most 0 is not reached at any epsilon up to 100"]);
    let run = folder.words("design spec.toml --epsilon-for max-flip=0.5").exits(0);
    assert!(
        run.stdout.contains("Every epsilon from 0.000001 on reaches this: max-flip at most 0.5."),
        "{}",
        run.stdout
    );
    folder.words("design spec.toml --epsilon-for speed=1").fails_with(&["--epsilon-for", "expected max-flip"]);
    folder.words("design spec.toml --epsilon-for 0.1").fails_with(&["expected for example expected-error=0.1"]);
    folder.words("design spec.toml --epsilon-for loss=1").fails_with(&["needs a loss matrix"]);
    folder
        .words("design spec.toml --epsilon-for max-flip=0.1 --objective max-flip")
        .fails_with(&["--epsilon-for", "--objective"]);
    assert_eq!(folder.names(), ["spec.toml"]);
}
