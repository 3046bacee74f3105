//! `schemas/mechanism.schema.json` accepts every file that is written and refuses broken ones.

mod validator;

use lookalike::design::{MechanismName, Options, design};
use lookalike::exact::parse_rational;
use lookalike::model::{Categories, Channel, Mechanism, SecretGraph, TOTAL};
use lookalike_io::{MechanismFile, Spec, objective_json};
use serde_json::{Value, json};
use std::path::Path;
use validator::Schema;

fn schema() -> Schema {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/mechanism.schema.json");
    Schema::new(serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
}

const SPEC: &str = "epsilon = 0.5\ncategories = [\"a\", \"b\", \"c\"]\n[profiles]\nana = [0.2, 0.3, 0.5]\n\
                    bo = [0.5, 0.3, 0.2]\ncleo = [0.4, 0.4, 0.2]\n[graph]\nedges = [[\"ana\", \"bo\"]]\n\
                    groups = { late = { members = [\"bo\", \"cleo\"], epsilon = \"2*ln(5/2)\" } }\n";

/// The file of a designed mechanism.
fn designed(spec: &str, name: Option<MechanismName>) -> MechanismFile {
    let spec = Spec::from_toml(spec, Path::new("")).unwrap();
    let design = design(&spec.problem, &Options { mechanism: name, ..Options::default() }).unwrap();
    let objective = Some(objective_json(&design));
    let name = Some(design.name.to_string());
    MechanismFile { mechanism: design.mechanism, name, objective, certificate: Some(json!({ "edges": 2 })) }
}

fn aware() -> MechanismFile {
    designed(SPEC, None)
}

fn value(file: &MechanismFile) -> Value {
    serde_json::from_str(&file.to_json()).unwrap()
}

/// One value channel in the form `rows`, over bins, with other outputs than inputs.
fn merged_bins() -> MechanismFile {
    let edges = ["-1/2", "0", "10"].map(|edge| parse_rational(edge).unwrap());
    let bins = Categories::from_bins(edges.to_vec()).unwrap();
    let mut builder = SecretGraph::builder(bins.names().clone());
    builder.complete(&"1/2*sqrt(2)".parse().unwrap());
    let channel = Channel::rows(vec![vec![TOTAL / 2, TOTAL / 2]; 3]).unwrap();
    let outputs = Categories::new(["low", "high"]).unwrap();
    let mechanism = Mechanism::point(bins, outputs, builder.build().unwrap(), channel).unwrap();
    MechanismFile { mechanism, name: None, objective: None, certificate: None }
}

/// Values that are released unchanged, in the form `keep`.
fn unchanged() -> MechanismFile {
    let bits = Categories::new(["no", "yes"]).unwrap();
    let mut builder = SecretGraph::builder(bits.names().clone());
    builder.chain(&"1".parse().unwrap());
    let identity = Channel::identity(2).unwrap();
    let mechanism = Mechanism::point(bits.clone(), bits, builder.build().unwrap(), identity).unwrap();
    MechanismFile { mechanism, name: None, objective: None, certificate: None }
}

#[test]
fn the_schema_accepts_every_kind_and_form_that_is_written() {
    let schema = schema();
    let shared = format!("channel = \"shared\"\n{SPEC}");
    let values = "epsilon = \"ln(3)\"\ncategories = [\"a\", \"b\"]\nsecrets = \"values\"\ngraph.shape = \"chain\"\n";
    let files = [
        aware(),
        designed(SPEC, Some(MechanismName::RandomizedResponse)),
        designed(&shared, Some(MechanismName::RandomizedResponse)),
        designed(values, None),
        merged_bins(),
        unchanged(),
    ];
    let kinds: Vec<&str> = files.iter().map(|file| file.mechanism.kind().name()).collect();
    assert_eq!(kinds, ["aware", "aware", "shared", "point", "point", "point"]);
    let texts: String = files.iter().map(MechanismFile::to_json).collect();
    for form in ["\"rows\"", "\"keep\"", "\"bins\"", "\"outputs\"", "\"groups\": [\n"] {
        assert!(texts.contains(form), "no file has {form}");
    }
    for file in &files {
        assert_eq!(schema.error(&value(file)), None, "in {}", file.to_json());
    }
}

#[test]
fn what_is_optional_may_be_left_out() {
    let mut file = value(&aware());
    let top = file.as_object_mut().unwrap();
    for key in ["mechanism", "objective", "certificate", "groups"] {
        assert!(top.remove(key).is_some(), "{key}");
        assert_eq!(schema().error(&Value::Object(top.clone())), None, "without {key}");
    }
    file["edges"][0].as_object_mut().unwrap().remove("epsilon").unwrap();
    assert_eq!(schema().error(&file), None);
}

/// Each change alone must be refused by the schema, and by the reader too.
#[test]
fn the_schema_refuses_what_the_reader_refuses() {
    let schema = schema();
    let whole = json!([TOTAL, 0, 0]);
    let rows = json!({ "rows": [whole, whole, whole] });
    let changes: [(&str, &str, Value); 24] = [
        ("", "surprise", json!(1)),
        ("", "format", json!("lookalike-device")),
        ("", "version", json!(2)),
        ("", "version", json!("1")),
        ("", "kind", json!("noise")),
        ("", "kind", json!("point")),
        ("", "kind", json!("shared")),
        ("", "epsilon", json!([])),
        ("", "epsilon", json!("")),
        ("", "bins", json!(["0", "1", "2"])),
        ("", "categories", json!(["a", "b", "b"])),
        ("", "categories", json!("a")),
        ("", "outputs", json!([])),
        ("", "profiles", json!({})),
        ("", "objective", json!(1)),
        ("", "channels", json!([rows])),
        ("/profiles", "ana", json!("1/2")),
        ("/profiles", "ana", json!(["1/2", "half", "0"])),
        ("/edges/0", "pair", json!(["ana", "ana"])),
        ("/edges/0", "pair", json!(["ana"])),
        ("/edges/0", "eps", json!("1")),
        ("/groups/0", "members", json!([])),
        ("/channels/0", "rows", json!([[TOTAL + 1, 0, 0]])),
        ("/channels/0", "keep", json!([-1, 0, 0])),
    ];
    let valid = value(&aware());
    for (place, key, by) in changes {
        let mut file = valid.clone();
        file.pointer_mut(place).unwrap().as_object_mut().unwrap().insert(key.into(), by.clone());
        assert!(schema.error(&file).is_some(), "the schema accepts {key} = {by}");
        assert!(MechanismFile::from_json(&file.to_string()).is_err(), "the reader accepts {key} = {by}");
    }
    for key in ["format", "version", "kind", "epsilon", "categories", "profiles", "channels"] {
        let mut file = valid.clone();
        file.as_object_mut().unwrap().remove(key).unwrap();
        assert!(schema.error(&file).is_some(), "the schema does without {key}");
        assert!(MechanismFile::from_json(&file.to_string()).is_err(), "the reader does without {key}");
    }
}

#[test]
fn a_channel_is_either_rows_or_keep_and_redraw() {
    let mut file = value(&merged_bins());
    let rows = file["channels"][0]["rows"].clone();
    let weights = json!([TOTAL, 0]);
    let forms = [
        (json!({ "rows": rows }), true),
        (json!({ "keep": weights, "redraw": weights }), true),
        (json!({ "keep": weights }), false),
        (json!({ "rows": rows, "redraw": weights }), false),
        (json!({ "rows": rows, "profiles": ["ana"] }), false),
        (json!({ "rows": [[0.5, 0.5]] }), false),
        (json!({}), false),
    ];
    for (form, accepted) in forms {
        file["channels"] = json!([form]);
        assert_eq!(schema().error(&file).is_none(), accepted, "{form}");
    }
}
