//! The noise that a calibration leads to, at budgets other than 1 (where σ and σ/ε are the same), against the true loss
//! about a moment: exact laws of the count given the state of each moment, and enclosures of what the noise makes of them.

use super::{Calibration, Chain, Initial, Quilt, States, exact, influence};
use crate::exact::{Epsilon, Interval, Rational, parse_rational};
use crate::model::{Distribution, Noise};
use num_traits::{One, Zero};

const LENGTH: usize = 30;
const BITS: u64 = 160;

fn law(texts: [&str; 2]) -> Distribution {
    Distribution::new(&texts.map(|text| parse_rational(text).unwrap())).unwrap()
}

fn chain() -> Chain {
    Chain::new(Initial::Stationary, vec![law(["0.9", "0.1"]), law(["0.4", "0.6"])]).unwrap()
}

fn epsilon(text: &str) -> Epsilon {
    text.parse().unwrap()
}

/// A polynomial in the count of visits to the first state, by state; the start, then a step, exactly.
type Counts = [Vec<Rational>; 2];

/// One more moment in the given state.
fn counted(counts: &[Rational], state: usize) -> Vec<Rational> {
    let mut shifted = vec![Rational::zero(); counts.len()];
    match state {
        0 => shifted[1..].clone_from_slice(&counts[..counts.len() - 1]),
        _ => shifted.clone_from_slice(counts),
    }
    shifted
}

fn combined(shares: [Rational; 2], counts: &Counts) -> Vec<Rational> {
    (0..=LENGTH).map(|at| &shares[0] * &counts[0][at] + &shares[1] * &counts[1][at]).collect()
}

/// For each moment and state the exact law of the count of the first state over all moments, given that state.
fn laws_given_a_state() -> Vec<Counts> {
    let chain = chain();
    let (start, step) = (chain.stationary().unwrap(), |x: usize, y: usize| chain.transition()[x].probability(y));
    let mut nothing = vec![Rational::zero(); LENGTH + 1];
    nothing[0] = Rational::one();
    // By the count up to a moment and its state, and by the count after it given its state.
    let mut before: Vec<Counts> = vec![[0, 1].map(|x| {
        let counts = counted(&nothing, x);
        counts.into_iter().map(|count| count * start.probability(x)).collect()
    })];
    let mut after: Vec<Counts> = vec![[nothing.clone(), nothing]];
    for _ in 1..LENGTH {
        let last = before.last().unwrap();
        before.push([0, 1].map(|y| counted(&combined([step(0, y), step(1, y)], last), y)));
        let next = after.last().unwrap();
        let entered: Counts = [0, 1].map(|y| counted(&next[y], y));
        after.push([0, 1].map(|x| combined([step(x, 0), step(x, 1)], &entered)));
    }
    after.reverse();
    let given = |(before, after): (&Counts, &Counts)| {
        [0, 1].map(|x| {
            let mut law = vec![Rational::zero(); LENGTH + 1];
            for (i, one) in before[x].iter().enumerate().filter(|(_, one)| !one.is_zero()) {
                for (j, two) in after[x].iter().enumerate().filter(|(_, two)| !two.is_zero()) {
                    law[i + j] += one * two / start.probability(x);
                }
            }
            assert!(law.iter().sum::<Rational>().is_one(), "a law, exactly");
            law
        })
    };
    before.iter().zip(&after).map(given).collect()
}

/// An enclosure of the largest Pr(output | state) / Pr(output | other state) over moments, states and outputs: outputs
/// beyond the counts have the ratio of the outermost counts.
fn largest_ratio(laws: &[Counts], noise: &Noise) -> Interval {
    let step = noise.decay().exp(BITS);
    let mut powers = vec![Interval::integer(1)];
    (0..LENGTH).for_each(|at| powers.push((&powers[at] * &step).outward(BITS)));
    // e^(−d·decay) for all distances d, times the same number.
    let weight = |law: &[Rational], output: usize| {
        let terms = law.iter().enumerate().map(|(count, probability)| {
            (&Interval::of(probability, BITS) * &powers[LENGTH - output.abs_diff(count)]).outward(BITS)
        });
        terms.fold(Interval::integer(0), |sum, term| &sum + &term)
    };
    let mut largest = Interval::integer(1);
    for laws in laws {
        for output in 0..=LENGTH {
            let [one, two] = [0, 1].map(|x| weight(&laws[x], output));
            for ratio in [one.divide(&two, BITS).unwrap(), two.divide(&one, BITS).unwrap()] {
                let (lower, upper) = (largest.lower().max(ratio.lower()), largest.upper().max(ratio.upper()));
                largest = Interval::new(lower.clone(), upper.clone());
            }
        }
    }
    largest
}

