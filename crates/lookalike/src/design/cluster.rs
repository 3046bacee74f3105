//! The One Bit Cluster mechanism (Algorithm 2 of Geumlek and Chaudhuri), for any number of categories.

use super::response::{Pair, Response};
use super::{Design, MechanismName, Problem, Secrets, randomized_response};
use crate::Result;
use crate::model::{Constraint, Distribution, Limits};

/// Randomized response with, for each connected component, the least noise that its costliest edge needs.
///
/// In the one-bit setting this is the paper's One Bit Cluster mechanism: α = max over the component's edges of the
/// two-profile flip probability. For d categories the same argument gives the weight `u/(d·u + E − 1)` of each wrong
/// output, where u is the largest `p_i(y) − E p_j(y)`. It is never noisier than k-ary randomized response, which is
/// the case u = 1. A component without an edge is released unchanged. Where profiles have limits, p_i is the upper one of
/// the first and p_j the lower one of the second: the noise moves all laws the same way.
///
/// # Guarantee
/// Private at every edge's ε, and with one unit of 2^−53 less noise some edge would not be.
///
/// # Errors
/// None for a valid problem. Secrets that are values get k-ary randomized response, which this is for point masses.
///
/// # Complexity
/// Edges × d comparisons.
///
/// # Reference
/// Geumlek and Chaudhuri (2019), Algorithm 2 and Theorem 6.
pub fn cluster(problem: &Problem) -> Result<Design> {
    let Secrets::Profiles(profiles) = problem.secrets() else {
        return randomized_response(problem);
    };
    let parts = problem.parts();
    let mut responses = vec![Response::identity(problem.categories().len()); parts.count];
    for constraint in problem.graph().constraints() {
        let response = &mut responses[parts.of(&constraint)];
        for output in 0..problem.categories().len() {
            if problem.limits().is_empty() {
                response.protect(&costliest_pair(&constraint, profiles, output));
            } else {
                pairs_within(&constraint, problem.limits(), output).for_each(|pair| response.protect(&pair));
            }
        }
    }
    let channels = responses.iter().map(Response::channel).collect::<Result<Vec<_>>>()?;
    let name = if problem.categories().len() == 2 { MechanismName::OneBitCluster } else { MechanismName::Cluster };
    Design::new(name, problem, problem.mechanism(parts, channels)?)
}

/// The two members furthest apart at an output: the noise moves both the same way, so no other pair needs more.
fn costliest_pair<'a>(constraint: &Constraint<'a>, profiles: &[Distribution], output: usize) -> Pair<'a> {
    let (most, least) = constraint.extremes(profiles, output);
    let (most, least) = (&profiles[most as usize], &profiles[least as usize]);
    let (more, less) = most.over_common_denominator(least, output);
    let denominator = if most.denominator() == least.denominator() {
        most.denominator()
    } else {
        most.denominator().times(&least.denominator())
    };
    Pair { more, less, denominator, output, epsilon: constraint.epsilon }
}

/// Every two members, the one at its upper limit and the other at its lower one.
fn pairs_within<'a>(
    constraint: &Constraint<'a>,
    limits: &'a [Limits],
    output: usize,
) -> impl Iterator<Item = Pair<'a>> {
    let Constraint { members, epsilon } = *constraint;
    let pair = move |more: &Limits, less: &Limits| Pair {
        more: more.lower(output).plus(&more.room(output)).times(&less.denominator()),
        less: less.lower(output).times(&more.denominator()),
        denominator: more.denominator().times(&less.denominator()),
        output,
        epsilon,
    };
    let at = |member: u32| &limits[member as usize];
    let others = move |one: u32| members.iter().copied().filter(move |&other| other != one);
    members.iter().flat_map(move |&one| others(one).map(move |other| pair(at(one), at(other))))
}

#[cfg(test)]
#[path = "cluster_tests.rs"]
mod tests;
