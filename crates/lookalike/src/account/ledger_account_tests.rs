//! Tests of accounts: the worst pair against trying every pair, and what is not admitted.

use super::*;
use crate::account::Secrets;
use crate::exact::Epsilon;
use crate::model::SecretGraph;
use proptest::prelude::*;
use std::collections::BTreeSet;

const SECRETS: u32 = 6;

fn names(order: &[u32]) -> Names {
    Names::new("profile", order.iter().map(|secret| format!("p{secret}"))).unwrap()
}

fn guarantee(graph: SecretGraph) -> Guarantee {
    Guarantee::new(Secrets::Laws, Pairs::Graph(graph)).unwrap()
}

fn chain(names: Names, epsilon: &str) -> Guarantee {
    let mut builder = SecretGraph::builder(names);
    builder.chain(&epsilon.parse().unwrap());
    guarantee(builder.build().unwrap())
}

/// Forms that add up to each other now and then.
fn epsilon() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["1/2", "1", "ln(2)", "ln(3)", "ln(6)", "sqrt(2)", "1/2*sqrt(2)", "ln(3/2)"])
}

type Edges = Vec<(u32, u32, &'static str)>;
type Groups = Vec<(BTreeSet<u32>, &'static str)>;

fn parts() -> impl Strategy<Value = (Edges, Groups)> {
    let edges = prop::collection::vec((0..SECRETS, 0..SECRETS, epsilon()), 0..5);
    let groups = prop::collection::vec((prop::collection::btree_set(0..SECRETS, 2..5), epsilon()), 0..3);
    (edges, groups)
}

fn graph(parts: &(Edges, Groups), complete: Option<&str>) -> Option<SecretGraph> {
    let mut builder = SecretGraph::builder(names(&(0..SECRETS).collect::<Vec<_>>()));
    for &(a, b, epsilon) in parts.0.iter().filter(|(a, b, _)| a != b) {
        builder.edge(a, b, epsilon.parse().unwrap()).unwrap();
    }
    for (members, epsilon) in &parts.1 {
        builder.group("g", members.iter().copied().collect(), epsilon.parse().unwrap()).unwrap();
    }
    if let Some(epsilon) = complete {
        builder.complete(&epsilon.parse().unwrap());
    }
    builder.build().ok()
}

proptest! {
    #[test]
    fn the_worst_pair_is_that_found_by_trying_all(
        first in parts(), others in prop::collection::vec((parts(), epsilon()), 0..3), times in prop::collection::vec(0u64..4, 4),
    ) {
        let Some(first) = graph(&first, None) else { return Ok(()) };
        let pairs = || (0..SECRETS).flat_map(|a| (a + 1..SECRETS).map(move |b| (a, b)));
        let whole: Vec<SecretGraph> = others.iter().map(|(parts, rest)| graph(parts, Some(rest)).unwrap()).collect();
        let mut account = Account::default();
        account.admit(guarantee(first.clone())).unwrap();
        for graph in &whole {
            // A pair more than the account counts is refused, whatever it is.
            let is_counted = pairs().all(|(a, b)| first.epsilon_between(a, b).is_some());
            match account.clone().admit(guarantee(graph.clone())) {
                Ok(_) => prop_assert!(is_counted),
                Err(Refusal::UncountedPair { first: a, second: b }) => {
                    let [a, b] = [a, b].map(|name| first.names().place(&name).unwrap());
                    prop_assert!(first.epsilon_between(a, b).is_none());
                }
                Err(other) => prop_assert!(false, "{other:?}"),
            }
        }
        let within = |graph: &SecretGraph| {
            let mut builder = SecretGraph::builder(first.names().clone());
            for (a, b) in pairs().filter(|&(a, b)| first.epsilon_between(a, b).is_some()) {
                builder.edge(a, b, graph.epsilon_between(a, b).unwrap().clone()).unwrap();
            }
            builder.build().unwrap()
        };
        let graphs: Vec<SecretGraph> = std::iter::once(first.clone()).chain(whole.iter().map(within)).collect();
        let mut account = Account::default();
        for (number, graph) in graphs.iter().enumerate() {
            prop_assert_eq!(account.admit(guarantee(graph.clone())), Ok(number));
        }
        let times = &times[..graphs.len()];
        let sum = |a: u32, b: u32| {
            graphs[0].epsilon_between(a, b)?;
            let mut sum = EpsilonSum::zero();
            graphs.iter().zip(times).for_each(|(graph, &times)| sum.add(graph.epsilon_between(a, b).unwrap(), times));
            Some(sum)
        };
        let expected = (0..SECRETS).flat_map(|a| (a + 1..SECRETS).filter_map(move |b| sum(a, b))).max().unwrap();
        let worst = account.worst(times);
        prop_assert_eq!(&worst.epsilon, &expected);
        prop_assert!(!worst.is_bound);
        match worst.pair {
            None => prop_assert!(expected.is_zero()),
            Some((a, b)) => {
                let [a, b] = [a, b].map(|name| graphs[0].names().place(&name).unwrap());
                prop_assert_eq!(sum(a, b).unwrap(), expected, "the named pair has lost so much");
            }
        }
        prop_assert_eq!(account.worst(&times[..1]), account.worst(&[&times[..1], &vec![0; graphs.len() - 1]].concat()));
    }
}

#[test]
fn names_may_come_in_another_order() {
    let mut account = Account::default();
    account.admit(chain(names(&[0, 1, 2]), "1")).unwrap();
    // The chain 2-1-0 has the same pairs; 1-0-2 leaves out the pair 1, 2.
    assert_eq!(account.admit(chain(names(&[2, 1, 0]), "1/2")), Ok(1));
    let left_out = Refusal::UnprotectedPair { first: "p1".into(), second: "p2".into() };
    assert_eq!(account.admit(chain(names(&[1, 0, 2]), "1")), Err(left_out));
    assert_eq!(account.guarantees().len(), 2, "what is refused leaves no trace");
    assert_eq!(account.worst(&[1, 2]).epsilon.to_string(), "2");
}

#[test]
fn other_secrets_are_refused_by_name() {
    let refused = |account: &mut Account, next| match account.admit(next) {
        Err(Refusal::OtherSecrets { account, release }) => (account, release),
        other => panic!("{other:?}"),
    };
    let mut account = Account::default();
    account.admit(chain(names(&[0, 1, 2, 3, 4]), "1")).unwrap();
    let shown = r#"5 profiles: "p0", "p1", "p2", "p3", …"#;
    let pair = |release: &str| (shown.to_owned(), release.to_owned());
    assert_eq!(refused(&mut account, chain(names(&[0, 1, 2, 3, 7]), "1")), pair(&format!("{shown} (\"p7\" is new)")));
    let fewer = refused(&mut account, chain(names(&[0, 1]), "1"));
    assert_eq!(fewer, pair(r#"2 profiles: "p0", "p1" ("p2" is missing)"#));
    let Pairs::Graph(graph) = account.guarantees()[0].pairs().clone() else { panic!("a graph") };
    let values = refused(&mut account, Guarantee::new(Secrets::Points, Pairs::Graph(graph)).unwrap());
    assert_eq!(values, pair(&shown.replace("profiles", "values")));
    let every = |what: &str| {
        Guarantee::new(Secrets::Points, Pairs::Every { what: what.into(), epsilon: "1".parse().unwrap() }).unwrap()
    };
    assert_eq!(refused(&mut account, every("places, a metre")), pair("places, a metre"));
    let mut numbers = Account::default();
    numbers.admit(every("numbers at most 1 apart")).unwrap();
    numbers.admit(every("numbers at most 1 apart")).unwrap();
    assert_eq!(refused(&mut numbers, every("numbers at most 2 apart")).1, "numbers at most 2 apart");
    let worst = numbers.worst(&[3, 4]);
    assert_eq!((worst.pair, worst.epsilon.to_string().as_str()), (None, "7"));
}

#[test]
fn nothing_released_is_nothing_lost() {
    let mut account = Account::default();
    let nothing = Worst { pair: None, epsilon: EpsilonSum::zero(), is_bound: false };
    assert_eq!(account.worst(&[]), nothing);
    account.admit(chain(names(&[0, 1]), "1")).unwrap();
    assert_eq!(account.worst(&[0]), nothing);
    assert_eq!(account.worst(&[]), nothing);
}

#[test]
fn pairs_that_only_a_later_mechanism_protects_are_refused() {
    let mut builder = SecretGraph::builder(names(&[0, 1, 2]));
    builder.edge(0, 1, "1/10".parse().unwrap()).unwrap();
    let mut account = Account::default();
    account.admit(guarantee(builder.build().unwrap())).unwrap();
    // Releases would tell 1 from 2 by their ε each, and none of them would count.
    let uncounted = Refusal::UncountedPair { first: "p1".into(), second: "p2".into() };
    assert_eq!(account.admit(chain(names(&[0, 1, 2]), "5")), Err(uncounted));
    assert_eq!(account.guarantees().len(), 1, "what is refused leaves no trace");
}

#[test]
fn ten_thousand_pairs_with_their_own_epsilon_are_compared_by_bounds() {
    let count = 10_000u32;
    let names = Names::new("profile", (0..=count).map(|at| format!("p{at}"))).unwrap();
    let mut account = Account::default();
    for turn in [0, 1] {
        let mut builder = SecretGraph::builder(names.clone());
        for at in 0..count {
            // Rising in one mechanism and falling in the other, less steeply.
            let units = if turn == 0 { 100_000 + 2 * at } else { 200_000 - at };
            let epsilon = Epsilon::rational(num_rational::BigRational::new(units.into(), 100_000.into()));
            builder.edge(at, at + 1, epsilon.unwrap()).unwrap();
        }
        account.admit(guarantee(builder.build().unwrap())).unwrap();
    }
    let worst = account.worst(&[1, 1]);
    assert_eq!(worst.pair, Some(("p9999".into(), "p10000".into())));
    assert_eq!(account.worst(&[1, 2]).epsilon.to_string(), "5");
    assert_eq!(account.worst(&[1, 3]).pair, Some(("p0".into(), "p1".into())));
}
