//! A file that `lookalike audit with json` would not print is refused, and the error says why.

use super::*;
use lookalike::audit::epsilon_bound;
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

/// The bound of the counts of `good`, as one of so many tests.
fn bound(tests: u32) -> f64 {
    let [one, other] = [375_100, 124_800].map(|hits| Seen { hits, draws: 500_000 });
    epsilon_bound(one, other, (1.0 - 0.999) / f64::from(tests))
}

fn good() -> Value {
    let bound = bound(1);
    let test = json!({
        "family": "single output", "pair": ["yes", "no"], "event": "the output is \"yes\"",
        "hits": [375_100, 124_800], "draws": [500_000, 500_000], "bound": bound, "claimed": 1.098_612_288_668_11,
    });
    json!({
        "verdict": "no evidence against", "measure": "epsilon", "at_epsilon": null,
        "bound": bound, "claimed": 1.098_612_288_668_11, "claimed_text": "ln(3)",
        "certified": { "lower": 1.098_612_288_668_109, "upper": 1.098_612_288_668_11 },
        "confidence": 0.999, "pair": ["yes", "no"], "event": "the output is \"yes\"", "tests": [test],
        "draws": { "choosing": 1_000_000, "testing": 1_000_000 }, "pairs": { "attacked": 1, "all": 1 },
        "source": "mechanism", "seed": null,
    })
}

fn read(value: &Value) -> Result<AuditFigures> {
    read_figures(&Tree::from_json(&value.to_string()).unwrap(), &mechanism())
}

#[track_caller]
fn refused(audit: &Value, message: &str) {
    let error = read(audit).unwrap_err().to_string();
    assert!(error.starts_with(message), "{error}");
}

#[test]
fn what_the_audit_printed_is_read_back() {
    let figures = read(&good()).unwrap();
    let worst = figures.worst();
    assert_eq!((worst.secrets, worst.bound, worst.family), ([1, 0], bound(1), Family::Single));
    assert_eq!(worst.seen.map(|seen| (seen.hits, seen.draws)), [(375_100, 500_000), (124_800, 500_000)]);
    assert_eq!((figures.pairs, figures.source), ([1, 1], AuditSource::Mechanism));
    let certified = figures.certified.unwrap();
    assert!(certified >= 3f64.ln() && certified < 3f64.ln() + 1e-15, "{certified}");
    let mut other = good();
    (other["source"], other["certified"], other["seed"]) = (json!("program"), Value::Null, json!(7));
    let figures = read(&other).unwrap();
    assert_eq!((figures.certified, figures.source, figures.seed), (None, AuditSource::Program, Some(7)));
}

#[test]
fn an_audit_without_a_claim_is_read() {
    let mut audit = good();
    audit["verdict"] = json!("no claim");
    for key in ["claimed", "claimed_text"] {
        audit[key] = Value::Null;
    }
    audit["tests"][0]["claimed"] = Value::Null;
    refused(&audit, "tests: no claim, expected that of the mechanism that was drawn from");
    (audit["source"], audit["certified"]) = (json!("records"), Value::Null);
    assert_eq!(read(&audit).unwrap().worst().claimed, None);
    audit["claimed_text"] = json!("ln(3)");
    refused(&audit, "claimed: found null, and the test that speaks for the whole has null");
}

/// What is certified is of the mechanism of the page, whatever the file says.
#[test]
fn what_is_certified_follows_from_the_mechanism() {
    let mut audit = good();
    audit["certified"] = json!({ "lower": 1.05, "upper": 1.06 });
    refused(&audit, "certified: at most 1.06, and at most 1.0986122886681");
    assert!(read(&audit).unwrap_err().to_string().ends_with("(was another mechanism audited?)"));
    audit["certified"] = json!({ "lower": null, "upper": null });
    refused(&audit, "certified: at most inf, and at most 1.0986122886681");
    audit["certified"] = Value::Null;
    refused(&audit, "certified: null, expected the true ε of the mechanism that was drawn from");
    for source in ["program", "records"] {
        let mut audit = good();
        audit["source"] = json!(source);
        refused(&audit, "certified: expected null, since nothing is certified of a program or of records");
    }
}

