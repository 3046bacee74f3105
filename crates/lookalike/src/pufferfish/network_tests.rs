use super::*;
use crate::exact::{Direction, to_f64};
use proptest::prelude::*;

pub(in crate::pufferfish) fn law(weights: &[u64]) -> Distribution {
    Distribution::from_weights(weights.iter().map(|&weight| weight.into()).collect()).unwrap()
}

/// Random networks on two-state and three-state nodes with up to two parents each, with zeros in their tables.
pub(in crate::pufferfish) fn networks(size: usize) -> impl Strategy<Value = Network> {
    let node = (
        any::<[prop::sample::Index; 2]>(),
        0usize..3,
        2usize..4,
        prop::collection::vec(prop_oneof![1 => Just(0u64), 5 => 1u64..12], 27),
    );
    prop::collection::vec(node, size).prop_map(|drawn| {
        let mut nodes: Vec<Node> = Vec::new();
        for (place, (indexes, parents, states, weights)) in drawn.into_iter().enumerate() {
            let mut parents: Vec<usize> =
                indexes[..parents].iter().filter(|_| place > 0).map(|index| index.index(place)).collect();
            parents.dedup();
            let combinations = parents.iter().map(|&parent| nodes[parent].table[0].len()).product();
            let row = |combination: usize| {
                let mut row = weights[combination * states..][..states].to_vec();
                row[combination % states] += u64::from(row.iter().sum::<u64>() == 0);
                law(&row)
            };
            nodes.push(Node { parents, table: (0..combinations).map(row).collect() });
        }
        Network::new(nodes).unwrap()
    })
}

/// All combinations of states with their probabilities.
fn all(network: &Network) -> Vec<(Vec<usize>, Rational)> {
    let places: Vec<usize> = (0..network.nodes.len()).collect();
    let mut all = Vec::new();
    network.extend(&places, &mut vec![0; places.len()], Rational::one(), &mut |states, probability| {
        all.push((states.to_vec(), probability))
    });
    all
}

/// The largest log-ratio of the laws of the noisy number of nodes in state 0, given two possible states of one node.
pub(in crate::pufferfish) fn true_loss(network: &Network, scale: f64) -> f64 {
    let all = all(network);
    let size = network.nodes.len();
    let mut worst = 0.0f64;
    for node in 0..size {
        let mut counts = vec![vec![0.0; size + 1]; network.states(node)];
        for (states, probability) in &all {
            let count = states.iter().filter(|&&state| state == 0).count();
            counts[states[node]][count] += to_f64(probability, Direction::Nearest);
        }
        let laws = counts.iter().filter(|counts| counts.iter().sum::<f64>() > 0.0).map(|counts| {
            let decayed = |output: usize, count: usize| (-(output.abs_diff(count) as f64) / scale).exp();
            let weight = |output| (0..=size).map(|count| counts[count] * decayed(output, count)).sum::<f64>();
            (0..=size).map(|output| (weight(output) / counts.iter().sum::<f64>()).ln()).collect::<Vec<f64>>()
        });
        let laws: Vec<Vec<f64>> = laws.collect();
        for (one, two) in laws.iter().flat_map(|one| laws.iter().map(move |two| (one, two))) {
            worst = one.iter().zip(two).fold(worst, |worst, (one, two)| worst.max(one - two));
        }
    }
    worst
}

fn sum(all: &[(Vec<usize>, Rational)], holds: impl Fn(&[usize]) -> bool) -> Rational {
    all.iter().filter(|(states, _)| holds(states)).map(|(_, probability)| probability).sum()
}

#[test]
fn a_common_child_joins_its_parents_once_it_is_seen() {
    let node = |parents: Vec<usize>, rows: usize| Node { parents, table: vec![law(&[1, 2]); rows] };
    // 0 → 2 ← 1, 2 → 3
    let network = Network::new(vec![node(vec![], 1), node(vec![], 1), node(vec![0, 1], 4), node(vec![2], 2)]).unwrap();
    assert_eq!(network.remote(0, &[]), [1]);
    assert_eq!(network.remote(0, &[2]), [3]);
    assert_eq!(network.remote(0, &[3]), [0usize; 0], "the child's child opens the way too");
    assert_eq!(network.remote(3, &[2]), [0, 1]);
}

#[test]
fn shapes_that_do_not_fit_are_named() {
    let error = |nodes: Vec<Node>| Network::new(nodes).unwrap_err().to_string();
    let root = || Node { parents: vec![], table: vec![law(&[1, 1])] };
    assert!(error(vec![]).starts_with("a network without nodes"));
    assert_eq!(
        error(vec![Node { parents: vec![0], table: vec![] }]),
        "node 1: parent 1, expected one of the nodes before it"
    );
    assert_eq!(
        error(vec![root(), Node { parents: vec![0], table: vec![law(&[1, 1])] }]),
        "node 2: 1 laws, expected 2, one a combination of its parents' states"
    );
    assert_eq!(
        error(vec![root(), Node { parents: vec![0], table: vec![law(&[1, 1]), law(&[1])] }]),
        "node 2: laws of 2 and of 1 states, expected the same for all"
    );
    assert!(error(vec![root(), Node { parents: vec![0, 0], table: vec![law(&[1]); 4] }]).contains("occurs twice"));
}

#[test]
fn an_enumeration_too_large_is_refused() {
    let nodes = (0..20usize)
        .map(|place| Node { parents: (0..place).rev().take(1).collect(), table: vec![law(&[1, 2]); place.min(1) + 1] });
    let network = Network::new(nodes.collect()).unwrap();
    let error = network.influence_ratio(19, &[18]).unwrap_err();
    assert!(error.is_inapplicable() && error.to_string().starts_with("node 20: the quilt descends from 20 nodes"));
    assert!(network.influence_ratio(5, &[2]).is_ok(), "what comes later does not count");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_the_graph_calls_remote_is_independent(network in networks(4), node in 0usize..4, set in 0usize..16) {
        let quilt: Vec<usize> = (0..4).filter(|place| *place != node && set >> place & 1 == 1).collect();
        let remote = network.remote(node, &quilt);
        let all = all(&network);
        for (seen, _) in &all {
            let same = |states: &[usize], places: &[usize]| places.iter().all(|&place| states[place] == seen[place]);
            let of_quilt = sum(&all, |states| same(states, &quilt));
            let with_node = sum(&all, |states| same(states, &quilt) && states[node] == seen[node]);
            let with_remote = sum(&all, |states| same(states, &quilt) && same(states, &remote));
            let with_both = sum(&all, |states| same(states, &quilt) && same(states, &remote) && states[node] == seen[node]);
            prop_assert_eq!(with_both * of_quilt, with_node * with_remote);
        }
    }
}
