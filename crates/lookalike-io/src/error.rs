//! The one error type of this crate.

use crate::shown::ShownTo;
use std::fmt::Write;
use std::{fmt, io, path::Path};

/// What went wrong while reading or writing a file.
///
/// The text says what was found, what was expected, where, and the way out. It never shows a private value: for
/// records it names row and column only. Names in it are [`shown`](crate::shown), so that it is one line and no terminal
/// acts on it.
#[derive(Debug)]
pub struct Error {
    kind: Kind,
    place: Option<String>,
    /// What else there is to know, behind the message.
    more: Option<String>,
}

#[derive(Debug)]
enum Kind {
    /// The bytes were read but are not what was expected.
    Input(String),
    /// The operating system refused.
    System(String, io::Error),
    /// A well-formed question with a negative answer: nothing is wrong with the files.
    Refused(String),
    /// The library refused the content.
    Library(lookalike::Error),
}

/// The result of every fallible function of this crate.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    fn of(kind: Kind) -> Self {
        Error { kind, place: None, more: None }
    }

    /// An error about content, with the whole message.
    pub fn input(message: impl Into<String>) -> Self {
        Error::of(Kind::Input(message.into()))
    }

    /// An error of the operating system: what was tried (`"cannot read"`) and the reason.
    pub fn system(what: impl Into<String>, source: io::Error) -> Self {
        Error::of(Kind::System(what.into(), source))
    }

    /// A refusal, with its reason: the question was well-formed, and the answer is no.
    pub fn refused(reason: impl Into<String>) -> Self {
        Error::of(Kind::Refused(reason.into()))
    }

    /// Whether this is a refusal, as against something that went wrong.
    pub fn is_refusal(&self) -> bool {
        matches!(self.kind, Kind::Refused(_))
    }

    /// Whether the error says where it arose.
    pub(crate) fn has_place(&self) -> bool {
        self.place.is_some()
    }

    /// Puts a place (a file, a key of a spec) in front of the message; an earlier place stays behind it.
    #[must_use]
    pub fn at(mut self, place: impl fmt::Display) -> Self {
        self.place = Some(match self.place {
            Some(inner) => format!("{place}: {inner}"),
            None => place.to_string(),
        });
        self
    }

    /// Says something more behind the message.
    #[must_use]
    pub fn and(mut self, more: impl Into<String>) -> Self {
        self.more = Some(more.into());
        self
    }

    /// [`Error::at`] for a path.
    #[must_use]
    pub fn in_file(self, path: &Path) -> Self {
        self.at(path.display())
    }

    /// Whether the library refused because a method does not apply to what was asked.
    pub fn is_inapplicable(&self) -> bool {
        matches!(&self.kind, Kind::Library(error) if error.is_inapplicable())
    }

    /// Whether the operating system refused, as against wrong content.
    pub fn is_system(&self) -> bool {
        matches!(self.kind, Kind::System(..))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut f = ShownTo(f);
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        match &self.kind {
            Kind::Input(message) | Kind::Refused(message) => f.write_str(message),
            Kind::System(what, source) => write!(f, "{what}: {source}"),
            Kind::Library(error) => write!(f, "{error}"),
        }?;
        self.more.iter().try_for_each(|more| write!(f, "; {more}"))
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
