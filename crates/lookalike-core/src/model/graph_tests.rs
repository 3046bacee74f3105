//! Tests of the secret graph, most of them against the plain list of pairs.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn names(count: u32) -> Names {
    Names::new("profile", (0..count).map(|at| format!("p{at}"))).unwrap()
}

fn epsilon(text: &str) -> Epsilon {
    text.parse().unwrap()
}

fn graph(count: u32, fill: impl FnOnce(&mut GraphBuilder)) -> SecretGraph {
    let mut builder = SecretGraph::builder(names(count));
    fill(&mut builder);
    builder.build().unwrap()
}

#[test]
fn shapes_have_the_pairs_they_say() {
    let one = epsilon("1");
    assert_eq!(graph(5, |builder| builder.chain(&one)).pairs(), 4);
    assert_eq!(graph(5, |builder| builder.star(&one)).pairs(), 4);
    assert_eq!(graph(5, |builder| builder.complete(&one)).pairs(), 10);
    assert_eq!(graph(5, |builder| builder.within(2, &one)).pairs(), 7);
    assert_eq!(graph(5, |builder| builder.within(9, &one)).groups().len(), 1);
    assert!(graph(5, |builder| builder.complete(&one)).edges().is_empty(), "a group is not expanded");
}

#[test]
fn wrong_edges_and_groups_are_refused() {
    let mut builder = SecretGraph::builder(names(3));
    let one = || epsilon("1");
    let text = |result: Result<()>| result.unwrap_err().to_string();
    assert_eq!(text(builder.edge(1, 1, one())), "edge from \"p1\" to itself, expected two different secrets");
    assert_eq!(text(builder.edge(0, 3, one())), "secret number 3, expected a number below 3");
    assert_eq!(text(builder.group("g", vec![], one())), "group \"g\" is empty, expected at least two members");
    assert_eq!(text(builder.group("g", vec![1, 0, 1], one())), "group \"g\" names \"p1\" twice");
    assert!(builder.group("alone", vec![2], one()).is_ok());
    assert!(builder.build().unwrap_err().to_string().starts_with("the graph has no edge"));
}

#[test]
fn the_smaller_epsilon_of_a_repeated_pair_wins() {
    let graph = graph(3, |builder| {
        builder.edge(0, 1, epsilon("2")).unwrap();
        builder.edge(1, 0, epsilon("ln(3)")).unwrap();
        builder.group("g", vec![1, 2], epsilon("1/2")).unwrap();
        builder.edge(2, 1, epsilon("3")).unwrap();
    });
    assert_eq!(graph.edges().len(), 2);
    assert_eq!(graph.epsilon_between(0, 1), Some(&epsilon("ln(3)")));
    assert_eq!(graph.epsilon_between(2, 1), Some(&epsilon("1/2")));
    assert_eq!(graph.epsilon_between(0, 2), None);
    assert_eq!(graph.epsilons(), [&epsilon("1/2"), &epsilon("ln(3)"), &epsilon("3")]);
}

#[test]
fn a_graph_that_protects_less_is_found_out() {
    let demanded = graph(4, |builder| builder.group("g", vec![0, 1, 2], epsilon("1")).unwrap());
    let as_pairs = graph(4, |builder| {
        for (a, b) in [(0, 1), (1, 2), (0, 2), (2, 3)] {
            builder.edge(a, b, epsilon("1")).unwrap();
        }
    });
    assert_eq!(as_pairs.first_pair_short_of(&demanded), None);
    let chain = graph(4, |builder| builder.chain(&epsilon("1")));
    assert_eq!(chain.first_pair_short_of(&demanded), Some(("p0".into(), "p2".into(), epsilon("1"))));
    let weaker = graph(4, |builder| builder.complete(&epsilon("2")));
    assert_eq!(weaker.first_pair_short_of(&demanded), Some(("p0".into(), "p1".into(), epsilon("1"))));
    let smaller = graph(2, |builder| builder.complete(&epsilon("1")));
    assert_eq!(smaller.first_pair_short_of(&demanded), Some(("p0".into(), "p2".into(), epsilon("1"))));
}

