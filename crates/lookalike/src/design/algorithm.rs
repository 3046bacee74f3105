//! The algorithms by name.

use crate::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// How a mechanism is found. The structure of the problem chooses; [`super::Options`] can ask for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Algorithm {
    /// One formula an edge: nothing to iterate.
    ClosedForm,
    /// Shortest paths on the output laws of one bit.
    Lattice,
    /// A linear program over output laws or channels, with cuts where they are needed.
    LinearProgram,
    /// An interior-point method over a group's bounds that eliminates each profile: one pass per step.
    Group,
}

impl Algorithm {
    /// All algorithms.
    pub const ALL: [Algorithm; 4] =
        [Algorithm::ClosedForm, Algorithm::Lattice, Algorithm::LinearProgram, Algorithm::Group];

    /// The name used in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::ClosedForm => "closed-form",
            Algorithm::Lattice => "lattice",
            Algorithm::LinearProgram => "linear-program",
            Algorithm::Group => "group",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Algorithm {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Algorithm::ALL.into_iter().find(|algorithm| algorithm.name() == text).ok_or_else(|| {
            let known = Algorithm::ALL.map(Algorithm::name).join(", ");
            Error::input(format!("algorithm {text:?} is not known, expected one of {known}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_others_are_refused_with_the_list() {
        for algorithm in Algorithm::ALL {
            assert_eq!(algorithm.to_string().parse::<Algorithm>().unwrap(), algorithm);
        }
        let error = "simplex".parse::<Algorithm>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "algorithm \"simplex\" is not known, expected one of closed-form, lattice, linear-program, group"
        );
    }
}
