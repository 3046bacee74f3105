//! For tests: the true loss of noise on a count over a short chain, by all sequences of states.

use super::{Chain, Initial, Quilt};
use crate::exact::{Direction, to_f64};
use crate::model::Distribution;
use proptest::prelude::*;

/// The largest ln Pr(output | X_i = x) / Pr(output | X_i = x') of whole-number noise of this scale on how often a
/// state occurs, over all nodes, possible pairs, outputs and counted states. For arbitrary initial laws it is the
/// largest over many laws, so the true value is at least this.
pub(super) fn true_loss(chain: &Chain, length: usize, scale: f64) -> f64 {
    let starts = initial_laws(chain);
    let worst = |counted| {
        let tables: Vec<Table> = (0..chain.states()).map(|first| Table::of(chain, length, first, counted)).collect();
        starts.iter().map(|law| Table::mixed(&tables, law).loss(scale)).fold(0.0, f64::max)
    };
    (0..chain.states()).map(worst).fold(0.0, f64::max)
}

/// The max-influence of a node on a quilt by its definition; for arbitrary initial laws the largest over many.
pub(super) fn true_influence(chain: &Chain, length: usize, node: usize, quilt: Quilt) -> f64 {
    let states = chain.states();
    let rows: Vec<Vec<f64>> = chain.transition().iter().map(numbers).collect();
    let places = [quilt.left.map(|a| node - 1 - a as usize), quilt.right.map(|b| node - 1 + b as usize)];
    // Pr(X_i = x, X_Q = (s, u) | X_1 = r) by r, x and the values of the quilt.
    let mut joint = vec![vec![vec![0.0; states * states]; states]; states];
    for code in 0..states.pow(length as u32) {
        let sequence: Vec<usize> = (0..length).map(|at| code / states.pow(at as u32) % states).collect();
        let probability: f64 = sequence.windows(2).map(|step| rows[step[0]][step[1]]).product();
        let [s, u] = places.map(|place| place.map_or(0, |place| sequence[place]));
        joint[sequence[0]][sequence[node - 1]][s * states + u] += probability;
    }
    let mut worst = 0.0f64;
    for first in initial_laws(chain) {
        let mixed =
            |x: usize, value: usize| first.iter().zip(&joint).map(|(share, joint)| share * joint[x][value]).sum();
        let laws = (0..states).map(|x| (0..states * states).map(|value| mixed(x, value)).collect::<Vec<f64>>());
        let given: Vec<(Vec<f64>, f64)> = laws.map(|law| (law.clone(), law.iter().sum())).collect();
        let possible: Vec<_> = given.iter().filter(|(_, all)| *all > 0.0).collect();
        for ((one, one_all), (two, two_all)) in possible.iter().flat_map(|a| possible.iter().map(move |b| (a, b))) {
            for (one, two) in one.iter().zip(two).filter(|(one, _)| **one > 0.0) {
                worst = worst.max((one / one_all).ln() - (two / two_all).ln());
            }
        }
    }
    worst
}

/// Chains of one to three states, with zeros, and all kinds of initial laws.
pub(super) fn chains() -> impl Strategy<Value = Chain> {
    let law = |states| prop::collection::vec(prop_oneof![1 => Just(0u64), 3 => 1u64..12], states);
    let parts =
        (1usize..4).prop_flat_map(move |states| (law(states), prop::collection::vec(law(states), states), 0..3));
    let possible = parts.prop_filter("a law has a positive weight", |(first, rows, _)| {
        rows.iter().chain([first]).all(|row| row.iter().sum::<u64>() > 0)
    });
    possible.prop_filter_map("a stationary law", |(first, rows, kind)| {
        let law = |row: &Vec<u64>| Distribution::from_weights(row.iter().map(|&weight| weight.into()).collect());
        let initial =
            [Initial::Given(law(&first).unwrap()), Initial::Stationary, Initial::Arbitrary][kind as usize].clone();
        let chain = Chain::new(initial, rows.iter().map(|row| law(row).unwrap()).collect()).unwrap();
        (kind != 1 || chain.stationary().is_ok()).then_some(chain)
    })
}

fn numbers(law: &Distribution) -> Vec<f64> {
    law.probabilities().map(|probability| to_f64(&probability, Direction::Nearest)).collect()
}