/// Two tests, each with the bound of its counts; the second shows more than is claimed.
fn contradictory() -> Value {
    let mut audit = good();
    let second = [400_000, 100_000].map(|hits| Seen { hits, draws: 500_000 });
    let mut test = audit["tests"][0].clone();
    (test["event"], test["hits"]) = (json!("the length is 3"), json!(second.map(|seen| seen.hits)));
    test["bound"] = json!(epsilon_bound(second[0], second[1], (1.0 - 0.999) / 2.0));
    audit["tests"].as_array_mut().unwrap().push(test);
    (audit["tests"][0]["bound"], audit["bound"]) = (json!(bound(2)), json!(bound(2)));
    audit
}

#[test]
fn the_whole_says_what_the_most_telling_test_says() {
    let mut audit = contradictory();
    refused(&audit, "the pair, the event and the bound 1.08");
    (audit["event"], audit["bound"]) = (json!("the length is 3"), audit["tests"][1]["bound"].clone());
    refused(&audit, "verdict: found \"no evidence against\", expected \"evidence against\" by a bound of 1.3");
    audit["verdict"] = json!("evidence against");
    assert_eq!(read(&audit).unwrap().worst, 1);
    audit["tests"][1]["claimed"] = Value::Null;
    refused(&audit, "tests: some have a claim and some have none, expected the same of all");
}

#[test]
fn evidence_against_the_proof_is_found_in_every_test() {
    // A claim of 2 for what is proved at ln 3.
    let mut audit = contradictory();
    audit["claimed_text"] = json!("2");
    for at in 0..2 {
        audit["tests"][at]["claimed"] = json!(2);
    }
    (audit["claimed"], audit["verdict"]) = (json!(2), json!("evidence against the proof"));
    (audit["event"], audit["bound"]) = (json!("the length is 3"), audit["tests"][1]["bound"].clone());
    let mut builder = SecretGraph::builder(mechanism().graph().names().clone());
    builder.edge(0, 1, "2".parse().unwrap()).unwrap();
    let loose = mechanism().with_graph(builder.build().unwrap()).unwrap();
    let read = |audit: &Value| read_figures(&Tree::from_json(&audit.to_string()).unwrap(), &loose);
    assert_eq!(read(&audit).unwrap().worst, 1);
    audit["verdict"] = json!("no evidence against");
    assert!(read(&audit).unwrap_err().to_string().contains("expected \"evidence against the proof\""));
}

#[test]
fn a_bound_follows_from_its_counts() {
    let mut audit = good();
    for (key, value) in [("hits", json!([375_101, 124_800])), ("draws", json!([500_000, 499_999]))] {
        audit["tests"][0][key] = value;
        refused(&audit, "tests: test 1: bound: found 1.08");
        audit = good();
    }
    audit["confidence"] = json!(0.99);
    refused(&audit, "tests: test 1: bound: found 1.08");
    let mut audit = good();
    audit["draws"]["testing"] = json!(999_999);
    refused(&audit, "tests: test 1: draws: 500000 and 500000, expected together at most the 999999 draws for testing");
    audit["tests"][0]["family"] = json!("echo");
    // An echo has a tenth of the error, so its bound is lower, and it is counted among the draws that choose.
    refused(&audit, "tests: test 1: bound: found 1.08");
    let families: Vec<&str> =
        audit["tests"].as_array().unwrap().iter().map(|test| test["family"].as_str().unwrap()).collect();
    assert_eq!(families, ["echo"]);
    let seen = [0, 1].map(|side| {
        let number = |key: &str| audit["tests"][0][key][side].as_u64().unwrap();
        lookalike::audit::Seen { hits: number("hits"), draws: number("draws") }
    });
    let bound = lookalike::audit::epsilon_bound(seen[0], seen[1], 0.1 * (1.0 - 0.999));
    (audit["bound"], audit["tests"][0]["bound"]) = (json!(bound), json!(bound));
    assert!(read(&audit).is_ok());
    audit["draws"]["choosing"] = json!(1);
    refused(&audit, "tests: test 1: draws: 500000 and 500000, expected together at most the 1 draws for choosing");
    let mut audit = good();
    audit["tests"][0]["draws"] = json!([u64::MAX, u64::MAX]);
    refused(&audit, "tests: test 1: draws: 18446744073709551615 and 18446744073709551615, expected together");
    audit["tests"][0]["draws"] = json!([500_000, 0]);
    audit["tests"][0]["hits"] = json!([375_100, 0]);
    refused(&audit, "tests: test 1: 0 hits in 0 draws, expected at least one draw");
}

