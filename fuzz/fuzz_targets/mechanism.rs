//! Any text as a mechanism file of any kind: refused, or written again as the same mechanism and certified one way or the
//! other.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike::certify::{certify, certify_noise, certify_oracle, certify_planar};
use lookalike_formats::{AnyMechanism, MechanismFile, Stated, Stored};
use lookalike_fuzz::told;

fuzz_target!(|text: &str| {
    let Some(stated) = told(Stated::from_json(text)) else { return };
    match stated {
        Stated::No(file) => proved(certify_noise(file.mechanism)),
        Stated::Yes(AnyMechanism::Finite(file)) => {
            same(&file, |text| MechanismFile::from_json(text).expect("what is written is read").to_json());
            proved(certify(file.mechanism));
        }
        Stated::Yes(AnyMechanism::Oracle(file)) => {
            same(&file, again);
            proved(certify_oracle(file.mechanism));
        }
        Stated::Yes(AnyMechanism::Noise(file)) => {
            same(&file, again);
            proved(certify_noise(file.mechanism));
        }
        Stated::Yes(AnyMechanism::Planar(file)) => {
            same(&file, again);
            proved(certify_planar(file.mechanism));
        }
    }
});

/// What is written of a file is read as a file of which the same is written.
fn same<M: Stored>(file: &MechanismFile<M>, again: impl Fn(&str) -> String) {
    let text = file.to_json();
    assert_eq!(again(&text), text, "what is read again is the same");
}

fn again(text: &str) -> String {
    match AnyMechanism::from_json(text).expect("what is written is read") {
        AnyMechanism::Finite(file) => file.to_json(),
        AnyMechanism::Oracle(file) => file.to_json(),
        AnyMechanism::Noise(file) => file.to_json(),
        AnyMechanism::Planar(file) => file.to_json(),
    }
}

/// A proof, or a refusal that has a witness.
fn proved<T, V: std::fmt::Display>(answer: Result<T, V>) {
    if let Err(violation) = answer {
        assert!(!violation.to_string().is_empty(), "a refusal says why");
    }
}