fn initial_laws(chain: &Chain) -> Vec<Vec<f64>> {
    match chain.initial() {
        Initial::Given(law) => vec![numbers(law)],
        Initial::Stationary => vec![numbers(&chain.stationary().unwrap())],
        Initial::Arbitrary => {
            let states = chain.states();
            let mut laws = vec![vec![1.0 / states as f64; states]];
            for (one, two) in (0..states).flat_map(|one| (0..states).map(move |two| (one, two))) {
                for share in [0.0, 1e-9, 1e-3, 0.1, 0.3, 0.5] {
                    // A trace of every state, or of none but two.
                    for trace in [0.0, 1e-12] {
                        let mut law = vec![trace; states];
                        law[one] += 1.0 - share - trace * states as f64;
                        law[two] += share;
                        laws.push(law);
                    }
                }
            }
            laws
        }
    }
}

/// Pr(X_i = x, count = c), by node, state and count.
#[derive(Clone)]
struct Table(Vec<Vec<Vec<f64>>>);

impl Table {
    fn of(chain: &Chain, length: usize, first: usize, counted: usize) -> Table {
        let mut table = Table(vec![vec![vec![0.0; length + 1]; chain.states()]; length]);
        let rows: Vec<Vec<f64>> = chain.transition().iter().map(numbers).collect();
        table.extend(&rows, &mut vec![first], 1.0, counted);
        table
    }

    fn extend(&mut self, rows: &[Vec<f64>], sequence: &mut Vec<usize>, probability: f64, counted: usize) {
        if sequence.len() == self.0.len() {
            let count = sequence.iter().filter(|&&state| state == counted).count();
            for (node, &state) in sequence.iter().enumerate() {
                self.0[node][state][count] += probability;
            }
            return;
        }
        let row = &rows[*sequence.last().expect("a sequence has a first state")];
        for (next, step) in row.iter().enumerate().filter(|(_, step)| **step > 0.0) {
            sequence.push(next);
            self.extend(rows, sequence, probability * step, counted);
            sequence.pop();
        }
    }

    fn mixed(tables: &[Table], law: &[f64]) -> Table {
        let mut mixed = tables[0].clone();
        for (node, states) in mixed.0.iter_mut().enumerate() {
            for (state, counts) in states.iter_mut().enumerate() {
                for (count, entry) in counts.iter_mut().enumerate() {
                    *entry = tables.iter().zip(law).map(|(table, share)| share * table.0[node][state][count]).sum();
                }
            }
        }
        mixed
    }

    /// Outputs beyond the counts have the same ratio as the outermost counts.
    fn loss(&self, scale: f64) -> f64 {
        let mut worst = 0.0f64;
        for states in &self.0 {
            let possible = states.iter().filter(|counts| counts.iter().sum::<f64>() > 0.0);
            let outputs = possible.map(|counts| {
                let decayed = |output: usize, count: usize| (-(output.abs_diff(count) as f64) / scale).exp();
                let weight =
                    |output| (0..counts.len()).map(|count| counts[count] * decayed(output, count)).sum::<f64>();
                let all: f64 = counts.iter().sum();
                (0..counts.len()).map(|output| (weight(output) / all).ln()).collect::<Vec<_>>()
            });
            let outputs: Vec<Vec<f64>> = outputs.collect();
            for (one, two) in outputs.iter().flat_map(|one| outputs.iter().map(move |two| (one, two))) {
                worst = one.iter().zip(two).fold(worst, |worst, (one, two)| worst.max(one - two));
            }
        }
        worst
    }
}

#[test]
fn a_chain_that_never_moves_loses_all_of_its_length() {
    let stay = |state: usize| Distribution::from_weights((0..2).map(|to| u64::from(to == state).into()).collect());
    let chain = Chain::new(Initial::Arbitrary, vec![stay(0).unwrap(), stay(1).unwrap()]).unwrap();
    assert!((true_loss(&chain, 5, 2.5) - 2.0).abs() < 1e-9);
}

#[test]
fn states_without_memory_lose_their_own_count_alone() {
    let even = || Distribution::from_weights(vec![1u64.into(), 1u64.into()]).unwrap();
    let chain = Chain::new(Initial::Stationary, vec![even(), even()]).unwrap();
    assert!((true_loss(&chain, 5, 2.0) - 0.5).abs() < 1e-9);
}
