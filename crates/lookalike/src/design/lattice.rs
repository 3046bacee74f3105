//! One bit, any size: output laws as a lattice, solved by shortest paths instead of linear programs.
//!
//! With two categories write `q` for the probability of the second output. An edge with E = e^ε says `q_i ≤ f(q_j)`
//! and `q_j ≤ f(q_i)` with `f(x) = min(E x, 1 − (1 − x)/E)`, which increases and lies above the diagonal. So the
//! solutions below given upper limits have a greatest one, and one pass of Dijkstra's algorithm finds it: settle the
//! smallest value first. A group of k is one extra node, the least of its members' values, and not k² edges.

use crate::model::SecretGraph;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// `q_to ≤ f(q_from)` for the arcs of a secret graph over two categories, with one more node a group.
pub(super) struct Lattice {
    /// How many nodes are secrets; those after them stand for groups.
    secrets: usize,
    /// Where the arcs of each node begin.
    starts: Vec<u32>,
    arcs: Vec<Arc>,
}

#[derive(Clone, Copy)]
struct Arc {
    to: u32,
    /// e^ε, or 1 for "at most the same".
    exp: f64,
}

/// A value and how it came about: `value = slope · limit(source) + offset` along the binding path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reached {
    pub value: f64,
    /// The node whose limit binds, and the node before this one on the way from it.
    pub source: u32,
    pub previous: u32,
    pub slope: f64,
    pub offset: f64,
}

impl Lattice {
    pub(super) fn new(graph: &SecretGraph) -> Self {
        let secrets = graph.names().len();
        let mut list: Vec<(u32, Arc)> = Vec::with_capacity(2 * graph.edges().len());
        for edge in graph.edges() {
            let ([a, b], exp) = (edge.ends(), edge.epsilon().to_f64().exp());
            list.extend([(a, Arc { to: b, exp }), (b, Arc { to: a, exp })]);
        }
        for (at, group) in graph.groups().iter().enumerate() {
            let (least, exp) = ((secrets + at) as u32, group.epsilon().to_f64().exp());
            for &member in group.members() {
                list.extend([(member, Arc { to: least, exp: 1.0 }), (least, Arc { to: member, exp })]);
            }
        }
        Lattice::from_arcs(secrets, secrets + graph.groups().len(), list)
    }

