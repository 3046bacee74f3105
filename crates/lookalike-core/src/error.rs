//! The one error type of the library.

mod sentence;
mod spelling;

pub use sentence::Sentence;
pub use spelling::{Setting, SettingValue, Spelling};

use std::fmt;

/// Why something could not be built or done.
///
/// The text says what was found, what was expected, where, and the way out. What it names, options and verbs, a shell
/// spells in its own way: see [`Error::sentence`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    kind: Kind,
    told: Box<Told>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Told {
    /// Where it arose, the outermost place last.
    places: Vec<Sentence>,
    message: Sentence,
    hints: Vec<Sentence>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Input,
    Inapplicable,
    Stopped,
    Failed,
}

/// The result of every fallible function of the library.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    fn of(kind: Kind, message: impl Into<Sentence>) -> Self {
        Error { kind, told: Box::new(Told { places: Vec::new(), message: message.into(), hints: Vec::new() }) }
    }

    /// A value that breaks a rule of its type: a row that does not sum to one, a negative ε, an unknown name.
    pub fn input(message: impl Into<Sentence>) -> Self {
        Error::of(Kind::Input, message)
    }

    /// A request that is well formed, but that this algorithm cannot serve: a one-bit mechanism for five categories.
    pub fn inapplicable(message: impl Into<Sentence>) -> Self {
        Error::of(Kind::Inapplicable, message)
    }

    /// Work that the caller asked to stop.
    pub fn stopped() -> Self {
        Error::of(Kind::Stopped, "stopped before it was done")
    }

    /// Something outside of the library did not do its part: the program or the file behind an
    /// `audit::Source`. It is for implementations of such traits by others.
    ///
    /// # Example
    /// ```
    /// let error = lookalike_core::Error::failed("line 17: not UTF-8 text").at("noise.py");
    /// assert_eq!(error.to_string(), "noise.py: line 17: not UTF-8 text");
    /// assert!(error.is_failed() && !error.is_input());
    /// ```
    pub fn failed(message: impl Into<Sentence>) -> Self {
        Error::of(Kind::Failed, message)
    }

    /// Puts a place in front of the message: `profile "bo": …`.
    #[must_use]
    pub fn at(mut self, place: impl fmt::Display) -> Self {
        self.told.places.push(place.to_string().into());
        self
    }

    /// Says a way out, in brackets behind the message.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Sentence>) -> Self {
        self.told.hints.push(hint.into());
        self
    }

    /// All of it: the places, the outermost first, the message and the ways out, for a shell to spell.
    pub fn sentence(&self) -> Sentence {
        let Told { places, message, hints } = &*self.told;
        let placed = places.iter().rev().fold(Sentence::new(), |all, place| all.then(place.clone()).text(": "));
        hints.iter().fold(placed.then(message.clone()), |all, hint| all.hint(hint.clone()))
    }

    /// Whether a value broke a rule of its type.
    pub fn is_input(&self) -> bool {
        self.kind == Kind::Input
    }

    /// Whether the request was well formed but not served by the chosen algorithm.
    pub fn is_inapplicable(&self) -> bool {
        self.kind == Kind::Inapplicable
    }

    /// Whether the work ended because the caller asked for it.
    pub fn is_stopped(&self) -> bool {
        self.kind == Kind::Stopped
    }

    /// Whether something outside of the library did not do its part.
    pub fn is_failed(&self) -> bool {
        self.kind == Kind::Failed
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sentence().fmt(f)
    }
}

impl std::error::Error for Error {}
