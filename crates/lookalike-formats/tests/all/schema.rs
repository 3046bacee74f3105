//! `schemas/mechanism.schema.json` accepts every file that is written and refuses broken ones.

use crate::validator::Schema;
use lookalike::certify::certify;
use lookalike::design::{MechanismName, Options, design};
use lookalike::estimate::{HoldsFor, LimitsBasis};
use lookalike::exact::{Epsilon, parse_rational};
use lookalike::local::{Protocol, oracle};
use lookalike::model::{
    BinaryBox, Categories, Chain, ChainClass, Channel, Distribution, Initial, Mechanism, Noise, PlanarNoise, Region,
    SecretGraph, TOTAL,
};
use lookalike::pufferfish::{ExactOptions, contract, exact, moments};
use lookalike_formats::{Alone, AnyMechanism, MechanismFile, MechanismKind, Spec, Stated, objective_json};
use serde_json::{Value, json};
use std::path::Path;

fn schema() -> Schema {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/mechanism.schema.json");
    Schema::new(serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
}

const SPEC: &str = "epsilon = 0.5\ncategories = [\"a\", \"b\", \"c\"]\n[profiles]\nana = [0.2, 0.3, 0.5]\n\
                    bo = [0.5, 0.3, 0.2]\ncleo = [0.4, 0.4, 0.2]\n[graph]\nedges = [[\"ana\", \"bo\"]]\n\
                    groups = { late = { members = [\"bo\", \"cleo\"], epsilon = \"2*ln(5/2)\" } }\n";

/// The file of a designed mechanism.
fn designed(spec: &str, name: Option<MechanismName>) -> MechanismFile {
    let spec = Spec::from_toml(spec, &Alone).unwrap();
    let design = design(&spec.problem, &Options { mechanism: name, ..Options::default() }).unwrap();
    let objective = Some(objective_json(&design));
    let name = Some(design.name.to_string());
    MechanismFile { name, objective, certificate: Some(json!({ "edges": 2 })), ..MechanismFile::of(design.mechanism) }
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
    MechanismFile::of(mechanism)
}

/// Values that are released unchanged, in the form `keep`.
fn unchanged() -> MechanismFile {
    let bits = Categories::new(["no", "yes"]).unwrap();
    let mut builder = SecretGraph::builder(bits.names().clone());
    builder.chain(&"1".parse().unwrap());
    let identity = Channel::identity(2).unwrap();
    let mechanism = Mechanism::point(bits.clone(), bits, builder.build().unwrap(), identity).unwrap();
    MechanismFile::of(mechanism)
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
    for file in files.iter().chain(&[within_limits()]) {
        assert_eq!(schema.error(&value(file)), None, "in {}", file.to_json());
    }
}

/// Limits of profiles, and what they rest on.
fn within_limits() -> MechanismFile {
    let limits = "limits.ana = [[0.1, 0.3], [0.2, 0.4], [0.4, 0.6]]\n";
    let file = designed(&format!("{limits}{SPEC}"), Some(MechanismName::RandomizedResponse));
    let confidence = parse_rational("0.95").unwrap();
    file.resting_on(Some(LimitsBasis::new(confidence, HoldsFor::EachPair).unwrap()))
}

#[test]
fn what_limits_rest_on_is_as_the_reader_has_it() {
    let valid = value(&within_limits());
    assert_eq!(valid["limits_basis"], json!({ "confidence": "19/20", "holds_for": "each pair" }));
    for (key, by) in [
        ("limits_basis", json!("95 %")),
        ("limits_basis", json!({ "confidence": "0.95" })),
        ("limits_basis", json!({ "confidence": "x", "holds_for": "each pair" })),
        ("limits_basis", json!({ "confidence": "0.95", "holds_for": "anybody" })),
        ("limits_basis", json!({ "confidence": "0.95", "holds_for": "all pairs", "since": "2020" })),
        ("kind", json!("point")),
    ] {
        let mut file = valid.clone();
        file[key] = by.clone();
        assert!(schema().error(&file).is_some(), "the schema accepts {key} = {by}");
        assert!(MechanismFile::from_json(&file.to_string()).is_err(), "the reader accepts {key} = {by}");
    }
    let mut file = valid;
    file.as_object_mut().unwrap().remove("limits");
    assert!(schema().error(&file).is_some() && MechanismFile::from_json(&file.to_string()).is_err());
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
    let changes: [(&str, &str, Value); 25] = [
        ("", "surprise", json!(1)),
        ("", "format", json!("lookalike-device")),
        ("", "version", json!(3)),
        ("", "version", json!("1")),
        ("", "kind", json!("nosie")),
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
    for key in ["format", "version", "kind", "epsilon", "secrets", "categories", "profiles", "channels"] {
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

/// Noise about the moments of a chain by contraction and by quilts, and of all chains within limits.
fn about_moments() -> Vec<String> {
    let number = |text: &str| parse_rational(text).unwrap();
    let row = |texts: [&str; 2]| Distribution::new(&texts.map(number)).unwrap();
    let chain = |rows: [[&str; 2]; 2]| Chain::new(Initial::Stationary, rows.map(row).to_vec()).unwrap();
    let started = Chain::new(Initial::Given(row(["1/3", "2/3"])), vec![row(["1/2", "1/2"]), row(["1", "0"])]).unwrap();
    let classes = [
        ChainClass::Chains(vec![chain([["0.9", "0.1"], ["0.4", "0.6"]])]),
        ChainClass::Chains(vec![chain([["1/2", "1/2"], ["1", "0"]]), started]),
        ChainClass::Box(
            BinaryBox::new(Initial::Arbitrary, [number("0.3"), number("0.5")], [number("0.4"), number("0.5")]).unwrap(),
        ),
    ];
    let epsilon: Epsilon = "1".parse().unwrap();
    let file = |class: ChainClass| {
        let scale = match &class {
            ChainClass::Chains(chains) => exact(chains, 300, &epsilon).unwrap().scale,
            ChainClass::Box(limits) => contract(&limits.corners(), 300, &epsilon).unwrap().scale,
        };
        let claim = moments(class, 300, &scale, &epsilon, &ExactOptions::default()).unwrap();
        let alone = Noise::for_epsilon(Epsilon::rational(scale.recip()).unwrap(), number("1"), 0).unwrap();
        let certified = certify(alone.hiding(claim, epsilon.clone())).unwrap();
        MechanismFile::of_certified("pufferfish", &certified).to_json()
    };
    let texts = classes.map(file).to_vec();
    let proofs =
        texts.iter().map(|text| serde_json::from_str::<Value>(text).unwrap()["secrets"]["proof"]["by"].clone());
    assert_eq!(proofs.collect::<Vec<_>>(), ["contraction", "quilts", "contraction"]);
    texts
}

/// One file of each kind of oracle, and noise with and without bounds.
fn closed_forms() -> Vec<Value> {
    let categories = Categories::new((0..9).map(|at| format!("c{at}"))).unwrap();
    let mut texts: Vec<String> = Protocol::ALL
        .map(|protocol| {
            let oracle = oracle(protocol, categories.clone(), "ln(3)".parse().unwrap()).unwrap();
            MechanismFile::of_certified(protocol.name(), &certify(oracle).unwrap()).to_json()
        })
        .to_vec();
    let [half, bound] = ["1/2", "-7/3"].map(|text| parse_rational(text).unwrap());
    let plain = Noise::for_epsilon("1/3".parse().unwrap(), half.clone(), -4).unwrap();
    let clamped = plain.clone().clamped(bound, half).unwrap();
    for noise in [plain, clamped] {
        texts.push(MechanismFile::of_certified("discrete-laplace", &certify(noise).unwrap()).to_json());
    }
    texts.extend(about_moments());
    let [latitude, longitude, half_width] = ["-33.87", "151.2", "20000"].map(|text| parse_rational(text).unwrap());
    let region = Region::new(latitude, longitude, half_width).unwrap();
    let planar = PlanarNoise::for_epsilon("ln(4)/200".parse().unwrap(), region, -3).unwrap();
    texts.push(MechanismFile::of_certified("planar-laplace", &certify(planar).unwrap()).to_json());
    for text in &texts {
        let kept = AnyMechanism::from_json(text).unwrap();
        assert!(kept.channels().is_none(), "none of these is finite");
        assert_eq!(kept.file().to_json(), *text, "reading and writing changes nothing");
    }
    texts.iter().map(|text| serde_json::from_str(text).unwrap()).collect()
}

#[test]
fn oracles_and_noise_have_files_too() {
    let (schema, files) = (schema(), closed_forms());
    let kinds: Vec<&str> = files.iter().map(|file| file["kind"].as_str().unwrap()).collect();
    assert_eq!(
        kinds,
        [
            "subset", "subset", "hash", "hadamard", "unary", "unary", "noise", "noise", "noise", "noise", "noise",
            "noise"
        ]
    );
    for file in files {
        assert_eq!(schema.error(&file), None, "in {file}");
        assert!(MechanismFile::from_json(&file.to_string()).is_err(), "not a finite one");
        // Every key is needed but those that only tell, and no other is known.
        for key in file.as_object().unwrap().keys() {
            let mut less = file.clone();
            less.as_object_mut().unwrap().remove(key).unwrap();
            let optional = ["mechanism", "certificate", "clamp"].contains(&key.as_str());
            assert_eq!(schema.error(&less).is_none(), optional, "the schema without {key}");
            assert_eq!(AnyMechanism::from_json(&less.to_string()).is_ok(), optional, "the reader without {key}");
        }
        for (key, by) in [
            ("kind", json!("unary2")),
            ("channels", json!([])),
            ("profiles", json!({ "ana": ["1"] })),
            ("epsilon", json!("")),
            ("one", json!(-1)),
            ("keep", json!(TOTAL + 1)),
            ("buckets", json!(1)),
            ("size", json!(0)),
            ("include", json!("1")),
            ("plus", json!(0.5)),
            ("law", json!("gaussian")),
            ("grid", json!("1/")),
            ("clamp", json!(["0"])),
            ("decay", json!([])),
            ("origin", json!(["1"])),
            ("half_width", json!("1km")),
            ("secrets", json!("values")),
            ("secrets", json!({ "are": "profiles" })),
            ("secrets", json!({ "are": "moments" })),
            ("secrets", json!({ "are": "unstated" })),
        ] {
            let mut other = file.clone();
            other.as_object_mut().unwrap().insert(key.into(), by.clone());
            assert!(schema.error(&other).is_some(), "the schema accepts {key} = {by} for {}", file["kind"]);
            assert!(AnyMechanism::from_json(&other.to_string()).is_err(), "the reader accepts {key} = {by}");
        }
    }
}

#[test]
fn claims_and_numbers_that_are_none_are_refused_in_words() {
    let error = |at: usize, key: &str, by: Value| {
        let mut file = closed_forms().swap_remove(at);
        file[key] = by;
        AnyMechanism::from_json(&file.to_string()).unwrap_err().to_string()
    };
    assert!(error(7, "grid", json!("1/3")).starts_with("grid: a grid of 1/3, expected a power of two"));
    assert_eq!(error(7, "clamp", json!(["1", "0"])), "clamp: bounds 1 and 0, expected the lower one first");
    assert_eq!(error(7, "sensitivity", json!("0")), "sensitivity = 0, expected a number above 0");
    assert_eq!(
        error(7, "law", json!("normal")),
        "law: \"normal\", expected \"discrete-laplace\" or \"planar-laplace\""
    );
    assert_eq!(error(2, "buckets", json!(4294967296u64)), "buckets: 4294967296, expected a number below 2^32");
    assert_eq!(error(0, "size", json!(9)), "sets of 9, expected from 1 to 8");
}

#[test]
fn a_change_of_what_the_proof_says_about_moments_is_seen() {
    for text in about_moments() {
        let file: Value = serde_json::from_str(&text).unwrap();
        for (key, by) in [
            ("length", json!(0)),
            ("length", json!(1.5)),
            ("chains", json!([])),
            ("chains", json!([{ "initial": "never", "transition": [["1"]] }])),
            ("leave", json!([["0", "1"]])),
            ("initial", json!("later")),
            ("proof", json!({ "by": "trust" })),
            ("proof", json!({ "by": "quilts" , "quilts": [[{ "to": 3 }]] })),
            ("more", json!(1)),
        ] {
            let mut other = file.clone();
            other["secrets"][key] = by.clone();
            assert!(schema().error(&other).is_some(), "the schema accepts {key} = {by}");
            assert!(AnyMechanism::from_json(&other.to_string()).is_err(), "the reader accepts {key} = {by}");
        }
        // A longer chain loses no less, and the proof is about the length that the file says.
        let AnyMechanism::Noise(read) = AnyMechanism::from_json(&text).unwrap() else { panic!("noise") };
        assert!(read.mechanism.prove().is_ok());
    }
}

#[test]
fn version_1_is_read_and_its_noise_has_no_secrets() {
    let old = |mut file: Value| {
        file["version"] = json!(1);
        file.as_object_mut().unwrap().remove("secrets");
        file
    };
    for file in closed_forms() {
        let is_number = file["law"] == json!("discrete-laplace");
        if is_number && file["secrets"]["are"] != json!("numbers") {
            continue;
        }
        assert!(AnyMechanism::from_json(&file.to_string()).is_ok());
        let text = old(file.clone()).to_string();
        match Stated::from_json(&text).unwrap() {
            Stated::No(noise) => {
                assert!(is_number && noise.mechanism.prove().is_ok());
                let error = AnyMechanism::from_json(&text).unwrap_err().to_string();
                assert!(error.contains("does not say which secrets"), "{error}");
            }
            Stated::Yes(_) => assert!(!is_number, "only noise cannot say its secrets"),
        }
        let mut mixed = file;
        mixed["version"] = json!(1);
        let error = Stated::from_json(&mixed.to_string()).unwrap_err().to_string();
        assert!(error.starts_with("secrets in a file of version 1"), "{error}");
    }
}
