use super::super::approximate;
use super::super::brute_force::chains;
use super::super::spectral::tests::chain;
use super::super::{Initial, Quilt, States, contract, exact, gk16, group_scale, influence};
use super::*;
use crate::exact::{Direction, parse_rational, to_f64};
use proptest::prelude::*;

fn number(text: &str) -> Rational {
    parse_rational(text).unwrap()
}

/// The true loss of two noisy counts together, of state 0 and of state 1 among the first so many nodes each, by all
/// sequences of a chain.
fn true_loss(chain: &Chain, start: &[f64], lengths: [usize; 2], scales: [f64; 2]) -> f64 {
    let length = lengths[0].max(lengths[1]);
    let rows: Vec<Vec<f64>> = chain
        .transition()
        .iter()
        .map(|row| row.probabilities().map(|p| to_f64(&p, Direction::Nearest)).collect())
        .collect();
    let states = rows.len();
    let sequences = (0..states.pow(length as u32)).map(|number| {
        let sequence: Vec<usize> = (0..length).map(|place| number / states.pow(place as u32) % states).collect();
        let probability = sequence.windows(2).fold(start[sequence[0]], |all, pair| all * rows[pair[0]][pair[1]]);
        (sequence, probability)
    });
    let sequences: Vec<(Vec<usize>, f64)> = sequences.filter(|(_, probability)| *probability > 0.0).collect();
    let weight = |sequence: &[usize], outputs: [usize; 2]| -> f64 {
        let count = |state: usize| sequence[..lengths[state]].iter().filter(|&&other| other == state).count();
        (0..2).map(|k| (-(outputs[k].abs_diff(count(k)) as f64) / scales[k]).exp()).product()
    };
    let mut worst = 0.0f64;
    for outputs in (0..=length).flat_map(|one| (0..=length).map(move |two| [one, two])) {
        for node in 0..length {
            let mut given = vec![[0.0; 2]; states];
            for (sequence, probability) in &sequences {
                given[sequence[node]][0] += probability * weight(sequence, outputs);
                given[sequence[node]][1] += probability;
            }
            let laws = given.iter().filter(|[_, all]| *all > 0.0).map(|[joint, all]| (joint / all).ln());
            let laws: Vec<f64> = laws.collect();
            let (most, least) =
                (laws.iter().fold(f64::MIN, |a, &b| a.max(b)), laws.iter().fold(f64::MAX, |a, &b| a.min(b)));
            worst = worst.max(most - least);
        }
    }
    worst
}

fn starts(chain: &Chain) -> Vec<Vec<f64>> {
    let numbers = |law: &crate::model::Distribution| -> Vec<f64> {
        law.probabilities().map(|p| to_f64(&p, Direction::Nearest)).collect()
    };
    match chain.initial() {
        Initial::Given(law) => vec![numbers(law)],
        Initial::Stationary => vec![numbers(&chain.stationary().unwrap())],
        Initial::Arbitrary => {
            let states = chain.states();
            let lean = |to: usize| {
                (0..states).map(move |x| if x == to { 1.0 } else { 1e-3 } / (1.0 + 1e-3 * (states - 1) as f64))
            };
            (0..states).map(|to| lean(to).collect()).chain([vec![1.0 / states as f64; states]]).collect()
        }
    }
}

#[test]
fn the_rate_adds_and_nonsense_is_named() {
    assert_eq!(rate(&[number("2"), number("3")]).unwrap(), number("5/6"));
    let theta = [chain(Initial::Stationary, &[vec![9, 1], vec![4, 6]])];
    assert!(compose_exact(&theta, 10, &[]).unwrap_err().to_string().starts_with("no release"));
    assert!(compose_approximate(&theta, 10, &[number("0")]).unwrap_err().to_string().starts_with("a scale of 0"));
    assert!(compose_equal_quilts(&[], &number("0")).is_err());
    // With next to no noise all nodes are told, and with next to none of a release nearly nothing.
    assert_eq!(compose_approximate(&theta, 10, &[number("1e-30")]).unwrap(), number("1e31"));
    assert_eq!(compose_approximate(&theta, 10, &[number("1e30")]).unwrap(), number("1e-29"));
}

