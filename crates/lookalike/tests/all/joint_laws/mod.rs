//! Joint laws of several releases, written out in fractions, and what they tell.

use lookalike::certify::certify;
use lookalike::exact::{Epsilon, EpsilonSum, Rational, parse_rational};
use lookalike::model::{Categories, Channel, Distribution, Mechanism, Names, SecretGraph, TOTAL};
use num_traits::{One, Zero};
use std::collections::BTreeMap;

/// Eighths of 2^53.
const EIGHTH: u64 = TOTAL / 8;

/// What was released, in order, with its probability.
pub type Law = BTreeMap<Vec<u32>, Rational>;

/// An exact number.
pub fn number(text: &str) -> Rational {
    parse_rational(text).unwrap()
}

/// A sum of ε.
pub fn sum(text: &str) -> EpsilonSum {
    text.parse().unwrap()
}

/// Categories `0`, `1`, ….
pub fn categories(count: usize) -> Categories {
    Categories::new((0..count).map(|at| at.to_string())).unwrap()
}

/// A complete graph at one ε.
pub fn alike(names: &Names, epsilon: &str) -> SecretGraph {
    let mut builder = SecretGraph::builder(names.clone());
    builder.complete(&epsilon.parse().unwrap());
    builder.build().unwrap()
}

/// Profiles.
pub fn people(names: &[&str]) -> Names {
    Names::new("profile", names).unwrap()
}

/// A channel by its rows, in eighths.
pub fn channel(eighths: &[&[u64]]) -> Channel {
    Channel::rows(eighths.iter().map(|row| row.iter().map(|weight| weight * EIGHTH).collect()).collect()).unwrap()
}

/// A shared mechanism that has been proved.
pub fn shared(graph: &SecretGraph, profiles: &[&[&str]], channel: Channel) -> Mechanism {
    let law = |row: &&[&str]| Distribution::new(&row.iter().map(|text| number(text)).collect::<Vec<_>>()).unwrap();
    let profiles: Vec<Distribution> = profiles.iter().map(law).collect();
    let (inputs, outputs) = (categories(channel.inputs()), categories(channel.outputs()));
    proved(Mechanism::shared(inputs, outputs, graph.clone(), profiles, channel).unwrap())
}

/// What the certifier passes.
pub fn proved(mechanism: Mechanism) -> Mechanism {
    certify(mechanism).expect("a private mechanism").mechanism().clone()
}

/// The law of one release given a secret.
pub fn law(mechanism: &Mechanism, secret: u32) -> Law {
    (0..).zip(mechanism.output_law(secret).probabilities()).map(|(y, q)| (vec![y], q)).collect()
}

/// The law of one release given the observation, under a secret.
pub fn given(mechanism: &Mechanism, secret: u32, x: usize) -> Law {
    let channel = mechanism.channel(secret);
    (0..channel.outputs()).map(|y| (vec![y as u32], channel.probability(x, y))).collect()
}

/// A release after others, whose law may depend on what they were.
pub fn then(first: &Law, next: impl Fn(&[u32]) -> Law) -> Law {
    let mut joint = Law::new();
    for (before, p) in first {
        for (after, q) in next(before) {
            *joint.entry([before.as_slice(), &after].concat()).or_insert_with(Rational::zero) += p * &q;
        }
    }
    joint
}

/// An average of laws.
pub fn mixed(laws: impl IntoIterator<Item = (Rational, Law)>) -> Law {
    let mut joint = Law::new();
    for (weight, law) in laws {
        for (output, p) in law {
            *joint.entry(output).or_insert_with(Rational::zero) += &weight * p;
        }
    }
    joint
}

/// The logarithm of the largest ratio of two laws, either way; `None` where it is infinite.
pub fn loss(one: &Law, other: &Law) -> Option<EpsilonSum> {
    assert!([one, other].iter().all(|law| law.values().sum::<Rational>().is_one()), "laws sum to 1");
    let mut worst = EpsilonSum::zero();
    let zero = Rational::zero();
    for output in one.keys().chain(other.keys()) {
        let [p, q] = [one, other].map(|law| law.get(output).unwrap_or(&zero));
        if p.is_zero() && q.is_zero() {
            continue;
        }
        if p.is_zero() || q.is_zero() {
            return None;
        }
        let ratio = if p > q { p / q } else { q / p };
        if !ratio.is_one() {
            worst = worst.max(Epsilon::ln(Rational::one(), ratio).unwrap().into());
        }
    }
    Some(worst)
}
