use super::*;
use crate::certify::certify;
use crate::design::{Objective, Options, design};
use crate::exact::{Rational, exceeds, parse_rational};
use crate::model::Epsilon;
use crate::pufferfish::{learned, most_believed};
use num_traits::One;
use proptest::prelude::*;

fn law(weights: &[u64]) -> Distribution {
    Distribution::from_weights(weights.iter().map(|&weight| weight.into()).collect()).unwrap()
}

fn pairs(names: &[&str], edges: &[(u32, u32, &str)]) -> SecretGraph {
    let mut builder = SecretGraph::builder(Names::new("secret", names).unwrap());
    for &(a, b, epsilon) in edges {
        builder.edge(a, b, epsilon.parse().unwrap()).unwrap();
    }
    builder.build().unwrap()
}

/// The designed channel for the expected ordinal error, with the proof that it is private.
fn designed(framework: &Framework) -> Mechanism {
    let problem = framework.problem().unwrap().with_objective(Objective::OrdinalError).unwrap();
    certify(design(&problem, &Options::default()).unwrap().mechanism).unwrap().into_mechanism()
}

#[test]
fn wrong_classes_are_refused() {
    let two = || pairs(&["well", "ill"], &[(0, 1, "1")]);
    let count = |most| Values::count(most).unwrap();
    let message = |class| Framework::new(two(), count(1), class).unwrap_err().to_string();
    assert!(message(vec![]).starts_with("the class of laws is empty"));
    let half = || Some(law(&[1, 1]));
    assert_eq!(message(vec![Theta::new("flu", vec![half()])]), "law \"flu\": 1 secrets, expected 2");
    let long = Theta::new("flu", vec![half(), Some(law(&[1, 1, 1]))]);
    assert_eq!(message(vec![long]), "law \"flu\": 3 probabilities of the query's values, expected 2");
    let twice = vec![Theta::new("flu", vec![half(), half()]), Theta::new("flu", vec![half(), half()])];
    assert_eq!(message(twice), "law \"flu\" occurs twice, at places 1 and 2");
    // Each secret is possible, but never in the same law.
    let apart = vec![Theta::new("a", vec![half(), None]), Theta::new("b", vec![None, half()])];
    assert!(message(apart).contains("nothing would be protected"));
    assert!(message(vec![Theta::new("a", vec![None, None])]).contains("nothing would be protected"));
}

#[test]
fn edges_stay_within_one_law_and_between_possible_secrets() {
    let graph = {
        let mut builder = SecretGraph::builder(Names::new("secret", ["a", "b", "c"]).unwrap());
        builder.edge(0, 1, "1/2".parse().unwrap()).unwrap();
        builder.complete(&"1".parse().unwrap());
        builder.build().unwrap()
    };
    let some = || Some(law(&[1, 2]));
    let class = vec![Theta::new("one", vec![some(), some(), some()]), Theta::new("two", vec![some(), None, some()])];
    let framework = Framework::new(graph, Values::count(1).unwrap(), class).unwrap();
    let graph = framework.graph();
    assert_eq!(graph.names().iter().collect::<Vec<_>>(), ["a | one", "b | one", "c | one", "a | two", "c | two"]);
    assert_eq!((framework.place(1, 2), framework.place(1, 1)), (Some(4), None));
    assert_eq!(graph.pairs(), 4);
    assert_eq!(graph.epsilon_between(0, 1).unwrap().to_string(), "1/2");
    assert_eq!(graph.epsilon_between(3, 4).unwrap().to_string(), "1");
    assert!(graph.epsilon_between(0, 3).is_none());
    assert_eq!(framework.possible_pairs().count(), 5, "the edge, the three pairs of the group, and the one of law two");
}

#[test]
fn secrets_that_do_not_exclude_each_other_are_refused() {
    let graph = pairs(&["first", "any"], &[(0, 1, "1")]);
    let holds = |secret: usize, point: usize| if secret == 0 { point == 1 } else { point > 0 };
    let error = Framework::from_joint(graph, Values::count(3).unwrap(), holds, |x| x, &[("even", law(&[1; 4]))]);
    assert_eq!(
        error.unwrap_err().to_string(),
        "law \"even\": \"first\" and \"any\" are both true of point 2, expected secrets that exclude each other"
    );
}