/// Whether the loss ln(ratio) lies strictly between two numbers, decided by enclosures.
fn loss_is_between(ratio: &Interval, least: &str, most: &str) -> bool {
    epsilon(least).exp(BITS).upper() < ratio.lower() && ratio.upper() < epsilon(most).exp(BITS).lower()
}

#[test]
fn the_noise_of_a_chain_is_sigma_at_every_epsilon_and_loses_what_it_should() {
    let laws = laws_given_a_state();
    // ε, σ by card/(ε − e), the true loss, and the loss with σ/ε as it is misprinted: too much above 1, too noisy below.
    for (budget, sigma, loss, misprinted) in [
        ("3", ["2.6014", "2.6015"], ["1.3086", "1.3087"], ["3.6691", "3.6692"]),
        ("1", ["12.8399", "12.84"], ["0.24091", "0.24092"], ["0.24091", "0.24092"]),
        ("1/2", ["30.749", "30.75"], ["0.098829", "0.09883"], ["0.049097", "0.049098"]),
    ] {
        let found = exact(&[chain()], LENGTH as u64, &epsilon(budget)).unwrap();
        let [least, most] = sigma.map(|text| parse_rational(text).unwrap());
        assert!(least < found.scale && found.scale < most, "{budget}: {}", found.scale);
        let noise = found.noise(&Rational::one(), 0).unwrap();
        assert_eq!(*noise.decay(), Epsilon::rational(found.scale.recip()).unwrap(), "noise decays by 1/σ a step");
        let ratio = largest_ratio(&laws, &noise);
        assert!(loss_is_between(&ratio, loss[0], loss[1]), "{budget}");
        assert!(ratio.upper() < epsilon(budget).exp(BITS).lower(), "what was asked for holds");
        let by_epsilon = &found.scale / parse_rational(budget).unwrap();
        let wrong = Calibration { scale: by_epsilon, ..found }.noise(&Rational::one(), 0).unwrap();
        let ratio = largest_ratio(&laws, &wrong);
        assert!(loss_is_between(&ratio, misprinted[0], misprinted[1]), "{budget}");
    }
}

#[test]
fn a_chain_that_never_moves_loses_its_epsilon_and_not_its_square() {
    let still = Chain::new(Initial::Arbitrary, vec![law(["1", "0"]), law(["0", "1"])]).unwrap();
    for budget in ["3", "1/2"] {
        // All moments have one state, so that the count moves by the length: a loss of length·decay, exactly.
        let found = exact(std::slice::from_ref(&still), LENGTH as u64, &epsilon(budget)).unwrap();
        let decay = found.noise(&Rational::one(), 0).unwrap().decay().clone();
        let loss = decay.scale(&Rational::from_integer(LENGTH.into())).unwrap();
        assert_eq!(loss, epsilon(budget));
    }
}

#[test]
fn a_quilt_beyond_the_chain_is_refused_and_one_at_its_ends_is_not() {
    let asked = |node: u64, left: Option<u64>, right: Option<u64>| {
        influence(&chain(), 5, node, Quilt { left, right }, States::Possible).map_err(|error| error.to_string())
    };
    let refused = |node: u64| Err(format!("a quilt of node {node} with a node outside of the chain 1 to 5"));
    // Node 2 has one node before it and three after it.
    for (left, right) in [(Some(1), None), (None, Some(3)), (Some(1), Some(3)), (Some(1), Some(1)), (None, None)] {
        assert!(asked(2, left, right).is_ok_and(|found| found.is_some()), "{left:?} {right:?}");
    }
    let beyond = [
        (Some(2), None),
        (None, Some(4)),
        (Some(2), Some(3)),
        (Some(1), Some(4)),
        (Some(0), None),
        (None, Some(0)),
        (Some(u64::MAX), None),
        (None, Some(u64::MAX)),
    ];
    for (left, right) in beyond {
        assert_eq!(asked(2, left, right), refused(2), "{left:?} {right:?}");
    }
    // The ends of the chain have one side each.
    assert_eq!((asked(1, Some(1), None), asked(5, None, Some(1))), (refused(1), refused(5)));
    assert!(asked(1, None, Some(4)).is_ok() && asked(5, Some(4), None).is_ok());
    for node in [0, 6] {
        assert_eq!(asked(node, None, None), Err(format!("node {node}, expected one from 1 to 5")));
    }
}
