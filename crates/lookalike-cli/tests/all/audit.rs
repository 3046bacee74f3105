//! `lookalike audit` of mechanism files and of draws that were written down.

use crate::{common, tables};

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use common::{Folder, Random, WARNER, example, golden, keys, texts};
use parquet::basic::Compression;
use serde_json::{Value, json};
use std::sync::Arc;

/// Everything that `--json` has, in order.
const KEYS: [&str; 16] = [
    "verdict",
    "measure",
    "at_epsilon",
    "bound",
    "claimed",
    "claimed_text",
    "certified",
    "confidence",
    "pair",
    "event",
    "tests",
    "draws",
    "pairs",
    "least_alike",
    "source",
    "seed",
];

fn workstations() -> Folder {
    let folder = Folder::new();
    folder.design(&example("workstations/spec.toml"));
    folder
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn a_seeded_audit_of_a_mechanism_says_always_the_same() {
    let folder = workstations();
    let run =
        |threads: &str| folder.words(&format!("audit m.json --draws 200_000 --seed 1 --threads {threads}")).exits(0);
    let one = run("1").says(&["seeded with 1: reproducible"]);
    golden("audit-workstations.txt", &one.stdout);
    assert_eq!(run("2").stdout, one.stdout, "whatever the threads");
    let other = folder.words("audit m.json --draws 2e5 --seed 2").exits(0).stdout;
    assert_ne!(other, one.stdout);
    assert!(!one.stdout.to_lowercase().contains("private"), "{}", one.stdout);
}

#[test]
fn without_a_seed_the_draws_are_fresh_and_nothing_is_said_of_seeds() {
    let folder = workstations();
    let run = || folder.words("audit m.json --draws 100000 --confidence 0.999999 --json").exits(0);
    let (one, other) = (run(), run());
    assert_eq!(one.stderr, "");
    assert_eq!(one.json()["seed"], Value::Null);
    assert_ne!(one.json()["tests"], other.json()["tests"]);
}

#[test]
fn json_has_the_bound_the_claim_the_proof_and_all_tests() {
    let folder = workstations();
    let found = folder.words("audit m.json --draws 400000 --seed 3 --json").exits(0).json();
    assert_eq!(keys(&found), KEYS);
    assert_eq!(found["verdict"], "no evidence against");
    assert_eq!((&found["measure"], &found["at_epsilon"]), (&json!("epsilon"), &Value::Null));
    assert_eq!((&found["claimed"], &found["claimed_text"]), (&json!(0.5), &json!("1/2")));
    assert_eq!(keys(&found["certified"]), ["lower", "upper"]);
    let [bound, upper] = [number(&found["bound"]), number(&found["certified"]["upper"])];
    assert!(bound > 0.4 && bound < upper && upper <= 0.5, "{found}");
    assert_eq!(
        (&found["confidence"], &found["source"], &found["seed"]),
        (&json!(0.999), &json!("mechanism"), &json!(3))
    );
    assert_eq!(found["pairs"], json!({ "attacked": 18, "all": 18 }));
    let drawn = ["choosing", "testing"].map(|half| found["draws"][half].as_u64().unwrap());
    assert!(drawn.iter().all(|&half| half > 190_000 && half <= 200_000), "{drawn:?}");
    let tests = found["tests"].as_array().unwrap();
    let worst = tests.iter().find(|test| test["bound"] == found["bound"]).unwrap();
    assert_eq!((&worst["pair"], &worst["event"]), (&found["pair"], &found["event"]));
    for test in tests {
        assert_eq!(keys(test), ["family", "pair", "event", "hits", "draws", "bound", "claimed"]);
        assert_eq!(texts(&test["pair"]).len(), 2);
        let [hits, draws] = ["hits", "draws"].map(|key| [0, 1].map(|at| test[key][at].as_u64().unwrap()));
        assert!(hits[0] <= draws[0] && hits[1] <= draws[1]);
    }
}

#[test]
fn pairs_can_be_chosen_by_name() {
    let folder = workstations();
    let found = folder.words("audit m.json --draws 1e5 --seed 1 --pair bo,cleo --pair eve,finn --json").exits(0).json();
    assert_eq!(found["pairs"], json!({ "attacked": 2, "all": 18 }));
    let text = folder.words("audit m.json --draws 1e5 --seed 1 --pair bo,cleo").exits(0).stdout;
    assert!(text.contains("\nAttacked 1 of 18 pairs.\n"), "{text}");
    folder.words("audit m.json --pair ana,zoe").fails_with(&[
        "--pair ana,zoe",
        "two names with a comma",
        "one of ana, bo",
    ]);
    folder.words("audit m.json --pair ana").fails_with(&["--pair ana:", "two names"]);
    folder.words("audit m.json --pair ana,ivy").fails_with(&["--pair ana,ivy: these need not look alike"]);
}

#[test]
fn a_pair_has_its_own_claim_and_its_own_proof() {
    let folder = Folder::new();
    folder.design(&example("commute/spec.toml"));
    let found = folder.words("audit m.json --draws 1e5 --seed 1 --pair C,D --json").exits(0).json();
    assert_eq!((&found["claimed"], &found["claimed_text"]), (&json!(0.25), &json!("1/4")));
    assert!(number(&found["certified"]["upper"]) <= 0.25);
    let text = folder.words("audit m.json --draws 1e5 --seed 1").exits(0).stdout;
    assert!(text.starts_with("No evidence against the epsilon of any pair.\n"), "{text}");
    assert!(text.contains(" claimed: the output is "), "{text}");
}

#[test]
fn delta_is_bounded_at_an_epsilon_and_held_against_the_exact_one() {
    let folder = Folder::new();
    folder.design_toml(WARNER);
    let found = folder.words("audit m.json --draws 1e5 --seed 1 --delta-at 1 --json").exits(0).json();
    assert_eq!(keys(&found), KEYS);
    assert_eq!((&found["measure"], &found["at_epsilon"]), (&json!("delta"), &json!("1")));
    assert_eq!(found["certified"], Value::Null);
    // 3/4 − e/4
    let delta = 0.75 - 0.25 * 1f64.exp();
    assert!(number(&found["bound"]) < delta && number(&found["bound"]) > delta - 0.05, "{found}");
    assert_eq!(found["verdict"], "no evidence against");
    let text = folder.words("audit m.json --draws 1e5 --seed 1 --delta-at 1").exits(0).stdout;
    assert!(text.starts_with("No evidence against delta 0.0704295429 at epsilon 1.\n"), "{text}");
    // At e^ε = 2 it is 3/4 − 2/4, which is a fraction.
    let text = folder.words("audit m.json --draws 1e5 --seed 1 --delta-at ln(2)").exits(0).stdout;
    assert!(text.starts_with("No evidence against delta 1/4 at epsilon ln(2).\n"), "{text}");
    let text = folder.words("audit m.json --draws 1e5 --seed 1 --confidence 0.9999999999999999").exits(0).stdout;
    assert!(text.contains("\nAt 99.99999999999999 % confidence epsilon is at least"), "{text}");
    folder.words("audit m.json --trim").fails_with(&["--trim is about records, and there are none"]);
    folder.words("audit m.json --delta-at 1 --delta 0.1").fails_with(&["--delta <D>", "cannot be used with"]);
}

#[test]
fn delta_of_chosen_pairs_is_their_own() {
    // C and D at 1/4 are closer than the others: their delta is smaller.
    let folder = Folder::new();
    folder.design(&example("commute/spec.toml"));
    let claimed = |more: &str| {
        let line = format!("audit m.json --draws 1e5 --seed 1 --delta-at 1/5 --json {more}");
        number(&folder.words(line.trim()).exits(0).json()["claimed"])
    };
    let (all, own) = (claimed(""), claimed("--pair C,D"));
    assert!(own > 0.0 && own < all, "{own} of {all}");
}

#[test]
fn names_with_commas_can_be_given_one_by_one() {
    let folder = Folder::new();
    let rows: String = (0..400).map(|at| ["\"Doe, J\",no\n", "\"Roe, R\",yes\n"][at % 2]).collect();
    folder.write("draws.csv", format!("secret,value\n{rows}"));
    let words = ["audit", "--secret-name", "Doe, J", "--secret-name", "Roe, R", "--records", "draws.csv", "--json"];
    let found = folder.run(words).exits(0).json();
    assert_eq!(texts(&found["pair"]).len(), 2);
    assert!(texts(&found["pair"]).iter().all(|name| ["Doe, J", "Roe, R"].contains(&&name[..])), "{found}");
    folder.words("audit --secret-name no -- cat").fails_with(&["one secret, expected at least two"]);
}

#[test]
fn a_mechanism_whose_claim_is_false_is_not_sampled() {
    let folder = Folder::new();
    let file = folder.design_toml(WARNER);
    folder.write("false.json", file.to_string().replace("ln(3)", "ln(2)"));
    for words in ["audit false.json", "audit false.json -- cat"] {
        let run = folder.words(words).exits(1).says(&["nothing audited, since the mechanism is not private"]);
        assert_eq!(run.stdout, "");
    }
    assert_eq!(folder.words("audit false.json --json").exits(1).json()["certified"], false);
}

/// Draws of Warner's mechanism that keep the truth with this many of a thousand.
fn draws(count: usize, keep: u64) -> Vec<(&'static str, &'static str)> {
    let mut random = Random(7);
    let answers = ["no", "yes"];
    let draw = |at: usize| (answers[at % 2], answers[(at + usize::from(random.below(1_000) >= keep)) % 2]);
    (0..count).map(draw).collect()
}

fn csv(draws: &[(&str, &str)]) -> String {
    std::iter::once("truth,said\n".to_owned()).chain(draws.iter().map(|(s, y)| format!("{s},{y}\n"))).collect()
}

#[test]
fn written_draws_are_audited_whatever_the_format() {
    let folder = Folder::new();
    folder.design_toml(WARNER);
    for (keep, code, verdict) in [(750, 0, "no evidence against"), (775, 1, "evidence against")] {
        let draws = draws(100_000, keep);
        folder.write("draws.csv", csv(&draws));
        let column = |at: fn(&(&'static str, &'static str)) -> &'static str| {
            Arc::new(StringArray::from_iter_values(draws.iter().map(at))) as ArrayRef
        };
        let table = RecordBatch::try_from_iter([("truth", column(|draw| draw.0)), ("said", column(|draw| draw.1))]);
        let table = table.unwrap();
        tables::parquet(&folder.path("draws.parquet"), &table, 30_000, Compression::SNAPPY);
        tables::arrow(&folder.path("draws.arrow"), &table, 7_000);
        let audit = |what: &str, file: &str| {
            let line = format!("audit {what} --records {file} --secret truth --value said --json");
            folder.run(line.split_whitespace()).exits(code).json()
        };
        let found = audit("m.json", "draws.csv");
        assert_eq!((&found["verdict"], &found["source"]), (&json!(verdict), &json!("records")));
        assert_eq!((&found["certified"], &found["seed"]), (&Value::Null, &Value::Null));
        assert_eq!(found["draws"], json!({ "choosing": 50_000, "testing": 50_000 }));
        for file in ["draws.parquet", "draws.arrow"] {
            assert_eq!(audit("m.json", file), found, "{file}");
        }
        // The same claim without a file.
        assert_eq!(audit("--secrets no,yes --epsilon ln(3)", "draws.parquet"), found);
    }
}

