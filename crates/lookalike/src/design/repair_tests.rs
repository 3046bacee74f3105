//! Tests of repair: what it returns certifies, costs about the fault it mends, and leaves alone what was private.

use super::*;
use crate::certify::certify;
use crate::design::problem::Parts;
use crate::design::{Draft, Problem, cluster, post_process, randomized_response};
use crate::exact::{Direction, Rational, parse_rational, to_f64};
use crate::model::{Categories, Distribution, Epsilon, Names, SecretGraph, TOTAL};
use num_traits::Zero;
use proptest::prelude::*;

fn problem(profiles: &[[u32; 3]], budget: &Epsilon) -> Problem {
    let names = Names::new("profile", (0..profiles.len()).map(|at| format!("p{at}"))).unwrap();
    let mut builder = SecretGraph::builder(names);
    builder.complete(budget);
    let laws = profiles
        .iter()
        .map(|weights| Distribution::normalized(&weights.map(|weight| Rational::from_integer(weight.into()))).unwrap());
    let categories = Categories::new(["a", "b", "c"]).unwrap();
    Problem::profiles(categories, builder.build().unwrap(), laws.collect()).unwrap()
}

/// The rows of a mechanism's first channel as floats, each entry moved by about `noise`.
fn drafted(mechanism: &Mechanism, noise: f64, signs: &[bool]) -> Draft {
    let channel = &mechanism.channels()[0];
    let mut signs = signs.iter().cycle();
    let rows = (0..channel.inputs()).map(|x| {
        (0..channel.outputs())
            .map(|y| {
                let sign = if *signs.next().unwrap() { 1.0 } else { -1.0 };
                to_f64(&channel.probability(x, y), Direction::Nearest) + sign * noise
            })
            .collect()
    });
    Draft::new(vec![rows.collect()]).unwrap()
}

proptest! {
    #[test]
    fn a_solvers_noise_is_mended_at_about_its_size(
        profiles in prop::collection::vec(prop::array::uniform3(0u32..8).prop_filter("sum", |w| w.iter().sum::<u32>() > 0), 2..5),
        noise in prop_oneof![Just(0.0), Just(1e-16), Just(1e-12), Just(1e-9)],
        signs in prop::collection::vec(any::<bool>(), 9),
        budget in prop_oneof![Just("1"), Just("ln(3)"), Just("1/10"), Just("1/1000")],
    ) {
        let budget: Epsilon = budget.parse().unwrap();
        let problem = problem(&profiles, &budget);
        let mechanism = cluster(&problem).unwrap().mechanism;
        let repaired = drafted(&mechanism, noise, &signs).into_mechanism(&problem).unwrap();
        prop_assert!(certify(repaired.mechanism).is_ok());
        // λ ≲ d(v + m)/(E − 1), with v up to (1 + E) times the noise.
        let e = budget.to_f64().exp();
        let allowed = 4.0 * (1.0 + e) * (3.0 * noise + 4.0 / TOTAL as f64) / (e - 1.0);
        prop_assert!(repaired.cost <= allowed, "cost {} allowed {}", repaired.cost, allowed);
    }

    // Two ways to the same row: 128-bit words and big integers.
    #[test]
    fn rows_are_mixed_alike_in_words_and_in_big_integers(
        cuts in prop::collection::vec(prop_oneof![Just(0), 0..=TOTAL], 8), lambda in prop_oneof![0.0..1.0f64, 0.0..1e-13f64, Just(1.0)],
        used in prop::collection::vec(any::<bool>(), 3),
    ) {
        let rows = cuts.chunks(2).map(|cuts| {
            let (low, high) = (cuts[0].min(cuts[1]), cuts[0].max(cuts[1]));
            vec![low, high - low, TOTAL - high]
        });
        let channel = Channel::rows(rows.collect()).unwrap();
        prop_assume!(used.contains(&true));
        let units = (lambda * (1u128 << LAMBDA_BITS) as f64).ceil() as u128;
        let count = used.iter().filter(|used| **used).count() as u64;
        let slow = mix_in_big_integers(&channel, units, count, |y| used[y]).unwrap();
        prop_assert_eq!(mix(&channel, lambda, |y| used[y]).unwrap(), slow);
    }

    #[test]
    fn random_rubbish_is_mended_too(rows in prop::collection::vec(prop::collection::vec(0.0f64..1.0, 3), 3), budget in prop_oneof![Just("1e-12"), Just("1e-17"), Just("3")]) {
        let problem = problem(&[[1, 2, 3], [3, 2, 1], [0, 1, 0]], &budget.parse().unwrap());
        let scaled = rows.iter().map(|row| {
            let sum: f64 = row.iter().sum();
            row.iter().map(|entry| entry / sum).collect()
        });
        let repaired = Draft::new(vec![scaled.collect()]).unwrap().into_mechanism(&problem).unwrap();
        prop_assert!(repaired.cost <= 1.0);
        prop_assert!(certify(repaired.mechanism).is_ok());
    }
}

