//! An epsilon is printed with the secrets that it is about, and nothing is promised about others.

use crate::common::{Folder, example};
use serde_json::Value;

const CHAIN: &str = "states = ['0', '1']\ninitial = 'stationary'\ntransition = [[0.9, 0.1], [0.4, 0.6]]\n";

/// A folder with noise about the moments of a chain, and numbers to release.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("c.toml", CHAIN);
    folder.write("counts.csv", "id,count\na,60\nb,75\nc,41\n");
    folder.words("pufferfish design c.toml --length 300 --epsilon 1 --query count:1 -o pf.json").exits(0);
    folder
}

/// The same noise as a file of version 1, which knows numbers only.
fn old_noise(folder: &Folder) {
    let mut file: Value = serde_json::from_str(&folder.read("pf.json")).unwrap();
    let decay = file["decay"].clone();
    let fields = file.as_object_mut().unwrap();
    fields.remove("secrets");
    fields.insert("version".into(), 1.into());
    fields.insert("epsilon".into(), decay);
    folder.write("old.json", file.to_string());
}

#[test]
fn every_verb_says_that_noise_of_a_chain_is_about_a_moment() {
    let folder = folder();
    const PROMISE: &str = "epsilon 1 for any one moment of a chain of 300";
    let run = folder.words("pufferfish design c.toml --length 300 --epsilon 1 --query count:1 -o again.json").exits(0);
    run.prints(&[&format!("Wrote again.json, which promises {PROMISE}.")]);
    let run = folder.words("certify pf.json").exits(0);
    let run = run.prints(&["Certified: any one moment of a chain of 300 within epsilon 1, by the chain in the file."]);
    assert!(!run.stdout.contains("0.2748"), "the loss about the number is no promise: {}", run.stdout);
    folder
        .words("privatize pf.json counts.csv --value count -o private.csv")
        .exits(0)
        .says(&[&format!("at {PROMISE}.")]);
    folder.words("noise add --mechanism pf.json 60").exits(0).prints(&[&format!("Released at {PROMISE}.")]);
    folder.words("report pf.json -o page.html").exits(0);
    let page = folder.read("page.html");
    assert!(page.contains("any one moment of a chain of 300, ε = 1"), "{page}");
    let object = folder.words("certify pf.json --json").exits(0).json();
    assert_eq!((&object["secrets"], &object["epsilon"]["lower"]), (&"moments".into(), &Value::Null));
    let upper = object["epsilon"]["upper"].as_f64().unwrap();
    assert!((0.91..=1.0).contains(&upper), "{upper}");
    folder.words("audit pf.json").fails_with(&["any one moment", "an audit attacks numbers"]);
}

#[test]
fn releases_from_one_sequence_add_up_by_the_rule_of_moments() {
    let folder = folder();
    let object = folder.words("account pf.json --releases 1,3 --json").exits(0).json();
    let lines = object["releases"].as_array().unwrap();
    let of = |line: usize, key: &str| lines[line][key].as_f64().unwrap();
    assert!(of(0, "together") > 0.9 && of(0, "together") <= 1.0 + 1e-12);
    assert!(of(1, "together") > 2.8 && of(1, "together") <= 3.0 + 1e-12, "{}", of(1, "together"));
    assert_eq!(object["secrets"], "moments");
    let text = folder.words("account pf.json --releases 3").exits(0);
    text.prints(&["epsilon for any one moment of a chain of 300", "no theorem says more at a delta"]);
}

#[test]
fn a_claim_about_moments_that_is_too_small_is_refused() {
    let folder = folder();
    let text = folder.read("pf.json").replace("\"epsilon\": \"1\"", "\"epsilon\": \"9/10\"");
    folder.write("false.json", text);
    let run = folder.words("certify false.json").exits(1);
    run.prints(&["NOT PROVED: a moment of the chain may lose up to"]);
    folder.words("privatize false.json counts.csv --value count -o x.csv").exits(1).says(&["nothing released"]);
    assert!(!folder.path("x.csv").exists());
    // Nor may the chain be left out, or said to be numbers: then the claim is another one, and says so.
    let mut file: Value = serde_json::from_str(&folder.read("pf.json")).unwrap();
    file["secrets"] = serde_json::json!({ "are": "numbers" });
    folder.write("numbers.json", file.to_string());
    folder.words("certify numbers.json").exits(0).prints(&["numbers at most 1 apart within epsilon 1"]);
}

#[test]
fn an_epsilon_about_moments_is_said_to_be_that_without_a_file_too() {
    let folder = folder();
    let object =
        folder.words("pufferfish design c.toml --length 300 --epsilon 1 --query count:1 --json").exits(0).json();
    assert_eq!((&object["secrets"], &object["epsilon_text"]), (&"moments".into(), &"1".into()));
    folder.write("day.csv", "state\n".to_owned() + &"0\n0\n1\n".repeat(20));
    let line = "pufferfish release c.toml day.csv --state state --query count:1 --epsilon 1 --seed 1 --json";
    let object = folder.words(line).exits(0).json();
    assert_eq!((&object["secrets"], &object["epsilon_text"]), (&"moments".into(), &"1".into()));
}

