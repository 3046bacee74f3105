//! The pairs that are attacked.

use crate::exact::{Direction, to_f64};
use crate::model::{Epsilon, SecretGraph};
use std::collections::BTreeSet;

/// Two secrets that must look alike, and what is claimed for them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// The secrets, in any order.
    pub secrets: [u32; 2],
    /// The claimed bound on what is measured, rounded up; `None` when nobody claims anything.
    pub claimed: Option<f64>,
}

/// The pairs of a graph with their ε, as many as have at most `most_secrets` different secrets, `first` before all
/// others; all of them while the graph is small.
///
/// Draws are shared out among secrets, so that many secrets leave few draws for each; the certifier has no such limit.
///
/// # Example
/// ```
/// use lookalike::{audit::pairs, model::{Names, SecretGraph}};
/// let mut builder = SecretGraph::builder(Names::new("profile", ["a", "b", "c"])?);
/// builder.complete(&"1/2".parse()?);
/// let graph = builder.build()?;
/// let all: Vec<_> = pairs(&graph, 1_000, None).iter().map(|pair| pair.secrets).collect();
/// assert_eq!(all, [[0, 1], [0, 2], [1, 2]]);
/// assert_eq!(pairs(&graph, 2, Some([1, 2])).len(), 1);
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn pairs(graph: &SecretGraph, most_secrets: usize, first: Option<[u32; 2]>) -> Vec<Pair> {
    let mut taken: BTreeSet<u32> = first.into_iter().flatten().collect();
    let mut found: BTreeSet<[u32; 2]> = BTreeSet::new();
    for constraint in graph.constraints() {
        let mut members = Vec::new();
        for &member in constraint.members {
            if taken.contains(&member) || taken.len() < most_secrets {
                members.push(member);
                taken.insert(member);
            }
        }
        for (at, &one) in members.iter().enumerate() {
            found.extend(members[..at].iter().map(|&other| [one.min(other), one.max(other)]));
        }
    }
    let claimed = |[one, other]: [u32; 2]| graph.epsilon_between(one, other).map(rounded_up);
    found.into_iter().map(|secrets| Pair { secrets, claimed: claimed(secrets) }).collect()
}

/// ε as a double that is not below it.
pub(super) fn rounded_up(epsilon: &Epsilon) -> f64 {
    to_f64(&epsilon.enclose(64).upper().to_rational(), Direction::Up)
}
