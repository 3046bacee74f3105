//! Lower bounds that no mechanism can go below, edge by edge.

use super::floats::{float, floats};
use super::{Problem, Secrets};
use crate::exact::{Natural, Rational};
use crate::model::{Budgets, Distribution, Epsilon};
use num_bigint::BigInt;
use num_traits::{One, Zero};
use rayon::prelude::*;
use std::ops::{Add, Div, Mul, Sub};

/// Of e^ε.
const BITS: u64 = 96;
/// Of each component's part of a sum.
const SUM_BITS: u64 = 192;

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
        Secrets::Profiles(profiles) => &profiles[..],
        Secrets::Values => {
            masses = point_masses(problem.categories().len());
            &masses[..]
        }
    };
    let size = problem.categories().len();
    let Some(loss) = problem.objective().loss() else {
        let whole = Rational::from_integer(size.into());
        let estimate = |_: &Place<'_>, [more, less]: [f64; 2], exp: f64| flip_bound(more, less, exp, size as f64);
        // The largest over all components: they are one.
        let best = most_promising(problem, laws, &vec![0; laws.len()], estimate);
        let bounds = best.into_iter().flatten().map(|(_, place)| {
            let ([more, less], exp) = place.exact(laws);
            flip_bound(more, less, exp, whole.clone())
        });
        return bounds.fold(Rational::zero(), Rational::max);
    };
    let weights = floats(problem.prior().weights());
    let estimate = |place: &Place<'_>, [more, less]: [f64; 2], exp: f64| {
        error_bound(more, less, exp, [place.more, place.less].map(|secret| weights[secret as usize]))
    };
    let best = most_promising(problem, laws, problem.graph().first_of_component(), estimate);
    // Each rounded down, since a sum of many fractions would drag a long denominator along.
    let scale = BigInt::one() << SUM_BITS;
    let bounds = best.into_par_iter().flatten().map(|(_, place)| {
        let ([more, less], exp) = place.exact(laws);
        let weights = [place.more, place.less].map(|secret| problem.prior().weight(secret as usize));
        let bound = error_bound(more, less, exp, weights).max(Rational::zero());
        (bound * &scale).floor().to_integer()
    });
    let sum = Rational::new(bounds.sum::<BigInt>(), scale.clone());
    let costs = (0..size).flat_map(|x| (0..size).filter(move |&y| y != x).map(move |y| loss.cost(x, y)));
    sum * costs.min().unwrap_or_else(Rational::zero)
}

/// An edge at an output: where the bound of a component may come from.
#[derive(Clone, Copy)]
struct Place<'a> {
    more: u32,
    less: u32,
    output: usize,
    epsilon: &'a Epsilon,
}

impl Place<'_> {
    /// The two probabilities, and an upper bound of e^ε: both bounds fall with it.
    fn exact(&self, laws: &[Distribution]) -> ([Rational; 2], Rational) {
        let probabilities = [self.more, self.less].map(|secret| laws[secret as usize].probability(self.output));
        (probabilities, self.epsilon.exp(BITS).upper().to_rational())
    }
}

/// The bound on the largest flip for one pair of probabilities.
fn flip_bound<T: Number>(p_more: T, p_less: T, exp: T, size: T) -> T {
    let u = p_more.clone() - exp.clone() * p_less.clone();
    u / ((size - T::one()) * p_more + exp * (T::one() - p_less))
}

/// The bound on the weighted error for one pair of probabilities and their weights.
fn error_bound<T: Number>(p_more: T, p_less: T, exp: T, weights: [T; 2]) -> T {
    let u = p_more - exp.clone() * p_less;
    let [more, less] = weights;
    let spread = less / exp;
    u * if more < spread { more } else { spread }
}

/// Floats choose the place, fractions give the bound: the same formula for both.
trait Number:
    Clone + PartialOrd + One + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Add<Output = Self>
{
}
impl Number for f64 {}
impl Number for Rational {}

/// For each component, named as in `component_of`, the place with the largest positive estimate, if there is one.
/// Any place gives a valid bound, so floats may choose it.
fn most_promising<'a>(
    problem: &'a Problem,
    laws: &[Distribution],
    component_of: &[u32],
    estimate: impl Fn(&Place<'a>, [f64; 2], f64) -> f64 + Sync,
) -> Vec<Option<(f64, Place<'a>)>> {
    type Best<'a> = Vec<Option<(f64, Place<'a>)>>;
    let budgets = Budgets::of(problem.graph());
    let exps: Vec<f64> = budgets.distinct().iter().map(|epsilon| epsilon.to_f64().exp()).collect();
    let components = component_of.iter().max().map_or(0, |&last| last as usize + 1);
    let at_output = |output: usize| -> Best<'a> {
        let column: Vec<f64> = laws.iter().map(|law| float(law, output)).collect();
        let mut best: Best<'a> = vec![None; components];
        for (constraint, &number) in problem.graph().constraints().zip(budgets.of_constraints()) {
            let (more, less) = constraint.extremes_by(|a, b| column[a as usize].total_cmp(&column[b as usize]));
            let place = Place { more, less, output, epsilon: constraint.epsilon };
            let value = estimate(&place, [more, less].map(|secret| column[secret as usize]), exps[number as usize]);
            let slot = &mut best[component_of[more as usize] as usize];
            if value > slot.map_or(0.0, |(best, _)| best) {
                *slot = Some((value, place));
            }
        }
        best
    };
    let value = |slot: &Option<(f64, Place<'_>)>| slot.map_or(0.0, |(value, _)| value);
    // Among equals the first output, whatever the order in which threads come by.
    let better = |a: Best<'a>, b: Best<'a>| {
        a.into_iter().zip(b).map(|(a, b)| if value(&b) > value(&a) { b } else { a }).collect()
    };
    (0..problem.categories().len()).into_par_iter().map(at_output).reduce_with(better).unwrap_or_default()
}

fn point_masses(size: usize) -> Vec<Distribution> {
    let mass = |at: usize| (0..size).map(|x| Natural::from(u64::from(x == at))).collect();
    (0..size).map(|at| Distribution::from_weights(mass(at)).expect("one mass is 1")).collect()
}
