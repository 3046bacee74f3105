//! The distinct lists of ε that pairs have in several guarantees, and the largest sum among them.

use super::pair_classes::{PairLists, lists_of_pairs};
use super::{Guarantee, Pairs, Refusal, Worst};
use crate::exact::{Epsilon, EpsilonSum};
use crate::model::SecretGraph;
use num_bigint::BigInt;
use num_traits::Zero;

/// For each guarantee its distinct ε, and lists of places in these, each with an example of a pair that has it.
#[derive(Debug, Clone)]
pub(super) struct PairLosses {
    epsilons: Vec<Vec<Bracketed>>,
    lists: Vec<List>,
    /// Whether the lists only bound those of the pairs from above.
    are_bounds: bool,
    /// Empty where pairs have no list.
    graphs: Vec<SecretGraph>,
}

#[derive(Debug, Clone)]
struct List {
    /// For each guarantee the place of an ε.
    places: Vec<u32>,
    /// An example in the numbering of the first graph; `None` where pairs have no list.
    pair: Option<[u32; 2]>,
}

/// An ε with bounds in units of 2^−64, so that few sums need be compared exactly.
#[derive(Debug, Clone)]
struct Bracketed {
    epsilon: Epsilon,
    bounds: [BigInt; 2],
}

const BITS: u64 = 64;

impl Bracketed {
    fn new(epsilon: &Epsilon) -> Self {
        let value = epsilon.enclose(BITS);
        let bounds = [value.lower().to_fixed(BITS, false), value.upper().to_fixed(BITS, true)];
        Bracketed { epsilon: epsilon.clone(), bounds }
    }
}

impl PairLosses {
    /// Of guarantees that have the same secrets.
    ///
    /// # Errors
    /// A pair that the first one protects and another one leaves out.
    pub(super) fn of(guarantees: &[&Guarantee]) -> Result<Self, Refusal> {
        let graphs: Option<Vec<&SecretGraph>> = guarantees.iter().map(|guarantee| graph(guarantee)).collect();
        let Some(graphs) = graphs else {
            let epsilons = guarantees.iter().map(|guarantee| vec![Bracketed::new(guarantee.epsilon())]).collect();
            let lists = vec![List { places: vec![0; guarantees.len()], pair: None }];
            return Ok(PairLosses { epsilons, lists, are_bounds: false, graphs: Vec::new() });
        };
        let PairLists { epsilons, lists, are_bounds } = lists_of_pairs(&graphs).map_err(|pair| {
            let [first, second] = pair.map(|secret| graphs[0].names().name(secret).to_owned());
            Refusal::UnprotectedPair { first, second }
        })?;
        let bracketed = |distinct: Vec<&Epsilon>| distinct.into_iter().map(Bracketed::new).collect();
        Ok(PairLosses {
            epsilons: epsilons.into_iter().map(bracketed).collect(),
            lists: lists.into_iter().map(|(places, pair)| List { places, pair: Some(pair) }).collect(),
            are_bounds,
            graphs: graphs.into_iter().cloned().collect(),
        })
    }

    /// The largest sum over the lists; the first of equals.
    pub(super) fn worst(&self, times: &[u64]) -> Worst {
        let sums = self.candidates(times).into_iter().map(|list| (self.sum(list, times), list.pair));
        let first_largest = |best: (EpsilonSum, _), next: (EpsilonSum, _)| if next.0 > best.0 { next } else { best };
        let (epsilon, pair) = sums.reduce(first_largest).expect("a list");
        let name = |secret: u32| self.graphs[0].names().name(secret).to_owned();
        let names = pair.map(|[a, b]| (name(a), name(b)));
        // A bound that a pair attains is exact.
        let is_bound = self.are_bounds && names.as_ref().is_none_or(|pair| self.sum_of_pair(pair, times) != epsilon);
        Worst { pair: names.filter(|_| !is_bound), epsilon, is_bound }
    }

    /// The sum where each release may be about another pair: of each guarantee the largest ε, so many times.
    pub(super) fn any_pairs(&self, times: &[u64]) -> EpsilonSum {
        let mut sum = EpsilonSum::zero();
        for (place, (epsilons, &times)) in self.epsilons.iter().zip(times).enumerate() {
            let of_pairs = self.lists.iter().map(|list| &epsilons[list.places[place] as usize].epsilon);
            sum.add(of_pairs.max().expect("a list"), times);
        }
        sum
    }

    /// What one pair loses.
    fn sum_of_pair(&self, (first, second): &(String, String), times: &[u64]) -> EpsilonSum {
        let mut sum = EpsilonSum::zero();
        for (graph, &times) in self.graphs.iter().zip(times) {
            let [a, b] = [first, second].map(|name| graph.names().place(name).expect("the same names"));
            sum.add(graph.epsilon_between(a, b).expect("each protects the pairs of the first"), times);
        }
        sum
    }

    /// The lists whose sum may be the largest, by the bounds.
    fn candidates(&self, times: &[u64]) -> Vec<&List> {
        let products: Vec<Vec<[BigInt; 2]>> = self
            .epsilons
            .iter()
            .zip(times)
            .map(|(distinct, &times)| distinct.iter().map(|one| one.bounds.each_ref().map(|end| end * times)).collect())
            .collect();
        let bound = |list: &List, end: usize| -> BigInt {
            let terms = list.places.iter().zip(&products).filter(|(_, of_guarantee)| !of_guarantee[0][1].is_zero());
            terms.map(|(&place, of_guarantee)| &of_guarantee[place as usize][end]).sum()
        };
        let largest_lower = self.lists.iter().map(|list| bound(list, 0)).max();
        let may_be_largest = |list: &&List| largest_lower.as_ref().is_some_and(|lower| bound(list, 1) >= *lower);
        self.lists.iter().filter(may_be_largest).collect()
    }

    fn sum(&self, list: &List, times: &[u64]) -> EpsilonSum {
        let mut sum = EpsilonSum::zero();
        for ((&place, distinct), &times) in list.places.iter().zip(&self.epsilons).zip(times) {
            sum.add(&distinct[place as usize].epsilon, times);
        }
        sum
    }
}

fn graph(guarantee: &Guarantee) -> Option<&SecretGraph> {
    match guarantee.pairs() {
        Pairs::Graph(graph) => Some(graph),
        Pairs::Every { .. } => None,
    }
}

#[cfg(test)]
#[path = "pair_losses_tests.rs"]
mod tests;
