//! Tests of losses on a grid: never below the exact ones, and not far above.

use super::super::fixed::rational;
use super::super::tests_support::{losses, small};
use super::*;
use crate::exact::{Epsilon, Rational, parse_rational};
use num_traits::{One, Zero};
use proptest::prelude::*;

fn number(text: &str) -> Rational {
    parse_rational(text).unwrap()
}

fn step(places: i64) -> Dyadic {
    Dyadic::new(BigInt::one(), -places)
}

const EPSILONS: [&str; 6] = ["1/1000", "1/10", "1/2", "1", "5/2", "6"];

/// What is cut off and rounded away by at most a dozen releases.
fn nothing() -> Rational {
    number("1e-15")
}

/// The grid is no better than the pair at any ε; and with as many steps more, no worse.
fn holds(grid: &LossGrid, exact: &PrivacyLoss, releases: u32) {
    let curve = grid.curve();
    let room = grid.step().to_rational() * BigInt::from(releases);
    for text in EPSILONS {
        let epsilon: Epsilon = text.parse().unwrap();
        let delta = exact.delta(&epsilon).enclosure();
        assert!(curve.delta(&number(text)) >= delta.lower().to_rational(), "{text}");
        assert!(curve.delta(&(number(text) + &room)) <= delta.upper().to_rational() + nothing(), "{text}");
    }
    for delta in ["0", "1e-9", "1/1000", "1/20", "1/2", "1"].map(number) {
        let power = exact.exp_epsilon(&delta);
        let least = power.map(|power| crate::exact::enclose_ln(&power, 90).unwrap());
        match (curve.epsilon(&delta), least) {
            (Some(found), Some(least)) => {
                assert!(found >= least.lower().to_rational(), "{delta}");
                // δ = 0 may be lost to what is cut off, but nothing is when so few are released.
                assert!(found <= least.upper().to_rational() + &room + number("1e-6"), "{delta}");
            }
            (Some(_), None) => panic!("the pair has no epsilon at {delta}"),
            (None, _) => assert!(curve.epsilon(&(delta + nothing())).is_some() || exact.infinite() > Rational::zero()),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_grid_is_never_below_the_exact_loss_and_at_most_a_step_a_release_above(loss in losses(4), k in 1u32..6, places in 0i64..7) {
        let grid = LossGrid::of(&loss, &step(places));
        holds(&grid, &loss, 1);
        holds(&grid.times(k.into()), &loss.times(k).unwrap(), k);
    }

    #[test]
    fn grids_of_different_pairs_go_together_in_any_order(one in losses(4), other in losses(3), k in 1u32..3, places in 1i64..6) {
        let [a, b] = [&one, &other].map(|loss| LossGrid::of(loss, &step(places)));
        let found = a.times(k.into()).composed(&b);
        prop_assert_eq!(&found, &b.composed(&a.times(k.into())));
        holds(&found, &PrivacyLoss::composed(&[(&one, k), (&other, 1)]).unwrap(), k + 1);
    }

    #[test]
    fn a_narrower_grid_is_nearer(loss in losses(4), places in 0i64..6) {
        let [coarse, fine] = [places, places + 1].map(|places| LossGrid::of(&loss, &step(places)).times(4).curve());
        for text in EPSILONS {
            prop_assert!(fine.delta(&number(text)) <= coarse.delta(&number(text)) + nothing());
        }
    }

    #[test]
    fn epsilon_and_delta_of_a_curve_fit_each_other(loss in losses(4), k in 1u64..20, n in 1u32..1000) {
        let (curve, delta) = (LossGrid::of(&loss, &step(4)).times(k).curve(), Rational::new(n.into(), 1000.into()));
        if let Some(epsilon) = curve.epsilon(&delta) {
            prop_assert!(curve.delta(&epsilon) <= &delta + number("1e-25"));
            let less = &epsilon * number("0.999");
            prop_assert!(epsilon.is_zero() || curve.delta(&less) > delta);
        }
    }

    #[test]
    fn masses_grow_by_next_to_nothing(loss in losses(5), k in 1u64..40) {
        let grid = LossGrid::of(&loss, &step(3)).times(k);
        let total = rational(grid.masses.iter().sum::<u128>() + grid.infinite);
        prop_assert!(total >= Rational::one() - nothing() && total <= Rational::one() + nothing());
    }
}

#[test]
fn losses_on_the_grid_stay_there() {
    // ln 2 lies just below its own upper bound: next to nothing goes to the point below.
    let loss = small(&[2, 1], &[1, 2]);
    let unit = "ln(2)".parse::<Epsilon>().unwrap().enclose(80).upper().clone();
    let grid = LossGrid::of(&loss, &unit);
    let shares: Vec<Rational> = grid.masses.iter().map(|mass| rational(*mass)).collect();
    assert_eq!(grid.first + grid.points() as i64, 2);
    let far = |found: &Rational, expected: &str| (found - number(expected)) > number("1e-20");
    assert!(!far(&shares[shares.len() - 1], "2/3") && shares[shares.len() - 1] >= number("2/3") - number("1e-20"));
    let (rest, most): (Vec<&Rational>, Vec<&Rational>) = shares.iter().partition(|share| **share < number("1e-20"));
    assert_eq!((rest.len() + most.len(), most.len()), (shares.len(), 2));
}

#[test]
fn what_only_one_law_makes_is_never_within_any_epsilon() {
    let loss = small(&[1, 3, 0], &[0, 3, 1]);
    let curve = LossGrid::of(&loss, &step(2)).times(2).curve();
    let delta = curve.delta(&number("50"));
    assert!(delta >= number("7/16") && delta <= number("7/16") + nothing());
    assert_eq!((curve.epsilon(&number("0.4")), curve.epsilon(&number("0.44"))), (None, Some(Rational::zero())));
}

#[test]
#[should_panic(expected = "grids of one step")]
fn grids_of_different_steps_do_not_go_together() {
    let loss = small(&[2, 1], &[1, 2]);
    let _ = LossGrid::of(&loss, &step(2)).composed(&LossGrid::of(&loss, &step(3)));
}

#[test]
fn a_curve_goes_on_below_its_first_point() {
    // Forty releases of which none can have a small loss: P is always the first output but for a little.
    let loss = small(&[999, 1], &[1, 999]);
    let (grid, exact) = (LossGrid::of(&loss, &step(3)).times(40), loss.times(40).unwrap());
    assert!(grid.first > 100, "all mass is far from 0");
    let curve = grid.curve();
    for text in ["1/1000", "5", "40", "120"] {
        let delta = exact.delta(&text.parse().unwrap()).enclosure();
        let found = curve.delta(&number(text));
        assert!(
            found >= delta.lower().to_rational() && found <= delta.upper().to_rational() + number("1e-12"),
            "{text}"
        );
    }
    // So much is told that only a δ next to 1 has a small ε.
    let nearly = Rational::one() - number("1e-12");
    let epsilon = curve.epsilon(&nearly).unwrap();
    let least = crate::exact::enclose_ln(&exact.exp_epsilon(&nearly).unwrap(), 60).unwrap();
    assert!(epsilon >= least.lower().to_rational() && epsilon <= least.upper().to_rational() + number("6"));
    assert_eq!(curve.epsilon(&Rational::one()), Some(Rational::zero()));
}
