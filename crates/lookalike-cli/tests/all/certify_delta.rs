//! `lookalike certify --delta-at`: δ from the numbers in the file by plain fractions, and what people and machines see.

use crate::common::{Folder, TWO, WARNER, example, keys, texts};
use crate::exact::{fraction, laws, pairs};
use lookalike::exact::Rational;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use serde_json::{Value, json};

/// The largest Σ (q − power·q')⁺ over all pairs of a file.
fn largest_delta(file: &Value, power: &Rational) -> Rational {
    let (laws, unit) = (laws(file), Rational::from_integer(BigInt::one() << 106u32));
    let law = |name: &str| &laws.iter().find(|law| law.0 == name).unwrap().1;
    let of = |(a, b, _): &(String, String, _)| {
        let gains = law(a).iter().zip(law(b)).map(|(p, q)| (p - power * q) / &unit);
        gains.filter(Signed::is_positive).sum::<Rational>()
    };
    pairs(file).iter().map(of).max().unwrap()
}

fn delta(folder: &Folder, epsilon: &str) -> Value {
    folder.words(&format!("certify m.json --json --delta-at {epsilon}")).exits(0).json()["delta"].clone()
}

#[test]
fn warner_at_ln_3_is_a_quarter_short_of_ln_2() {
    let folder = Folder::new();
    folder.design_toml(WARNER);
    let plain = folder.words("certify m.json").exits(0).stdout;
    let run = folder.words("certify m.json --delta-at ln(2)").exits(0);
    assert_eq!(
        run.stdout.strip_prefix(&plain).unwrap(),
        "Delta at epsilon ln(2): 1/4.\n\
         The probability of any set of outputs is at most e^(ln(2)) times that under a neighbour, plus delta. No smaller delta\n\
         will do: output \"no\" has probability 0.75000 under \"no\" and 0.25000 under \"yes\".\n"
    );
    let verdict = folder.words("certify m.json --delta-at ln(2) --json").exits(0).json();
    assert_eq!(keys(&verdict), ["certified", "secrets", "epsilon", "worst", "edges", "delta"]);
    assert_eq!(
        verdict["delta"],
        json!({
            "epsilon": 2f64.ln(), "epsilon_text": "ln(2)", "lower": 0.25, "upper": 0.25, "exact": "1/4",
            "edge": ["no", "yes"], "outputs": ["no"], "probabilities": ["3/4", "1/4"],
        })
    );
    let run = folder.words("certify m.json --delta-at ln(3)").exits(0);
    assert_eq!(
        run.stdout.strip_prefix(&plain).unwrap(),
        "Delta at epsilon ln(3): 0. Every two secrets that must look alike are within it.\n"
    );
    let none = delta(&folder, "ln(3)");
    assert_eq!((&none["exact"], &none["lower"], &none["upper"]), (&json!("0"), &json!(0.0), &json!(0.0)));
    assert_eq!(none["outputs"], json!([]));
}

#[test]
fn designed_files_have_the_delta_of_plain_fractions() {
    for spec in ["workstations/spec.toml", "commute/spec.toml"] {
        let folder = Folder::new();
        let file = folder.design(&example(spec));
        for power in ["101/100", "5/4", "3/2", "2"] {
            let expected = largest_delta(&file, &fraction(power));
            let delta = delta(&folder, &format!("ln({power})"));
            assert_eq!(fraction(delta["exact"].as_str().unwrap()), expected, "{spec} {power}");
            assert_eq!(texts(&delta["outputs"]).is_empty(), expected.is_zero());
            let [a, b] = [0, 1].map(|at| fraction(delta["probabilities"][at].as_str().unwrap()));
            assert_eq!(a - b * fraction(power), expected);
        }
        // e^(1/5) is irrational: doubles around what fractions around it give.
        let power: lookalike::exact::Epsilon = "1/5".parse().unwrap();
        let [most, least] =
            [power.exp(200).lower(), power.exp(200).upper()].map(|end| largest_delta(&file, &end.to_rational()));
        let delta = delta(&folder, "0.2");
        assert!(delta["exact"].is_null() && delta["epsilon_text"] == "1/5");
        let [lower, upper] = ["lower", "upper"].map(|key| Rational::from_float(delta[key].as_f64().unwrap()).unwrap());
        assert!(lower <= most && least <= upper && (upper - lower) < fraction("1/1000000000000000"));
    }
}

