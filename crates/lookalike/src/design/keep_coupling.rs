//! From output laws to channels for expected error: keep the input where the law allows it, else redraw.

use super::floats::floats;
use super::repair::LARGEST_EPSILON;
use super::{Problem, Repaired, repair};
use crate::Result;
use crate::model::{Channel, Constraint, Distribution, Mechanism, OutputLaws, TOTAL, TOTAL_BITS};
use rayon::prelude::*;

/// What rounding can do to one probability of an output law, in units of 2^−53.
///
/// `q'_y = p_y k_y + r_y Σ_x p_x (1 − k_x)`. Rounding k moves the first term by p/2 and the sum by 1/2, rounding r
/// moves the second by 1, and a row that is written out moves by 1. The rest is for the floats: p, q, their quotient,
/// their differences and the sum of q, each a few units.
const ROUNDING: f64 = 16.0;
/// So often λ is raised before repair takes over.
const MOST_RAISES: u32 = 8;

/// The mechanism whose output laws are these up to the least mix with an even law that makes the claim hold exactly.
///
/// `laws` has d numbers for each secret of an aware problem, private up to the errors of floats. The coupling of P_s
/// with q_s keeps x with probability min(1, q_x/p_x) and else redraws from (q − p)⁺ normalised, which errs as seldom
/// as any: with probability TV(P_s, q_s). It has O(d) numbers. A profile that gives some input probability 0 gets its
/// rows written out, since the row of that input is q_s itself: if it does occur, the release still has the law that
/// was proved.
///
/// Each component's laws are mixed with the even law over the outputs they use, by `λ = max (v + m)/(v + (E − 1) r)`
/// with `v = q_i(y) − E q_j(y)` and m for the rounding, so that about `λ ≤ d (v + m)/(E − 1)`. λ is estimated in
/// floats; whether it was enough is decided exactly, and if not it is raised.
///
/// # Errors
/// None for laws that fit an aware problem over profiles.
pub(super) fn keep_channels(problem: &Problem, laws: &[f64]) -> Result<Repaired> {
    let components = Components::new(problem, laws);
    let mut lambda = components.mix_needed(problem, laws);
    let mut raises = 0;
    loop {
        let channels = components.couple(problem, laws, &lambda)?;
        let mechanism = mechanism(problem, channels)?;
        let broken = components.broken(&mechanism);
        if broken.is_empty() {
            return Ok(Repaired { mechanism, cost: lambda.iter().copied().fold(0.0, f64::max) });
        }
        raises += 1;
        if raises > MOST_RAISES || broken.iter().any(|&component| lambda[component] >= 1.0) {
            return repair(mechanism);
        }
        broken.into_iter().for_each(|component| lambda[component] = (4.0 * lambda[component]).clamp(1e-15, 1.0));
    }
}

fn mechanism(problem: &Problem, channels: Vec<Channel>) -> Result<Mechanism> {
    let (categories, graph) = (problem.categories(), problem.graph().clone());
    let assignment = (0..channels.len() as u32).collect();
    let profiles = problem.profile_laws().to_vec();
    Mechanism::aware(categories.clone(), categories.clone(), graph, profiles, channels, assignment)
}

/// The components of the graph, with the even law over the outputs that each of them uses.
struct Components {
    of: Vec<usize>,
    even: Vec<Vec<f64>>,
}

impl Components {
    fn new(problem: &Problem, laws: &[f64]) -> Self {
        let size = problem.categories().len();
        let mut of = vec![0; problem.profile_laws().len()];
        let mut even = Vec::new();
        for (at, members) in problem.graph().components().iter().enumerate() {
            let mut used = vec![false; size];
            for &member in members {
                of[member as usize] = at;
                let law = &laws[member as usize * size..][..size];
                used.iter_mut().zip(law).for_each(|(used, &q)| *used |= q > 0.0);
            }
            let share = 1.0 / used.iter().filter(|used| **used).count().max(1) as f64;
            even.push(used.into_iter().map(|used| if used { share } else { 0.0 }).collect());
        }
        Components { of, even }
    }

