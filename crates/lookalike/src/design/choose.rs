//! The choice of mechanism, and what a design says of itself.

use super::{Flips, ObjectiveValue, Problem, cluster, randomized_response, smooth_one_bit, two_profile};
use crate::error::{Error, Result};
use crate::model::Mechanism;
use std::fmt;
use std::str::FromStr;

/// A proposed mechanism with what it reaches.
#[derive(Debug, Clone, PartialEq)]
pub struct Design {
    /// Which mechanism it is.
    pub name: MechanismName,
    /// The proposal: exact integers with a claim.
    pub mechanism: Mechanism,
    /// The objective's value and a lower bound on it.
    pub objective: ObjectiveValue,
    /// How it was found.
    pub solution: Solution,
}

/// How a design was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// The algorithm.
    pub algorithm: &'static str,
    /// How many rounds it took; 1 for a closed form.
    pub rounds: u32,
    /// What chose among equally good mechanisms; `None` where there is one only.
    pub tie_break: Option<&'static str>,
    /// The secrets whose edges set the optimum, in order along a path; empty where no path is known.
    pub binding: Vec<u32>,
    /// The share of every row that was given up for exactness.
    pub repair_cost: f64,
    /// A proven lower bound over mechanisms of the same family only, such as symmetric flips; others may go below it.
    pub family_bound: Option<f64>,
}

impl Solution {
    /// A closed form: nothing to iterate, to choose or to repair.
    pub(super) const CLOSED_FORM: Solution = Solution {
        algorithm: "closed form",
        rounds: 1,
        tie_break: None,
        binding: Vec::new(),
        repair_cost: 0.0,
        family_bound: None,
    };
}

impl Design {
    pub(super) fn new(name: MechanismName, problem: &Problem, mechanism: Mechanism) -> Result<Self> {
        let objective = ObjectiveValue::new(problem, &mechanism)?;
        Ok(Design { name, mechanism, objective, solution: Solution::CLOSED_FORM })
    }
}

/// The mechanisms by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MechanismName {
    /// k-ary randomized response.
    RandomizedResponse,
    /// Single-bit Two-profile.
    TwoProfile,
    /// One Bit Cluster.
    OneBitCluster,
    /// One Bit Cluster's idea for any number of categories.
    Cluster,
    /// Smooth One Bit.
    SmoothOneBit,
}

impl MechanismName {
    /// All names.
    pub const ALL: [MechanismName; 5] = [
        MechanismName::RandomizedResponse,
        MechanismName::TwoProfile,
        MechanismName::OneBitCluster,
        MechanismName::Cluster,
        MechanismName::SmoothOneBit,
    ];

    /// The least noisy mechanism for a problem: the cluster never needs more noise than randomized response.
    pub fn best(problem: &Problem) -> MechanismName {
        match (problem.profile_laws().len(), problem.categories().len()) {
            (0, _) => MechanismName::RandomizedResponse,
            (2, 2) => MechanismName::TwoProfile,
            (_, 2) => MechanismName::OneBitCluster,
            _ => MechanismName::Cluster,
        }
    }

    /// The name used in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            MechanismName::RandomizedResponse => "k-rr",
            MechanismName::TwoProfile => "two-profile",
            MechanismName::OneBitCluster => "one-bit-cluster",
            MechanismName::Cluster => "cluster",
            MechanismName::SmoothOneBit => "smooth-one-bit",
        }
    }
}

impl fmt::Display for MechanismName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for MechanismName {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        MechanismName::ALL.into_iter().find(|name| name.name() == text).ok_or_else(|| {
            let known = MechanismName::ALL.map(MechanismName::name).join(", ");
            Error::input(format!("mechanism {text:?} is not known, expected one of {known}"))
        })
    }
}

/// The named mechanism for a problem, or without a name the best that applies.
///
/// # Errors
/// A named mechanism that does not apply to the problem; the error says why and what does.
pub fn design(problem: &Problem, name: Option<MechanismName>) -> Result<Design> {
    match name.unwrap_or_else(|| MechanismName::best(problem)) {
        MechanismName::RandomizedResponse => randomized_response(problem),
        MechanismName::TwoProfile => two_profile(problem),
        MechanismName::SmoothOneBit => smooth_one_bit(problem, Flips::Symmetric),
        MechanismName::OneBitCluster if problem.categories().len() != 2 => Err(Error::inapplicable(format!(
            "one-bit-cluster needs 2 categories, found {} (cluster serves any number)",
            problem.categories().len()
        ))),
        name @ (MechanismName::OneBitCluster | MechanismName::Cluster) if problem.profile_laws().is_empty() => {
            Err(Error::inapplicable(format!("{name} needs profiles, found secrets = \"values\" (k-rr serves values)")))
        }
        name @ (MechanismName::OneBitCluster | MechanismName::Cluster) => Ok(Design { name, ..cluster(problem)? }),
    }
}