#[test]
fn a_private_mechanism_is_left_alone() {
    let problem = problem(&[[1, 0, 0], [0, 1, 0]], &"ln(2)".parse().unwrap());
    let mechanism = randomized_response(&problem).unwrap().mechanism;
    let repaired = repair(mechanism.clone()).unwrap();
    assert_eq!((repaired.cost, repaired.mechanism), (0.0, mechanism));
}

#[test]
fn private_keep_channels_keep_their_form() {
    let problem = problem(&[[1, 2, 30], [3, 2, 1], [2, 2, 2]], &"1".parse().unwrap());
    let keep = |weight: u64| Channel::keep(vec![weight; 3], vec![TOTAL / 4, TOTAL / 2, TOTAL / 4]).unwrap();
    let mechanism = problem.mechanism(Parts::apart(3), vec![keep(TOTAL / 9), keep(TOTAL / 8), keep(0)]).unwrap();
    let repaired = repair(mechanism.clone()).unwrap();
    assert_eq!((repaired.cost, &repaired.mechanism), (0.0, &mechanism));
    assert!(certify(mechanism).is_ok());
    // Where they are not private they come back as rows that are.
    let exposed = problem.mechanism(Parts::apart(3), vec![keep(TOTAL), keep(TOTAL / 8), keep(0)]).unwrap();
    assert!(certify(exposed.clone()).is_err());
    assert!(certify(repair(exposed).unwrap().mechanism).is_ok());
}

#[test]
fn one_unit_too_much_is_mended_at_the_cost_of_a_few() {
    let bits = Categories::new(["no", "yes"]).unwrap();
    let mut builder = SecretGraph::builder(bits.names().clone());
    builder.complete(&"ln(3)".parse().unwrap());
    let (keep, flip) = ((3 << 51) + 1, (1 << 51) - 1);
    let channel = Channel::rows(vec![vec![keep, flip], vec![flip, keep]]).unwrap();
    let broken = Mechanism::point(bits.clone(), bits, builder.build().unwrap(), channel).unwrap();
    assert!(certify(broken.clone()).is_err());
    let repaired = repair(broken).unwrap();
    assert!(repaired.cost > 0.0 && repaired.cost < 1e-14, "{}", repaired.cost);
    assert!(certify(repaired.mechanism).is_ok());
}

#[test]
fn outputs_that_a_component_never_uses_stay_unused() {
    // Nobody has the third category, and the channel never releases it; mixing must not begin to.
    let problem = problem(&[[9, 1, 0], [1, 9, 0]], &"1/10".parse().unwrap());
    let identity = vec![vec![1.0, 0.0, 0.0], vec![0.0, 1.0, 0.0], vec![0.5, 0.5, 0.0]];
    let repaired = Draft::new(vec![identity]).unwrap().into_mechanism(&problem).unwrap();
    assert!(repaired.cost > 0.5);
    assert!(repaired.mechanism.output_laws().iter().all(|law| law.numerator(2).is_zero()));
    assert!(certify(repaired.mechanism).is_ok());
}

