//! What a reader of reports is willing to assume.

use crate::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// What is taken for granted about the respondents when shares are read back.
///
/// The unknown is m(s, x), how many of them have profile s and value x; reports follow `Σ m(s, x) A^s(x, ·)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Trust {
    /// Any m is possible. Figures hold whatever the profiles are, for those who reported and for the population that they
    /// were drawn from.
    #[default]
    Nothing,
    /// `m(s, x) = w_s P_s(x)`: values are drawn from the profiles of the mechanism. Figures are about the population, and
    /// wrong where the profiles are.
    Profiles,
}

impl Trust {
    /// All of them.
    pub const ALL: [Trust; 2] = [Trust::Nothing, Trust::Profiles];

    /// Its name in files and options.
    pub fn name(self) -> &'static str {
        match self {
            Trust::Nothing => "nothing",
            Trust::Profiles => "profiles",
        }
    }
}

impl fmt::Display for Trust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Trust {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let found = Trust::ALL.into_iter().find(|trust| trust.name() == text);
        found.ok_or_else(|| Error::input(format!("trust in {text:?}, expected \"nothing\" or \"profiles\"")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for trust in Trust::ALL {
            assert_eq!(trust.to_string().parse::<Trust>().unwrap(), trust);
        }
        let error = "everything".parse::<Trust>().unwrap_err().to_string();
        assert_eq!(error, "trust in \"everything\", expected \"nothing\" or \"profiles\"");
    }
}
