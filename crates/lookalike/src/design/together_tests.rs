//! What movement together saves, and what it does not cover: ε is about a person who is there or not, and one who is there
//! and changes their answer is two such steps away, 2ε. Exactly, from both sides.

use super::exponential;
use crate::certify::certify;
use crate::exact::{Epsilon, Rational};
use crate::model::{Categories, Mechanism, Movement, NoisyMax, SecretGraph};
use num_bigint::BigInt;
use num_traits::One;

fn epsilon(text: &str) -> Epsilon {
    text.parse().unwrap()
}

fn fraction(numerator: i64, denominator: i64) -> Rational {
    Rational::new(numerator.into(), denominator.into())
}

/// P(Z_1 − Z_2 ≥ m) for noise with α = 1/2 on both of two counts.
///
/// `P(Z_1 − Z_2 = d) = (1/9)·Σ_k 2^(−|k| − |k − d|) = (1/9)·2^−|d|·(|d| + 5/3)`, and the tail is its sum: for m ≥ 1,
/// `(1/9)·2^(1−m)·(m + 8/3)`.
fn ahead_by(m: i64) -> Rational {
    if m < 1 {
        return Rational::one() - ahead_by(1 - m);
    }
    let power = Rational::new(BigInt::one(), BigInt::one() << (m - 1));
    fraction(1, 9) * power * (Rational::from_integer(m.into()) + fraction(8, 3))
}

/// The chance that the first of two counts is reported; it wins ties.
fn first_is_reported(counts: [i64; 2]) -> Rational {
    ahead_by(counts[1] - counts[0])
}

#[test]
fn the_law_of_the_difference_is_a_law() {
    assert_eq!(ahead_by(0) - ahead_by(1), fraction(1, 9) * fraction(5, 3), "2^-|k| twice: 1 + 2/3 over 9");
    for m in -20..20 {
        let term = |k: i64| Rational::new(BigInt::one(), BigInt::one() << (k.abs() + (k - m).abs()));
        let enumerated: Rational = (-150..=150).map(term).sum::<Rational>() / Rational::from_integer(9.into());
        let missed = ahead_by(m) - ahead_by(m + 1) - enumerated;
        assert!(missed < fraction(1, 1 << 60) && -missed < fraction(1, 1 << 60), "{m}");
    }
}

#[test]
fn the_largest_of_counts_that_move_together_hides_a_person_at_epsilon_and_a_change_at_twice_epsilon() {
    let max = NoisyMax::for_epsilon(epsilon("ln(2)"), 1, Movement::Together).unwrap();
    assert_eq!(*max.decay(), epsilon("ln(2)"), "α = 1/2, as enumerated here");
    let (two, four) = (fraction(2, 1), fraction(4, 1));
    let mut most = [Rational::one(), Rational::one()];
    for difference in -40..40 {
        let chance = |counts: [i64; 2]| [first_is_reported(counts), Rational::one() - first_is_reported(counts)];
        let ratio = |one: [i64; 2], other: [i64; 2]| {
            let pairs = chance(one).into_iter().zip(chance(other));
            pairs.flat_map(|(a, b)| [&a / &b, &b / &a]).max().unwrap()
        };
        // A person is removed, who may be in the one, in the other or in both.
        for removed in [[difference - 1, 0], [difference, -1], [difference - 1, -1]] {
            most[0] = most[0].clone().max(ratio([difference, 0], removed));
        }
        most[1] = most[1].clone().max(ratio([difference, 0], [difference - 1, 1]));
    }
    assert!(most[0] <= two && most[0] > fraction(19, 10), "{}", most[0]);
    assert!(most[1] <= four && most[1] > fraction(38, 10), "beyond ε, and up to twice: {}", most[1]);
    // The same noise as a claim about any change: true at 2ε, and at nothing less.
    let change = |text: &str| NoisyMax::new(epsilon(text), max.decay().clone(), 1, Movement::Anyhow).unwrap();
    assert!(certify(change("2*ln(2)")).is_ok());
    assert!(certify(change("ln(2)")).is_err() && certify(change("ln(3999/1000)")).is_err());
}

/// Four people may vote for one of two; an input is how many votes each has, neighbours are a vote apart.
fn votes() -> (Vec<[i64; 2]>, Categories) {
    let inputs: Vec<[i64; 2]> = (0..=4).flat_map(|a| (0..=4 - a).map(move |b| [a, b])).collect();
    let names = inputs.iter().map(|[a, b]| format!("{a} {b}")).collect::<Vec<_>>();
    (inputs, Categories::new(names).unwrap())
}

/// The graph of all inputs that differ by one of these steps.
fn graph(inputs: &[[i64; 2]], names: &Categories, budget: &str, is_edge: impl Fn(i64, i64) -> bool) -> SecretGraph {
    let mut builder = SecretGraph::builder(names.names().clone());
    for (one, a) in inputs.iter().enumerate() {
        for (other, b) in inputs.iter().enumerate().skip(one + 1) {
            if is_edge(b[0] - a[0], b[1] - a[1]) {
                builder.edge(one as u32, other as u32, epsilon(budget)).unwrap();
            }
        }
    }
    builder.build().unwrap()
}

#[test]
fn scores_that_move_together_hide_a_person_at_epsilon_and_a_change_at_twice_epsilon() {
    let (inputs, names) = votes();
    let scores: Vec<Vec<Rational>> =
        inputs.iter().map(|votes| votes.map(|votes| Rational::from_integer(votes.into())).to_vec()).collect();
    let is_there_or_not = |a: i64, b: i64| a.abs() + b.abs() == 1;
    let is_a_change = |a: i64, b: i64| a + b == 0 && a.abs() == 1;
    let made = |movement| -> Mechanism {
        let graph = graph(&inputs, &names, "ln(4)", is_there_or_not);
        let two = Categories::new(["ana", "bo"]).unwrap();
        exponential(names.clone(), two, graph, &scores, &Rational::one(), movement).unwrap().mechanism
    };
    let holds = |mechanism: &Mechanism, budget: &str, is_edge: &dyn Fn(i64, i64) -> bool| {
        let claim = graph(&inputs, &names, budget, is_edge);
        certify(mechanism.clone().with_graph(claim).unwrap()).is_ok()
    };
    let together = made(Movement::Together);
    // Votes 1 0 against 0 1: 4/5 and 1/5 for ana. Votes 4 0 against 3 1 and the like reach a ratio of 15.1 of 16.
    assert!(holds(&together, "ln(4)", &is_there_or_not));
    assert!(holds(&together, "2*ln(4)", &is_a_change) && !holds(&together, "ln(4)", &is_a_change));
    assert!(!holds(&together, "ln(15)", &is_a_change));
    // The other form covers a change at ε.
    let anyhow = made(Movement::Anyhow);
    assert!(holds(&anyhow, "ln(4)", &is_there_or_not) && holds(&anyhow, "ln(4)", &is_a_change));
}
