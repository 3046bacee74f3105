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

/// The pairs of a graph with their ε: all of them while the graph is small. Of a large one those among `most_secrets`
/// different secrets, the two of `first` always among them, and of these pairs 20,000 at most, evenly spread. The pair
/// `first` comes first.
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
    let first = first.map(|[one, other]| [one.min(other), one.max(other)]).filter(|first| found.remove(first));
    let (count, kept) = (found.len(), found.len().min(MOST_PAIRS - 1));
    // Number i of the kept ones is the pair i·count/kept of all.
    let is_kept = |at: &usize| at * kept / count.max(1) != (at + 1) * kept / count.max(1);
    let spread = (0..count).zip(found).filter(|(at, _)| is_kept(at)).map(|(_, pair)| pair);
    let claimed = |[one, other]: [u32; 2]| graph.epsilon_between(one, other).map(rounded_up);
    first.into_iter().chain(spread).map(|secrets| Pair { secrets, claimed: claimed(secrets) }).collect()
}

/// Choosing looks at every pair, and more of them than this would take longer than the draws.
const MOST_PAIRS: usize = 20_000;

/// ε as a double that is not below it.
pub(super) fn rounded_up(epsilon: &Epsilon) -> f64 {
    to_f64(&epsilon.enclose(64).upper().to_rational(), Direction::Up)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Names;

    #[test]
    fn of_very_many_pairs_some_of_every_secret_are_kept() {
        let mut builder = SecretGraph::builder(Names::new("profile", (0..1_500).map(|at| at.to_string())).unwrap());
        builder.complete(&"1/2".parse().unwrap());
        let graph = builder.build().unwrap();
        let kept = pairs(&graph, 1_000, Some([1_400, 1_300]));
        assert_eq!((kept.len(), kept[0].secrets), (MOST_PAIRS, [1_300, 1_400]));
        let secrets: BTreeSet<u32> = kept.iter().flat_map(|pair| pair.secrets).collect();
        assert_eq!(secrets.len(), 1_000);
        assert!(kept.iter().all(|pair| pair.secrets[0] < pair.secrets[1] && pair.claimed == Some(0.5)));
        let different: BTreeSet<[u32; 2]> = kept.iter().map(|pair| pair.secrets).collect();
        assert_eq!(different.len(), kept.len());
    }
}