    fn of_constraint(&self, constraint: &Constraint<'_>) -> usize {
        self.of[constraint.members[0] as usize]
    }

    /// The share λ of each component.
    fn mix_needed(&self, problem: &Problem, laws: &[f64]) -> Vec<f64> {
        let size = problem.categories().len();
        let mut lambda = vec![0.0f64; self.even.len()];
        for constraint in problem.graph().constraints() {
            let component = self.of_constraint(&constraint);
            let (epsilon, even) = (constraint.epsilon.to_f64().min(LARGEST_EPSILON), &self.even[component]);
            let margin = ROUNDING * (1.0 + epsilon.exp()) * f64::EPSILON / 2.0;
            for y in (0..size).filter(|&y| even[y] > 0.0) {
                let q = constraint.members.iter().map(|&member| laws[member as usize * size + y]);
                let (least, most) = q.fold((f64::INFINITY, 0.0f64), |(least, most), q| (least.min(q), most.max(q)));
                let (v, pull) = (most - epsilon.exp() * least, epsilon.exp_m1() * even[y]);
                if v > -margin {
                    let needed = if pull <= margin { 1.0 } else { (v + margin) / (v + pull) };
                    lambda[component] = lambda[component].max(needed).min(1.0);
                }
            }
        }
        // Profiles that are released as they are need no room: nothing is rounded.
        let mut kept = vec![true; lambda.len()];
        for (secret, profile) in problem.profile_laws().iter().enumerate() {
            let component = self.of[secret];
            kept[component] = kept[component] && floats(profile) == laws[secret * size..][..size];
        }
        lambda.iter_mut().zip(kept).filter(|(_, kept)| *kept).for_each(|(lambda, _)| *lambda = 0.0);
        lambda
    }

    fn couple(&self, problem: &Problem, laws: &[f64], lambda: &[f64]) -> Result<Vec<Channel>> {
        let size = problem.categories().len();
        let channel = |(secret, profile): (usize, &Distribution)| {
            let (law, component) = (&laws[secret * size..][..size], self.of[secret]);
            coupling(profile, &mixed(law, lambda[component], &self.even[component]))
        };
        problem.profile_laws().par_iter().enumerate().map(channel).collect()
    }

    /// The components of which some constraint does not hold, ascending.
    fn broken(&self, mechanism: &Mechanism) -> Vec<usize> {
        let laws = OutputLaws::of(mechanism);
        let of_output = |output: usize| {
            let column = laws.column(output);
            let fails = |constraint: &Constraint<'_>| column.exceeds(&column.extremes(constraint), constraint.epsilon);
            let failing = mechanism.graph().constraints().filter(fails);
            failing.map(|constraint| self.of_constraint(&constraint)).collect::<Vec<usize>>()
        };
        let mut broken: Vec<usize> = (0..mechanism.outputs().len()).into_par_iter().flat_map_iter(of_output).collect();
        broken.sort_unstable();
        broken.dedup();
        broken
    }
}

/// (1 − λ)·q + λ·even, scaled to sum to 1; negative entries count as 0.
fn mixed(law: &[f64], lambda: f64, even: &[f64]) -> Vec<f64> {
    let sum: f64 = law.iter().map(|q| q.max(0.0)).sum();
    law.iter().zip(even).map(|(q, even)| (1.0 - lambda) * (q.max(0.0) / sum) + lambda * even).collect()
}

