//! Any text as a spec, in both formats: a spec or a message, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_formats::{Alone, Result, Spec};
use lookalike_fuzz::told;

fuzz_target!(|text: &str| {
    if !text.contains("_file") {
        check(Spec::from_toml(text, &Alone));
        check(Spec::from_json(text, &Alone));
    }
});

fn check(spec: Result<Spec>) {
    let Some(spec) = told(spec) else { return };
    assert!(!spec.problem.graph().epsilons().is_empty(), "a spec protects something");
}
