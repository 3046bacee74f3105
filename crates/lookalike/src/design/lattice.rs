//! One bit, any size: output laws as a lattice, solved by shortest paths instead of linear programs.
//!
//! With two categories write `q` for the probability of the second output. An edge with E = e^ε says `q_i ≤ f(q_j)`
//! and `q_j ≤ f(q_i)` with `f(x) = min(E x, 1 − (1 − x)/E)`, which increases and lies above the diagonal. So the
//! solutions below given upper limits have a greatest one, and one pass of Dijkstra's algorithm finds it: settle the
//! smallest value first. A group of k is one extra node, the least of its members' values, and not k² edges.

use crate::model::{Budgets, SecretGraph};
use rayon::prelude::*;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// `q_to ≤ f(q_from)` for the arcs of a secret graph over two categories, with one more node a group.
#[derive(Clone)]
pub(super) struct Lattice {
    /// How many nodes are secrets; those after them stand for groups.
    secrets: usize,
    /// Where the arcs of each node begin.
    starts: Vec<u32>,
    arcs: Vec<Arc>,
    /// The distinct functions f; the first is "at most the same".
    steps: Vec<Step>,
}

#[derive(Clone, Copy)]
struct Arc {
    to: u32,
    step: u32,
}

/// f for one ε, by e^ε and e^−ε.
#[derive(Clone, Copy)]
struct Step {
    exp: f64,
    inverse: f64,
}

/// How a value came about: `value = slope · limit(source) + offset` along the binding path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Trace {
    /// The node whose limit binds, and the node before this one on the way from it.
    pub source: u32,
    pub previous: u32,
    pub slope: f64,
    pub offset: f64,
}

impl Lattice {
    pub(super) fn new(graph: &SecretGraph) -> Self {
        let budgets = Budgets::of(graph);
        let exps = budgets.distinct().iter().map(|epsilon| epsilon.to_f64().exp());
        let steps = std::iter::once(1.0).chain(exps).map(|exp| Step { exp, inverse: 1.0 / exp }).collect();
        let secrets = graph.names().len();
        let (of_edges, of_groups) = budgets.of_constraints().split_at(graph.edges().len());
        let edges = graph.edges().iter().zip(of_edges).flat_map(|(edge, &number)| {
            let ([a, b], step) = (edge.ends(), number + 1);
            [(a, Arc { to: b, step }), (b, Arc { to: a, step })]
        });
        let groups = graph.groups().iter().zip(of_groups).enumerate().flat_map(|(at, (group, &number))| {
            let (least, step) = ((secrets + at) as u32, number + 1);
            let both = move |&member: &u32| [(member, Arc { to: least, step: 0 }), (least, Arc { to: member, step })];
            group.members().iter().flat_map(both)
        });
        Lattice::from_arcs(secrets, secrets + graph.groups().len(), steps, edges.chain(groups))
    }

