//! Sentences as Python has them.

use lookalike::{Setting, SettingValue, Spelling};
use lookalike_formats::CommandLine;

/// Options as arguments, verbs as functions: `unknown=CATEGORY`, `Ledger.verify(head)`.
pub struct InPython;

impl Spelling for InPython {
    fn option(&self, option: &Setting) -> String {
        // What has another name here than on the command line.
        let name = match (option.name(), option.value()) {
            ("force", _) => "overwrite".to_owned(),
            ("observation", _) => "observations".to_owned(),
            ("pair", _) => "pairs".to_owned(),
            ("profile-by", _) => "roles".to_owned(),
            ("subject", _) => "subjects".to_owned(),
            (shape @ ("complete" | "chain"), SettingValue::Unsaid) => return format!("shape={shape:?}"),
            (name, _) => name.replace('-', "_"),
        };
        match option.value() {
            SettingValue::On => format!("{name}=True"),
            SettingValue::Placeholder(value) => format!("{name}={value}"),
            SettingValue::Word(value) | SettingValue::Quoted(value) => format!("{name}={value:?}"),
            SettingValue::Number(value) => format!("{name}={value}"),
            _ => name,
        }
    }

    fn verb(&self, words: &str, option: Option<&Setting>) -> String {
        let function = match words {
            "lookalike ledger init" => "Ledger.create",
            "lookalike ledger migrate" => "Ledger.migrate",
            "lookalike ledger verify" => "Ledger.verify",
            "lookalike ledger correct-clock" => "Ledger.correct_clock",
            "counts design" => "counts.optimal",
            "pufferfish design" => "pufferfish.compare",
            "pufferfish fit" => "Chain.fit",
            // What is asked for is what this command prints.
            _ => return CommandLine.verb(words, option),
        };
        format!("{function}({})", option.map(|option| self.option(option)).unwrap_or_default())
    }

    fn key(&self, key: &Setting, table: Option<&str>) -> String {
        match (table, key.value()) {
            // A key of a spec is an argument here; a plan is a file.
            (None, SettingValue::On) => format!("{}=True", key.name()),
            _ => CommandLine.key(key, table),
        }
    }
}
