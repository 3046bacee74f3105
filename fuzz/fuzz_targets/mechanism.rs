//! Any text as a mechanism file of any kind: refused, or written again as the same mechanism and certified one way or the
//! other.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_formats::{AnyMechanism, MechanismKind, Stated, of_kind};
use lookalike_fuzz::told;

fuzz_target!(|text: &str| {
    let Some(stated) = told(Stated::from_json(text)) else { return };
    match stated {
        Stated::No(file) => proved(file.mechanism.prove()),
        Stated::Yes(mechanism) => of_kind!(mechanism, file => {
            let text = file.to_json();
            let again = AnyMechanism::from_json(&text).expect("what is written is read");
            assert_eq!(again.file().to_json(), text, "what is read again is the same");
            proved(file.mechanism.prove());
        }),
    }
});

/// A proof, or a refusal that has a witness.
fn proved<T, V: std::fmt::Display>(answer: Result<T, V>) {
    if let Err(violation) = answer {
        assert!(!violation.to_string().is_empty(), "a refusal says why");
    }
}
