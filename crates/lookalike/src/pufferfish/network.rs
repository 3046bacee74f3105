//! Bayesian networks of moderate size, exactly.

use crate::exact::Rational;
use crate::model::Distribution;
use crate::{Error, Result};
use num_traits::{One, Zero};

/// A node of a network: its parents, and the law of its state for each combination of theirs.
#[derive(Debug, Clone)]
pub struct Node {
    /// The places of the parents; all come before the node itself.
    pub parents: Vec<usize>,
    /// One law a combination of the parents' states, in the order of counting where the last parent runs fastest.
    pub table: Vec<Distribution>,
}

/// A Bayesian network: the law of many variables as a product of one law a node.
///
/// # Example
/// ```
/// use lookalike::{exact::parse_rational, model::Distribution, pufferfish::{Network, Node}};
/// let law = |texts: [&str; 2]| Distribution::new(&texts.map(|text| parse_rational(text).unwrap())).unwrap();
/// // A household: who is ill makes the other one ill.
/// let first = Node { parents: vec![], table: vec![law(["0.9", "0.1"])] };
/// let second = Node { parents: vec![0], table: vec![law(["0.95", "0.05"]), law(["0.5", "0.5"])] };
/// assert_eq!(Network::new(vec![first, second])?.nodes().len(), 2);
/// # Ok::<(), lookalike::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Network {
    nodes: Vec<Node>,
}

/// More combinations of states than this are not enumerated.
const MOST_COMBINATIONS: u64 = 1 << 18;

impl Network {
    /// The network of these nodes.
    ///
    /// # Errors
    /// No node; a parent that does not come before its node, or twice; a table with another number of laws than the
    /// parents have combinations of states, or with laws of different lengths. The error names the node.
    pub fn new(nodes: Vec<Node>) -> Result<Self> {
        if nodes.is_empty() {
            return Err(Error::input("a network without nodes, expected at least one"));
        }
        let mut states: Vec<usize> = Vec::with_capacity(nodes.len());
        for (place, node) in nodes.iter().enumerate() {
            let here = |message: String| Error::input(message).at(format_args!("node {}", place + 1));
            if let Some(parent) = node.parents.iter().find(|&&parent| parent >= place) {
                return Err(here(format!("parent {}, expected one of the nodes before it", parent + 1)));
            }
            if (1..node.parents.len()).any(|later| node.parents[..later].contains(&node.parents[later])) {
                return Err(here("a parent occurs twice, expected each once".to_owned()));
            }
            let combinations = node.parents.iter().try_fold(1usize, |all, &parent| all.checked_mul(states[parent]));
            if combinations != Some(node.table.len()) {
                let expected = combinations.map_or("more than can be held".to_owned(), |all| all.to_string());
                return Err(here(format!(
                    "{} laws, expected {expected}, one a combination of its parents' states",
                    node.table.len()
                )));
            }
            let size = node.table[0].len();
            if let Some(law) = node.table.iter().find(|law| law.len() != size) {
                return Err(here(format!("laws of {size} and of {} states, expected the same for all", law.len())));
            }
            states.push(size);
        }
        Ok(Network { nodes })
    }

    /// The nodes in order.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// How many states a node has.
    pub fn states(&self, node: usize) -> usize {
        self.nodes[node].table[0].len()
    }

    /// Which nodes are independent of `node` given `quilt`, whatever the tables hold: those that the graph d-separates
    /// from it. Neither the node nor the quilt is among them.
    ///
    /// # Complexity
    /// Linear in the edges.
    ///
    /// # Reference
    /// Koller and Friedman, Probabilistic Graphical Models (2009), algorithm 3.1.
    ///
    /// # Panics
    /// If a place is not below the number of nodes.
    pub fn remote(&self, node: usize, quilt: &[usize]) -> Vec<usize> {
        let observed = self.mask(quilt);
        let opens = self.mask(&self.ancestors(quilt));
        let children =
            |of: usize| (of + 1..self.nodes.len()).filter(move |&child| self.nodes[child].parents.contains(&of));
        // [from a child, from a parent]: an active path may go on differently.
        let mut visited = vec![[false; 2]; self.nodes.len()];
        let mut open = vec![(node, 0)];
        while let Some((here, way)) = open.pop() {
            if std::mem::replace(&mut visited[here][way], true) {
                continue;
            }
            if !observed[here] {
                open.extend(children(here).map(|child| (child, 1)));
            }
            // From a child the way up is open unless observed; from a parent only where something below is observed.
            if if way == 0 { !observed[here] } else { opens[here] } {
                open.extend(self.nodes[here].parents.iter().map(|&parent| (parent, 0)));
            }
        }
        (0..self.nodes.len()).filter(|&other| !observed[other] && visited[other] == [false; 2]).collect()
    }