#[test]
fn numbers_that_were_written_down_are_attacked_as_numbers() {
    // Uniform noise on [0, 1) moved by half: the ends of the range give it away.
    let folder = Folder::new();
    let mut random = Random(3);
    let mut noise = || random.below(1 << 53) as f64 / (1u64 << 53) as f64;
    let numbers: Vec<f64> = (0..20_000).map(|at| (at % 2) as f64 / 2.0 + noise()).collect();
    let secrets = StringArray::from_iter_values((0..20_000).map(|at| ["a", "b"][at % 2]));
    let columns: [(&str, ArrayRef); 2] =
        [("secret", Arc::new(secrets)), ("value", Arc::new(Float64Array::from(numbers)))];
    let table = RecordBatch::try_from_iter(columns).unwrap();
    tables::parquet(&folder.path("draws.parquet"), &table, 1 << 20, Compression::UNCOMPRESSED);
    let found = folder.words("audit --secrets a,b --epsilon 1 --records draws.parquet --json").exits(1).json();
    let tests = found["tests"].as_array().unwrap();
    let threshold = tests.iter().find(|test| test["family"] == "threshold").unwrap();
    assert!(number(&threshold["bound"]) > 5.0, "{found}");
    let words = ["the output is at most ", "the output is above "];
    assert!(words.iter().any(|words| threshold["event"].as_str().unwrap().starts_with(words)), "{found}");
}

