//! Any text as a spec, in both formats: a spec or a message, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_fuzz::told;
use lookalike_io::{Result, Spec};
use std::path::Path;

fuzz_target!(|text: &str| {
    // A folder that does not exist: the files that a spec names are not to be opened.
    let folder = Path::new("/nonexistent/folder");
    if !text.contains("_file") {
        check(Spec::from_toml(text, folder));
        check(Spec::from_json(text, folder));
    }
});

fn check(spec: Result<Spec>) {
    let Some(spec) = told(spec) else { return };
    assert!(!spec.problem.graph().epsilons().is_empty(), "a spec protects something");
}
