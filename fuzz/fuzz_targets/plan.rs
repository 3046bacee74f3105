//! Any text as a plan, in both formats: a plan or a message, and then its spec or a message.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_formats::{Alone, Plan, Spec};
use lookalike_fuzz::told;
use std::path::Path;

fuzz_target!(|text: &str| {
    let folder = Path::new("/nonexistent/folder");
    if text.contains("_file") {
        return;
    }
    for plan in [told(Plan::from_toml(text, folder)), told(Plan::from_json(text, folder))].into_iter().flatten() {
        let confidence = plan.estimate.confidence;
        assert!(0.0 < confidence && confidence < 1.0, "a confidence is a probability");
    }
    told(Spec::from_toml(text, &Alone));
    told(Spec::from_json(text, &Alone));
});