/// Points are n bits, secrets "bit i is v" with the pairs (bit i is 0, bit i is 1), the query is their sum.
fn records(count: usize, epsilon: &str, class: &[(&str, Distribution)]) -> Framework {
    let names: Vec<String> = (0..count).flat_map(|i| [format!("{i} no"), format!("{i} yes")]).collect();
    let mut builder = SecretGraph::builder(Names::new("secret", names).unwrap());
    for i in 0..count as u32 {
        builder.edge(2 * i, 2 * i + 1, epsilon.parse().unwrap()).unwrap();
    }
    let holds = |secret: usize, point: usize| (point >> (secret / 2)) & 1 == secret % 2;
    let ones = |point: usize| point.count_ones() as usize;
    let values = Values::count(count as u32).unwrap();
    Framework::from_joint(builder.build().unwrap(), values, holds, ones, class).unwrap()
}

#[test]
fn independent_records_are_differential_privacy() {
    // All laws of independent bits: their extreme points are the data sets. W is the sensitivity, and a channel is
    // private exactly when rows of neighbouring counts are within e^ε.
    let bits = 3;
    let others_known: Vec<(String, Distribution)> = (0..bits)
        .flat_map(|free| (0..1usize << (bits - 1)).map(move |rest| (free, rest)))
        .map(|(free, rest)| {
            let low = rest & ((1 << free) - 1);
            let base = ((rest >> free) << (free + 1)) | low;
            let weights: Vec<u64> = (0..1 << bits).map(|x| u64::from(x == base || x == base | (1 << free))).collect();
            (format!("bit {free}, others {rest}"), law(&weights))
        })
        .collect();
    let class: Vec<(&str, Distribution)> =
        others_known.iter().map(|(name, law)| (name.as_str(), law.clone())).collect();
    let framework = records(bits, "ln(2)", &class);
    assert_eq!(framework.wasserstein().unwrap().distance().to_string(), "1");
    let mechanism = designed(&framework);
    let (rows, epsilon): (_, Epsilon) = (&mechanism.channels()[0], "ln(2)".parse().unwrap());
    for (count, y) in (0..bits).flat_map(|count| (0..=bits).map(move |y| (count, y))) {
        let [p, q] = [count, count + 1].map(|row| rows.weight(row, y).into());
        assert!(!exceeds(&p, &epsilon, &q) && !exceeds(&q, &epsilon, &p), "rows {count} and {}", count + 1);
    }
    // Two sided: the identity has rows that differ, and does not certify.
    let outputs = framework.values().categories().clone();
    assert!(certify(framework.mechanism(outputs, Channel::identity(bits + 1).unwrap()).unwrap()).is_err());
}

#[test]
fn one_record_is_local_differential_privacy() {
    // One record, the query is the record: profiles are point masses, and the optimum is randomized response.
    let graph = {
        let mut builder = SecretGraph::builder(Names::new("secret", ["a", "b", "c"]).unwrap());
        builder.complete(&"ln(3)".parse().unwrap());
        builder.build().unwrap()
    };
    let class = [("any", law(&[2, 3, 5]))];
    let values = Values::named(Categories::new(["a", "b", "c"]).unwrap());
    let framework = Framework::from_joint(graph, values, |secret, point| secret == point, |x| x, &class).unwrap();
    for (secret, profile) in framework.profiles().iter().enumerate() {
        assert!(profile.probability(secret).is_one());
    }
    let designed = design(&framework.problem().unwrap(), &Options::default()).unwrap();
    assert!((designed.objective.value - 1.0 / 5.0).abs() < 1e-9, "1/(e^ε + d − 1)");
    assert!(certify(designed.mechanism).is_ok());
    assert!(framework.wasserstein().unwrap_err().is_inapplicable(), "names have no distance");
}

