//! `lookalike certify`: claims that hold, claims that do not, and files that say nothing.

use crate::common;

use common::{Folder, WARNER, example, keys, texts};
use serde_json::{Value, json};

const KEEP: u64 = 3 << 51;
const FLIP: u64 = 1 << 51;

/// The file with the value at a JSON pointer replaced.
#[track_caller]
fn with(file: &Value, pointer: &str, value: impl Into<Value>) -> String {
    let mut file = file.clone();
    *file.pointer_mut(pointer).unwrap() = value.into();
    file.to_string()
}

/// The run on a text as a file.
fn certify(folder: &Folder, text: impl AsRef<[u8]>) -> common::Run {
    folder.write("changed.json", text);
    folder.words("certify changed.json")
}

#[test]
fn warner_at_ln_3_is_exactly_three_to_one() {
    let folder = Folder::new();
    let file = folder.design_toml(WARNER);
    assert_eq!((KEEP, FLIP), (6_755_399_441_055_744, 2_251_799_813_685_248));
    assert_eq!(file["channels"], json!([{ "rows": [[KEEP, FLIP], [FLIP, KEEP]] }]));
    let run = folder.words("certify m.json").exits(0);
    assert!(run.stdout.starts_with("Certified: 1 pair of values within epsilon ln(3).\n"), "{}", run.stdout);
    let verdict = folder.words("certify m.json --json").exits(0).json();
    assert_eq!(keys(&verdict), ["certified", "secrets", "epsilon", "worst", "edges"]);
    assert_eq!((verdict["certified"].as_bool(), verdict["edges"].as_u64()), (Some(true), Some(1)));
    let [claimed, lower, upper] = ["claimed", "lower", "upper"].map(|key| verdict["epsilon"][key].as_f64().unwrap());
    assert!(lower <= 3f64.ln() && 3f64.ln() <= upper && upper - lower < 1e-12 && claimed == 3f64.ln());
}

#[test]
fn one_unit_moved_in_warner_is_refused_with_the_witness() {
    let folder = Folder::new();
    let file = folder.design_toml(WARNER);
    // In the row of "no" the truth gets one unit more: "no" against "yes" gets 3·2^51 + 1 to 2^51 at output "no", and
    // "yes" against "no" gets 3·2^51 to 2^51 − 1 at output "yes", which is more.
    let moved = with(&file, "/channels/0/rows/0", json!([KEEP + 1, FLIP - 1]));
    let ratio = format!("{KEEP}/{}", FLIP - 1);
    let ratio = lookalike::exact::parse_rational(&ratio).unwrap().to_string();
    let run = certify(&folder, &moved).exits(1);
    assert_eq!(
        run.stdout,
        format!("NOT PRIVATE: edge (\"yes\", \"no\"), output \"yes\": ratio {ratio} exceeds e^(ln(3))\n")
    );
    let verdict = folder.words("certify changed.json --json").exits(1).json();
    assert_eq!(keys(&verdict), ["certified", "secrets", "epsilon", "worst", "edges", "witness"]);
    assert_eq!(verdict["certified"], false);
    assert_eq!(texts(&verdict["worst"]["edge"]), ["yes", "no"]);
    let witness = &verdict["witness"];
    assert_eq!((texts(&witness["edge"]), witness["output"].as_str()), (vec!["yes", "no"], Some("yes")));
    assert_eq!(witness["ratio"].as_str(), Some(ratio.as_str()));
}

#[test]
fn an_impossible_output_makes_the_true_epsilon_infinite() {
    let folder = Folder::new();
    let file = folder.design_toml(WARNER);
    let run = certify(&folder, with(&file, "/channels/0/rows/0", json!([1u64 << 53, 0]))).exits(1);
    assert!(run.stdout.contains("a positive number to 0"), "{}", run.stdout);
    let verdict = folder.words("certify changed.json --json").exits(1).json();
    assert!(verdict["epsilon"]["upper"].is_null() && verdict["witness"]["ratio"].is_null());
    assert_eq!(
        (texts(&verdict["worst"]["edge"]), verdict["worst"]["output"].as_str()),
        (vec!["yes", "no"], Some("yes"))
    );
    // An output that nobody produces is harmless.
    let unused = with(&file, "/channels/0/rows", json!([[KEEP, FLIP, 0], [FLIP, KEEP, 0]]));
    let unused = unused.replacen("\"categories\"", "\"outputs\":[\"no\",\"yes\",\"never\"],\"categories\"", 1);
    certify(&folder, unused).exits(0);
}