    fn mask(&self, places: &[usize]) -> Vec<bool> {
        let mut mask = vec![false; self.nodes.len()];
        places.iter().for_each(|&place| mask[place] = true);
        mask
    }

    /// These nodes and all that they descend from, in order.
    fn ancestors(&self, of: &[usize]) -> Vec<usize> {
        let mut wanted = self.mask(of);
        for place in (0..self.nodes.len()).rev().filter(|_| !of.is_empty()) {
            if wanted[place] {
                self.nodes[place].parents.iter().for_each(|&parent| wanted[parent] = true);
            }
        }
        (0..self.nodes.len()).filter(|&place| wanted[place]).collect()
    }

    /// The largest Pr(X_Q = q | X_i = a)/Pr(X_Q = q | X_i = b) over possible states a, b of the node and all q, exactly;
    /// `None` where it is infinite.
    ///
    /// # Errors
    /// Too many combinations of states of the nodes that these descend from.
    pub(super) fn influence_ratio(&self, node: usize, quilt: &[usize]) -> Result<Option<Rational>> {
        let joint = self.joint(node, quilt)?;
        let totals: Vec<Rational> = joint.iter().map(|row| row.iter().sum()).collect();
        let possible: Vec<usize> = (0..joint.len()).filter(|&state| !totals[state].is_zero()).collect();
        let mut largest = Rational::one();
        let laws: Vec<Vec<Rational>> =
            possible.iter().map(|&state| joint[state].iter().map(|joint| joint / &totals[state]).collect()).collect();
        for combination in 0..joint[0].len() {
            let given = || laws.iter().map(|law| law[combination].clone());
            let (least, most) = (given().min().expect("a possible state"), given().max().expect("a possible state"));
            match (least.is_zero(), most.is_zero()) {
                (_, true) => {}
                (true, false) => return Ok(None),
                _ => largest = largest.max(most / least),
            }
        }
        Ok(Some(largest))
    }

    /// Pr(X_i = a, X_Q = q), by a and then by the number of the combination q.
    fn joint(&self, node: usize, quilt: &[usize]) -> Result<Vec<Vec<Rational>>> {
        let wanted: Vec<usize> = quilt.iter().copied().chain([node]).collect();
        // Nodes below all of these sum to 1 and drop out.
        let relevant = self.ancestors(&wanted);
        let combinations = relevant.iter().try_fold(1u64, |all, &place| all.checked_mul(self.states(place) as u64));
        if combinations.is_none_or(|all| all > MOST_COMBINATIONS) {
            return Err(Error::inapplicable(format!(
                "the quilt descends from {} nodes with more than {MOST_COMBINATIONS} combinations of states, which are \
                 too many to enumerate; choose a quilt with fewer",
                relevant.len()
            ))
            .at(format_args!("node {}", node + 1)));
        }
        let size = quilt.iter().map(|&place| self.states(place)).product();
        let mut joint = vec![vec![Rational::zero(); size]; self.states(node)];
        self.extend(&relevant, &mut vec![0; self.nodes.len()], Rational::one(), &mut |states, probability| {
            joint[states[node]][self.combination(quilt, states)] += probability;
        });
        Ok(joint)
    }

    fn extend(
        &self,
        rest: &[usize],
        states: &mut Vec<usize>,
        probability: Rational,
        visit: &mut impl FnMut(&[usize], Rational),
    ) {
        let Some((&place, rest)) = rest.split_first() else { return visit(states, probability) };
        let node = &self.nodes[place];
        let law = &node.table[self.combination(&node.parents, states)];
        for state in 0..law.len() {
            let step = law.probability(state);
            if !step.is_zero() {
                states[place] = state;
                self.extend(rest, states, &probability * step, visit);
            }
        }
    }

    /// The number of a combination of states, where the last place runs fastest.
    fn combination(&self, places: &[usize], states: &[usize]) -> usize {
        places.iter().fold(0, |number, &place| number * self.states(place) + states[place])
    }
}

#[cfg(test)]
#[path = "network_tests.rs"]
pub(super) mod tests;