/// The odds between two secrets of a joint law before and after an output, by the sum over all points.
fn odds(
    joint: &Distribution,
    holds: impl Fn(usize) -> [bool; 2],
    likelihood: impl Fn(usize) -> Rational,
) -> [Rational; 2] {
    let mut sums = [Rational::default(), Rational::default()];
    for point in 0..joint.len() {
        let mass = joint.probability(point) * likelihood(point);
        for (sum, holds) in sums.iter_mut().zip(holds(point)) {
            if holds {
                *sum += &mass;
            }
        }
    }
    sums
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn a_designed_channel_keeps_posterior_odds(
        weights in prop::collection::vec(prop::collection::vec(0u64..6, 8), 1..3),
        epsilon in prop_oneof![Just("ln(2)"), Just("1/3"), Just("3*ln(3/2)")],
    ) {
        prop_assume!(weights.iter().all(|weights| weights[1..7].iter().filter(|&&weight| weight > 0).count() > 3));
        let class: Vec<(&str, Distribution)> = ["one", "two"].into_iter().zip(weights.iter().map(|w| law(w))).collect();
        let framework = records(3, epsilon, &class);
        let mechanism = designed(&framework);
        let channel = &mechanism.channels()[0];
        let epsilon: Epsilon = epsilon.parse().unwrap();
        for (theta, (_, joint)) in class.iter().enumerate() {
            for bit in 0..3 {
                let holds = |point: usize| [(point >> bit) & 1 == 0, (point >> bit) & 1 == 1];
                let prior = odds(joint, holds, |_| Rational::one());
                if prior.iter().any(|mass| *mass == Rational::default()) {
                    continue;
                }
                let places = [2 * bit, 2 * bit + 1].map(|secret| framework.place(theta, secret as u32).unwrap());
                let belief = framework.class()[theta].belief([2 * bit as u32, 2 * bit as u32 + 1]).unwrap();
                prop_assert_eq!(&belief, &(&prior[0] / (&prior[0] + &prior[1])));
                let found = learned(&mechanism, places, &belief).unwrap();
                let mut most = Rational::default();
                for y in 0..=3 {
                    let row = |point: usize| Rational::new(channel.weight(point.count_ones() as usize, y).into(), 1.into());
                    let [yes, no] = odds(joint, holds, row);
                    if &yes + &no == Rational::default() {
                        continue;
                    }
                    most = most.max(&yes / (&yes + &no));
                    // posterior odds ≤ e^ε · prior odds, both ways.
                    let common = |value: Rational| crate::exact::Natural::from(value.to_integer().to_biguint().unwrap());
                    let scale = Rational::from_integer(joint.denominator().to_big().into());
                    let whole = |a: &Rational, b: &Rational| common(a * b * &scale * &scale);
                    prop_assert!(!exceeds(&whole(&yes, &prior[1]), &epsilon, &whole(&no, &prior[0])));
                    prop_assert!(!exceeds(&whole(&no, &prior[0]), &epsilon, &whole(&yes, &prior[1])));
                }
                prop_assert_eq!(&found.achieved, &most);
                prop_assert!(found.achieved <= most_believed(&belief, &epsilon).unwrap());
            }
        }
    }
}

#[test]
fn the_flu_clique_has_a_better_channel_than_noise() {
    let flu = Theta::new("flu", vec![Some(law(&[8, 9, 20, 3, 0])), Some(law(&[0, 3, 20, 9, 8]))]);
    let framework =
        Framework::new(pairs(&["well", "ill"], &[(0, 1, "ln(3)")]), Values::count(4).unwrap(), vec![flu]).unwrap();
    let mechanism = designed(&framework);
    let found = learned(&mechanism, [1, 0], &parse_rational("1/2").unwrap()).unwrap();
    assert!(found.achieved <= parse_rational("3/4").unwrap());
    // Tight: at a slightly smaller ε it is refused.
    let claim = mechanism.with_graph(pairs(&["well", "ill"], &[(0, 1, "1.09")])).unwrap();
    assert!(certify(claim).is_err());
}
