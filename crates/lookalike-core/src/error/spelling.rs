//! What a shell has to know to spell a sentence.

/// How a shell spells the options and verbs that a [`Sentence`](crate::Sentence) names.
pub trait Spelling {
    /// An option with its value.
    fn option(&self, option: &Setting) -> String;

    /// A verb of the command line, by its words there, perhaps with one of its options.
    fn verb(&self, words: &str, option: Option<&Setting>) -> String;

    /// A key of a file with its value, and the table it is in where that needs to be said. A file is the same in every
    /// shell, so this is its text, `shuffle = true in [data]`, unless a shell has another way to the same.
    fn key(&self, key: &Setting, table: Option<&str>) -> String {
        let name = key.name();
        let set = match key.value() {
            SettingValue::Unsaid => return name.to_owned(),
            SettingValue::On => format!("{name} = true"),
            SettingValue::Placeholder(value) => format!("{name} = {value}"),
            SettingValue::Word(value) | SettingValue::Quoted(value) => format!("{name} = {value:?}"),
            SettingValue::Number(value) => format!("{name} = {value}"),
        };
        table.map_or(set.clone(), |table| format!("{set} in [{table}]"))
    }
}

/// An option or a key with the value that is spoken of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    name: &'static str,
    value: SettingValue,
}

/// The value of an option in a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SettingValue {
    /// None: the option alone is spoken of.
    Unsaid,
    /// The option is on, and has no other value.
    On,
    /// What is yet to be chosen: `NAME`.
    Placeholder(&'static str),
    /// A word as it is typed.
    Word(String),
    /// A name that stands in quotes.
    Quoted(String),
    /// A number.
    Number(String),
}

impl Setting {
    pub(super) fn new(name: &'static str, value: SettingValue) -> Self {
        Setting { name, value }
    }

    /// The name of the option, with hyphens between its words; of a key, with underscores.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Its value.
    pub fn value(&self) -> &SettingValue {
        &self.value
    }

    /// Whether a file has this key where a verb has this option.
    pub(super) fn is_of_key(&self, key: &str) -> bool {
        self.name.replace('-', "_") == key
    }
}

/// Options in backticks, verbs as they are: for who has no shell.
pub(super) struct Neutral;

impl Spelling for Neutral {
    fn option(&self, option: &Setting) -> String {
        let name = option.name;
        match &option.value {
            SettingValue::Unsaid | SettingValue::On => format!("`{name}`"),
            SettingValue::Placeholder(value) => format!("`{name} {value}`"),
            SettingValue::Word(value) | SettingValue::Number(value) => format!("`{name} {value}`"),
            SettingValue::Quoted(value) => format!("`{name} {value:?}`"),
        }
    }

    fn verb(&self, words: &str, option: Option<&Setting>) -> String {
        option.map_or(words.to_owned(), |option| format!("{words} with {}", option.name))
    }
}
