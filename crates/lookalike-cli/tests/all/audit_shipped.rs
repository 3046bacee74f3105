//! Every example that ships is designed and attacked, found by listing the folder.
//!
//! At a confidence of 1 − 10⁻⁶ and with fixed seeds; `make audit` attacks the mechanisms of the library for longer.

use crate::common::{Folder, example};
use std::path::{Path, PathBuf};

/// The specs below a folder.
fn specs(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = entries
        .flat_map(|path| match path.is_dir() {
            true => specs(&path),
            false if is_spec(&path) => vec![path],
            false => Vec::new(),
        })
        .collect();
    found.sort();
    found
}

fn is_spec(path: &Path) -> bool {
    path.file_stem().is_some_and(|stem| stem == "spec")
}

#[test]
fn every_example_is_attacked_and_nothing_is_found() {
    let specs = specs(&example(""));
    let names: Vec<String> = specs.iter().map(|path| path.display().to_string()).collect();
    assert!(["workstations", "commute"].iter().all(|name| names.iter().any(|path| path.contains(name))), "{names:?}");
    for spec in specs {
        let folder = Folder::new();
        folder.design(&spec);
        let audit = folder.words("audit m.json --draws 1e6 --confidence 0.999999 --seed 7 --json").exits(0).json();
        let [bound, upper] = [&audit["bound"], &audit["certified"]["upper"]].map(|value| value.as_f64().unwrap());
        assert_eq!(audit["verdict"], "no evidence against", "{}", spec.display());
        assert!(bound <= upper, "{}: {bound} of {upper}", spec.display());
        assert!(bound > 0.6 * upper, "{}: the attack is too weak to tell anything: {bound} of {upper}", spec.display());
    }
}
