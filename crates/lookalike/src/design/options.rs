//! What a caller can ask of a design beside the problem.

use super::{Algorithm, Flips, MechanismName, Watch};
use crate::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// Which mechanism, found how, and who watches. By default the best mechanism that applies, by the algorithm that the
/// structure of the problem suggests.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options<'a> {
    /// The mechanism, or the best that applies.
    pub mechanism: Option<MechanismName>,
    /// Which flips Smooth One Bit may use; other mechanisms have no choice.
    pub flips: Flips,
    /// The algorithm, or the first that applies.
    pub algorithm: Option<Algorithm>,
    /// Who is told of progress and may stop the design.
    pub watch: Watch<'a>,
}

impl Options<'_> {
    /// Only the mechanism is named.
    pub fn named(mechanism: MechanismName) -> Self {
        Options { mechanism: Some(mechanism), ..Options::default() }
    }
}

impl Flips {
    /// The name used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Flips::Symmetric => "symmetric",
            Flips::Asymmetric => "asymmetric",
        }
    }
}

impl fmt::Display for Flips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Flips {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let known = [Flips::Symmetric, Flips::Asymmetric].into_iter().find(|flips| flips.name() == text);
        known.ok_or_else(|| Error::input(format!("flips {text:?}, expected symmetric or asymmetric")))
    }
}
