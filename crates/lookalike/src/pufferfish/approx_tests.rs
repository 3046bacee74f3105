use super::super::spectral::positive_stationary;
use super::super::spectral::tests::chain;
use super::super::{BinaryBox, Initial, approximate_of_box, group_scale};
use super::*;
use crate::exact::{Direction, parse_rational, to_f64};
use proptest::prelude::*;

fn number(text: &str) -> Rational {
    parse_rational(text).unwrap()
}

fn epsilon(text: &str) -> Epsilon {
    text.parse().unwrap()
}

/// Agrees with a published number of four digits after the point.
fn shows(calibration: &Calibration, expected: f64) {
    let scale = to_f64(&calibration.scale, Direction::Up);
    assert!((scale - expected).abs() <= 5.1e-5, "{scale}, expected {expected}");
}

#[test]
fn both_formulas_on_the_chain_of_the_paper() {
    let chain = chain(Initial::Arbitrary, &[vec![9, 1], vec![4, 6]]);
    let law = positive_stationary(&chain).unwrap();
    for (reversible, expected) in [(false, 31.7098), (true, 23.5060)] {
        let mixing = Mixing::by(&chain, &law, reversible).unwrap();
        shows(&mixing.calibrate(100, &epsilon("1")).unwrap(), expected);
        shows(&mixing.calibrate(1_000_000, &epsilon("1")).unwrap(), expected);
    }
}

#[test]
fn the_synthetic_binary_chains() {
    for (low, expected) in [("0.1", 68.64), ("0.2", 29.63), ("0.3", 17.72), ("0.4", 12.11)] {
        let (low, high) = (number(low), Rational::one() - number(low));
        let ends = [low, high];
        let chains = BinaryBox::new(Initial::Arbitrary, ends.clone(), ends).unwrap();
        let scale = to_f64(&approximate_of_box(&chains, 100, &epsilon("1")).unwrap().scale, Direction::Up);
        // The L1 error of the mean of 100 states, to four digits.
        assert!((scale - expected).abs() <= 0.0051, "{scale}");
    }
}

#[test]
fn a_star_of_the_paper() {
    // ln((e^(1/6)+1)/((e^(1/6)−1)·0.2)) = 4.0967
    let mixing = Mixing::from_bounds(number("0.2"), number("0.75"), false).unwrap();
    assert_eq!(mixing.a_star(&epsilon("1")), Some(12));
}

/// Every quilt of every node, by the definition.
fn naive(mixing: &Mixing, length: u64, epsilon: &Epsilon) -> Rational {
    let search = Search::new(mixing, length, epsilon);
    let best = |node: u64| {
        let quilts = (0..node).flat_map(|left| (0..=length - node).map(move |right| (left, right)));
        quilts.fold(search.empty(), |best, (left, right)| best.better(search.choice(node, left, right)))
    };
    let scales = (1..=length).map(|node| search.calibration(node, best(node)).scale);
    scales.max().unwrap()
}

#[test]
fn what_cannot_be_calibrated_is_named() {
    let one = epsilon("1");
    assert!(approximate(&[], 5, &one).unwrap_err().to_string().starts_with("no chain in Θ"));
    let theta =
        [chain(Initial::Arbitrary, &[vec![1, 1], vec![1, 1]]), chain(Initial::Arbitrary, &[vec![1, 0], vec![0, 1]])];
    assert!(approximate(&theta[..1], 0, &one).unwrap_err().is_input());
    let error = approximate(&theta, 5, &one).unwrap_err();
    assert!(error.is_inapplicable() && error.to_string().starts_with("chain 2: "), "{error}");
}

#[test]
fn an_epsilon_too_small_for_any_quilt_falls_back_to_the_group() {
    let theta = [chain(Initial::Arbitrary, &[vec![9, 1], vec![4, 6]])];
    for text in ["1e-6", "1e-30"] {
        let calibration = approximate(&theta, 20, &epsilon(text)).unwrap();
        assert_eq!(calibration.scale, group_scale(20, &epsilon(text)).unwrap());
        assert_eq!((calibration.quilt, calibration.influence), (quilt(0, 0), number("0")));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_search_finds_what_all_quilts_of_all_nodes_give(least in 5u32..50, gap in 20u32..200, length in 1u64..40, tenths in 1u32..60, stationary: bool) {
        let hundredths = |value: u32| Rational::new(value.into(), 100.into());
        let mixing = Mixing::from_bounds(hundredths(least), hundredths(gap), stationary).unwrap();
        let epsilon = Epsilon::rational(hundredths(10 * tenths)).unwrap();
        let found = mixing.calibrate(length, &epsilon).unwrap();
        prop_assert_eq!(&found.scale, &naive(&mixing, length, &epsilon));
        prop_assert!(found.scale <= group_scale(length, &epsilon).unwrap());
        prop_assert_eq!(found.card, found.quilt.card(found.node, length));
        // A chain that starts anywhere needs at least as much as one that starts stationary.
        let anywhere = Mixing { stationary: false, ..mixing.clone() };
        prop_assert!(anywhere.calibrate(length, &epsilon).unwrap().scale >= found.scale);
    }

    #[test]
    fn long_chains_need_no_more(least in 5u32..50, gap in 20u32..200, tenths in 5u32..60) {
        let hundredths = |value: u32| Rational::new(value.into(), 100.into());
        let mixing = Mixing::from_bounds(hundredths(least), hundredths(gap), false).unwrap();
        let epsilon = Epsilon::rational(hundredths(10 * tenths)).unwrap();
        let a_star = mixing.a_star(&epsilon).unwrap();
        let at = |length| mixing.calibrate(length, &epsilon).unwrap();
        let (start, far) = (at(8 * a_star), at(1_000_000_000));
        prop_assert_eq!(&start.scale, &far.scale);
        let quilt = far.quilt;
        prop_assert!(quilt.left.unwrap() + quilt.right.unwrap() <= 4 * a_star);
        prop_assert!(at(3 * a_star).scale <= far.scale);
    }
}
