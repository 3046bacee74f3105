//! Tests of limits: tightening and the knapsack against brute force over the corners.

use super::*;
use crate::exact::parse_rational;
use crate::model::corners_for_tests::corners;
use num_traits::Zero;
use proptest::prelude::*;

fn twelfths(n: u64) -> Rational {
    Rational::new(n.into(), 12.into())
}

/// Limits in twelfths with a law within them, and weights.
fn instance() -> impl Strategy<Value = (Vec<[Rational; 2]>, Vec<u128>)> {
    let law = (0..=12u64, 0..=12u64).prop_map(|(a, b)| [a.min(b), a.abs_diff(b), 12 - a.max(b)]);
    let around = prop::collection::vec((0..8u64, 0..8u64), 3);
    let weights = prop::collection::vec(prop_oneof![0u128..4, 0..1u128 << 106], 3);
    (law, around, weights).prop_map(|(law, around, weights)| {
        let ends = law.iter().zip(around);
        let limits =
            ends.map(|(&n, (down, up))| [twelfths(n.saturating_sub(down)), twelfths((n + up).min(12))]).collect();
        (limits, weights)
    })
}

proptest! {
    #[test]
    fn limits_are_tight_and_keep_every_law((given, _) in instance()) {
        let limits = Limits::new(&given).unwrap();
        let corners = corners(&given);
        for x in 0..3 {
            let probabilities = || corners.iter().map(|law| law[x].clone());
            prop_assert_eq!(limits.ends(x), [probabilities().min().unwrap(), probabilities().max().unwrap()]);
            prop_assert_eq!(limits.is_possible(x), probabilities().any(|p| !p.is_zero()));
        }
        prop_assert!(corners.iter().all(|law| limits.contains(&Distribution::new(law).unwrap())));
        prop_assert_eq!(limits.is_point(), corners.iter().all(|law| *law == corners[0]));
        prop_assert_eq!(&Limits::new(&(0..3).map(|x| limits.ends(x)).collect::<Vec<_>>()).unwrap(), &limits);
    }

    #[test]
    fn the_knapsack_finds_the_best_corners((given, weights) in instance()) {
        let limits = Limits::new(&given).unwrap();
        let value = |law: &[Rational]| law.iter().zip(&weights).map(|(p, &w)| p * BigInt::from(w)).sum::<Rational>();
        let values: Vec<Rational> = corners(&given).iter().map(|law| value(law)).collect();
        let expected = [values.iter().max().unwrap().clone(), values.iter().min().unwrap().clone()];
        let total = limits.denominator().to_big();
        let found = limits.extremes(|x| weights[x]).map(|sum| Rational::new(sum.to_big().into(), total.clone().into()));
        prop_assert_eq!(&found, &expected);
        let laws = limits.extreme_laws(|x| weights[x]);
        prop_assert!(laws.iter().all(|law| limits.contains(law)));
        prop_assert_eq!(laws.map(|law| value(&law.probabilities().collect::<Vec<_>>())), expected);
    }
}

#[test]
fn a_law_is_the_limits_that_it_alone_meets() {
    let law = Distribution::new(&["0.1", "0", "0.9"].map(|text| parse_rational(text).unwrap())).unwrap();
    let limits = Limits::of_law(&law);
    assert!(limits.is_point() && limits.contains(&law) && !limits.is_possible(1));
    assert_eq!(limits, Limits::new(&law.probabilities().map(|p| [p.clone(), p]).collect::<Vec<_>>()).unwrap());
    let other = Distribution::new(&["0.1", "0.9"].map(|text| parse_rational(text).unwrap())).unwrap();
    assert!(!limits.contains(&other));
}

#[test]
fn denominators_beyond_a_word_are_exact() {
    let tiny = parse_rational("1e-40").unwrap();
    let limits = Limits::new(&[[tiny.clone(), Rational::one()], [Rational::zero(), Rational::one() - &tiny]]).unwrap();
    assert_eq!(limits.ends(0), [tiny, Rational::one()]);
    let [most, least] = limits.extremes(|x| x as u128);
    assert_eq!((limits.denominator().minus(&most), least), (Natural::ONE, Natural::ZERO));
}
