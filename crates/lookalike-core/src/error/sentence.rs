//! Texts for people in which options, keys and verbs are named, and which every shell spells in its own way.

use super::spelling::{Neutral, Setting, SettingValue, Spelling};
use std::fmt;

/// A text for people that names options, keys of files and verbs without spelling them: each shell has a [`Spelling`].
///
/// `Display` has a neutral form, with options in backticks.
///
/// # Example
/// ```
/// use lookalike_core::Sentence;
/// let hint = Sentence::new().option("unknown").taking("CATEGORY").text(" maps such values");
/// assert_eq!(hint.to_string(), "`unknown CATEGORY` maps such values");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sentence {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Option(Setting),
    /// A key of a file, and the table that it is in where that needs to be said.
    Key(Setting, Option<&'static str>),
    /// A verb of the command line, and one of its options.
    Verb(&'static str, Option<Setting>),
}

impl Sentence {
    /// One that says nothing yet.
    pub fn new() -> Self {
        Sentence::default()
    }

    /// Goes on with a text.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        let text = text.into();
        match self.parts.last_mut() {
            Some(Part::Text(before)) => before.push_str(&text),
            _ if text.is_empty() => {}
            _ => self.parts.push(Part::Text(text)),
        }
        self
    }

    /// Names an option, without a value.
    #[must_use]
    pub fn option(self, name: &'static str) -> Self {
        self.with(Part::Option(Setting::new(name, SettingValue::Unsaid)))
    }

    /// Names an option that is either on or off: it is to be on.
    #[must_use]
    pub fn flag(self, name: &'static str) -> Self {
        self.with(Part::Option(Setting::new(name, SettingValue::On)))
    }

    /// Names a key of a spec that is to be true.
    #[must_use]
    pub fn key(self, name: &'static str) -> Self {
        self.with(Part::Key(Setting::new(name, SettingValue::On), None))
    }

    /// Names a verb of the command line, in its words there.
    #[must_use]
    pub fn verb(self, words: &'static str) -> Self {
        self.with(Part::Verb(words, None))
    }

    /// [`Sentence::verb`] with one of its options.
    #[must_use]
    pub fn verb_with(self, words: &'static str, option: &'static str) -> Self {
        self.with(Part::Verb(words, Some(Setting::new(option, SettingValue::Unsaid))))
    }

    /// Gives the option that was named last a value that is yet to be chosen: `NAME`.
    #[must_use]
    pub fn taking(self, placeholder: &'static str) -> Self {
        self.given(SettingValue::Placeholder(placeholder))
    }

    /// Gives the option that was named last a value, as it is typed.
    #[must_use]
    pub fn word(self, word: impl Into<String>) -> Self {
        self.given(SettingValue::Word(word.into()))
    }

    /// Gives the option that was named last a name, which stands in quotes.
    #[must_use]
    pub fn quoted(self, name: impl Into<String>) -> Self {
        self.given(SettingValue::Quoted(name.into()))
    }

    /// Gives the option that was named last a number.
    #[must_use]
    pub fn number(self, number: impl fmt::Display) -> Self {
        self.given(SettingValue::Number(number.to_string()))
    }

    /// Says something more, a way out for example, in brackets.
    #[must_use]
    pub fn hint(self, hint: impl Into<Sentence>) -> Self {
        self.text(" (").then(hint).text(")")
    }

    /// Goes on with another one.
    #[must_use]
    pub fn then(self, other: impl Into<Sentence>) -> Self {
        other.into().parts.into_iter().fold(self, |sentence, part| match part {
            Part::Text(text) => sentence.text(text),
            other => sentence.with(other),
        })
    }

    /// With the options that are keys of this table as keys, which a file has where a verb has options.
    #[must_use]
    pub fn keyed(mut self, table: &'static str, keys: &[&'static str]) -> Self {
        for part in &mut self.parts {
            let Part::Option(setting) = part else { continue };
            if let Some(key) = keys.iter().find(|key| setting.is_of_key(key)) {
                *part = Part::Key(Setting::new(key, setting.value().clone()), Some(table));
            }
        }
        self
    }

    /// The text as a shell has it.
    pub fn spelled<'a>(&'a self, spelling: &'a dyn Spelling) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| {
            self.parts.iter().try_for_each(|part| match part {
                Part::Text(text) => f.write_str(text),
                Part::Option(option) => f.write_str(&spelling.option(option)),
                Part::Key(key, table) => f.write_str(&spelling.key(key, *table)),
                Part::Verb(words, option) => f.write_str(&spelling.verb(words, option.as_ref())),
            })
        })
    }

    fn with(mut self, part: Part) -> Self {
        self.parts.push(part);
        self
    }

    fn given(mut self, value: SettingValue) -> Self {
        if let Some(Part::Option(setting)) = self.parts.last_mut() {
            *setting = Setting::new(setting.name(), value);
        }
        self
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.spelled(&Neutral).fmt(f)
    }
}

