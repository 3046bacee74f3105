//! Lower bounds that no mechanism can go below, edge by edge.

use super::floats::floats;
use super::{Problem, Secrets};
use crate::exact::{Direction, Natural, Rational, to_f64};
use crate::model::{Distribution, Epsilon};
use num_traits::{One, Zero};
use std::collections::BTreeMap;
use std::ops::{Add, Div, Mul, Sub};

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
        let whole = Rational::from_integer(size.into());
        let bounds = largest(
            problem,
            laws,
            |_, [more, less], exp| flip_bound(more, less, exp, size as f64),
            |_, [more, less], exp| flip_bound(more, less, exp, whole.clone()),
        );
        return bounds.into_iter().max().unwrap_or_else(Rational::zero);
    };
    let weights = |place: Place<'_>| [place.more, place.less].map(|secret| problem.prior().weight(secret as usize));
    let nearest = |weight: Rational| to_f64(&weight, Direction::Nearest);
    let bounds = largest(
        problem,
        laws,
        |place, [more, less], exp| error_bound(more, less, exp, weights(place).map(nearest)),
        |place, [more, less], exp| error_bound(more, less, exp, weights(place)),
    );
    let costs = (0..size).flat_map(|x| (0..size).filter(move |&y| y != x).map(move |y| loss.cost(x, y)));
    bounds.into_iter().sum::<Rational>() * costs.min().unwrap_or_else(Rational::zero)
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
    fn probabilities(&self, laws: &[Distribution]) -> [Rational; 2] {
        [self.more, self.less].map(|secret| laws[secret as usize].probability(self.output))
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

/// For each component the bound at its most promising place, rounded down by an upper bound of each e^ε (both bounds
/// fall with it). Any place gives a valid bound, so floats may choose it.
fn largest(
    problem: &Problem,
    laws: &[Distribution],
    estimate: impl Fn(Place<'_>, [f64; 2], f64) -> f64,
    exact: impl Fn(Place<'_>, [Rational; 2], Rational) -> Rational,
) -> Vec<Rational> {
    let floats: Vec<Vec<f64>> = laws.iter().map(floats).collect();
    let mut component_of = vec![0; laws.len()];
    for component in problem.graph().components() {
        for &member in &component {
            component_of[member as usize] = component[0];
        }
    }
    let mut best: BTreeMap<u32, (f64, Place<'_>)> = BTreeMap::new();
    for constraint in problem.graph().constraints() {
        let exp = constraint.epsilon.to_f64().exp();
        #[allow(clippy::needless_range_loop, reason = "the output names a place, not only an entry")]
        for output in 0..problem.categories().len() {
            let (more, less) = constraint.extremes(laws, output);
            let place = Place { more, less, output, epsilon: constraint.epsilon };
            let value = estimate(place, [more, less].map(|secret| floats[secret as usize][output]), exp);
            let slot = best.entry(component_of[constraint.members[0] as usize]).or_insert((0.0, place));
            if value > slot.0 {
                *slot = (value, place);
            }
        }
    }
    let exact = |(_, place): (f64, Place<'_>)| {
        let bound = exact(place, place.probabilities(laws), place.epsilon.exp(BITS).upper().to_rational());
        bound.max(Rational::zero())
    };
    best.into_values().filter(|(value, _)| *value > 0.0).map(exact).collect()
}

fn point_masses(size: usize) -> Vec<Distribution> {
    let mass = |at: usize| (0..size).map(|x| Natural::from(u64::from(x == at))).collect();
    (0..size).map(|at| Distribution::from_weights(mass(at)).expect("one mass is 1")).collect()
}
