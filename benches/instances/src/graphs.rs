//! Who must look alike.

use crate::Random;
use std::collections::BTreeSet;

/// Edges and groups with their ε.
#[derive(Debug, Clone, Default)]
pub(crate) struct Graph {
    pub(crate) edges: Vec<(u32, u32, String)>,
    pub(crate) groups: Vec<(Vec<u32>, String)>,
}

/// Each with the next.
pub(crate) fn chain(count: usize, epsilon: &str) -> Graph {
    let edges = (1..count as u32).map(|at| (at - 1, at, epsilon.to_owned())).collect();
    Graph { edges, groups: Vec::new() }
}

/// The first with each other.
pub(crate) fn star(count: usize, epsilon: &str) -> Graph {
    Graph { edges: (1..count as u32).map(|at| (0, at, epsilon.to_owned())).collect(), groups: Vec::new() }
}

/// All alike.
pub(crate) fn complete(count: usize, epsilon: &str) -> Graph {
    Graph { edges: Vec::new(), groups: vec![((0..count as u32).collect(), epsilon.to_owned())] }
}

/// Distinct random edges, about `degree` for each secret, each with one of the given ε.
pub(crate) fn sparse(random: &mut Random, count: usize, degree: usize, epsilons: &[&str]) -> Graph {
    let wanted = (count * degree / 2).min(count * (count - 1) / 2);
    let mut pairs = BTreeSet::new();
    while pairs.len() < wanted {
        let (a, b) = (random.below(count as u64) as u32, random.below(count as u64) as u32);
        if a != b {
            pairs.insert((a.min(b), a.max(b)));
        }
    }
    let edges = pairs.into_iter().map(|(a, b)| (a, b, (*random.pick(epsilons)).to_owned())).collect();
    Graph { edges, groups: Vec::new() }
}

/// Windows of neighbours along a line, each of which overlaps the next by half.
pub(crate) fn windows(count: usize, length: usize, epsilon: &str) -> Graph {
    let starts = (0..count.saturating_sub(length / 2)).step_by((length / 2).max(1));
    let window = |start: usize| (start as u32..(start + length).min(count) as u32).collect::<Vec<_>>();
    let groups = starts.map(window).filter(|members| members.len() > 1).map(|members| (members, epsilon.to_owned()));
    Graph { edges: Vec::new(), groups: groups.collect() }
}

/// Groups of random members that overlap, with edges beside them; some secrets may stand alone.
pub(crate) fn groups_and_edges(random: &mut Random, count: usize, epsilons: &[&str]) -> Graph {
    let mut graph = sparse(random, count, 1, epsilons);
    for _ in 0..(count / 5).max(1) {
        let size = random.between(2, 7.min(count as u64));
        let members: BTreeSet<u32> = (0..size).map(|_| random.below(count as u64) as u32).collect();
        if members.len() > 2 {
            graph.groups.push((members.into_iter().collect(), (*random.pick(epsilons)).to_owned()));
        }
    }
    graph
}

/// Several graphs side by side, none connected to another: blocks of `size` secrets, alternately a chain and a group.
pub(crate) fn blocks(count: usize, size: usize, epsilon: &str) -> Graph {
    let mut graph = Graph::default();
    for (number, first) in (0..count).step_by(size).enumerate() {
        let members: Vec<u32> = (first as u32..(first + size).min(count) as u32).collect();
        match number % 2 {
            0 => graph.edges.extend(members.windows(2).map(|pair| (pair[0], pair[1], epsilon.to_owned()))),
            _ if members.len() > 2 => graph.groups.push((members, epsilon.to_owned())),
            _ => {}
        }
    }
    graph
}
