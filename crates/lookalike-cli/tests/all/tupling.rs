//! `lookalike tupling`.

use crate::common::{Folder, WARNER, golden, keys};
use serde_json::json;

const FOUR: &str = "\
epsilon = \"ln(4)\"
categories = [\"a\", \"b\", \"c\", \"d\"]
channel = \"shared\"
graph.shape = \"chain\"
[profiles]
ana = [0.4, 0.3, 0.2, 0.1]
bo = [0.1, 0.2, 0.3, 0.4]
";

#[test]
fn the_published_values_are_printed() {
    let folder = Folder::new();
    folder.design_toml(FOUR);
    golden("tupling.txt", &folder.words("tupling m.json --epsilon 0.5").exits(0).stdout);
    let object = folder.words("tupling m.json --epsilon 0.5 --dummies 0,8 --json").exits(0).json();
    assert_eq!(keys(&object), ["epsilon", "epsilon_text", "rows"]);
    assert_eq!(keys(&object["rows"][0]), ["dummies", "lower", "upper", "exact", "edge", "probabilities"]);
    for (row, expected) in [(0, 0.2351), (1, 0.0075)] {
        let found = object["rows"][row]["upper"].as_f64().unwrap();
        assert!((found - expected).abs() < 5e-5, "{found}");
    }
    // Without dummies it is what certify says.
    let certified = folder.words("certify m.json --delta-at 0.5 --json").exits(0).json();
    for key in ["lower", "upper", "exact", "edge", "probabilities"] {
        assert_eq!(object["rows"][0][key], certified["delta"][key], "{key}");
    }
}

#[test]
fn a_law_of_dummies_is_read_and_what_it_never_is_is_said() {
    let folder = Folder::new();
    folder.design_toml(WARNER);
    folder.write("law.csv", "output,probability\nno,1\nyes,0\n");
    let run = folder.words("tupling m.json --epsilon ln(2) --dummies 0,3 --dummy-law law.csv --json").exits(0);
    assert_eq!(run.stderr, "warning: no dummy is ever \"yes\": such a report tells as much as without dummies\n");
    let rows = run.json()["rows"].clone();
    // The answer yes is 3/4 against 1/4 wherever it stands, and so is the answer no: there is no yes in the tuple.
    assert_eq!((&rows[0]["exact"], &rows[1]["exact"]), (&json!("1/4"), &json!("1/4")));
    assert_eq!(rows[1]["edge"], json!(["no", "yes"]));
    let within = folder.words("tupling m.json --epsilon ln(3) --dummies 2").exits(0).stdout;
    assert!(within.contains("│ 2       ┆     0 ┆          – │"), "{within}");
}

#[test]
fn what_cannot_be_answered_is_refused() {
    let folder = Folder::new();
    folder.design_toml(WARNER);
    folder.words("tupling m.json").fails_with(&["--epsilon <E>"]);
    folder.words("tupling m.json --epsilon 0").fails_with(&["--epsilon <E>", "expected a number above 0"]);
    folder.words("tupling m.json --epsilon 1 --dummies 257").fails_with(&["257", "--dummies <K>", "0..=256"]);
    folder.words("tupling m.json --epsilon 1 --dummies many").fails_with(&["'many'", "--dummies <K>"]);
    folder.words("tupling m.json --epsilon 1 --dummy-law law.csv").fails_with(&["law.csv", "cannot read"]);
    folder.write("law.csv", "output,probability\nno,1/2\n");
    let run = folder.words("tupling m.json --epsilon 1 --dummy-law law.csv");
    run.fails_with(&["law.csv: output \"yes\" is missing, expected a row for each"]);
    folder.words("noise design --sensitivity 1 --epsilon 1 -o noise.json").exits(0);
    let run = folder.words("tupling noise.json --epsilon 1");
    run.fails_with(&["noise.json: tupling is about channels between categories, and this file is of the kind noise"]);
}
