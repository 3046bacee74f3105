//! Any text as a chain file and as a framework: refused, or a chain that is written and read as the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_formats::pufferfish::{ChainFile, FrameworkFile};
use lookalike_formats::{Alone, Spec};
use lookalike_fuzz::told;

fuzz_target!(|text: &str| {
    for file in [told(ChainFile::from_toml(text)), told(ChainFile::from_json(text))].into_iter().flatten() {
        let written = file.to_toml();
        let again = ChainFile::from_toml(&written).expect("what is written is read");
        assert_eq!(again.to_toml(), written, "and is the same");
    }
    if text.contains("_file") {
        return;
    }
    if let Some(framework) = told(FrameworkFile::from_toml(text, &Alone)) {
        told(Spec::from_toml(&framework.spec_toml(), &Alone));
    }
});
