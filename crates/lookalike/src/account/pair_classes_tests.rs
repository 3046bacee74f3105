//! The lists of pairs against the plain list of pairs, written out.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

const SECRETS: u32 = 7;

/// Edges and groups with small whole ε.
#[derive(Debug, Clone)]
struct Plain {
    edges: Vec<(u32, u32, u32)>,
    groups: Vec<(BTreeSet<u32>, u32)>,
}

impl Plain {
    /// The graph, with the secrets in an order turned by `shift`.
    fn graph(&self, shift: u32) -> SecretGraph {
        let turned = |secret: u32| (secret + shift) % SECRETS;
        let mut names = vec![String::new(); SECRETS as usize];
        (0..SECRETS).for_each(|secret| names[turned(secret) as usize] = format!("p{secret}"));
        let mut builder = SecretGraph::builder(Names::new("profile", names).unwrap());
        let epsilon = |budget: u32| budget.to_string().parse().unwrap();
        for &(a, b, budget) in &self.edges {
            if a != b {
                builder.edge(turned(a), turned(b), epsilon(budget)).unwrap();
            }
        }
        for (members, budget) in &self.groups {
            builder.group("g", members.iter().map(|&member| turned(member)).collect(), epsilon(*budget)).unwrap();
        }
        builder.chain(&epsilon(9));
        builder.build().unwrap()
    }
}

fn plain() -> impl Strategy<Value = Plain> {
    let edges = prop::collection::vec((0..SECRETS, 0..SECRETS, 1u32..5), 0..6);
    let groups = prop::collection::vec((prop::collection::btree_set(0..SECRETS, 2..6), 1u32..5), 0..4);
    (edges, groups).prop_map(|(edges, groups)| Plain { edges, groups })
}

/// The distinct lists of ε of all pairs of the first graph by trying each, or the pairs that are left out.
fn by_trying(graphs: &[SecretGraph]) -> Result<BTreeSet<Vec<Epsilon>>, BTreeSet<Pair>> {
    let (mut lists, mut left_out) = (BTreeSet::new(), BTreeSet::new());
    for a in 0..SECRETS {
        for b in a + 1..SECRETS {
            let of = |graph: &SecretGraph| {
                let place = |secret| graph.names().place(graphs[0].names().name(secret)).unwrap();
                graph.epsilon_between(place(a), place(b)).cloned()
            };
            let list: Option<Vec<Epsilon>> = graphs.iter().map(of).collect();
            match (of(&graphs[0]), list) {
                (None, _) => {}
                (Some(_), None) => drop(left_out.insert([a, b])),
                (Some(_), Some(list)) => drop(lists.insert(list)),
            }
        }
    }
    if left_out.is_empty() { Ok(lists) } else { Err(left_out) }
}

fn texts(found: &PairLists<'_>) -> Vec<Vec<Epsilon>> {
    let of = |(places, _): &(Vec<u32>, Pair)| {
        places.iter().zip(&found.epsilons).map(|(&place, epsilons)| epsilons[place as usize].clone()).collect()
    };
    found.lists.iter().map(of).collect()
}

proptest! {
    #[test]
    fn the_lists_are_those_of_all_pairs(plain in prop::collection::vec(plain(), 1..4), shift in 0..SECRETS, whole in any::<bool>()) {
        let mut graphs: Vec<SecretGraph> = (0..).zip(&plain).map(|(at, plain)| plain.graph(at * shift)).collect();
        if whole {
            // Others than the first protect all, so that nothing is left out.
            for graph in &mut graphs[1..] {
                let mut builder = SecretGraph::builder(graph.names().clone());
                graph.edges().iter().for_each(|edge| builder.edge(edge.ends()[0], edge.ends()[1], edge.epsilon().clone()).unwrap());
                graph.groups().iter().for_each(|group| builder.group("g", group.members().to_vec(), group.epsilon().clone()).unwrap());
                builder.complete(&"8".parse().unwrap());
                *graph = builder.build().unwrap();
            }
        }
        let references: Vec<&SecretGraph> = graphs.iter().collect();
        match (lists_of_pairs(&references), by_trying(&graphs)) {
            (Ok(found), Ok(expected)) => {
                prop_assert!(!found.are_bounds);
                let lists = texts(&found);
                prop_assert_eq!(lists.len(), expected.len(), "each list once");
                prop_assert_eq!(lists.iter().cloned().collect::<BTreeSet<_>>(), expected);
                for ((_, pair), list) in found.lists.iter().zip(lists) {
                    for (graph, epsilon) in graphs.iter().zip(list) {
                        let [a, b] = pair.map(|secret| graph.names().place(graphs[0].names().name(secret)).unwrap());
                        prop_assert_eq!(graph.epsilon_between(a, b), Some(&epsilon), "the example has its list");
                    }
                }
            }
            (Err(pair), Err(left_out)) => prop_assert!(left_out.contains(&pair)),
            (found, expected) => prop_assert!(false, "{:?} and {:?}", found.map(|found| found.lists), expected),
        }
        // After too few steps: bounds of every list, or the same refusal.
        match (lists_within(&references, 0), by_trying(&graphs)) {
            (Ok(found), Ok(expected)) => {
                let bounds = texts(&found);
                for list in expected {
                    let above = |bound: &&Vec<Epsilon>| bound.iter().zip(&list).all(|(above, below)| above >= below);
                    prop_assert!(bounds.iter().any(|bound| above(&bound)), "{:?} in {:?}", list, bounds);
                }
            }
            (Err(pair), Err(left_out)) => prop_assert!(left_out.contains(&pair)),
            (found, expected) => prop_assert!(false, "{:?} and {:?}", found.map(|found| found.lists), expected),
        }
    }
}

#[test]
fn a_million_secrets_in_a_few_groups_are_a_few_classes() {
    let count = 1_000_000;
    let names = Names::new("profile", (0..count).map(|at| format!("p{at}"))).unwrap();
    let group = |range: std::ops::Range<u32>| range.collect::<Vec<u32>>();
    let graph = |small: &str| {
        let mut builder = SecretGraph::builder(names.clone());
        builder.complete(&"2".parse().unwrap());
        builder.group("half", group(0..count / 2), small.parse().unwrap()).unwrap();
        builder.edge(3, count - 1, "1/9".parse().unwrap()).unwrap();
        builder.build().unwrap()
    };
    let (one, other) = (graph("1"), graph("1/2"));
    let found = lists_of_pairs(&[&one, &other]).unwrap();
    assert!(!found.are_bounds);
    let shown: Vec<String> = texts(&found).iter().map(|list| format!("{} {}", list[0], list[1])).collect();
    assert_eq!(shown, ["1/9 1/9", "1 1/2", "2 2"]);
}

#[test]
fn a_class_whose_pairs_all_have_an_edge_has_no_list_of_its_own() {
    let mut builder = SecretGraph::builder(Names::new("profile", ["a", "b", "c"]).unwrap());
    builder.complete(&"5".parse().unwrap());
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        builder.edge(a, b, "1".parse().unwrap()).unwrap();
    }
    let graph = builder.build().unwrap();
    assert_eq!(texts(&lists_of_pairs(&[&graph]).unwrap()), [vec!["1".parse().unwrap()]]);
}
