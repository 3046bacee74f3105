//! Sentences as the command line has them: on a terminal, and on pages, which show its commands.

use lookalike::{Setting, SettingValue, Spelling};

/// Options and verbs as they are typed: `--unknown CATEGORY`, `lookalike ledger verify --head`.
///
/// # Example
/// ```
/// use lookalike::Sentence;
/// use lookalike_formats::CommandLine;
/// let hint = Sentence::from("pass ").flag("force").text(" to replace it");
/// assert_eq!(hint.spelled(&CommandLine).to_string(), "pass --force to replace it");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct CommandLine;

impl Spelling for CommandLine {
    fn option(&self, option: &Setting) -> String {
        match (option.name(), option.value()) {
            // The file that a verb writes, as all examples have it.
            ("output", SettingValue::Placeholder(file @ "FILE")) => format!("-o {file}"),
            ("output", SettingValue::Word(file)) => format!("-o {file}"),
            (name, SettingValue::Placeholder(value)) => format!("--{name} {value}"),
            (name, SettingValue::Word(value) | SettingValue::Number(value)) => format!("--{name} {value}"),
            (name, SettingValue::Quoted(value)) => format!("--{name} {value:?}"),
            (name, _) => format!("--{name}"),
        }
    }

    fn verb(&self, words: &str, option: Option<&Setting>) -> String {
        option.map_or(words.to_owned(), |option| format!("{words} {}", self.option(option)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::Sentence;

    #[test]
    fn options_are_spelled_as_they_are_typed() {
        let option = |name| Sentence::new().option(name);
        for (sentence, typed) in [
            (option("minimum"), "--minimum"),
            (Sentence::new().flag("drop-small"), "--drop-small"),
            (option("unknown").taking("CATEGORY"), "--unknown CATEGORY"),
            (option("keep").word("a b"), "--keep a b"),
            (option("pool-small").quoted("a \"b"), "--pool-small \"a \\\"b\""),
            (option("unknown").number(4), "--unknown 4"),
            (option("output"), "--output"),
            (option("output").taking("FILE"), "-o FILE"),
            (option("output").word("m.json"), "-o m.json"),
            (Sentence::new().key("normalize"), "normalize = true"),
            (Sentence::new().verb("lookalike ledger verify"), "lookalike ledger verify"),
            (Sentence::new().verb_with("counts design", "n"), "counts design --n"),
        ] {
            assert_eq!(sentence.spelled(&CommandLine).to_string(), typed);
        }
    }
}
