//! The choice of mechanism, and what a design says of itself.

use super::{
    Algorithm, Flips, Objective, ObjectiveValue, Options, Problem, cluster, randomized_response, smooth_categorical,
    smooth_one_bit, two_profile,
};
use crate::model::{Kind, Mechanism};
use crate::{Error, Result};
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
    pub algorithm: Algorithm,
    /// How many rounds it took; 1 for a closed form.
    pub rounds: u32,
    /// What chose among equally good mechanisms; `None` where there is one only.
    pub tie_break: Option<&'static str>,
    /// How many components of the graph were solved apart; those without an edge need no solving.
    pub components: usize,
    /// The secrets whose edges set the optimum, in order along a path; empty where no path is known.
    pub binding: Vec<u32>,
    /// The output at which those edges bind; `None` where it is not known or there is more than one.
    pub binding_output: Option<u32>,
    /// The share of every row that was given up for exactness.
    pub repair_cost: f64,
    /// A proven lower bound over mechanisms of the same family only, such as symmetric flips; others may go below it.
    pub family_bound: Option<f64>,
}

impl Solution {
    /// A closed form: nothing to iterate, to choose or to repair.
    pub(super) fn closed_form(problem: &Problem) -> Solution {
        Solution {
            algorithm: Algorithm::ClosedForm,
            rounds: 1,
            tie_break: None,
            components: problem.components_apart(),
            binding: Vec::new(),
            binding_output: None,
            repair_cost: 0.0,
            family_bound: None,
        }
    }
}

impl Design {
    pub(super) fn new(name: MechanismName, problem: &Problem, mechanism: Mechanism) -> Result<Self> {
        let objective = ObjectiveValue::new(problem, &mechanism)?;
        Ok(Design { name, mechanism, objective, solution: Solution::closed_form(problem) })
    }
}

/// The mechanisms by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
    /// Smooth Categorical.
    SmoothCategorical,
}

impl MechanismName {
    /// All names.
    pub const ALL: [MechanismName; 6] = [
        MechanismName::RandomizedResponse,
        MechanismName::TwoProfile,
        MechanismName::OneBitCluster,
        MechanismName::Cluster,
        MechanismName::SmoothOneBit,
        MechanismName::SmoothCategorical,
    ];

    /// The least noisy mechanism for a problem.
    pub fn best(problem: &Problem) -> MechanismName {
        MechanismName::applicable(problem)[0]
    }

    /// The mechanisms that apply to a problem, the least noisy first: Smooth One Bit never needs a larger flip than the
    /// cluster, nor the cluster more noise than randomized response, which always applies.
    pub fn applicable(problem: &Problem) -> Vec<MechanismName> {
        let (profiles, categories) = (problem.profile_laws().len(), problem.categories().len());
        let laws_are_known = problem.limits().is_empty();
        let by_largest_flip = *problem.objective() == Objective::MaxFlip;
        let mut names = Vec::new();
        // Between values no channel has a smaller largest flip than randomized response, whatever the graph:
        // 1 − (d−1)t ≤ A_xx ≤ E·A_x'x ≤ E·t on the edge with the smallest ε.
        if !(profiles == 0 && by_largest_flip) && smooth_categorical::fits(problem) {
            names.push(MechanismName::SmoothCategorical);
        }
        if laws_are_known && problem.kind() == Kind::Aware && categories == 2 {
            names.push(MechanismName::SmoothOneBit);
        }
        match (profiles, categories) {
            (0, _) => {}
            (2, 2) if laws_are_known => names.extend([MechanismName::TwoProfile, MechanismName::OneBitCluster]),
            (_, 2) => names.push(MechanismName::OneBitCluster),
            _ => names.push(MechanismName::Cluster),
        }
        names.push(MechanismName::RandomizedResponse);
        names
    }