impl From<String> for Sentence {
    fn from(text: String) -> Self {
        Sentence::new().text(text)
    }
}

impl From<&str> for Sentence {
    fn from(text: &str) -> Self {
        Sentence::new().text(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shell with its own words for one option and one verb.
    struct Shell;

    impl Spelling for Shell {
        fn option(&self, option: &Setting) -> String {
            let name = if option.name() == "force" { "overwrite" } else { option.name() };
            match option.value() {
                SettingValue::Unsaid => name.to_owned(),
                SettingValue::On => format!("{name}=True"),
                SettingValue::Placeholder(name_of_it) => format!("{name}={name_of_it}"),
                SettingValue::Word(word) | SettingValue::Quoted(word) => format!("{name}={word:?}"),
                SettingValue::Number(number) => format!("{name}={number}"),
            }
        }

        fn verb(&self, words: &str, option: Option<&Setting>) -> String {
            format!("{}({})", words.replace(' ', "."), option.map_or(String::new(), |option| self.option(option)))
        }
    }

    #[test]
    fn a_shell_spells_what_is_named_and_leaves_texts_alone() {
        // A name that looks like an option is text like any other.
        let sentence = Sentence::from("column \"--force\": exists")
            .hint(Sentence::from("pass ").flag("force").text(" or ").option("keep").word("who").text(", see "))
            .verb_with("ledger verify", "head");
        let python = "column \"--force\": exists (pass overwrite=True or keep=\"who\", see )ledger.verify(head)";
        assert_eq!(sentence.spelled(&Shell).to_string(), python);
        let neutral = "column \"--force\": exists (pass `force` or `keep who`, see )ledger verify with head";
        assert_eq!(sentence.to_string(), neutral);
    }

    #[test]
    fn every_kind_of_value_is_spelled() {
        let all = |sentence: Sentence| (sentence.to_string(), sentence.spelled(&Shell).to_string());
        let option = || Sentence::new().option("small");
        let pair = |one: &str, other: &str| (one.to_owned(), other.to_owned());
        assert_eq!(all(option()), pair("`small`", "small"));
        assert_eq!(all(option().taking("NAME")), pair("`small NAME`", "small=NAME"));
        assert_eq!(all(option().quoted("a b")), pair("`small \"a b\"`", "small=\"a b\""));
        assert_eq!(all(option().number(3)), pair("`small 3`", "small=3"));
        assert_eq!(all(Sentence::new().key("normalize")), pair("normalize = true", "normalize = true"));
    }

    #[test]
    fn options_that_a_file_has_become_its_keys_and_others_stay() {
        let sentence = Sentence::new().option("drop-small").text(", ").option("unknown").taking("CATEGORY").text(", ");
        let keyed =
            sentence.flag("shuffle").text(", ").flag("force").keyed("data", &["drop_small", "unknown", "shuffle"]);
        let told = "drop_small, unknown = CATEGORY in [data], shuffle = true in [data], `force`";
        assert_eq!(keyed.to_string(), told);
    }
}