#[test]
fn components_are_mended_apart() {
    let names = Names::new("profile", ["a", "b", "c", "d"]).unwrap();
    let mut builder = SecretGraph::builder(names);
    builder.edge(0, 1, "1".parse().unwrap()).unwrap();
    builder.edge(2, 3, "1".parse().unwrap()).unwrap();
    let law = |p: &str| {
        let p = parse_rational(p).unwrap();
        Distribution::new(&[Rational::one() - &p, p]).unwrap()
    };
    let bits = Categories::new(["no", "yes"]).unwrap();
    let laws = ["0.4", "0.5", "0", "1"].map(law).to_vec();
    let problem = Problem::profiles(bits, builder.build().unwrap(), laws).unwrap();
    let identity = || vec![vec![1.0, 0.0], vec![0.0, 1.0]];
    let repaired = Draft::new(vec![identity(), identity()]).unwrap().into_mechanism(&problem).unwrap();
    assert!(repaired.mechanism.channel(0).is_identity() && !repaired.mechanism.channel(2).is_identity());
    assert!(certify(repaired.mechanism).is_ok());
}

#[test]
fn channels_along_a_chain_of_edges_are_mixed_alike() {
    // Each profile has its own channel; the fault is at one end, but mixing it alone would break the next edge.
    let names = Names::new("profile", ["a", "b", "c", "d"]).unwrap();
    let mut builder = SecretGraph::builder(names);
    builder.chain(&"1/10".parse().unwrap());
    let bits = Categories::new(["no", "yes"]).unwrap();
    let certain = Distribution::new(&[Rational::zero(), Rational::one()]).unwrap();
    let flip = |flip: f64| {
        let weight = (flip * TOTAL as f64) as u64;
        Channel::rows(vec![vec![TOTAL - weight, weight], vec![weight, TOTAL - weight]]).unwrap()
    };
    let channels = [0.10, 0.12, 0.13, 0.14].map(flip).to_vec();
    let broken =
        Mechanism::aware(bits.clone(), bits, builder.build().unwrap(), vec![certain; 4], channels, vec![3, 2, 1, 0])
            .unwrap();
    assert!(certify(broken.clone()).is_err());
    assert!(certify(repair(broken).unwrap().mechanism).is_ok());
}

#[test]
fn post_processing_does_not_bless_a_mechanism_that_was_not_private() {
    let problem = problem(&[[1, 0, 0], [0, 1, 0]], &"1/3".parse().unwrap()).shared().unwrap();
    let mechanism = cluster(&problem).unwrap().mechanism;
    let exposed = mechanism.with_channels(vec![Channel::identity(3).unwrap()], mechanism.outputs().clone()).unwrap();
    let rows = (0..3).map(|x| (0..3).map(|y| if x == y { TOTAL } else { 0 }).collect()).collect();
    let after = post_process(&exposed, &Channel::rows(rows).unwrap(), exposed.outputs().clone()).unwrap();
    assert!(after.cost > 0.1 && certify(after.mechanism).is_ok());
}

#[test]
fn a_solver_that_failed_is_not_rounded_into_shape() {
    for row in [vec![f64::NAN, 1.0], vec![0.5, 0.1], vec![f64::INFINITY, 0.0]] {
        assert!(Draft::new(vec![vec![row]]).unwrap_err().is_inapplicable());
    }
}

#[test]
fn post_processing_that_needs_rounding_still_certifies() {
    let problem = problem(&[[1, 0, 0], [0, 1, 0]], &"1/3".parse().unwrap()).shared().unwrap();
    let mechanism = cluster(&problem).unwrap().mechanism;
    let third = TOTAL / 3;
    let next = Channel::rows(vec![vec![TOTAL - third, third], vec![third, TOTAL - third], vec![1, TOTAL - 1]]).unwrap();
    let after = post_process(&mechanism, &next, Categories::new(["x", "y"]).unwrap()).unwrap();
    assert!(after.cost < 1e-14);
    assert_eq!(after.mechanism.outputs().names().name(1), "y");
    assert!(certify(after.mechanism).is_ok());
}