#[test]
fn a_false_claim_has_a_delta_and_still_fails() {
    let folder = Folder::new();
    let mut file = folder.design_toml(TWO);
    file["channels"] = json!([{ "profiles": ["ana", "bo"], "rows": [[1u64 << 53, 0], [0, 1u64 << 53]] }]);
    folder.write("m.json", file.to_string());
    let run = folder.words("certify m.json --delta-at 0.5").exits(1);
    assert!(run.stdout.starts_with("NOT PRIVATE: edge (\"bo\", \"ana\"), output \"busy\""), "{}", run.stdout);
    // 0.8 − 0.1·e^(1/2) = 0.635127…
    assert!(run.stdout.contains("Delta at epsilon 1/2: 0.63513, rounded up.\n"), "{}", run.stdout);
    let object = folder.words("certify m.json --delta-at 0.5 --json").exits(1).json();
    assert_eq!((&object["certified"], &object["delta"]["edge"]), (&json!(false), &json!(["bo", "ana"])));
    // Small figures keep their digits: 0.8 − 0.1·e^2.0794415 is 3.334…e-8, and what no decimals show is below them.
    let small = folder.words("certify m.json --delta-at 2.0794415").exits(1).stdout;
    assert!(small.contains("Delta at epsilon 4158883/2000000: 0.00000003335, rounded up.\n"), "{small}");
    let tiny = "2.0794415416798359282516963643745";
    let tiny = folder.words(&format!("certify m.json --delta-at {tiny}")).exits(1).stdout;
    assert!(tiny.contains(": below 1e-17.\n"), "{tiny}");
}

#[test]
fn many_outputs_are_counted_and_cut() {
    let folder = Folder::new();
    let names: Vec<String> = (0..30).map(|at| format!("v{at}")).collect();
    let law = |heavy: std::ops::Range<usize>| {
        (0..30).map(|x| if heavy.contains(&x) { "9/150" } else { "1/150" }).collect::<Vec<_>>()
    };
    let spec = json!({
        "epsilon": 3, "categories": names, "profiles": { "ana": law(0..15), "bo": law(15..30) },
        "graph": { "shape": "chain" },
    });
    folder.design(&folder.write("spec.json", spec.to_string()));
    let run = folder.words("certify m.json --delta-at ln(3)").exits(0);
    let expected = "Delta at epsilon ln(3): 3/5.\n";
    assert!(run.stdout.contains(expected), "{}", run.stdout);
    let listed = (0..8).map(|at| format!("\"v{at}\"")).collect::<Vec<_>>().join(", ");
    let expected =
        format!("will do: 15 outputs ({listed}, …) have probability 0.90000 under \"ana\" and 0.10000 under \"bo\".\n");
    assert!(run.stdout.contains(&expected), "{}", run.stdout);
}

#[test]
fn an_epsilon_that_is_none_is_a_usage_error() {
    let folder = Folder::new();
    folder.design_toml(WARNER);
    for epsilon in ["0", "-1", "ln(1)"] {
        let run = folder.words(&format!("certify m.json --delta-at={epsilon}"));
        run.fails_with(&["--delta-at <E>", "expected a number above 0"]);
    }
    folder.words("certify m.json --delta-at much").fails_with(&["--delta-at <E>", "is not understood"]);
}

#[test]
fn a_group_with_too_many_pairs_is_refused_with_their_number() {
    let folder = Folder::new();
    let rows: String = (0..50_000).map(|at| format!("u{at},1/2,1/2\n")).collect();
    folder.write("profiles.csv", format!("profile,no,yes\n{rows}"));
    folder.design_toml(
        "epsilon = 1\ncategories = [\"no\", \"yes\"]\nprofiles_file = \"profiles.csv\"\ngraph.shape = \"complete\"\n",
    );
    let run = folder.words("certify m.json --delta-at 0.5");
    run.fails_with(&[
        "--delta-at: delta compares 2499950000 ordered pairs at 2 outputs, 4999900000 steps",
        "at most 4000000000",
    ]);
}