#[test]
fn limits_that_only_quilts_can_prove_are_not_written() {
    let folder = folder();
    folder.write("b.toml", "states = ['0', '1']\ninitial = 'stationary'\n[leave]\n0 = [0.3, 0.4]\n1 = [0.3, 0.4]\n");
    let line = "pufferfish design b.toml --length 300 --epsilon 5 --query count:1";
    folder.words(line).exits(0).prints(&["exact quilts"]);
    folder.words(&format!("{line} -o b.json")).fails_with(&["by contraction", "the method contraction"]);
    folder.words(&format!("{line} --method contraction -o b.json")).exits(0);
    folder.words("certify b.json").exits(0).prints(&["any one moment of a chain of 300 within epsilon 5"]);
}

#[test]
fn entry_privacy_is_no_promise_about_a_chain_that_a_file_could_make() {
    let folder = folder();
    let line = "pufferfish design c.toml --length 300 --epsilon 1 --query count:1 --method entry";
    folder
        .words(&format!("{line} -o entry.json"))
        .fails_with(&["entry privacy does not hide a moment", "noise design"]);
    assert!(!folder.path("entry.json").exists());
    folder.words(line).exits(0).prints(&["NOT PRIVATE"]);
}

#[test]
fn noise_of_version_1_is_certified_as_unstated_and_used_for_nothing() {
    let folder = folder();
    old_noise(&folder);
    folder.words("certify old.json").exits(0).prints(&["Certified, secrets unstated: numbers at most 1 apart within"]);
    assert_eq!(folder.words("certify old.json --json").exits(0).json()["secrets"], "unstated");
    for line in [
        "privatize old.json counts.csv --value count -o x.csv",
        "noise add --mechanism old.json 60",
        "account old.json --releases 3",
        "report old.json -o x.html",
        "audit old.json",
    ] {
        folder.words(line).fails_with(&[
            "old.json",
            "does not say which secrets its epsilon is about",
            "lookalike upgrade",
        ]);
    }
    folder.words("ledger init a.ledger --budget 10").exits(0);
    folder
        .words("privatize old.json counts.csv --value count --ledger a.ledger --subject id -o x.csv")
        .fails_with(&["does not say which secrets"]);
    assert!(!folder.path("x.csv").exists() && !folder.path("x.html").exists());
}

#[test]
fn an_upgrade_says_what_can_be_known_and_proves_it() {
    let folder = folder();
    old_noise(&folder);
    folder.words("upgrade old.json -o new.json").fails_with(&["does not say its secrets", "the moments of a chain"]);
    let line = "upgrade old.json --chain c.toml --length 300 --epsilon";
    let run = folder.words(&format!("{line} 1 -o new.json")).exits(0);
    run.prints(&["Wrote new.json, which promises epsilon 1 for any one moment of a chain of 300."]);
    let [old, new]: [Value; 2] = ["pf.json", "new.json"].map(|name| serde_json::from_str(&folder.read(name)).unwrap());
    assert_eq!((&old["secrets"], &old["epsilon"]), (&new["secrets"], &new["epsilon"]));
    folder.words(&format!("{line} 0.9 -o less.json")).fails_with(&["larger scale"]);
    let run = folder.words("upgrade old.json --secrets numbers -o numbers.json").exits(0);
    run.prints(&["for numbers at most 1 apart."]);
    folder.words("upgrade old.json --secrets counts -o c.json").fails_with(&["this is noise"]);
    folder.words("upgrade pf.json --secrets numbers -o c.json").fails_with(&["which cannot be changed"]);
    // Kinds that tell their secrets need no word.
    let spec = example("workstations/spec.toml");
    folder.run(["design", spec.to_str().unwrap(), "-o", "m.json"]).exits(0);
    let mut file: Value = serde_json::from_str(&folder.read("m.json")).unwrap();
    file.as_object_mut().unwrap().remove("secrets");
    file["version"] = 1.into();
    folder.write("m1.json", file.to_string());
    folder.words("upgrade m1.json -o m2.json").exits(0).prints(&["for pairs of profiles."]);
    assert_eq!(folder.read("m2.json"), folder.read("m.json"));
}

#[test]
fn a_ledger_adds_up_moments_of_the_same_chain_and_tells_them_from_numbers() {
    let folder = folder();
    folder.words("ledger init a.ledger --budget 2").exits(0);
    let line = |file: &str, out: &str| {
        format!("privatize {file} counts.csv --value count --ledger a.ledger --subject id -o {out}")
    };
    folder.words(&line("pf.json", "1.csv")).exits(0);
    // Another query about the same moments: it adds up, and the budget of 2 is then used up.
    folder.words("pufferfish design c.toml --length 300 --epsilon 1 --query count:0 --method group -o g.json").exits(0);
    folder.words(&line("g.json", "2.csv")).exits(0);
    folder.words("ledger status a.ledger").exits(0).prints(&["moments of a chain of 300"]);
    // Numbers that stand by themselves are other secrets.
    folder.words("noise design --epsilon 1 --sensitivity 1 -o n.json").exits(0);
    let run = folder.words(&line("n.json", "3.csv")).exits(1);
    run.says(&["other secrets"]);
}