/// The channel that takes a profile to a law and changes the input as seldom as any.
fn coupling(profile: &Distribution, law: &[f64]) -> Result<Channel> {
    let p = super::floats::floats(profile);
    let kept = |(&p, &q): (&f64, &f64)| match q / p {
        share if share < 1.0 => (share * TOTAL as f64).round() as u64,
        _ => TOTAL,
    };
    let keep: Vec<u64> = p.iter().zip(law).map(kept).collect();
    let excess: Vec<f64> = p.iter().zip(law).map(|(p, q)| (q - p).max(0.0)).collect();
    // Where nothing is short, next to nothing is redrawn: from the law itself, whose outputs are in use.
    let redraw = weights(if excess.iter().any(|&excess| excess > 0.0) { &excess } else { law });
    if profile.numerators().all(|numerator| !numerator.is_zero()) {
        return Channel::keep(keep, redraw);
    }
    let own = weights(law);
    let row = |(x, &keep): (usize, &u64)| {
        if profile.numerator(x).is_zero() {
            return own.clone();
        }
        let kept = |y: usize| if x == y { u128::from(keep) << TOTAL_BITS } else { 0 };
        let redrawn = |y: usize| u128::from(TOTAL - keep) * u128::from(redraw[y]);
        largest_remainder(&(0..law.len()).map(|y| kept(y) + redrawn(y)).collect::<Vec<_>>())
    };
    Channel::rows(keep.iter().enumerate().map(row).collect())
}

/// Whole weights that sum to 2^53, in proportion to floats of which one is positive.
fn weights(law: &[f64]) -> Vec<u64> {
    let largest = law.iter().copied().fold(0.0, f64::max);
    // 60 bits of the largest; sums of a thousand of them times 2^53 still fit.
    largest_remainder(&law.iter().map(|q| (q / largest * 2f64.powi(60)) as u128).collect::<Vec<_>>())
}

