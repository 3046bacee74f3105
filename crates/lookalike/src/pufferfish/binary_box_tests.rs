//! Boxes of binary chains: the published table, and every chain of a box by itself.

use super::*;
use crate::exact::{Direction, Rational, parse_rational, to_f64};
use crate::model::Distribution;
use proptest::prelude::*;

fn number(text: &str) -> Rational {
    parse_rational(text).unwrap()
}

fn chain(initial: Initial, [p, q]: [&Rational; 2]) -> Chain {
    let one = number("1");
    let law = |probabilities: [Rational; 2]| Distribution::new(&probabilities).unwrap();
    Chain::new(initial, vec![law([&one - p, p.clone()]), law([q.clone(), &one - q])]).unwrap()
}

#[test]
fn the_published_table_of_errors() {
    // The mean of 100 states changes by 1/100 a node, and |Lap(1)| is 1 on average.
    for (least, error) in [("0.1", 0.3363), ("0.2", 0.1422), ("0.3", 0.0722), ("0.4", 0.0395)] {
        let ends = [number(least), number("1") - number(least)];
        let chains = BinaryBox::new(Initial::Arbitrary, ends.clone(), ends.clone()).unwrap();
        let found = exact_of_box(&chains, 100, &"1".parse().unwrap(), &ExactOptions::default()).unwrap();
        let (above, below) = (&found.calibration.scale, &found.at_least);
        assert!((to_f64(above, Direction::Up) / 100.0 - error).abs() < 6e-5, "{least}: {found:?}");
        assert!(below <= above && (above - below) * number("100000") <= *above, "{least}: {found:?}");
        let alone = exact(&[chain(Initial::Arbitrary, found.worst.each_ref())], 100, &"1".parse().unwrap()).unwrap();
        let difference = to_f64(&(&alone.scale / below), Direction::Nearest) - 1.0;
        assert!(difference.abs() < 1e-9, "{least}: {difference}");
    }
}

#[test]
fn a_box_with_a_state_that_is_never_left_falls_back_to_group_privacy() {
    let chains = BinaryBox::new(Initial::Arbitrary, [number("0"), number("1/2")], [number("1/4"), number("1/2")]);
    let found = exact_of_box(&chains.unwrap(), 1000, &"2".parse().unwrap(), &ExactOptions::default()).unwrap();
    assert_eq!(found.calibration.scale, number("500"));
    assert_eq!(found.calibration.quilt, Quilt { left: None, right: None });
}

#[test]
fn ends_that_are_no_probabilities_are_refused() {
    let ends = |a, b| [number(a), number(b)];
    let error = |up, down| BinaryBox::new(Initial::Arbitrary, up, down).unwrap_err().to_string();
    assert!(
        error(ends("0.2", "0.1"), ends("0", "1")).starts_with("the probability of a step from 0 to 1 lies between 1/5")
    );
    assert!(error(ends("0.1", "0.2"), ends("0", "1.1")).contains("from 1 to 0 lies between 0 and 11/10"));
    let law = Distribution::new(&[number("1/2"), number("1/2")]).unwrap();
    assert!(BinaryBox::new(Initial::Given(law), ends("0", "1"), ends("0", "1")).unwrap_err().is_inapplicable());
}

#[test]
fn a_long_chain_costs_what_a_short_one_does() {
    let ends = || [number("0.3"), number("0.5")];
    for initial in [Initial::Arbitrary, Initial::Stationary] {
        let chains = BinaryBox::new(initial, ends(), ends()).unwrap();
        let scale = |length| {
            let found = exact_of_box(&chains, length, &"1".parse().unwrap(), &ExactOptions::default()).unwrap();
            to_f64(&found.calibration.scale, Direction::Up)
        };
        assert!((scale(1_000_000) / scale(200) - 1.0).abs() < 1e-4);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn every_chain_of_the_box_needs_no_more(p in (5i64..95, 5i64..95), q in (5i64..95, 5i64..95), inside in (0i64..=4, 0i64..=4), kind in 0usize..2, tenths in 5u64..40, length in 1u64..30) {
        let share = |n: i64| Rational::new(n.into(), 100.into());
        let ends = |(a, b): (i64, i64)| [share(a.min(b)), share(a.max(b))];
        let (p, q) = (ends(p), ends(q));
        let initial = [Initial::Stationary, Initial::Arbitrary][kind].clone();
        let epsilon = format!("{tenths}/10").parse().unwrap();
        let chains = BinaryBox::new(initial.clone(), p.clone(), q.clone()).unwrap();
        let found = exact_of_box(&chains, length, &epsilon, &ExactOptions::default()).unwrap();
        let at = |ends: &[Rational; 2], quarters: i64| &ends[0] + (&ends[1] - &ends[0]) * Rational::new(quarters.into(), 4.into());
        let inner = exact(&[chain(initial, [&at(&p, inside.0), &at(&q, inside.1)])], length, &epsilon).unwrap();
        prop_assert!(inner.scale <= &found.calibration.scale * number("1.000000001"), "{inner:?} {found:?}");
    }
}