    fn from_arcs(secrets: usize, nodes: usize, list: Vec<(u32, Arc)>) -> Self {
        let mut starts = vec![0u32; nodes + 1];
        for (from, _) in &list {
            starts[*from as usize + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let (mut next, mut arcs) = (starts.clone(), vec![Arc { to: 0, exp: 1.0 }; list.len()]);
        for (from, arc) in list {
            arcs[next[from as usize] as usize] = arc;
            next[from as usize] += 1;
        }
        Lattice { secrets, starts, arcs }
    }

    /// The same constraints for `1 − q`: every arc turned round.
    pub(super) fn reversed(&self) -> Self {
        let nodes = self.starts.len() - 1;
        let turned = (0..nodes as u32)
            .flat_map(|node| self.arcs(node).iter().map(move |arc| (arc.to, Arc { to: node, exp: arc.exp })));
        Lattice::from_arcs(self.secrets, nodes, turned.collect())
    }

    fn arcs(&self, node: u32) -> &[Arc] {
        &self.arcs[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }

    /// The greatest solution below the limits of the secrets: first theirs, then the nodes of groups.
    ///
    /// Takes O(arcs · log nodes) steps.
    pub(super) fn greatest_below(&self, limits: &[f64]) -> Vec<Reached> {
        let own = |(node, value): (usize, f64)| {
            let node = node as u32;
            Reached { value, source: node, previous: node, slope: 1.0, offset: 0.0 }
        };
        // A group's node has no limit of its own.
        let free = std::iter::repeat_n(1.0, self.starts.len() - 1 - self.secrets);
        let mut reached: Vec<Reached> = limits.iter().copied().chain(free).enumerate().map(own).collect();
        // Values lie in [0, 1], where the order of the bits is the order of the numbers.
        let key = |value: f64, node: u32| Reverse((value.max(0.0).to_bits(), node));
        let mut queue: BinaryHeap<_> =
            reached.iter().enumerate().map(|(node, reached)| key(reached.value, node as u32)).collect();
        while let Some(Reverse((bits, node))) = queue.pop() {
            let from = reached[node as usize];
            if from.value.max(0.0).to_bits() != bits {
                continue;
            }
            for arc in self.arcs(node) {
                let next = Reached { previous: node, ..from.through(arc.exp) };
                if next.value < reached[arc.to as usize].value {
                    reached[arc.to as usize] = next;
                    queue.push(key(next.value, arc.to));
                }
            }
        }
        reached
    }

    /// The secrets on the binding path to a node, from its source on.
    pub(super) fn path(&self, reached: &[Reached], node: u32) -> Vec<u32> {
        let mut path = vec![node];
        while let Some(&last) = path.last().filter(|&&last| reached[last as usize].previous != last) {
            path.push(reached[last as usize].previous);
        }
        path.retain(|&node| (node as usize) < self.secrets);
        path.reverse();
        path
    }
}

impl Reached {
    /// f with this e^ε, and the linear piece of it that applies.
    fn through(self, exp: f64) -> Reached {
        let (low, high) = (exp * self.value, 1.0 - (1.0 - self.value) / exp);
        if low <= high {
            Reached { value: low, slope: exp * self.slope, offset: exp * self.offset, ..self }
        } else {
            let offset = 1.0 - (1.0 - self.offset) / exp;
            Reached { value: high, slope: self.slope / exp, offset, ..self }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Epsilon, Names};
    use proptest::prelude::*;

    fn f(x: f64, exp: f64) -> f64 {
        (exp * x).min(1.0 - (1.0 - x) / exp)
    }

    fn graph(edges: &[(u32, u32, u32)], groups: &[Vec<u32>]) -> SecretGraph {
        let mut builder = SecretGraph::builder(Names::new("profile", (0..7).map(|at| format!("p{at}"))).unwrap());
        let epsilon = |tenths: u32| format!("{tenths}/10").parse::<Epsilon>().unwrap();
        for &(a, b, tenths) in edges.iter().filter(|(a, b, _)| a != b) {
            builder.edge(a, b, epsilon(tenths)).unwrap();
        }
        for group in groups {
            builder.group("g", group.clone(), epsilon(5)).unwrap();
        }
        builder.chain(&epsilon(30));
        builder.build().unwrap()
    }

    proptest! {
        // The oracle lowers values until nothing is violated, pair by pair.
        #[test]
        fn one_pass_finds_the_greatest_solution(
            limits in prop::collection::vec(0.0f64..1.0, 7),
            edges in prop::collection::vec((0u32..7, 0u32..7, 1u32..20), 0..8),
            group in prop::collection::btree_set(0u32..7, 2..5),
        ) {
            let graph = graph(&edges, &[group.into_iter().collect()]);
            let mut expected = limits.clone();
            for _ in 0..200 {
                for a in 0..7 {
                    for b in 0..7 {
                        if let Some(epsilon) = graph.epsilon_between(a, b).filter(|_| a != b) {
                            let bound = f(expected[b as usize], epsilon.to_f64().exp());
                            expected[a as usize] = expected[a as usize].min(bound);
                        }
                    }
                }
            }
            let found = Lattice::new(&graph).greatest_below(&limits);
            for (found, expected) in found.iter().zip(&expected) {
                prop_assert!((found.value - expected).abs() < 1e-12);
                let along_the_path = found.slope * limits[found.source as usize] + found.offset;
                prop_assert!((along_the_path - found.value).abs() < 1e-12);
            }
        }

        #[test]
        fn complements_solve_the_reversed_lattice(limits in prop::collection::vec(0.0f64..1.0, 7), group in prop::collection::btree_set(0u32..7, 2..5)) {
            // The least solution above the limits: no member is below its limit, and every edge holds.
            let graph = graph(&[(0, 3, 4)], &[group.into_iter().collect()]);
            let complements: Vec<f64> = limits.iter().map(|limit| 1.0 - limit).collect();
            let least: Vec<f64> =
                Lattice::new(&graph).reversed().greatest_below(&complements).iter().map(|q| 1.0 - q.value).collect();
            for a in 0..7u32 {
                prop_assert!(least[a as usize] >= limits[a as usize] - 1e-12);
                for b in 0..7u32 {
                    if let Some(epsilon) = graph.epsilon_between(a, b).filter(|_| a != b) {
                        prop_assert!(least[a as usize] <= f(least[b as usize], epsilon.to_f64().exp()) + 1e-12);
                    }
                }
            }
        }
    }
}