/// Whole weights that sum to 2^53, in proportion to whole numbers of which one is positive: none moves by a unit, and
/// what is 0 stays 0.
///
/// The numbers either sum to exactly 2^106 or are below 2^61.
fn largest_remainder(numbers: &[u128]) -> Vec<u64> {
    let sum: u128 = numbers.iter().sum();
    // A sum of 2^106 is 2^53 times too large, and multiplying by 2^53 first would not fit.
    let whole_row = sum >> (2 * TOTAL_BITS) == 1;
    let split = |&number: &u128| match whole_row {
        true => (number >> TOTAL_BITS, number & u128::from(TOTAL - 1)),
        false => ((number << TOTAL_BITS) / sum, (number << TOTAL_BITS) % sum),
    };
    let (mut weights, remainders): (Vec<u64>, Vec<u128>) =
        numbers.iter().map(split).map(|(whole, rest)| (whole as u64, rest)).unzip();
    let missing = TOTAL - weights.iter().sum::<u64>();
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    // Stable, so that equal remainders go to the earlier output.
    order.sort_by(|&a, &b| remainders[b].cmp(&remainders[a]));
    order.into_iter().take(missing as usize).for_each(|at| weights[at] += 1);
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certify::certify;
    use crate::design::group::group_laws;
    use crate::design::group::tests::problem;
    use crate::design::instance::Instance;
    use crate::design::{Objective, ObjectiveValue};
    use crate::exact::{Direction, Rational, to_f64};
    use crate::model::Form;
    use proptest::prelude::*;

    /// The laws of all components, in the order of the secrets, with their value.
    fn solve(problem: &Problem) -> (Vec<f64>, f64) {
        let size = problem.categories().len();
        let (mut laws, mut value) = (vec![0.0; size * problem.profile_laws().len()], 0.0);
        for instance in Instance::components(problem) {
            let solution = group_laws(&instance, &crate::design::Watch::default()).unwrap();
            value += solution.value;
            for (&secret, law) in instance.secrets.iter().zip(solution.laws.chunks_exact(size)) {
                laws[secret as usize * size..][..size].copy_from_slice(law);
            }
        }
        (laws, value)
    }

    fn check(problem: &Problem, limit: f64) -> Repaired {
        let problem = problem.clone().with_objective(Objective::ExpectedError).unwrap();
        let (laws, value) = solve(&problem);
        let repaired = keep_channels(&problem, &laws).unwrap();
        assert!(repaired.cost < limit, "{}", repaired.cost);
        let reached = ObjectiveValue::new(&problem, &repaired.mechanism).unwrap().value;
        assert!((reached - value).abs() <= repaired.cost + 1e-14, "{reached} {value}");
        assert!(certify(repaired.mechanism.clone()).is_ok());
        repaired
    }

    #[test]
    fn profiles_without_zeros_get_the_short_form_and_rows_of_zeros_are_the_law() {
        let laws = [vec![5, 3, 2, 0], vec![1, 1, 8, 0], vec![2, 1, 7, 1]];
        for (epsilon, limit) in [("0.001", 1e-6), ("0.1", 1e-8), ("ln(3)", 1e-8), ("30", 1e-8)] {
            let repaired = check(&problem(&laws, &[((0..3).collect(), epsilon)], &[1, 2, 3]), limit);
            let mechanism = repaired.mechanism;
            assert!(matches!(mechanism.channel(2).form(), Form::Keep { .. }));
            let law = mechanism.output_law(0);
            for y in 0..4 {
                let (own, row) = (law.probability(y), mechanism.channel(0).probability(3, y));
                assert!(
                    to_f64(&(own - row), Direction::Nearest).abs() < 1e-14,
                    "the row of an input that cannot occur"
                );
            }
        }
    }

    #[test]
    fn what_is_private_as_it_is_stays_as_it_is() {
        let laws = [vec![5, 3, 2], vec![4, 4, 2]];
        let repaired = check(&problem(&laws, &[(vec![0, 1], "1")], &[1, 1]), f64::MIN_POSITIVE);
        assert!(repaired.mechanism.channels().iter().all(Channel::is_identity));
    }

    #[test]
    fn outputs_that_nobody_uses_stay_unused() {
        let laws = [vec![5, 0, 2], vec![1, 0, 9], vec![0, 1, 0], vec![0, 1, 1]];
        let repaired = check(&problem(&laws, &[(vec![0, 1], "0.2"), (vec![2, 3], "0.1")], &[1; 4]), 1e-8);
        for (secret, output) in [(0, 1), (1, 1), (2, 0), (3, 0)] {
            assert!(repaired.mechanism.output_law(secret).numerator(output).is_zero());
        }
    }

    proptest! {
        #[test]
        fn couplings_reach_the_law_and_the_distance(
            p in prop::collection::vec(prop_oneof![Just(0u64), 1u64..1000, Just(1_000_000_000)], 5), q in prop::collection::vec(prop_oneof![Just(0.0), 0.0..1.0f64], 5),
        ) {
            prop_assume!(p.iter().sum::<u64>() > 0 && q.iter().sum::<f64>() > 0.0);
            let whole: Vec<_> = p.iter().map(|&p| Rational::from_integer(p.into())).collect();
            let profile = Distribution::normalized(&whole).unwrap();
            let law = mixed(&q, 0.0, &[0.2; 5]);
            let channel = coupling(&profile, &law).unwrap();
            let reached = channel.apply(&profile);
            for (y, &q) in law.iter().enumerate() {
                let distance = (to_f64(&reached.probability(y), Direction::Nearest) - q).abs();
                prop_assert!(distance <= 0.5 * ROUNDING * f64::EPSILON / 2.0, "{}", distance);
                prop_assert!(q > 0.0 || reached.numerator(y).is_zero());
            }
            let nearest = |value: Rational| to_f64(&value, Direction::Nearest);
            let right: f64 = (0..5).map(|x| nearest(profile.probability(x) * channel.probability(x, x))).sum();
            let expected: f64 = (0..5).map(|x| nearest(profile.probability(x)).min(law[x])).sum();
            prop_assert!((right - expected).abs() < 2e-15);
        }
    }
}
