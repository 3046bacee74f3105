//! The one error type of this crate.

use crate::shown::{ShownTo, shown};
use lookalike::{Sentence, Spelling};
use std::fmt::Write;
use std::{fmt, io, path::Path};

/// What went wrong while reading or writing a file.
///
/// The text says what was found, what was expected, where, and the way out. It never shows a private value: for
/// records it names row and column only. Names in it are [`shown`](crate::shown::shown), so that it is one line and no terminal
/// acts on it. Options and verbs in it are spelled by a shell: [`Error::spelled`].
#[derive(Debug)]
pub struct Error {
    kind: Kind,
    /// Where it arose, the outermost place last.
    places: Vec<Sentence>,
    hints: Vec<Sentence>,
    /// What else there is to know, behind the message.
    more: Option<Sentence>,
    /// The table of a file that has keys where verbs have options.
    table: Option<&'static Table>,
}

#[derive(Debug)]
enum Kind {
    /// The bytes were read but are not what was expected.
    Input(Sentence),
    /// The operating system refused.
    System(Sentence, io::Error),
    /// A well-formed question with a negative answer: nothing is wrong with the files.
    Refused(Sentence),
    /// The library refused the content.
    Library(lookalike::Error),
}

/// A table of a file, with the keys that it has.
#[derive(Debug)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// Its keys.
    pub keys: &'static [&'static str],
}

impl Table {
    /// The sentence with keys of this table for options of the same names.
    pub fn keyed(&self, sentence: Sentence) -> Sentence {
        sentence.keyed(self.name, self.keys)
    }
}

/// The result of every fallible function of this crate.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    fn of(kind: Kind) -> Self {
        Error { kind, places: Vec::new(), hints: Vec::new(), more: None, table: None }
    }

    /// An error about content, with the whole message.
    pub fn input(message: impl Into<Sentence>) -> Self {
        Error::of(Kind::Input(message.into()))
    }

    /// An error of the operating system: what was tried (`"cannot read"`) and the reason.
    pub fn system(what: impl Into<Sentence>, source: io::Error) -> Self {
        Error::of(Kind::System(what.into(), source))
    }

    /// A refusal, with its reason: the question was well-formed, and the answer is no.
    pub fn refused(reason: impl Into<Sentence>) -> Self {
        Error::of(Kind::Refused(reason.into()))
    }

    /// Whether this is a refusal, as against something that went wrong.
    pub fn is_refusal(&self) -> bool {
        matches!(self.kind, Kind::Refused(_))
    }

    /// Whether the error says where it arose.
    pub fn has_place(&self) -> bool {
        !self.places.is_empty()
    }

    /// Puts a place (a file, a key of a spec) in front of the message; an earlier place stays behind it.
    #[must_use]
    pub fn at(self, place: impl fmt::Display) -> Self {
        self.at_option(place.to_string())
    }

    /// [`Error::at`] for an option, which each shell spells: its value is the culprit.
    #[must_use]
    pub fn at_option(mut self, option: impl Into<Sentence>) -> Self {
        self.places.push(option.into());
        self
    }

    /// Says a way out, in brackets behind the message.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Sentence>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Names the keys of a table of a file instead of options, where it has such keys.
    #[must_use]
    pub fn in_table(mut self, table: &'static Table) -> Self {
        self.table = Some(table);
        self
    }

    /// Says something more behind the message.
    #[must_use]
    pub fn and(mut self, more: impl Into<Sentence>) -> Self {
        self.more = Some(more.into());
        self
    }

    /// [`Error::at`] for a path.
    #[must_use]
    pub fn in_file(self, path: &Path) -> Self {
        self.at(path.display())
    }

    /// All of it, for a shell to spell: the places, the outermost first, the message, the ways out, and what else there is.
    pub fn sentence(&self) -> Sentence {
        let message = match &self.kind {
            Kind::Input(message) | Kind::Refused(message) => message.clone(),
            Kind::System(what, source) => what.clone().text(format!(": {source}")),
            Kind::Library(error) => error.sentence(),
        };
        let placed = self.places.iter().rev().fold(Sentence::new(), |all, place| all.then(place.clone()).text(": "));
        let hinted = self.hints.iter().fold(placed.then(message), |all, hint| all.hint(hint.clone()));
        let all = self.more.iter().fold(hinted, |all, more| all.text("; ").then(more.clone()));
        match self.table {
            Some(table) => table.keyed(all),
            None => all,
        }
    }

    /// The text as a shell has it: one line that no terminal acts on.
    pub fn spelled(&self, spelling: &dyn Spelling) -> String {
        shown(&self.sentence().spelled(spelling).to_string()).into_owned()
    }

    /// Whether the library refused because a method does not apply to what was asked.
    pub fn is_inapplicable(&self) -> bool {
        matches!(&self.kind, Kind::Library(error) if error.is_inapplicable())
    }

    /// Whether work was stopped because its caller asked for it.
    pub fn is_stopped(&self) -> bool {
        matches!(&self.kind, Kind::Library(error) if error.is_stopped())
    }

    /// Whether the operating system refused, as against wrong content.
    pub fn is_system(&self) -> bool {
        matches!(self.kind, Kind::System(..))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(ShownTo(f), "{}", self.sentence())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            Kind::Input(_) | Kind::Refused(_) => None,
            Kind::System(_, source) => Some(source),
            Kind::Library(error) => Some(error),
        }
    }
}

impl From<lookalike::Error> for Error {
    fn from(error: lookalike::Error) -> Self {
        Error::of(Kind::Library(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_line_that_no_terminal_acts_on() {
        let name = "a\u{1b}[2J\nb\u{202e}";
        for error in [
            Error::input(format!("{name} is wrong")).at(name),
            Error::refused(name).and(name),
            Error::system(name, io::Error::other(name)).in_file(Path::new(name)),
            Error::from(lookalike::Error::failed(name)),
        ] {
            let text = error.to_string();
            assert!(!text.chars().any(|c| c.is_control() || c == '\u{202e}'), "{text:?}");
            assert!(text.contains("a\\u{1b}[2J\\nb\\u{202e}"), "{text:?}");
        }
    }
}
