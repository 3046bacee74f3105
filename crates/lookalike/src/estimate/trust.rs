//! What a reader of reports is willing to assume.

use super::components::Components;
use crate::model::Mechanism;
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
    /// `l_s(x) w_s ≤ m(s, x) ≤ u_s(x) w_s`, with `w_s = Σ_x m(s, x)`: values are drawn from a law for each profile that lies
    /// within its limits. Figures are about the population, and wrong where a law lies outside.
    Limits,
    /// `m(s, x) = w_s P_s(x)`: values are drawn from the profiles of the mechanism. Figures are about the population, and
    /// wrong where the profiles are.
    Profiles,
}

impl Trust {
    /// All of them.
    pub const ALL: [Trust; 3] = [Trust::Nothing, Trust::Limits, Trust::Profiles];

    /// What is trusted where nobody says: the limits of the profiles, where they have some, and otherwise nothing; nothing in
    /// cohorts either, whose values need not come from any law within the limits, and where limits are too many to be read back
    /// within.
    pub fn usual(mechanism: &Mechanism, in_cohorts: bool) -> Self {
        let has_limits = !mechanism.limits().is_empty() && Components::can_hold_limits(mechanism);
        if has_limits && !in_cohorts { Trust::Limits } else { Trust::Nothing }
    }

    /// Whether figures are about the population that reports come from, and not about those who reported: values are taken to be
    /// drawn from laws.
    pub fn is_about_population(self) -> bool {
        self != Trust::Nothing
    }

    /// Its name in files and options.
    pub fn name(self) -> &'static str {
        match self {
            Trust::Nothing => "nothing",
            Trust::Limits => "limits",
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
        found
            .ok_or_else(|| Error::input(format!("trust in {text:?}, expected \"nothing\", \"limits\" or \"profiles\"")))
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
        assert_eq!(error, "trust in \"everything\", expected \"nothing\", \"limits\" or \"profiles\"");
    }
}
