//! The pairs of a mechanism that must look alike, as losses.

use super::PrivacyLoss;
use crate::exact::Natural;
use crate::model::{Distribution, Mechanism};
use std::collections::{BTreeMap, BTreeSet};

/// More probabilities of pairs than these are not gone through: some seconds of exact work.
pub(super) const MOST_STEPS: u128 = 400_000;
/// More probabilities of secrets than these are not written out.
const MOST_PROBABILITIES: usize = 4_000_000;

/// The losses of all ordered pairs of secrets that must look alike, each once, with the first pair that has it; `None`
/// when there are too many: more than 400,000 ordered pairs of different output laws times outputs.
pub(super) fn distinct(mechanism: &Mechanism) -> Option<Vec<([u32; 2], PrivacyLoss)>> {
    let outputs = mechanism.outputs().len();
    if mechanism.graph().names().len().saturating_mul(outputs) > MOST_PROBABILITIES {
        return None;
    }
    let laws = Laws::of(mechanism);
    let groups = mechanism.graph().constraints().map(|constraint| laws.different(constraint.members));
    let groups: Vec<Vec<u32>> = groups.collect();
    let pairs = |members: &Vec<u32>| (members.len() as u128) * (members.len() as u128).saturating_sub(1);
    let steps = groups.iter().map(pairs).fold(0u128, u128::saturating_add).saturating_mul(outputs as u128);
    if steps > MOST_STEPS {
        return None;
    }
    let ordered = groups.iter().flat_map(|members| {
        members
            .iter()
            .flat_map(move |&one| members.iter().filter(move |&&other| other != one).map(move |&other| [one, other]))
    });
    let mut losses: BTreeMap<PrivacyLoss, [u32; 2]> = BTreeMap::new();
    for pair in ordered.collect::<BTreeSet<[u32; 2]>>() {
        let [first, second] = pair.map(|secret| &laws.laws[laws.number[secret as usize] as usize]);
        let loss = PrivacyLoss::of(first, second).expect("laws over the same outputs");
        losses.entry(loss).or_insert(pair);
    }
    if losses.is_empty() {
        // All secrets that must look alike have one law, and any pair will do.
        let members = mechanism.graph().constraints().next().expect("a graph has an edge").members;
        let law = mechanism.output_law(members[0]);
        losses.insert(PrivacyLoss::of(&law, &law).expect("one law"), [members[0], members[1]]);
    }
    let mut losses: Vec<([u32; 2], PrivacyLoss)> = losses.into_iter().map(|(loss, pair)| (pair, loss)).collect();
    losses.sort_by_key(|(pair, _)| *pair);
    Some(losses)
}

/// The output laws, each once.
struct Laws {
    laws: Vec<Distribution>,
    /// For each secret the number of its law.
    number: Vec<u32>,
}

impl Laws {
    fn of(mechanism: &Mechanism) -> Self {
        let mut seen: BTreeMap<Vec<(Natural, Natural)>, u32> = BTreeMap::new();
        let (mut laws, mut number) = (Vec::new(), Vec::new());
        for secret in 0..mechanism.graph().names().len() as u32 {
            let law = mechanism.output_law(secret);
            let key = (0..law.len()).map(|output| law.in_lowest_terms(output)).collect();
            number.push(*seen.entry(key).or_insert_with(|| {
                laws.push(law);
                laws.len() as u32 - 1
            }));
        }
        Laws { laws, number }
    }

    /// Of the members those that are the first with their law.
    fn different(&self, members: &[u32]) -> Vec<u32> {
        let mut seen = BTreeSet::new();
        members.iter().copied().filter(|&member| seen.insert(self.number[member as usize])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Categories, Channel, SecretGraph, TOTAL};

    fn mechanism(rows: Vec<Vec<u64>>, chain: bool) -> Mechanism {
        let names: Vec<String> = (0..rows.len()).map(|at| format!("v{at}")).collect();
        let outputs = Categories::new((0..rows[0].len()).map(|at| format!("y{at}"))).unwrap();
        let inputs = Categories::new(names).unwrap();
        let mut builder = SecretGraph::builder(inputs.names().clone());
        let epsilon = "3".parse().unwrap();
        if chain {
            builder.chain(&epsilon)
        } else {
            builder.complete(&epsilon)
        }
        Mechanism::point(inputs, outputs, builder.build().unwrap(), Channel::rows(rows).unwrap()).unwrap()
    }

    #[test]
    fn equal_laws_and_equal_losses_are_gone_through_once() {
        let unit = TOTAL / 8;
        let rows = [[5, 2, 1], [5, 2, 1], [1, 2, 5], [2, 1, 5]];
        let rows: Vec<Vec<u64>> = rows.iter().map(|row| row.iter().map(|weight| weight * unit).collect()).collect();
        let pairs = |chain| {
            let found = distinct(&mechanism(rows.clone(), chain)).unwrap();
            found.into_iter().map(|(pair, _)| pair).collect::<Vec<_>>()
        };
        // On the chain 0 and 1 are one law; 1 and 2 have a loss that is its own reverse, and so do 2 and 3.
        assert_eq!(pairs(true), [[1, 2], [2, 3]]);
        assert_eq!(pairs(false), [[0, 2], [0, 3], [2, 3], [3, 0]]);
        let equal = distinct(&mechanism(vec![rows[0].clone(), rows[0].clone()], true)).unwrap();
        assert_eq!((equal.len(), equal[0].0, equal[0].1.ratios()), (1, [0, 1], 1));
    }
}
