//! Lower bounds that no mechanism can go below, edge by edge.

use super::{Problem, Secrets};
use crate::exact::{Interval, Natural, Rational};
use crate::model::{Constraint, Distribution, Epsilon};
use num_bigint::BigInt;
use num_traits::{One, Zero};
use std::collections::BTreeMap;

const BITS: u64 = 96;

/// A lower bound on the problem's objective over all mechanisms, aware ones included, rounded down.
///
/// Every output law q reachable from P with flips of at most t has `P(y)(1 − (d−1)t) ≤ q(y) ≤ P(y) + t(1 − P(y))`.
/// An edge asks `q_i(y) ≤ E q_j(y)`, so with u = p_i − E p_j > 0: `t ≥ u/((d−1) p_i + E(1 − p_j))`.
///
/// For an expected error: `q_i(y) ≥ p_i − TV_i` and `q_j(y) ≤ p_j + TV_j` give `TV_i + E·TV_j ≥ u`, hence
/// `w_i TV_i + w_j TV_j ≥ u·min(w_i, w_j/E)`; other losses cost at least their smallest off-diagonal entry times
/// the error. Components add up.
///
/// Takes edges × d steps.
pub(super) fn lower_bound(problem: &Problem) -> Rational {
    let masses;
    let laws = match problem.secrets() {
        Secrets::Profiles(profiles) => profiles,
        Secrets::Values => {
            masses = point_masses(problem.categories().len());
            &masses
        }
    };
    let size = problem.categories().len();
    let Some(loss) = problem.objective().loss() else {
        return largest(problem, laws, |pair| pair.flip_bound(size)).into_values().max().unwrap_or_else(Rational::zero);
    };
    let weight = |secret: u32| problem.prior().weight(secret as usize);
    let error: Rational = largest(problem, laws, |pair| pair.error_bound(&weight)).into_values().sum();
    let costs = (0..size).flat_map(|x| (0..size).filter(move |&y| y != x).map(move |y| loss.cost(x, y)));
    error * costs.min().unwrap_or_else(Rational::zero)
}

/// The two secrets that are furthest apart at an output, and how much.
struct Apart<'a> {
    more: u32,
    less: u32,
    p_more: Rational,
    p_less: Rational,
    epsilon: &'a Epsilon,
}

impl Apart<'_> {
    /// A lower bound on `p_i − E p_j`, and E; `None` when the pair may be alike as it is.
    fn excess(&self) -> Option<(Rational, Interval)> {
        let exp = self.epsilon.exp(BITS);
        let u = &self.p_more - exp.upper().to_rational() * &self.p_less;
        (u > Rational::zero()).then_some((u, exp))
    }

    fn flip_bound(&self, size: usize) -> Option<Rational> {
        let (u, exp) = self.excess()?;
        let others = Rational::from_integer(BigInt::from(size - 1)) * &self.p_more;
        Some(u / (others + exp.upper().to_rational() * (Rational::one() - &self.p_less)))
    }

    fn error_bound(&self, weight: &impl Fn(u32) -> Rational) -> Option<Rational> {
        let (u, exp) = self.excess()?;
        Some(u * weight(self.more).min(weight(self.less) / exp.upper().to_rational()))
    }
}

/// The largest bound of each component, over its constraints and outputs.
fn largest(
    problem: &Problem,
    laws: &[Distribution],
    bound: impl Fn(&Apart<'_>) -> Option<Rational>,
) -> BTreeMap<u32, Rational> {
    let mut component_of = vec![0; laws.len()];
    for component in problem.graph().components() {
        for &member in &component {
            component_of[member as usize] = component[0];
        }
    }
    let mut largest = BTreeMap::new();
    for constraint in problem.graph().constraints() {
        for output in 0..problem.categories().len() {
            if let Some(value) = bound(&apart(&constraint, laws, output)) {
                let slot = largest.entry(component_of[constraint.members[0] as usize]).or_insert_with(Rational::zero);
                if value > *slot {
                    *slot = value;
                }
            }
        }
    }
    largest
}

/// Both bounds grow with the larger probability and fall with the smaller one, so a group's extremes say it all.
fn apart<'a>(constraint: &Constraint<'a>, laws: &[Distribution], output: usize) -> Apart<'a> {
    let (more, less) = constraint.extremes(laws, output);
    let probability = |secret: u32| laws[secret as usize].probability(output);
    Apart { more, less, p_more: probability(more), p_less: probability(less), epsilon: constraint.epsilon }
}

fn point_masses(size: usize) -> Vec<Distribution> {
    let mass = |at: usize| (0..size).map(|x| Natural::from(u64::from(x == at))).collect();
    (0..size).map(|at| Distribution::from_weights(mass(at)).expect("one mass is 1")).collect()
}