#[test]
fn a_smaller_claimed_epsilon_is_refused_wherever_it_is_written() {
    let folder = Folder::new();
    for (spec, list, places, smaller) in
        [("workstations/spec.toml", "groups", 3, "99/200"), ("commute/spec.toml", "edges", 2, "99/100*ln(2)")]
    {
        let file = folder.design(&example(spec));
        let top = with(&file, "/epsilon", smaller);
        let mut inner = file.clone();
        for at in 0..places {
            let own = &mut inner[list][at]["epsilon"];
            // The commute has an edge at 1/4 already.
            *own = if *own == "1/4" { "99/400".into() } else { smaller.into() };
        }
        let both = with(&inner, "/epsilon", smaller);
        for text in [top, inner.to_string(), both] {
            let run = certify(&folder, text).exits(1);
            assert!(run.stdout.starts_with("NOT PRIVATE: edge ("), "{}", run.stdout);
        }
        certify(&folder, file.to_string()).exits(0);
    }
}

#[test]
fn a_file_that_claims_less_than_the_spec_is_refused_with_the_reason() {
    let folder = Folder::new();
    let spec = example("commute/spec.toml");
    let file = folder.design(&spec);
    let against = |spec: &str, text: &str, code: i32| {
        folder.write("changed.json", text);
        let run = folder.run(["certify", "changed.json", "--spec", spec]).exits(code);
        let verdict = folder.run(["certify", "changed.json", "--spec", spec, "--json"]).exits(code).json();
        assert_eq!(verdict["certified"], code == 0);
        (run.stdout, verdict["witness"]["reason"].as_str().unwrap_or_default().to_owned())
    };
    let spec = spec.to_str().unwrap();
    let (text, _) = against(spec, &file.to_string(), 0);
    assert!(text.starts_with("Certified: 2 pairs"), "{text}");

    let mut without_edge = file.clone();
    without_edge["edges"].as_array_mut().unwrap().remove(1);
    // The claim of these files is true; it is only less than the spec's.
    for (text, reason) in [
        (without_edge.to_string(), "edge (\"C\", \"D\") is not protected within epsilon 1/4"),
        (with(&file, "/edges/1/epsilon", "1/2"), "edge (\"C\", \"D\") is not protected within epsilon 1/4"),
        (
            with(&file, "/profiles/A", json!(["11/25", "21/100", "1/5", "1/25", "3/100", "2/25"])),
            "profile \"A\" differs",
        ),
        (file.to_string().replace("\"park\"", "\"garden\""), "categories differ"),
    ] {
        certify(&folder, &text).exits(0);
        let (said, witness) = against(spec, &text, 1);
        assert!(said.starts_with("CLAIMS LESS THAN THE SPEC: ") && said.contains(reason), "{said}");
        assert!(witness.contains(reason), "{witness}");
    }

    let spec_text = std::fs::read_to_string(spec).unwrap();
    for (from, to, code) in [
        ("[\"C\", \"D\", 0.25]", "[\"C\", \"D\", 0.5]", 0),
        ("edges = [[\"A\", \"B\"], ", "edges = [[\"A\", \"B\"], [\"B\", \"C\"], ", 1),
        ("epsilon = \"ln(2)\"", "channel = \"shared\"\nepsilon = \"ln(2)\"", 1),
    ] {
        assert!(spec_text.contains(from));
        folder.write("other.toml", spec_text.replace(from, to));
        against("other.toml", &file.to_string(), code);
    }
    folder.words("certify m.json --spec nowhere.toml").fails_with(&["nowhere.toml: cannot read"]);
}