#[test]
fn written_draws_that_do_not_fit_are_refused_by_row_and_without_their_content() {
    let folder = Folder::new();
    folder.design_toml(WARNER);
    let audit = |rows: &str, more: &str| {
        folder.write("draws.csv", format!("secret,value\n{rows}"));
        folder.run(format!("audit {more} --records draws.csv").split_whitespace())
    };
    let marker = common::MARKER;
    let refused = |rows: &str, parts: &[&str]| {
        for more in ["m.json", "--secrets no,yes"] {
            let run = audit(rows, more).fails_with(&["draws.csv: "]).says(parts);
            assert!(!run.stderr.contains(marker), "{}", run.stderr);
        }
    };
    refused(&format!("no,yes\n{marker},no\n"), &["row 2, column \"secret\": none of the 2 secrets"]);
    refused("no,yes\n,no\n", &["row 2, column \"secret\": empty"]);
    refused("no,yes\nno,yes\nno,no\nyes,no\n", &["secret \"yes\" has 1 of the draws, expected at least 2"]);
    refused("", &["no draws, expected at least two for each secret"]);
    refused("no,yes\nno,yes\nyes,no\nyes,no\n", &["nothing that could be tested", "more draws"]);
    let run = audit(&format!("no,yes\nno,{marker}\n"), "m.json")
        .fails_with(&["row 2, column \"value\": none of the 2 outputs"]);
    assert!(!run.stderr.contains(marker));
    folder.words("audit m.json --records nowhere.csv").fails_with(&["nowhere.csv: cannot read"]);
    folder.words("audit m.json --records draws.csv --secret who").fails_with(&["draws.csv: ", "\"who\""]);
}

