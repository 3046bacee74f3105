//! Sequences of states, the parts of a data set that have nothing to do with one another.

/// Groups of sequences over the same states.
#[derive(Clone)]
pub(crate) struct Sequences {
    /// The names of the states.
    pub states: Vec<String>,
    /// Each group has a chain of its own.
    pub groups: Vec<Group>,
}

/// Sequences with one chain.
#[derive(Clone)]
pub(crate) struct Group {
    /// Who or what it is.
    pub name: String,
    /// None is empty; nothing is known across the gap between two of them.
    pub sequences: Vec<Vec<u32>>,
}

impl Group {
    /// How many nodes all sequences have together.
    pub(crate) fn nodes(&self) -> usize {
        self.sequences.iter().map(Vec::len).sum()
    }

    /// How many nodes the longest sequence has.
    pub(crate) fn longest(&self) -> usize {
        self.sequences.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// How often each state occurs.
    pub(crate) fn counts(&self, states: usize) -> Vec<i64> {
        let mut counts = vec![0; states];
        self.sequences.iter().flatten().for_each(|&state| counts[state as usize] += 1);
        counts
    }
}

/// Shows how much there is and nothing of it.
impl std::fmt::Debug for Sequences {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let nodes: usize = self.groups.iter().map(Group::nodes).sum();
        f.debug_struct("Sequences").field("groups", &self.groups.len()).field("nodes", &nodes).finish_non_exhaustive()
    }
}

/// The state at every `step` from the first change on, until `end`: that of the last change. Changes ascend.
pub(crate) fn sampled(changes: &[(f64, u32)], end: f64, step: f64) -> Vec<u32> {
    let first = changes[0].0;
    let nodes = ((end - first) / step).floor() as usize + 1;
    let (mut at, mut states) = (0, Vec::with_capacity(nodes));
    for node in 0..nodes {
        while at + 1 < changes.len() && changes[at + 1].0 <= first + node as f64 * step {
            at += 1;
        }
        states.push(changes[at].1);
    }
    states
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_has_the_state_of_the_last_change() {
        let changes = [(5.0, 0), (5.5, 1), (7.0, 2), (7.1, 3), (10.9, 0)];
        assert_eq!(sampled(&changes, 10.9, 1.0), [0, 1, 2, 3, 3, 3]);
        assert_eq!(sampled(&changes, 11.0, 1.0), [0, 1, 2, 3, 3, 3, 0]);
        assert_eq!(sampled(&changes[..1], 5.0, 60.0), [0]);
    }
}
