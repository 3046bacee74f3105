//! A file that `lookalike audit --json` would not print is refused, and the error says why.

use super::*;
use lookalike::model::{Categories, Channel, Names, SecretGraph, TOTAL};
use serde_json::{Value, json};

/// Randomized response at ln(3) between `no` and `yes`; `maybe` is alone.
fn mechanism() -> Mechanism {
    let values = Categories::new(["no", "yes", "maybe"]).unwrap();
    let mut builder = SecretGraph::builder(Names::new("value", ["no", "yes", "maybe"]).unwrap());
    builder.edge(0, 1, "ln(3)".parse().unwrap()).unwrap();
    let (more, less) = (3 * TOTAL / 4, TOTAL / 4);
    let rows = vec![vec![more, less, 0], vec![less, more, 0], vec![0, 0, TOTAL]];
    Mechanism::point(values.clone(), values, builder.build().unwrap(), Channel::rows(rows).unwrap()).unwrap()
}

fn good() -> Value {
    let test = json!({
        "family": "single output", "pair": ["yes", "no"], "event": "the output is \"yes\"",
        "hits": [375_100, 124_800], "draws": [500_000, 500_000], "bound": 1.09, "claimed": 1.098_612_288_668_11,
    });
    json!({
        "verdict": "no evidence against", "measure": "epsilon", "at_epsilon": null,
        "bound": 1.09, "claimed": 1.098_612_288_668_11, "claimed_text": "ln(3)",
        "certified": { "lower": 1.098_612_288, "upper": 1.098_612_289 },
        "confidence": 0.999, "pair": ["yes", "no"], "event": "the output is \"yes\"", "tests": [test],
        "draws": { "choosing": 1_000_000, "testing": 1_000_000 }, "pairs": { "attacked": 1, "all": 1 },
        "source": "mechanism", "seed": null,
    })
}

fn read(value: &Value) -> Result<AuditFigures> {
    read_figures(&Tree::from_json(&value.to_string()).unwrap(), &mechanism())
}

#[test]
fn what_the_audit_printed_is_read_back() {
    let figures = read(&good()).unwrap();
    let worst = figures.worst();
    assert_eq!((worst.secrets, worst.bound, worst.family), ([1, 0], 1.09, Family::Single));
    assert_eq!(worst.seen.map(|seen| (seen.hits, seen.draws)), [(375_100, 500_000), (124_800, 500_000)]);
    assert_eq!(
        (figures.certified, figures.pairs, figures.source),
        (Some(1.098_612_289), [1, 1], AuditSource::Mechanism)
    );
    let mut other = good();
    other["certified"] = json!({ "lower": null, "upper": null });
    other["source"] = json!("program");
    other["seed"] = json!(7);
    let figures = read(&other).unwrap();
    assert_eq!((figures.certified, figures.source, figures.seed), (Some(f64::INFINITY), AuditSource::Program, Some(7)));
    other["certified"] = Value::Null;
    other["claimed_text"] = Value::Null;
    assert_eq!(read(&other).unwrap().certified, None);
}

#[test]
fn an_audit_without_a_claim_is_read() {
    let mut audit = good();
    audit["verdict"] = json!("no claim");
    for key in ["claimed", "claimed_text"] {
        audit[key] = Value::Null;
    }
    audit["tests"][0]["claimed"] = Value::Null;
    assert_eq!(read(&audit).unwrap().worst().claimed, None);
}

#[test]
fn every_key_is_needed_and_no_other_is_known() {
    for key in KEYS {
        let mut audit = good();
        audit.as_object_mut().unwrap().remove(key);
        let error = read(&audit).unwrap_err().to_string();
        assert_eq!(error, format!("{key} is missing, expected what `lookalike audit --json` prints"));
    }
    let mut audit = good();
    audit["bond"] = json!(1);
    assert!(read(&audit).unwrap_err().to_string().starts_with("key \"bond\" is not known"));
}

#[test]
fn what_makes_no_sense_is_refused_with_the_place() {
    for (pointer, wrong, message) in [
        ("/measure", json!("delta"), "measure: an audit of δ, expected one of ε: the page shows ε only"),
        ("/measure", json!("rho"), "measure: found \"rho\", expected \"epsilon\""),
        ("/pair/0", json!("ann"), "pair: name 1: \"ann\" is not in the mechanism (was another one audited?)"),
        ("/pair", json!(["yes", "yes"]), "pair: found 2 names, expected two different ones"),
        ("/pair", json!(["yes"]), "pair: found 1 names, expected two different ones"),
        ("/tests/0/pair/1", json!("ann"), "tests: test 1: pair: name 2: \"ann\" is not in the mechanism"),
        (
            "/tests/0/hits/0",
            json!(500_001),
            "tests: test 1: 500001 hits in 500000 draws, expected no more hits than draws",
        ),
        ("/tests/0/hits", json!([1, 2, 3]), "tests: test 1: hits: found 3 numbers, expected two"),
        ("/tests/0/hits/1", json!(0.5), "tests: test 1: hits: item 2: found the number 0.5, expected a whole number"),
        ("/tests/0/bound", json!(-0.5), "tests: test 1: bound: found -0.5, expected a number that is not negative"),
        (
            "/tests/0/family",
            json!("guess"),
            "tests: test 1: family: found \"guess\", expected one of single output, set",
        ),
        ("/tests", json!([]), "no test has the pair, the event and the bound 1.09 of the whole"),
        ("/bound", json!(1.08), "no test has the pair, the event and the bound 1.08 of the whole"),
        (
            "/verdict",
            json!("evidence against"),
            "verdict: found \"evidence against\", expected \"no evidence against\"",
        ),
        (
            "/verdict",
            json!("private"),
            "verdict: found \"private\", expected \"no evidence against\" by a bound of 1.09",
        ),
        ("/claimed_text", json!("ln(4)"), "claimed: found ln(4), and the mechanism claims ε = ln(3) for this pair"),
        ("/claimed_text", json!("<b>"), "claimed: found <b>, and the mechanism claims ε = ln(3) for this pair"),
        ("/claimed", json!(2), "claimed: found 2, and the test that speaks for the whole has 1.09861"),
        ("/certified/lower", json!(2), "certified: from 2 to 1.098612289, expected a lower end"),
        ("/confidence", json!(1), "confidence: found 1, expected a number strictly between 0 and 1"),
        ("/pairs/attacked", json!(3), "pairs: 3 attacked of 1, expected no more than there are"),
        ("/source", json!("rumour"), "source: found \"rumour\", expected \"mechanism\", \"program\" or \"records\""),
        ("/seed", json!("x"), "seed: found a text, expected a whole number"),
    ] {
        let mut audit = good();
        *audit.pointer_mut(pointer).unwrap() = wrong;
        let error = read(&audit).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
    let text = good().to_string().replace("1.09,", "1e400,");
    let error = read_figures(&Tree::from_json(&text).unwrap(), &mechanism()).unwrap_err().to_string();
    assert_eq!(error, "tests: test 1: bound: a number beyond all measure, expected a finite one");
}

#[test]
fn a_pair_that_the_mechanism_does_not_protect_has_no_claim() {
    let mut audit = good();
    audit["pair"] = json!(["yes", "maybe"]);
    audit["tests"][0]["pair"] = json!(["maybe", "yes"]);
    let error = read(&audit).unwrap_err().to_string();
    assert!(error.contains("the mechanism claims nothing for this pair (was another mechanism audited?)"), "{error}");
}