#[test]
fn what_privatize_released_can_be_audited() {
    let folder = Folder::new();
    folder.design_toml(WARNER);
    let rows: String = (0..40_000).map(|at| ["no\n", "yes\n"][at % 2]).collect();
    folder.write("truth.csv", format!("value\n{rows}"));
    folder.words("privatize m.json truth.csv --seed 5 -o said.csv").exits(0);
    let (truth, said) = (folder.read("truth.csv"), folder.read("said.csv"));
    let both: String = truth.lines().zip(said.lines()).map(|(truth, said)| format!("{truth},{said}\n")).collect();
    folder.write("both.csv", both.replacen("value,value", "secret,value", 1));
    let found = folder.words("audit m.json --records both.csv --json").exits(0).json();
    assert!(number(&found["bound"]) > 0.95, "{found}");
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let folder = Folder::new();
    folder.design_toml(WARNER);
    folder.words("audit").fails_with(&["<MECHANISM>"]);
    folder.words("audit --secrets no,yes").fails_with(&["<MECHANISM>"]);
    folder.words("audit --records draws.csv").fails_with(&["--secrets <NAMES>"]);
    folder.words("audit m.json --secrets no,yes").fails_with(&["--secrets", "cannot be used with"]);
    folder.words("audit m.json --epsilon 1").fails_with(&["--epsilon", "cannot be used with"]);
    folder.words("audit m.json --records d.csv -- cat").fails_with(&["--records", "cannot be used with"]);
    folder.words("audit m.json --seed 1 -- cat").fails_with(&["--seed", "cannot be used with"]);
    folder.words("audit m.json --draws 10 --records d.csv").fails_with(&["--draws", "cannot be used with"]);
    folder.words("audit m.json --timeout 5").fails_with(&["<PROGRAM>"]);
    folder.words("audit m.json --timeout 5 --records d.csv").fails_with(&["--timeout", "cannot be used with"]);
    for column in ["--secret", "--value"] {
        folder.words(&format!("audit m.json {column} who -- cat")).fails_with(&[column, "cannot be used with"]);
        folder.words(&format!("audit m.json {column} who")).fails_with(&["--records <FILE>"]);
    }
    folder.words("audit m.json --secret-name no").fails_with(&["--secret-name", "cannot be used with"]);
    folder.words("audit --secrets no -- cat").fails_with(&["--secrets: one secret, expected at least two"]);
    folder.words("audit --secrets no,no -- cat").fails_with(&["--secrets: secret \"no\" occurs twice"]);
    folder.words("audit --secrets a,b --delta 0.1 -- cat").fails_with(&["--delta-at"]);
    folder.words("audit --secrets a,b --delta-at 1 --delta 2 -- cat").fails_with(&["at least 0 and less than 1"]);
    folder.words("audit m.json --draws 7").fails_with(&["7 draws for 2 secrets, expected at least 8"]);
    folder.words("audit m.json --draws many").fails_with(&["--draws <N>", "\"many\" is not a number"]);
    folder.words("audit m.json --confidence 1").fails_with(&["a confidence of 1, expected"]);
    folder.words("audit nowhere.json").fails_with(&["nowhere.json: cannot read"]);
}