    /// The algorithms that find this mechanism for a problem; the first is used unless another is asked for, or the
    /// structure of the problem suggests another.
    pub fn algorithms(self, problem: &Problem) -> Vec<Algorithm> {
        match self {
            MechanismName::RandomizedResponse
            | MechanismName::TwoProfile
            | MechanismName::OneBitCluster
            | MechanismName::Cluster => vec![Algorithm::ClosedForm],
            MechanismName::SmoothOneBit => vec![Algorithm::Lattice],
            MechanismName::SmoothCategorical => smooth_categorical::algorithms(problem),
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
            MechanismName::SmoothCategorical => "smooth-categorical",
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

/// The mechanism of a problem: the one that the options name, or the best that applies.
///
/// # Errors
/// A named mechanism or algorithm that does not apply to the problem; the error says why and what does. A design that
/// [`super::Watch`] stopped; for that error [`Error::is_stopped`] holds.
pub fn design(problem: &Problem, options: &Options<'_>) -> Result<Design> {
    options.watch.step("designing", 0, None)?;
    let (name, algorithm) = choose(problem, options)?;
    match (name, algorithm) {
        (MechanismName::RandomizedResponse, _) => randomized_response(problem),
        (MechanismName::TwoProfile, _) => two_profile(problem),
        (MechanismName::OneBitCluster, _) if problem.categories().len() != 2 => Err(Error::inapplicable(format!(
            "one-bit-cluster needs 2 categories, found {} (smooth-categorical serves any number)",
            problem.categories().len()
        ))),
        (MechanismName::OneBitCluster | MechanismName::Cluster, _) if problem.profile_laws().is_empty() => {
            Err(Error::inapplicable(format!("{name} needs profiles, found secrets = \"values\" (k-rr serves values)")))
        }
        (MechanismName::OneBitCluster | MechanismName::Cluster, _) => Ok(Design { name, ..cluster(problem)? }),
        (MechanismName::SmoothOneBit, _) => smooth_one_bit::watched(problem, options.flips, options.watch),
        (MechanismName::SmoothCategorical, _) => {
            let found = smooth_categorical::smooth_categorical(problem, options.algorithm, options.watch)?;
            no_worse_than_closed_forms(problem, found)
        }
    }
}

/// A gap this small cannot hide a better closed form.
const CLOSE: f64 = 1e-9;

/// The design, or the best closed form where that is better: a solver may stop early, and a closed form needs none. The lower
/// bound is that of the design.
fn no_worse_than_closed_forms(problem: &Problem, found: Design) -> Result<Design> {
    if found.objective.gap() <= CLOSE {
        return Ok(found);
    }
    let mut closed = vec![randomized_response(problem)?];
    if !problem.profile_laws().is_empty() {
        closed.push(cluster(problem)?);
    }
    let bound = found.objective.lower_bound;
    let better = closed.into_iter().filter(|form| form.objective.value < found.objective.value);
    let best = better.min_by(|one, other| one.objective.value.total_cmp(&other.objective.value));
    let Some(mut best) = best else { return Ok(found) };
    best.objective.lower_bound = best.objective.lower_bound.max(bound).min(best.objective.value);
    best.solution = found.solution;
    Ok(best)
}

/// The mechanism and the algorithm that the options and the structure of the problem ask for.
fn choose(problem: &Problem, options: &Options<'_>) -> Result<(MechanismName, Algorithm)> {
    let finds =
        |name: &MechanismName| options.algorithm.is_none_or(|wanted| name.algorithms(problem).contains(&wanted));
    let applicable = MechanismName::applicable(problem);
    let asked = match options.flips {
        // Only one mechanism has this choice.
        Flips::Asymmetric => options.mechanism.or(Some(MechanismName::SmoothOneBit)),
        Flips::Symmetric => options.mechanism,
    };
    let name = match asked {
        Some(name) => Some(name).filter(finds),
        None => applicable.iter().copied().find(finds),
    };
    let Some(name) = name else {
        let wanted = options.algorithm.map_or("", Algorithm::name);
        return Err(Error::inapplicable(match asked {
            Some(name) => format!("{wanted} does not find {name}, expected {}", list(&name.algorithms(problem))),
            None => {
                let mut known: Vec<Algorithm> = applicable.iter().flat_map(|name| name.algorithms(problem)).collect();
                known.sort_unstable();
                known.dedup();
                format!("{wanted} does not apply to this problem, expected {}", list(&known))
            }
        }));
    };
    if options.flips != Flips::default() && name != MechanismName::SmoothOneBit {
        return Err(Error::inapplicable(format!("{} flips are for smooth-one-bit, found {name}", options.flips)));
    }
    Ok((name, options.algorithm.unwrap_or(name.algorithms(problem)[0])))
}

fn list(algorithms: &[Algorithm]) -> String {
    algorithms.iter().map(|algorithm| algorithm.name()).collect::<Vec<_>>().join(" or ")
}

#[cfg(test)]
#[path = "choose_tests.rs"]
mod tests;