#[test]
fn equal_quilts_lose_what_the_rule_says() {
    // The reference chain of three nodes at ε = 10: the middle has {X1, X3}, its ends X2.
    let theta = [chain(Initial::Stationary, &[vec![9, 1], vec![4, 6]])];
    let epsilon: Epsilon = "10".parse().unwrap();
    let of = |node, left, right| {
        influence(&theta[0], 3, node, Quilt { left, right }, States::Possible).unwrap().unwrap().lower().to_rational()
    };
    let least = of(1, None, Some(1)).min(of(2, Some(1), Some(1))).min(of(3, Some(1), None));
    let scale = exact(&theta, 3, &epsilon).unwrap().scale;
    for releases in 1..5 {
        let rule = compose_equal_quilts(&vec![epsilon.clone(); releases], &least).unwrap();
        let found = compose_exact(&theta, 3, &vec![scale.clone(); releases]).unwrap();
        assert!(found <= rule + number("1e-6"), "{releases} releases");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn together_they_lose_no_more(chain in chains(), length in 1usize..6, tenths in [1u32..80, 1u32..80]) {
        let scales = tenths.map(|tenths| Rational::new(tenths.into(), 10.into()));
        let (theta, nodes) = ([chain], length as u64);
        let floats = [0, 1].map(|k| to_f64(&scales[k], Direction::Nearest));
        let truth = starts(&theta[0]).iter().map(|start| true_loss(&theta[0], start, [length; 2], floats)).fold(0.0, f64::max);
        let allowed = |bound: &Rational| to_f64(bound, Direction::Up) + 1e-9;
        let exact = compose_exact(&theta, nodes, &scales).unwrap();
        prop_assert!(truth <= allowed(&exact));
        let contraction = contract(&theta, nodes, &"1".parse().unwrap()).unwrap();
        prop_assert!(truth <= allowed(&contraction.loss(&rate(&scales).unwrap())));
        if let Ok(approximate) = compose_approximate(&theta, nodes, &scales) {
            prop_assert!(truth <= allowed(&approximate));
            prop_assert!(exact <= approximate + number("1e-6"));
        }
    }

    #[test]
    fn other_methods_and_other_lengths_add_up(chain in chains(), lengths in [1usize..6, 1usize..6], tenths in [1u32..40, 1u32..40], methods in [0usize..5, 0usize..5]) {
        let theta = [chain];
        let epsilons = tenths.map(|tenths| Rational::new(tenths.into(), 10.into()));
        let scale = |k: usize| {
            let (length, epsilon) = (lengths[k] as u64, Epsilon::rational(epsilons[k].clone()).unwrap());
            match methods[k] {
                0 => exact(&theta, length, &epsilon).map(|found| found.scale),
                1 => approximate(&theta, length, &epsilon).map(|found| found.scale),
                2 => contract(&theta, length, &epsilon).map(|found| found.scale),
                3 => gk16(&theta, &epsilon).map(|found| found.scale),
                _ => group_scale(length, &epsilon),
            }
        };
        if let [Ok(one), Ok(other)] = [scale(0), scale(1)] {
            let scales = [one, other].map(|scale| to_f64(&scale, Direction::Nearest));
            let truth = starts(&theta[0]).iter().map(|start| true_loss(&theta[0], start, lengths, scales)).fold(0.0, f64::max);
            prop_assert!(truth <= to_f64(&epsilons.iter().sum(), Direction::Up) + 1e-9, "{}", truth);
        }
    }

    #[test]
    fn never_more_than_the_sum(rows in prop::collection::vec(prop::collection::vec(1u64..30, 2), 2), length in 1u64..80, tenths in [1u32..60, 1u32..60, 1u32..60]) {
        let theta = [chain(Initial::Arbitrary, &rows)];
        let epsilons = tenths.map(|tenths| Rational::new(tenths.into(), 10.into()));
        let of = |epsilon: &Rational| Epsilon::rational(epsilon.clone()).unwrap();
        let sum = epsilons.iter().sum::<Rational>() + number("1e-6");
        let exact_scales: Vec<Rational> = epsilons.iter().map(|e| exact(&theta, length, &of(e)).unwrap().scale).collect();
        prop_assert!(compose_exact(&theta, length, &exact_scales).unwrap() <= sum);
        let scales: Vec<Rational> = epsilons.iter().map(|e| approximate(&theta, length, &of(e)).unwrap().scale).collect();
        prop_assert!(compose_approximate(&theta, length, &scales).unwrap() <= sum);
        // One release loses what it was calibrated for.
        let one = compose_approximate(&theta, length, &scales[..1]).unwrap();
        prop_assert!(one <= &epsilons[0] + number("1e-6") && one > &epsilons[0] - number("1e-6"));
    }
}

#[test]
fn long_chains_lose_what_shorter_ones_do() {
    let theta = [chain(Initial::Stationary, &[vec![9, 1], vec![4, 6]])];
    let at = |length| compose_approximate(&theta, length, &[number("30"), number("50")]).unwrap();
    assert_eq!(at(LONGEST_BY_NODE), at(1 << 40));
}
