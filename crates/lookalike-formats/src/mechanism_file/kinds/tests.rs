use super::*;
use crate::text::Tree;
use std::collections::BTreeSet;

/// The kinds in the list that take a file with these fields.
fn taken(text: &str, kind: &str) -> usize {
    let tree = Tree::from_json(text).unwrap();
    let fields = Fields::of(&tree).unwrap();
    let is = [
        Mechanism::is_kind(&fields, kind),
        Oracle::is_kind(&fields, kind),
        Noise::is_kind(&fields, kind),
        PlanarNoise::is_kind(&fields, kind),
    ];
    is.into_iter().filter(|is| *is.as_ref().unwrap()).count()
}

#[test]
fn each_name_of_a_kind_belongs_to_one_kind_and_noise_to_one_by_its_law() {
    let names: BTreeSet<&str> =
        [Mechanism::NAMES, Oracle::NAMES, Noise::NAMES, PlanarNoise::NAMES].concat().into_iter().collect();
    for kind in names {
        assert_eq!(taken("{}", kind), 1, "{kind}");
        assert_eq!(taken(r#"{"law": "planar-laplace"}"#, kind), 1, "{kind}");
    }
    assert_eq!(taken("{}", "nonsense"), 0);
}

#[test]
fn a_kind_that_is_none_is_told_all_that_there_are() {
    let text = r#"{"format": "lookalike-mechanism", "version": 2, "kind": "nonsense", "secrets": {"are": "values"}}"#;
    let error = AnyMechanism::from_json(text).unwrap_err().to_string();
    assert_eq!(error, "kind: \"nonsense\", expected aware, shared, point, unary, hash, hadamard, subset or noise");
}