/// Values are drawn from the worst laws within the limits; a file whose limits are wider than what it keeps is not drawn from.
#[test]
fn limits_are_attacked_at_their_worst_laws_and_must_be_kept() {
    let folder = Folder::new();
    let limits = "[limits]\nana = [[0.7, 0.9], [0.1, 0.3]]\nbo = [[0.5, 0.7], [0.3, 0.5]]\n";
    let spec = "epsilon = 1\ncategories = [\"no\", \"yes\"]\n[profiles]\nana = 0.2\nbo = 0.4\n";
    folder.write("spec.toml", format!("{spec}{limits}[graph]\nshape = \"complete\"\n"));
    folder.words("design spec.toml -o m.json").exits(0);
    let text = folder.words("audit m.json --draws 100000 --seed 1").exits(0).stdout;
    assert!(text.contains("laws within the limits of the profiles: those at which \""), "{text}");
    let found = folder.words("audit m.json --draws 100000 --seed 1 --json").exits(0).json();
    assert_eq!(found["least_alike"].as_array().unwrap().len(), 1, "{found}");
    folder.write("audit.json", found.to_string());
    folder.words("report m.json --audit audit.json --no-sweep -o page.html").exits(0);
    let mut wide = folder.json("m.json");
    wide["limits"]["ana"] = json!([["1/10", "1"], ["0", "9/10"]]);
    folder.write("wide.json", wide.to_string());
    let refused = folder.words("audit wide.json --draws 100000 --seed 1").exits(1);
    assert!(refused.stderr.contains("nothing audited, since the mechanism is not private"), "{}", refused.stderr);
}
