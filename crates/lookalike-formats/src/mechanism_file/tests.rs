mod any_text;
mod the_epsilon_of_the_file;
mod what_is_kept;
mod what_is_refused;

use super::*;
use lookalike::certify::certify;
use lookalike::exact::{Rational, parse_rational};
use lookalike::model::{Categories, Channel, Distribution, Kind, Names, SecretGraph, TOTAL};

const HALF: u64 = TOTAL / 2;
const QUARTER: u64 = TOTAL / 4;

/// A file of the kind aware as it is written, with one channel of either form.
pub(super) const AWARE: &str = r#"{
  "format": "lookalike-mechanism",
  "version": 2,
  "mechanism": "cluster",
  "kind": "aware",
  "epsilon": "1/2",
  "secrets": {
    "are": "profiles"
  },
  "categories": ["no", "yes"],
  "profiles": {
    "ana": ["1/2", "1/2"],
    "bo": ["1/3", "2/3"],
    "cleo": ["1/3", "2/3"]
  },
  "edges": [
    {
      "pair": ["ana", "bo"],
      "epsilon": "1/2"
    }
  ],
  "groups": [
    {
      "name": "late",
      "members": ["bo", "cleo"],
      "epsilon": "1/3*ln(2)"
    }
  ],
  "channels": [
    {
      "profiles": ["ana"],
      "rows": [
        [4503599627370496, 4503599627370496],
        [0, 9007199254740992]
      ]
    },
    {
      "profiles": ["bo", "cleo"],
      "keep": [9007199254740992, 4503599627370496],
      "redraw": [9007199254740992, 0]
    }
  ],
  "objective": {
    "name": "max-flip",
    "value": 0.25,
    "lower_bound": 1e-3
  },
  "certificate": {
    "pairs": 2,
    "tight": [null, true]
  }
}
"#;

/// Randomized response over three values in the form keep, with only what is needed.
pub(super) const POINT: &str = r#"{
  "format": "lookalike-mechanism",
  "version": 2,
  "kind": "point",
  "epsilon": "ln(4)",
  "secrets": {
    "are": "values"
  },
  "categories": ["a", "b", "c"],
  "edges": [],
  "groups": [
    {
      "name": "all",
      "members": ["a", "b", "c"],
      "epsilon": "2*ln(2)"
    }
  ],
  "channels": [
    {
      "keep": [4503599627370496, 4503599627370496, 4503599627370496],
      "redraw": [3002399751580332, 3002399751580330, 3002399751580330]
    }
  ]
}
"#;

pub(super) fn read(text: &str) -> MechanismFile {
    MechanismFile::from_json(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

fn error(text: &str) -> String {
    MechanismFile::from_json(text).map(|_| ()).unwrap_err().to_string()
}

/// The message when one part of a valid file is replaced.
fn broken(file: &str, part: &str, by: &str) -> String {
    assert!(file.contains(part), "the file has no {part}");
    error(&file.replacen(part, by, 1))
}

fn file(mechanism: Mechanism) -> MechanismFile {
    MechanismFile::of(mechanism)
}

/// Writes, reads and writes again.
fn round_trip(mechanism: &Mechanism) -> String {
    let text = file(mechanism.clone()).to_json();
    let back = read(&text);
    assert_eq!(back.mechanism, *mechanism);
    assert_eq!(back.to_json(), text);
    text
}

fn rationals(texts: &[&str]) -> Vec<Rational> {
    texts.iter().map(|text| parse_rational(text).unwrap()).collect()
}

fn laws(laws: &[&[&str]]) -> Vec<Distribution> {
    laws.iter().map(|law| Distribution::new(&rationals(law)).unwrap()).collect()
}

fn chain(names: Names, epsilon: &str) -> SecretGraph {
    let mut builder = SecretGraph::builder(names);
    builder.chain(&epsilon.parse().unwrap());
    builder.build().unwrap()
}

fn people() -> Names {
    Names::new("profile", ["ana", "bo"]).unwrap()
}

fn flip(weight: u64) -> Channel {
    Channel::rows(vec![vec![TOTAL - weight, weight], vec![weight, TOTAL - weight]]).unwrap()
}
