//! The one error type of the library.

use std::fmt;

/// Why something could not be built or done.
///
/// The text says what was found, what was expected, where, and the way out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    kind: Kind,
    message: String,
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
    /// A value that breaks a rule of its type: a row that does not sum to one, a negative ε, an unknown name.
    pub fn input(message: impl Into<String>) -> Self {
        Error { kind: Kind::Input, message: message.into() }
    }

    /// A request that is well formed, but that this algorithm cannot serve: a one-bit mechanism for five categories.
    pub fn inapplicable(message: impl Into<String>) -> Self {
        Error { kind: Kind::Inapplicable, message: message.into() }
    }

    /// Work that the caller asked to stop.
    pub fn stopped() -> Self {
        Error { kind: Kind::Stopped, message: "stopped before it was done".to_owned() }
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
    pub fn failed(message: impl Into<String>) -> Self {
        Error { kind: Kind::Failed, message: message.into() }
    }

    /// Puts a place in front of the message: `profile "bo": …`.
    #[must_use]
    pub fn at(mut self, place: impl fmt::Display) -> Self {
        self.message = format!("{place}: {}", self.message);
        self
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
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
