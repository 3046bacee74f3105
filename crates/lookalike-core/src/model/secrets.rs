//! What an ε is about.

use crate::exact::Rational;
use std::fmt;

/// The secrets that the ε of a mechanism is about. An ε without them says nothing.
///
/// The list is closed on purpose: whatever is decided by the secrets must be decided for each kind of them.
///
/// In words they follow the number: "epsilon 1 for any one moment of a chain of 300".
///
/// # Example
/// ```
/// use lookalike_core::model::Secrets;
/// assert_eq!(format!("epsilon 1 for {}", Secrets::Moments { length: 300 }), "epsilon 1 for any one moment of a chain of 300");
/// assert_eq!(Secrets::Moments { length: 300 }.word(), "moments");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Secrets {
    /// The laws that observations are drawn from.
    Profiles,
    /// The observations themselves.
    Values,
    /// How many of a group there are.
    Counts,
    /// Cells of a grid on the ground, each pair with an ε of its own.
    Cells,
    /// Places; ε is for each metre between two of them.
    Places,
    /// A number, which neighbours change by no more than this.
    Numbers {
        /// The most that neighbours differ by.
        apart: Rational,
    },
    /// The state at each moment of a sequence of so many moments from a Markov chain.
    Moments {
        /// How many moments there are.
        length: u64,
    },
    /// A file of version 1 that does not say them.
    Unstated,
}

impl Secrets {
    /// The word that files have for them.
    pub fn word(&self) -> &'static str {
        match self {
            Secrets::Profiles => "profiles",
            Secrets::Values => "values",
            Secrets::Counts => "counts",
            Secrets::Cells => "cells",
            Secrets::Places => "places",
            Secrets::Numbers { .. } => "numbers",
            Secrets::Moments { .. } => "moments",
            Secrets::Unstated => "unstated",
        }
    }
}

impl fmt::Display for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Secrets::Profiles => f.write_str("pairs of profiles"),
            Secrets::Values => f.write_str("pairs of values"),
            Secrets::Counts => f.write_str("counts that differ by one"),
            Secrets::Cells => f.write_str("pairs of cells"),
            Secrets::Places => f.write_str("places, per metre between them"),
            Secrets::Numbers { apart } => write!(f, "numbers at most {apart} apart"),
            Secrets::Moments { length } => write!(f, "any one moment of a chain of {length}"),
            Secrets::Unstated => f.write_str("secrets that the file does not state"),
        }
    }
}
