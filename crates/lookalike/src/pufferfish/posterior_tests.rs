use super::*;
use crate::exact::parse_rational;
use crate::model::{Categories, Channel, Distribution, Limits, Names, SecretGraph, TOTAL};
use crate::strategies::channel;
use proptest::prelude::*;

fn number(text: &str) -> Rational {
    parse_rational(text).unwrap()
}

fn warner(epsilon: &str) -> Mechanism {
    let bits = Categories::new(["no", "yes"]).unwrap();
    let mut pairs = SecretGraph::builder(bits.names().clone());
    pairs.complete(&epsilon.parse().unwrap());
    let rows = vec![vec![TOTAL / 4 * 3, TOTAL / 4], vec![TOTAL / 4, TOTAL / 4 * 3]];
    Mechanism::point(bits.clone(), bits, pairs.build().unwrap(), Channel::rows(rows).unwrap()).unwrap()
}

#[test]
fn beliefs_move_by_the_odds() {
    for (prior, epsilon, expected) in
        [("1/100", "ln(3)", "1/34"), ("1/2", "2*ln(3)", "9/10"), ("0", "5", "0"), ("1", "1/10", "1")]
    {
        assert_eq!(most_believed(&number(prior), &epsilon.parse().unwrap()).unwrap(), number(expected), "{prior}");
    }
    // Rounded up where e^ε is no fraction: e^1 lies below 2.718281828459045235361.
    let most = most_believed(&number("1/2"), &"1".parse().unwrap()).unwrap();
    let above = number("2.718281828459045235361");
    let below = number("2.718281828459045235360");
    let of = |power: &Rational| power / (power + Rational::one());
    assert!(of(&below) < most && most < of(&above));
    let error = most_believed(&number("3/2"), &"1".parse().unwrap()).unwrap_err().to_string();
    assert_eq!(error, "a belief of 3/2, expected a number from 0 to 1");
}

#[test]
fn the_line_of_a_report() {
    let found = learned(&warner("ln(7)"), [1, 0], &number("1/2")).unwrap();
    assert_eq!(found.to_string(), "from 50.00 % to at most 87.50 % by the promise, to 75.00 % by this mechanism");
    assert_eq!(
        found,
        most_learned(&warner("ln(7)"), &number("1/2")).map(|most| Learned { secrets: [1, 0], ..most }).unwrap()
    );
}

#[test]
fn within_limits_it_is_what_the_worst_laws_tell() {
    let bits = Categories::new(["no", "yes"]).unwrap();
    let mut pairs = SecretGraph::builder(Names::new("profile", ["a", "b"]).unwrap());
    pairs.complete(&"ln(7)".parse().unwrap());
    let law = |no: u64| Distribution::from_weights(vec![no.into(), (8 - no).into()]).unwrap();
    let rows = vec![vec![TOTAL / 4 * 3, TOTAL / 4], vec![TOTAL / 4, TOTAL / 4 * 3]];
    let channel = Channel::rows(rows).unwrap();
    let mechanism =
        Mechanism::shared(bits.clone(), bits, pairs.build().unwrap(), vec![law(4), law(4)], channel).unwrap();
    assert_eq!(learned(&mechanism, [0, 1], &number("1/2")).unwrap().achieved, number("1/2"));
    let limits = |from: &str, to: &str| Limits::new(&[[number(from), number(to)], [number("0"), number("1")]]).unwrap();
    let wide = mechanism.within(vec![limits("1/2", "1"), limits("0", "1/2")]).unwrap();
    // A no of the first three times as likely as one of the second, and a yes of the first a third as likely.
    let most = most_learned(&wide, &number("1/2")).unwrap();
    assert_eq!(
        (most.achieved.clone(), learned(&wide, [0, 1], &number("1/2")).unwrap().achieved),
        (number("3/4"), number("3/4"))
    );
    assert_eq!(learned(&wide, most.secrets, &number("1/2")).unwrap(), most);
    assert_eq!(learned(&wide, [0, 1], &number("1/4")).unwrap().achieved, number("1/2"));
}

#[test]
fn an_output_that_gives_a_secret_away_makes_sure() {
    let bits = Categories::new(["no", "yes"]).unwrap();
    let graph = warner("1").graph().clone();
    let plain = Mechanism::point(bits.clone(), bits, graph, Channel::identity(2).unwrap()).unwrap();
    assert!(learned(&plain, [0, 1], &number("1/1000")).unwrap().achieved.is_one());
    assert_eq!(learned(&plain, [0, 1], &number("0")).unwrap().achieved, number("0"));
    assert!(most_learned(&plain, &number("1/2")).unwrap().achieved.is_one());
    assert_eq!(
        learned(&plain, [0, 9], &number("1/2")).unwrap_err().to_string(),
        "secret number 9, expected a number below 2"
    );
}

#[test]
fn a_pair_without_an_edge_has_no_promise() {
    let names = Names::new("profile", ["a", "b", "c"]).unwrap();
    let mut pairs = SecretGraph::builder(names);
    pairs.edge(0, 1, "1".parse().unwrap()).unwrap();
    let law = |weights: [u64; 2]| Distribution::from_weights(weights.map(Into::into).to_vec()).unwrap();
    let bits = Categories::new(["no", "yes"]).unwrap();
    let profiles = vec![law([1, 1]), law([1, 2]), law([1, 9])];
    let identity = Channel::identity(2).unwrap();
    let mechanism = Mechanism::shared(bits.clone(), bits, pairs.build().unwrap(), profiles, identity).unwrap();
    let found = learned(&mechanism, [0, 2], &number("1/2")).unwrap();
    assert_eq!((found.promised.clone(), found.achieved.clone()), (None, number("5/6")));
    assert_eq!(found.to_string(), "from 50.00 % without any promise, to 83.34 % by this mechanism");
    // Only pairs that must look alike count: a and b, whose largest ratio is 3/2.
    let most = most_learned(&mechanism, &number("1/2")).unwrap();
    assert_eq!((most.secrets, most.achieved), ([0, 1], number("3/5")));
}

proptest! {
    #[test]
    fn the_most_learned_is_the_largest_over_all_pairs(channel in channel(3), weights in prop::collection::vec(prop::collection::vec(1u64..9, 3), 4)) {
        let mut pairs = SecretGraph::builder(Names::new("profile", ["a", "b", "c", "d"]).unwrap());
        pairs.group("three", vec![0, 1, 2], "1".parse().unwrap()).unwrap();
        pairs.edge(2, 3, "2".parse().unwrap()).unwrap();
        let abc = Categories::new(["x", "y", "z"]).unwrap();
        let law = |weights: &Vec<u64>| Distribution::from_weights(weights.iter().map(|&weight| weight.into()).collect()).unwrap();
        let profiles: Vec<Distribution> = weights.iter().map(law).collect();
        let mechanism = Mechanism::shared(abc.clone(), abc, pairs.build().unwrap(), profiles, channel).unwrap();
        let prior = number("1/10");
        let all = [[0, 1], [0, 2], [1, 2], [2, 3]].into_iter().flat_map(|[a, b]| [[a, b], [b, a]]);
        let largest = all.map(|pair| learned(&mechanism, pair, &prior).unwrap().achieved).max().unwrap();
        prop_assert_eq!(most_learned(&mechanism, &prior).unwrap().achieved, largest);
    }
}