    fn from_arcs(
        secrets: usize,
        nodes: usize,
        steps: Vec<Step>,
        list: impl Iterator<Item = (u32, Arc)> + Clone,
    ) -> Self {
        let mut starts = vec![0u32; nodes + 1];
        for (from, _) in list.clone() {
            starts[from as usize + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let (mut next, mut arcs) = (starts.clone(), vec![Arc { to: 0, step: 0 }; starts[nodes] as usize]);
        for (from, arc) in list {
            arcs[next[from as usize] as usize] = arc;
            next[from as usize] += 1;
        }
        Lattice { secrets, starts, arcs, steps }
    }

    /// The same constraints for `1 − q`: every arc turned round. Without groups that is the same lattice.
    pub(super) fn reversed(&self) -> Cow<'_, Lattice> {
        let nodes = self.starts.len() - 1;
        if nodes == self.secrets {
            return Cow::Borrowed(self);
        }
        let turned = (0..nodes as u32)
            .flat_map(|node| self.arcs(node).iter().map(move |arc| (arc.to, Arc { to: node, step: arc.step })));
        Cow::Owned(Lattice::from_arcs(self.secrets, nodes, self.steps.clone(), turned))
    }

    fn arcs(&self, node: u32) -> &[Arc] {
        &self.arcs[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }

    /// The greatest solution below the limits of the secrets.
    ///
    /// Takes O(arcs + nodes · log nodes) steps.
    pub(super) fn greatest_below(&self, limits: &[f64]) -> Vec<f64> {
        let mut values = self.settle(limits, |_, _, _| {});
        values.truncate(self.secrets);
        values
    }

    /// The same with how each value came about: first the secrets', then those of the nodes of groups.
    pub(super) fn trace_below(&self, limits: &[f64]) -> (Vec<f64>, Vec<Trace>) {
        let own = |node: u32| Trace { source: node, previous: node, slope: 1.0, offset: 0.0 };
        let mut traces: Vec<Trace> = (0..self.starts.len() as u32 - 1).map(own).collect();
        let values = self.settle(limits, |from, to, piece| {
            let Trace { source, slope, offset, .. } = traces[from as usize];
            let [slope, offset] = piece.after([slope, offset]);
            traces[to as usize] = Trace { source, previous: from, slope, offset };
        });
        (values, traces)
    }

    /// Dijkstra's algorithm: the smallest value is settled first, and lowers its neighbours. `lowered` is told of each
    /// such node, the node that did it, and the piece of f.
    ///
    /// Most nodes keep their limit, so those are sorted once and only lowered ones go through a heap.
    fn settle(&self, limits: &[f64], mut lowered: impl FnMut(u32, u32, Piece)) -> Vec<f64> {
        // A group's node has no limit of its own.
        let free = std::iter::repeat_n(1.0, self.starts.len() - 1 - self.secrets);
        let mut values: Vec<f64> = limits.iter().copied().chain(free).collect();
        // Values lie in [0, 1], where the order of the bits is the order of the numbers.
        let key = |value: f64, node: u32| (value.max(0.0).to_bits(), node);
        let mut own: Vec<(u64, u32)> = values.iter().zip(0..).map(|(&value, node)| key(value, node)).collect();
        own.par_sort_unstable();
        let (mut own, mut queue) = (own.into_iter().peekable(), BinaryHeap::new());
        loop {
            let from_queue = match (own.peek(), queue.peek()) {
                (Some(own), Some(Reverse(queued))) => queued < own,
                (None, None) => return values,
                (_, queued) => queued.is_some(),
            };
            let next = if from_queue { queue.pop().map(|Reverse(next)| next) } else { own.next() };
            let Some((bits, node)) = next else { return values };
            let value = values[node as usize];
            if value.max(0.0).to_bits() != bits {
                continue;
            }
            for arc in self.arcs(node) {
                let (bound, piece) = self.steps[arc.step as usize].apply(value);
                if bound < values[arc.to as usize] {
                    values[arc.to as usize] = bound;
                    lowered(node, arc.to, piece);
                    queue.push(Reverse(key(bound, arc.to)));
                }
            }
        }
    }

    /// Every single edge as a line: `q_to ≤ slope · q_from + offset`, for both pieces of its f.
    pub(super) fn lines(&self) -> impl Iterator<Item = (u32, u32, [f64; 2])> {
        let from_node = move |from: u32| {
            let edges = self.arcs(from).iter().filter(|arc| (arc.to as usize) < self.secrets);
            edges.flat_map(move |arc| {
                let step = self.steps[arc.step as usize];
                [true, false].map(|is_low| (from, arc.to, Piece { is_low, step }.after([1.0, 0.0])))
            })
        };
        (0..self.secrets as u32).flat_map(from_node)
    }

    /// The secrets on the binding path to a node, from its source on.
    pub(super) fn path(&self, traces: &[Trace], node: u32) -> Vec<u32> {
        let mut path = vec![node];
        while let Some(&last) = path.last().filter(|&&last| traces[last as usize].previous != last) {
            path.push(traces[last as usize].previous);
        }
        path.retain(|&node| (node as usize) < self.secrets);
        path.reverse();
        path
    }
}

/// A linear piece of f: `E x`, or `1 − (1 − x)/E`.
#[derive(Clone, Copy)]
struct Piece {
    is_low: bool,
    step: Step,
}

impl Step {
    /// f(x), and the piece of f that applies.
    fn apply(self, x: f64) -> (f64, Piece) {
        let (low, high) = (self.exp * x, 1.0 - (1.0 - x) * self.inverse);
        (low.min(high), Piece { is_low: low <= high, step: self })
    }
}

impl Piece {
    /// The line that follows a line, both as slope and offset.
    fn after(self, [slope, offset]: [f64; 2]) -> [f64; 2] {
        if self.is_low {
            [self.step.exp * slope, self.step.exp * offset]
        } else {
            [slope * self.step.inverse, 1.0 - (1.0 - offset) * self.step.inverse]
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
            let lattice = Lattice::new(&graph);
            let (found, traces) = lattice.trace_below(&limits);
            prop_assert_eq!(lattice.greatest_below(&limits), &found[..7]);
            for ((found, trace), expected) in found.iter().zip(&traces).zip(&expected) {
                prop_assert!((found - expected).abs() < 1e-12);
                let along_the_path = trace.slope * limits[trace.source as usize] + trace.offset;
                prop_assert!((along_the_path - found).abs() < 1e-12);
            }
        }

        #[test]
        fn complements_solve_the_reversed_lattice(limits in prop::collection::vec(0.0f64..1.0, 7), group in prop::collection::btree_set(0u32..7, 2..5)) {
            // The least solution above the limits: no member is below its limit, and every edge holds.
            let graph = graph(&[(0, 3, 4)], &[group.into_iter().collect()]);
            let complements: Vec<f64> = limits.iter().map(|limit| 1.0 - limit).collect();
            let least: Vec<f64> =
                Lattice::new(&graph).reversed().greatest_below(&complements).iter().map(|q| 1.0 - q).collect();
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