#[test]
fn malformed_files_exit_with_2_and_say_where() {
    let folder = Folder::new();
    let file = folder.design_toml(WARNER);
    let text = file.to_string();
    let row = "/channels/0/rows/1";
    for (text, parts) in [
        (with(&file, row, json!([-1, (1i64 << 53) + 1])), &["channels", "rows", "-1"][..]),
        (with(&file, row, json!([FLIP, KEEP - 1])), &["channels", "row 2", "9007199254740991", "2^53"]),
        (with(&file, row, json!([FLIP, KEEP + 1])), &["channels", "row 2", "9007199254740993", "2^53"]),
        (with(&file, row, json!([u64::MAX, (1u64 << 53) + 1])), &["channels", "row 2", "2^53"]),
        (
            with(&file, row, json!([FLIP as f64 + 0.5, KEEP])),
            &["channels", "rows", "2251799813685248.5", "whole number"],
        ),
        (text.replacen(&FLIP.to_string(), "2251799813685248.0", 1), &["rows", "2251799813685248.0", "whole number"]),
        (with(&file, row, json!([FLIP, KEEP, 0])), &["channels", "row 2", "3", "2"]),
        (with(&file, "/channels/0/rows", json!([[KEEP, FLIP]])), &["channel", "1", "2"]),
        (with(&file, "/channels", json!([])), &["channels", "0 channels, expected 1"]),
        (with(&file, "/version", 3), &["version: 3", "expected 2", "newer release"]),
        (with(&file, "/version", 1), &["secrets in a file of version 1"]),
        (
            with(&file, "/secrets", json!({ "are": "profiles" })),
            &["secrets", "\"profiles\"", "\"values\" or \"counts\""],
        ),
        (with(&file, "/secrets", json!({ "are": "counts" })), &["secrets", "\"no\"", "the count 0"]),
        (with(&file, "/format", "other"), &["format: another one", "\"lookalike-mechanism\""]),
        (with(&file, "/kind", "psychic"), &["kind", "\"psychic\"", "aware", "shared", "point"]),
        (with(&file, "/epsilon", "-1"), &["epsilon", "-1"]),
        (with(&file, "/epsilon", json!(null)), &["epsilon", "null"]),
        (with(&file, "/groups", json!([])), &["no edge"]),
        (with(&file, "/groups/0/members", json!(["no", "maybe"])), &["groups", "group 1", "\"maybe\""]),
        (with(&file, "/groups/0/members", json!(["no", "no"])), &["group", "\"no\" twice"]),
        (text.replacen("{", "{\"kind\": \"point\", ", 1), &["a key occurs twice", "line 1"]),
        (text.replacen("\"rows\"", "\"rows\":[],\"rows\"", 1), &["a key occurs twice", "line 1"]),
        (text.replacen("{", "{\"secret\": 1, ", 1), &["\"secret\" is not known"]),
        (text.replacen("\"version\":2,", "", 1), &["version is missing"]),
        (text[..text.len() / 2].to_owned(), &["EOF", "line 1"]),
        (text[..text.len() - 1].to_owned(), &["EOF", "line 1"]),
        (text.clone() + "}", &["trailing characters", "line 1"]),
        (String::new(), &["EOF"]),
        ("[]".to_owned(), &["list", "table"]),
    ] {
        certify(&folder, &text).fails_with(&["changed.json"]).says(parts);
        folder.words("certify changed.json --json").fails_with(parts);
    }
    certify(&folder, b"{\"format\": \"\xff\"}").fails_with(&["changed.json", "UTF-8"]);
    folder.words("certify nowhere.json").fails_with(&["nowhere.json: cannot read: No such file"]);
    std::fs::create_dir(folder.path("folder")).unwrap();
    folder.words("certify folder").fails_with(&["folder: cannot read: Is a directory"]);
}

#[test]
fn profiles_edges_and_channels_of_a_file_must_fit_together() {
    let folder = Folder::new();
    folder.write("spec.toml", common::TWO);
    // One channel for both.
    folder.words("design spec.toml --mechanism two-profile -o m.json").exits(0);
    let file = folder.json("m.json");
    for (text, parts) in [
        (with(&file, "/channels/0/profiles", json!(["ana"])), &["channels", "profile \"bo\" has no channel"][..]),
        (
            with(&file, "/channels/0/profiles", json!(["ana", "bo", "bo"])),
            &["channels", "profile \"bo\" has two channels"],
        ),
        (with(&file, "/edges/0/pair", json!(["ana", "zoe"])), &["edges", "edge 1", "\"zoe\""]),
        (with(&file, "/edges/0/pair", json!(["bo", "bo"])), &["edges", "edge 1", "\"bo\" to itself"]),
        (with(&file, "/profiles/bo", json!(["1/5", "3/5"])), &["profile \"bo\"", "sum to 4/5, expected 1"]),
        (with(&file, "/profiles/bo", json!(["-1/5", "6/5"])), &["profile \"bo\"", "-1/5"]),
    ] {
        certify(&folder, text).fails_with(&["changed.json"]).says(parts);
    }
}

#[test]
fn a_file_without_any_summary_certifies_all_the_same() {
    let folder = Folder::new();
    let mut file = folder.design_toml(common::TWO);
    for key in ["objective", "certificate", "mechanism"] {
        file.as_object_mut().unwrap().remove(key).unwrap();
    }
    certify(&folder, file.to_string()).exits(0);
    // And no summary makes a false claim true.
    let mut file = folder.design_toml(WARNER);
    file["channels"][0]["rows"][0] = json!([KEEP + 1, FLIP - 1]);
    assert_eq!(file["certificate"]["edges"], 1);
    certify(&folder, file.to_string()).exits(1);
}