#[test]
fn many_small_groups_are_counted_and_compared_in_time_linear_in_them() {
    let graph = graph(200_000, |builder| {
        for first in (0..200_000).step_by(2) {
            builder.group("pair", vec![first, first + 1], epsilon("1")).unwrap();
        }
    });
    assert_eq!(graph.pairs(), 100_000);
    assert_eq!(graph.first_pair_short_of(&graph), None);
}

proptest! {
    #[test]
    fn what_falls_short_is_found_as_by_trying_every_pair(
        ours in prop::collection::vec((0u32..6, 0u32..6, 1u32..4), 1..10),
        group in prop::collection::btree_set(0u32..6, 2..5), group_budget in 1u32..4,
        theirs in prop::collection::vec((0u32..6, 0u32..6, 1u32..4), 1..5),
        their_group in prop::collection::btree_set(0u32..6, 2..4),
    ) {
        let build = |edges: &[(u32, u32, u32)], group: &BTreeSet<u32>, budget: u32| graph(6, |builder| {
            for &(a, b, budget) in edges.iter().filter(|(a, b, _)| a != b) {
                builder.edge(a, b, epsilon(&budget.to_string())).unwrap();
            }
            builder.group("g", group.iter().copied().collect(), epsilon(&budget.to_string())).unwrap();
        });
        let (ours, theirs) = (build(&ours, &group, group_budget), build(&theirs, &their_group, 2));
        let short = |a: u32, b: u32| theirs.epsilon_between(a, b).is_some_and(|asked| {
            ours.epsilon_between(a, b).is_none_or(|found| found > asked)
        });
        let any = (0..6).any(|a| (a + 1..6).any(|b| short(a, b)));
        let found = ours.first_pair_short_of(&theirs);
        prop_assert_eq!(found.is_some(), any);
        if let Some((a, b, _)) = found {
            prop_assert!(short(ours.names().place(&a).unwrap(), ours.names().place(&b).unwrap()));
        }
    }

    #[test]
    fn pairs_and_components_agree_with_the_written_out_graph(
        edges in prop::collection::vec((0u32..9, 0u32..9), 0..8),
        groups in prop::collection::vec(prop::collection::btree_set(0u32..9, 2..6), 0..4),
    ) {
        let edges: Vec<_> = edges.into_iter().filter(|(a, b)| a != b).collect();
        prop_assume!(!edges.is_empty() || !groups.is_empty());
        let graph = graph(9, |builder| {
            for &(a, b) in &edges {
                builder.edge(a, b, epsilon("1")).unwrap();
            }
            for group in &groups {
                builder.group("g", group.iter().copied().collect(), epsilon("1/2")).unwrap();
            }
        });
        let mut pairs: BTreeSet<(u32, u32)> = edges.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
        for group in &groups {
            pairs.extend(group.iter().flat_map(|&a| group.iter().filter(move |&&b| a < b).map(move |&b| (a, b))));
        }
        prop_assert_eq!(graph.pairs(), pairs.len() as u64);
        for a in 0..9 {
            for b in a + 1..9 {
                prop_assert_eq!(graph.epsilon_between(a, b).is_some(), pairs.contains(&(a, b)));
            }
        }
        // Components by repeated merging of labels.
        let mut label: Vec<u32> = (0..9).collect();
        for _ in 0..9 {
            for &(a, b) in &pairs {
                let least = label[a as usize].min(label[b as usize]);
                label[a as usize] = least;
                label[b as usize] = least;
            }
        }
        let mut expected: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for secret in 0..9 {
            expected.entry(label[secret as usize]).or_default().push(secret);
        }
        prop_assert_eq!(graph.components(), expected.into_values().collect::<Vec<_>>());
        prop_assert_eq!(graph.first_pair_short_of(&graph), None);
    }
}
