//! Every bound against the true loss of short chains, and against one another.

use super::brute_force::{chains, true_loss};
use super::spectral::tests::chain;
use super::{Chain, Initial, approximate, contract, exact, gk16, group_scale};
use crate::exact::{Direction, Epsilon, Rational, to_f64};
use proptest::prelude::*;

/// More than the rounding of the sums in floats.
const ROUNDING: f64 = 1e-9;

fn scale(value: &Rational) -> f64 {
    to_f64(value, Direction::Down)
}

fn epsilons() -> impl Strategy<Value = Epsilon> {
    prop::sample::select(vec!["1/10", "1/2", "1", "2", "5", "12"]).prop_map(|text| text.parse().unwrap())
}

/// Chains without zeros, to which all bounds apply.
fn positive_chains() -> impl Strategy<Value = Chain> {
    let rows = (2usize..4).prop_flat_map(|d| prop::collection::vec(prop::collection::vec(1u64..30, d), d));
    (rows, any::<bool>())
        .prop_map(|(rows, stationary)| chain(if stationary { Initial::Stationary } else { Initial::Arbitrary }, &rows))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn no_bound_loses_more_than_epsilon(chain in prop_oneof![chains(), positive_chains()], length in 1usize..7, epsilon in epsilons()) {
        let (theta, nodes) = ([chain], length as u64);
        let allowed = epsilon.to_f64() + ROUNDING;
        let contraction = contract(&theta, nodes, &epsilon).unwrap();
        prop_assert!(true_loss(&theta[0], length, scale(&contraction.scale)) <= allowed);
        if let Ok(calibration) = approximate(&theta, nodes, &epsilon) {
            prop_assert!(true_loss(&theta[0], length, scale(&calibration.scale)) <= allowed);
        }
        if let Ok(influence) = gk16(&theta, &epsilon) {
            prop_assert!(true_loss(&theta[0], length, scale(&influence.scale)) <= allowed);
        }
    }

    #[test]
    fn no_bound_needs_more_than_the_group(chain in positive_chains(), length in 1u64..60, epsilon in epsilons()) {
        let theta = [chain];
        let group = group_scale(length, &epsilon).unwrap();
        prop_assert!(approximate(&theta, length, &epsilon).unwrap().scale <= group);
        prop_assert!(contract(&theta, length, &epsilon).unwrap().scale <= group);
    }

    /// Both round up, so that they may differ in the last of fifty bits where the empty quilt is the best.
    #[test]
    fn the_exact_search_needs_no_more(chain in chains(), length in 1u64..40, epsilon in epsilons()) {
        let theta = [chain];
        if let Ok(bound) = approximate(&theta, length, &epsilon) {
            let room = Rational::new((1u64 << 40).into(), ((1u64 << 40) - 1).into());
            prop_assert!(exact(&theta, length, &epsilon).unwrap().scale <= bound.scale * room);
        }
    }

    #[test]
    fn of_two_chains_the_worse_one_decides(one in positive_chains(), two in positive_chains(), length in 1u64..60, epsilon in epsilons()) {
        let scale = |theta: &[Chain]| approximate(theta, length, &epsilon).unwrap().scale;
        prop_assume!(one.states() == two.states());
        let both = [one, two];
        prop_assert_eq!(scale(&both), scale(&both[..1]).max(scale(&both[1..])));
    }
}

#[test]
fn half_of_the_noise_is_too_little() {
    // Nearly frozen: all of a short chain tells of one node.
    let theta = [chain(Initial::Stationary, &[vec![9999, 1], vec![1, 9999]])];
    for text in ["1/5", "1", "3"] {
        let epsilon: Epsilon = text.parse().unwrap();
        for needed in [approximate(&theta, 6, &epsilon).unwrap().scale, contract(&theta, 6, &epsilon).unwrap().scale] {
            assert!(true_loss(&theta[0], 6, scale(&needed) / 2.0) > 1.5 * epsilon.to_f64());
        }
    }
}

#[test]
fn the_contraction_of_a_symmetric_chain_is_nearly_all_that_is_lost() {
    for stay in [6, 8, 9] {
        let theta = [chain(Initial::Stationary, &[vec![stay, 10 - stay], vec![10 - stay, stay]])];
        let found = contract(&theta, 8, &"1/5".parse().unwrap()).unwrap();
        let loss = true_loss(&theta[0], 8, scale(&found.scale));
        assert!(loss > 0.198 && loss <= 0.2 + ROUNDING, "{loss}");
    }
}