#[test]
fn every_key_is_needed_and_no_other_is_known() {
    for key in KEYS {
        let mut audit = good();
        audit.as_object_mut().unwrap().remove(key);
        if key == "least_alike" {
            assert!(read(&audit).is_ok(), "audits of earlier versions have no such key");
            continue;
        }
        let error = read(&audit).unwrap_err().to_string();
        assert_eq!(error, format!("{key} is missing, expected what `lookalike audit with json` prints"));
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
            "tests: test 1: 500001 hits in 500000 draws, expected at least one draw and no more hits than draws",
        ),
        ("/tests/0/hits", json!([1, 2, 3]), "tests: test 1: hits: found 3 numbers, expected two"),
        ("/tests/0/hits/1", json!(0.5), "tests: test 1: hits: item 2: found the number 0.5, expected a whole number"),
        ("/tests/0/bound", json!(-0.5), "tests: test 1: bound: found -0.5, expected a number that is not negative"),
        (
            "/tests/0/family",
            json!("guess"),
            "tests: test 1: family: found \"guess\", expected one of single output, set",
        ),
        ("/tests", json!([]), "tests: none, expected at least one"),
        ("/bound", json!(1.08), "the pair, the event and the bound 1.08 of the whole are not those of the test"),
        ("/pair", json!(["no", "yes"]), "the pair, the event and the bound 1.08"),
        ("/event", json!("it rains"), "the pair, the event and the bound 1.08"),
        ("/tests/0/claimed", json!(2), "tests: test 1: claimed: found 2, and the mechanism claims ε = ln(3)"),
        (
            "/verdict",
            json!("evidence against"),
            "verdict: found \"evidence against\", expected \"no evidence against\"",
        ),
        (
            "/verdict",
            json!("private"),
            "verdict: found \"private\", expected \"no evidence against\" by a bound of 1.08",
        ),
        ("/claimed_text", json!("ln(4)"), "claimed: found ln(4), and the mechanism claims ε = ln(3) for this pair"),
        ("/claimed_text", json!("<b>"), "claimed: found <b>, and the mechanism claims ε = ln(3) for this pair"),
        ("/claimed", json!(2), "claimed: found 2, and the test that speaks for the whole has 1.09861"),
        ("/certified/lower", json!(2), "certified: from 2 to 1.09861228866811, expected a lower end"),
        ("/confidence", json!(1), "confidence: found 1, expected at least 0.5 and less than 1"),
        ("/confidence", json!(0.4), "confidence: found 0.4, expected at least 0.5 and less than 1"),
        ("/pairs/attacked", json!(3), "pairs: 3 attacked of 1, expected at least one and no more than there are"),
        ("/pairs/attacked", json!(0), "pairs: 0 attacked of 1, expected at least one and no more than there are"),
        ("/pairs/all", json!(3), "pairs: 3 in all, and the mechanism has 1 (was another mechanism audited?)"),
        (
            "/draws/testing",
            json!(u64::MAX),
            "draws: testing: found 18446744073709551615, expected at most 1000000000000",
        ),
        ("/at_epsilon", json!("1"), "at_epsilon: expected null in an audit of ε"),
        ("/source", json!("rumour"), "source: found \"rumour\", expected \"mechanism\", \"program\" or \"records\""),
        ("/seed", json!("x"), "seed: found a text, expected a whole number"),
    ] {
        let mut audit = good();
        *audit.pointer_mut(pointer).unwrap() = wrong;
        let error = read(&audit).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
    let text = good().to_string().replace(&format!("{},", bound(1)), "1e400,");
    let error = read_figures(&Tree::from_json(&text).unwrap(), &mechanism()).unwrap_err().to_string();
    assert_eq!(error, "tests: test 1: bound: a number beyond all measure, expected a finite one");
}

#[test]
fn a_pair_that_the_mechanism_does_not_protect_has_no_claim() {
    let mut audit = good();
    audit["pair"] = json!(["yes", "maybe"]);
    audit["tests"][0]["pair"] = json!(["maybe", "yes"]);
    let error = read(&audit).unwrap_err().to_string();
    let expected = "the mechanism claims nothing for \"maybe\" and \"yes\" (was another mechanism audited?)";
    assert!(error.contains(expected), "{error}");
}
