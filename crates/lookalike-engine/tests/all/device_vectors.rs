//! The library draws the pinned vectors of `lookalike-device`, and writes its tables to the byte.

use lookalike::certify::{Certified, certify};
use lookalike::model::Mechanism;
use lookalike::sample::{RandomKey, Sampler};
use lookalike_engine::ReadFile;
use lookalike_formats::{MechanismFile, device_table};
use std::path::{Path, PathBuf};

/// The seed whose words the vectors have.
const SEED: u64 = 7;

fn vectors(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../lookalike-device/vectors").join(name)
}

fn certified(name: &str) -> Certified<Mechanism> {
    certify(MechanismFile::read(&vectors(&format!("{name}.json"))).unwrap().mechanism).unwrap()
}

/// Columns of a file of vectors.
struct Vectors {
    profiles: Vec<u32>,
    values: Vec<u32>,
    words: Vec<u64>,
    released: Vec<u32>,
}

fn read(file: &str, mechanism: &Mechanism) -> Vectors {
    let mut reader = csv::Reader::from_path(vectors(file)).unwrap();
    let mut found = Vectors { profiles: Vec::new(), values: Vec::new(), words: Vec::new(), released: Vec::new() };
    for record in reader.records().map(Result::unwrap) {
        let (value, output) = (record[2].parse().unwrap(), record[4].parse().unwrap());
        found.profiles.push(mechanism.graph().names().place(&record[0]).unwrap());
        assert_eq!(mechanism.inputs().names().place(&record[1]), Some(value), "codes are places of names");
        assert_eq!(mechanism.outputs().names().place(&record[5]), Some(output));
        found.values.push(value);
        found.released.push(output);
        found.words.extend(record[3].split(' ').map(|word| u64::from_str_radix(word, 16).unwrap()));
    }
    found
}

#[test]
fn the_sampler_draws_as_devices_do() {
    for (name, words_per_row) in [("rows", 1), ("keep", 2)] {
        let certified = certified(name);
        let sampler = Sampler::new(&certified);
        assert_eq!(sampler.words_per_row(), words_per_row);
        for file in [format!("{name}.csv"), format!("{name}-edges.csv")] {
            let Vectors { profiles, values, words, released } = read(&file, certified.mechanism());
            let mut outputs = vec![0; values.len()];
            sampler.privatize_with_words(&words, 0, Some(&profiles), &values, &mut outputs).unwrap();
            assert_eq!(outputs, released, "{file}");
        }
    }
}

#[test]
fn the_words_are_those_of_the_seed() {
    for name in ["rows", "keep"] {
        let certified = certified(name);
        let Vectors { profiles, values, released, .. } = read(&format!("{name}.csv"), certified.mechanism());
        let mut outputs = vec![0; values.len()];
        let key = RandomKey::from_seed(SEED);
        Sampler::new(&certified).privatize(&key, 0, Some(&profiles), &values, &mut outputs).unwrap();
        assert_eq!(outputs, released, "{name}");
    }
}

#[test]
fn tables_are_written_as_pinned() {
    for name in ["rows", "keep"] {
        let certified = certified(name);
        let device = certified.mechanism().graph().names().place("bo").unwrap();
        let pinned = std::fs::read(vectors(&format!("{name}.table"))).unwrap();
        assert!(device_table(&certified, device).unwrap().bytes == pinned, "{name}");
    }
}
