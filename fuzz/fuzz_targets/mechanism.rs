//! Any text as a mechanism file: refused, or written again as the same mechanism and certified one way or the other.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike::certify::certify;
use lookalike_io::MechanismFile;

fuzz_target!(|text: &str| {
    let file = match MechanismFile::from_json(text) {
        Ok(file) => file,
        Err(error) => return assert!(!error.to_string().is_empty(), "an error says something"),
    };
    let again = MechanismFile::from_json(&file.to_json()).expect("what is written is read");
    assert_eq!(again.mechanism, file.mechanism);
    match certify(file.mechanism) {
        Ok(certified) => assert!(certified.certificate().pairs() > 0, "a proof is about something"),
        Err(violation) => assert!(violation.to_string().contains("exceeds"), "a refusal has a witness"),
    }
});
