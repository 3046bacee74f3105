//! One category of all output laws as a lattice: values that may differ by factors along the constraints.
//!
//! For each category alone an edge says `q_i(y) ≤ E q_j(y)` both ways, so along a path the factors multiply. The greatest
//! values below given limits, and the least above them, are shortest paths in which lengths are multiplied.

use super::instance::Instance;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The arcs of a component's constraints, with one more node for each group of more than two: the least of its members.
pub(super) struct CategoryLattice {
    secrets: usize,
    /// Where the arcs of each node begin.
    starts: Vec<u32>,
    arcs: Vec<Arc>,
}

#[derive(Clone, Copy)]
struct Arc {
    to: u32,
    /// Which constraint it is; [`FREE`] for "at most the same".
    alike: u32,
    exp: f64,
}

const FREE: u32 = u32::MAX;

/// A value and how it came about: `value = factor · limit(source)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reached {
    pub(super) value: f64,
    pub(super) factor: f64,
    pub(super) source: u32,
    previous: u32,
    alike: u32,
}

/// A path from a node to the one whose limit binds there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Path {
    /// The secrets on it, the source last.
    pub(super) secrets: Vec<u32>,
    /// The constraints whose e^ε multiply to the factor.
    pub(super) alike: Vec<u32>,
}

impl CategoryLattice {
    pub(super) fn new(instance: &Instance) -> Self {
        let (secrets, mut nodes, mut list) = (instance.count(), instance.count(), Vec::new());
        for (alike, constraint) in instance.alike.iter().enumerate() {
            let arc = |to: u32| Arc { to, alike: alike as u32, exp: constraint.exp };
            if let [a, b] = constraint.members[..] {
                list.extend([(a, arc(b)), (b, arc(a))]);
            } else {
                let least = nodes as u32;
                nodes += 1;
                for &member in &constraint.members {
                    list.extend([(member, Arc { to: least, alike: FREE, exp: 1.0 }), (least, arc(member))]);
                }
            }
        }
        list.sort_by_key(|(from, _)| *from);
        let starts = (0..=nodes).map(|node| list.partition_point(|(from, _)| (*from as usize) < node) as u32).collect();
        CategoryLattice { secrets, starts, arcs: list.into_iter().map(|(_, arc)| arc).collect() }
    }

    fn arcs(&self, node: u32) -> &[Arc] {
        &self.arcs[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }

    /// For each secret the least `factor · limit` over all paths, also that of length 0: the greatest solution below
    /// the limits. With limits 1/l it is 1 over the least solution above l. The nodes of groups come after the secrets.
    ///
    /// Limits are at least 0 and may be infinite. One pass of Dijkstra's algorithm: O(arcs · log nodes) steps.
    pub(super) fn greatest_below(&self, limits: impl IntoIterator<Item = f64>) -> Vec<Reached> {
        let groups = std::iter::repeat_n(f64::INFINITY, self.starts.len() - 1 - self.secrets);
        let own = |(node, value): (usize, f64)| {
            let node = node as u32;
            Reached { value, factor: 1.0, source: node, previous: node, alike: FREE }
        };
        let mut reached: Vec<Reached> = limits.into_iter().chain(groups).enumerate().map(own).collect();
        // The bits of numbers that are not negative are in the order of the numbers.
        let key = |value: f64, node: u32| Reverse((value.to_bits(), node));
        let starts = reached.iter().filter(|node| node.value < f64::INFINITY);
        let mut queue: BinaryHeap<_> = starts.map(|node| key(node.value, node.source)).collect();
        while let Some(Reverse((bits, node))) = queue.pop() {
            let from = reached[node as usize];
            if from.value.to_bits() != bits {
                continue;
            }
            for arc in self.arcs(node) {
                let value = from.value * arc.exp;
                if value < reached[arc.to as usize].value {
                    let factor = from.factor * arc.exp;
                    let source = from.source;
                    reached[arc.to as usize] = Reached { value, factor, source, previous: node, alike: arc.alike };
                    queue.push(key(value, arc.to));
                }
            }
        }
        reached
    }

    /// The binding path of a secret.
    pub(super) fn path(&self, reached: &[Reached], secret: u32) -> Path {
        let (mut path, mut node) = (Path { secrets: Vec::new(), alike: Vec::new() }, secret);
        loop {
            if (node as usize) < self.secrets {
                path.secrets.push(node);
            }
            let Reached { previous, alike, .. } = reached[node as usize];
            if previous == node {
                return path;
            }
            path.alike.extend((alike != FREE).then_some(alike));
            node = previous;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::category_bound_tests::{instance, random_graph};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        // The oracle lowers values pair by pair until nothing is violated.
        #[test]
        fn one_pass_finds_the_greatest_values_and_their_paths(
            limits in prop::collection::vec(prop_oneof![Just(0.0), Just(f64::INFINITY), 0.0f64..1.0], 6),
            graph in random_graph(6),
        ) {
            let laws = vec![vec![1, 1]; 6];
            let (instance, _) = instance(&laws, &graph);
            let mut expected = limits.clone();
            for _ in 0..20 {
                for constraint in &instance.alike {
                    for &a in &constraint.members {
                        for &b in &constraint.members {
                            let most = if a == b { f64::INFINITY } else { constraint.exp * expected[b as usize] };
                            expected[a as usize] = expected[a as usize].min(most);
                        }
                    }
                }
            }
            let lattice = CategoryLattice::new(&instance);
            let found = lattice.greatest_below(limits.iter().copied());
            for secret in 0..6 {
                let (value, expected) = (found[secret].value, expected[secret]);
                prop_assert!(value == expected || (value - expected).abs() < 1e-12, "{value} {expected}");
                let path = lattice.path(&found, secret as u32);
                let factor: f64 = path.alike.iter().map(|&at| instance.alike[at as usize].exp).product();
                prop_assert!((factor - found[secret].factor).abs() < 1e-9);
                prop_assert_eq!(path.secrets.last(), Some(&found[secret].source));
                prop_assert_eq!(path.secrets[0], secret as u32);
                prop_assert_eq!(path.secrets.len(), path.alike.len() + 1);
            }
        }
    }
}
