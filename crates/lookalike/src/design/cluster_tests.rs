//! Tests of the cluster mechanisms and of randomized response: they certify, and with a little less noise would not.

use super::*;
use crate::certify::certify;
use crate::design::{Objective, Options, design, two_profile};
use crate::exact::{Rational, parse_rational};
use crate::model::{
    Categories, Channel, Epsilon, Form, GraphBuilder, Kind, Loss, Mechanism, Names, Prior, SecretGraph, TOTAL,
};
use proptest::prelude::*;

fn epsilon(text: &str) -> Epsilon {
    text.parse().unwrap()
}

fn categories(size: usize) -> Categories {
    Categories::new((0..size).map(|at| format!("c{at}"))).unwrap()
}

fn bernoulli(p: &str) -> Distribution {
    let p = parse_rational(p).unwrap();
    Distribution::new(&[Rational::from_integer(1.into()) - &p, p]).unwrap()
}

fn problem(profiles: Vec<Distribution>, fill: impl FnOnce(&mut GraphBuilder)) -> Problem {
    let names = Names::new("profile", (0..profiles.len()).map(|at| format!("p{at}"))).unwrap();
    let mut builder = SecretGraph::builder(names);
    fill(&mut builder);
    Problem::profiles(categories(profiles[0].len()), builder.build().unwrap(), profiles).unwrap()
}

/// The chain of Bernoulli profiles spaced evenly on [0, 1].
fn bernoulli_chain(count: usize, budget: &str) -> Problem {
    let profiles = (0..count).map(|at| bernoulli(&format!("{at}/{}", count - 1))).collect();
    problem(profiles, |builder| builder.chain(&epsilon(budget)))
}

#[test]
fn one_bit_cluster_reaches_the_published_values() {
    for (count, budget, expected) in [
        (6, "0.2", 0.3219),
        (6, "0.5", 0.1907),
        (6, "1", 0.0944),
        (21, "0.2", 0.1556),
        (21, "0.5", 0.0668),
        (21, "1", 0.0275),
    ] {
        let design = cluster(&bernoulli_chain(count, budget)).unwrap();
        assert_eq!(design.name, MechanismName::OneBitCluster);
        assert!((design.objective.value - expected).abs() < 5e-5, "{count} {budget}: {}", design.objective.value);
        assert!(design.objective.lower_bound <= design.objective.value);
        assert!(certify(design.mechanism).is_ok());
    }
}

#[test]
fn randomized_response_of_one_bit_is_warner() {
    for (budget, expected) in [("0.2", 0.4502), ("0.5", 0.3775), ("1", 0.2689)] {
        let design = randomized_response(&bernoulli_chain(6, budget)).unwrap();
        assert!((design.objective.value - expected).abs() < 5e-5);
    }
}

#[test]
fn the_bound_of_local_privacy_is_reached_by_randomized_response() {
    let categories = categories(5);
    let mut builder = SecretGraph::builder(categories.names().clone());
    builder.complete(&epsilon("1"));
    let problem = Problem::values(categories, builder.build().unwrap()).unwrap();
    let objective = randomized_response(&problem).unwrap().objective;
    assert!(objective.gap() < 1e-15 && (objective.value - 1.0 / (1f64.exp() + 4.0)).abs() < 1e-15);
}

#[test]
fn a_profile_without_an_edge_is_released_unchanged() {
    let profiles = vec![bernoulli("0"), bernoulli("1"), bernoulli("0.5")];
    let problem = problem(profiles, |builder| builder.edge(0, 1, epsilon("ln(3)")).unwrap());
    let mechanism = cluster(&problem).unwrap().mechanism;
    assert!(mechanism.channel(2).is_identity());
    assert_eq!(mechanism.channel(0).weight(0, 1), 1 << 51);
    assert_eq!(mechanism.channels().len(), 2, "one channel a component");
}

#[test]
fn a_shared_channel_serves_every_component() {
    let profiles = vec![bernoulli("0"), bernoulli("1"), bernoulli("0.4"), bernoulli("0.6")];
    let problem = problem(profiles, |builder| {
        builder.edge(0, 1, epsilon("1")).unwrap();
        builder.edge(2, 3, epsilon("1/10")).unwrap();
    });
    let aware = cluster(&problem).unwrap();
    let shared = cluster(&problem.clone().shared().unwrap()).unwrap();
    assert_eq!((aware.mechanism.kind(), shared.mechanism.kind()), (Kind::Aware, Kind::Shared));
    assert!(aware.objective.value <= shared.objective.value);
    assert!(certify(aware.mechanism).is_ok() && certify(shared.mechanism).is_ok());
}

#[test]
fn many_categories_take_the_keep_form() {
    let profile = |peak: usize| {
        let weights: Vec<Rational> =
            (0..100).map(|at| Rational::from_integer((1 + 50 * u32::from(at == peak)).into())).collect();
        Distribution::normalized(&weights).unwrap()
    };
    let problem = problem(vec![profile(0), profile(99)], |builder| builder.chain(&epsilon("1/2")));
    let design = cluster(&problem).unwrap();
    assert!(matches!(design.mechanism.channels()[0].form(), Form::Keep { .. }));
    assert!(certify(design.mechanism.clone()).is_ok());
    assert!(!certifies_with_less_noise(&design.mechanism), "one unit more kept would break it");
}

#[test]
fn names_that_do_not_apply_say_what_does() {
    let three = problem(vec![bernoulli("0"), bernoulli("1"), bernoulli("1")], |builder| builder.chain(&epsilon("1")));
    assert_eq!(
        two_profile(&three).unwrap_err().to_string(),
        "two-profile needs 2 categories and 2 profiles, found 2 and 3 (smooth-categorical serves any number)"
    );
    let wide = Distribution::normalized(&vec![Rational::from_integer(1.into()); 3]).unwrap();
    let wide = problem(vec![wide.clone(), wide], |builder| builder.chain(&epsilon("1")));
    let error = design(&wide, &Options::named(MechanismName::OneBitCluster)).unwrap_err();
    assert!(error.is_inapplicable());
    assert_eq!(error.to_string(), "one-bit-cluster needs 2 categories, found 3 (smooth-categorical serves any number)");
    assert!("smooth".parse::<MechanismName>().unwrap_err().to_string().contains("expected one of k-rr, two-profile"));
}

/// Whether the claim still holds with one unit of 2^−53 less noise in the first channel.
fn certifies_with_less_noise(mechanism: &Mechanism) -> bool {
    let channel = match mechanism.channels()[0].form() {
        Form::Rows { weights, outputs } => {
            let mut rows: Vec<Vec<u64>> = weights.chunks(outputs).map(<[u64]>::to_vec).collect();
            for (x, row) in rows.iter_mut().enumerate() {
                for weight in row.iter_mut() {
                    *weight -= 1;
                }
                row[x] += outputs as u64;
            }
            Channel::rows(rows).unwrap()
        }
        Form::Keep { keep, redraw } => {
            Channel::keep(keep.iter().map(|weight| weight + 1).collect(), redraw.to_vec()).unwrap()
        }
    };
    let (inputs, graph, profiles) = (mechanism.inputs(), mechanism.graph(), mechanism.profiles());
    let less = Mechanism::shared(inputs.clone(), inputs.clone(), graph.clone(), profiles.to_vec(), channel).unwrap();
    certify(less).is_ok()
}

/// Profiles with zeros and equal entries among them.
fn profiles(count: usize, size: usize) -> impl Strategy<Value = Vec<Distribution>> {
    let profile = prop::collection::vec(prop_oneof![1 => Just(0u32), 5 => 1u32..10], size).prop_filter_map(
        "zero sum",
        |weights| {
            let weights: Vec<_> = weights.into_iter().map(|weight| Rational::from_integer(weight.into())).collect();
            Distribution::normalized(&weights).ok()
        },
    );
    prop::collection::vec(profile, count)
}

fn budgets() -> impl Strategy<Value = Epsilon> {
    prop_oneof![
        (1u32..300).prop_map(|hundredths| epsilon(&format!("{hundredths}/100"))),
        (2u32..9).prop_map(|n| epsilon(&format!("ln({n})"))),
        (2u32..9).prop_map(|n| epsilon(&format!("1/7*sqrt({n})"))),
        Just(epsilon("1e-6")),
        Just(epsilon("1e-15")),
        Just(epsilon("500")),
    ]
}

#[test]
fn the_prior_weighs_the_profiles() {
    // Flips of 1/4 for the first two profiles, none for the third: errors 1/4, 1/4 and 0 with weights 3, 1 and 4.
    let profiles = vec![bernoulli("0"), bernoulli("1"), bernoulli("0.5")];
    let problem = problem(profiles, |builder| builder.edge(0, 1, epsilon("ln(3)")).unwrap());
    let prior = Prior::new(&[3, 1, 4].map(|weight| Rational::from_integer(weight.into()))).unwrap();
    let weighted = problem.clone().with_objective(Objective::ExpectedError).unwrap().with_prior(prior).unwrap();
    assert_eq!(cluster(&weighted).unwrap().objective.value, 0.125);
    assert!(problem.clone().with_prior(Prior::uniform(2).unwrap()).is_err());
    let loss = Loss::matrix(vec![vec![Rational::from_integer(0.into())]], 1).unwrap();
    assert!(problem.with_objective(Objective::Loss(loss)).is_err());
}

proptest! {
    // Exactly, before any rounding: the bound is below the value of every mechanism at hand.
    #[test]
    fn the_lower_bound_is_below_every_value(all in profiles(4, 3), budget in budgets(), weights in prop::collection::vec(1u32..50, 4), group in any::<bool>()) {
        let prior = Prior::new(&weights.iter().map(|&weight| Rational::from_integer(weight.into())).collect::<Vec<_>>()).unwrap();
        let loss = [["0", "1/2", "3"], ["2", "0", "1"], ["1", "7", "0"]];
        let loss = loss.iter().map(|row| row.map(|entry| parse_rational(entry).unwrap()).to_vec()).collect();
        for objective in [Objective::MaxFlip, Objective::ExpectedError, Objective::OrdinalError, Objective::Loss(Loss::matrix(loss, 3).unwrap())] {
            let problem = problem(all.clone(), |builder| if group { builder.complete(&budget) } else { builder.chain(&budget) });
            let problem = problem.with_prior(prior.clone()).unwrap().with_objective(objective.clone()).unwrap();
            let bound = crate::design::bound::lower_bound(&problem);
            for design in [cluster(&problem).unwrap(), randomized_response(&problem).unwrap()] {
                prop_assert!(bound <= objective.of(&problem, &design.mechanism));
            }
        }
    }

    // Two-sided: private at ε; with noise present, not at ε less 1 %, nor with one unit less noise.
    #[test]
    fn clusters_certify_and_not_with_one_percent_less(
        budget in budgets(),
        all in (2usize..5).prop_flat_map(|count| (2usize..6).prop_flat_map(move |size| profiles(count, size))),
    ) {
        let problem = problem(all, |builder| builder.complete(&budget)).shared().unwrap();
        let design = cluster(&problem).unwrap();
        prop_assert!(certify(design.mechanism.clone()).is_ok());
        let noisy = design.objective.value > 0.0;
        // At 1e-15 even draws leave nothing to reduce.
        let even = design.mechanism.channels()[0].weight(0, 1) >= u128::from(TOTAL / design.mechanism.inputs().len() as u64);
        if noisy && !even {
            prop_assert!(!certifies_with_less_noise(&design.mechanism));
            // At 1e-15, and where e^ε is near 2^53, one unit of 2^−53 is more than a hundredth of ε.
            if budget < epsilon("1e-12") || budget > epsilon("20") {
                return Ok(());
            }
            let mut builder = SecretGraph::builder(design.mechanism.graph().names().clone());
            builder.complete(&budget.scale(&parse_rational("0.99").unwrap()).unwrap());
            prop_assert!(certify(design.mechanism.with_graph(builder.build().unwrap()).unwrap()).is_err());
        }
    }

    // Theorem 9: k-ary randomized response is private for any graph of any profiles; and the cluster is never noisier.
    #[test]
    fn randomized_response_certifies_on_every_graph(
        all in profiles(5, 4), budget in budgets(),
        edges in prop::collection::vec((0u32..5, 0u32..5), 1..8),
    ) {
        let edges: Vec<_> = edges.into_iter().filter(|(a, b)| a != b).collect();
        prop_assume!(!edges.is_empty());
        let problem = problem(all, |builder| {
            for &(a, b) in &edges {
                builder.edge(a, b, budget.clone()).unwrap();
            }
        });
        let baseline = randomized_response(&problem).unwrap();
        let cluster = cluster(&problem).unwrap();
        prop_assert!(cluster.objective.value <= baseline.objective.value);
        prop_assert!(cluster.objective.lower_bound <= cluster.objective.value);
        prop_assert!(certify(cluster.mechanism).is_ok());
        prop_assert!(certify(baseline.mechanism).is_ok());
    }

    // Relabelling profiles and categories leaves the value unchanged; so does reversing for the ordinal error.
    #[test]
    fn relabelling_keeps_the_value(all in profiles(4, 3), budget in budgets(), by in 0usize..4) {
        let value = |profiles: Vec<Distribution>, objective: Objective| {
            let problem = problem(profiles, |builder| builder.complete(&budget)).with_objective(objective).unwrap();
            cluster(&problem).unwrap().objective
        };
        let mut rotated = all.clone();
        rotated.rotate_left(by);
        let reversed: Vec<Distribution> = rotated.iter().map(|law| {
            let mut probabilities: Vec<Rational> = law.probabilities().collect();
            probabilities.reverse();
            Distribution::new(&probabilities).unwrap()
        }).collect();
        for objective in [Objective::MaxFlip, Objective::ExpectedError, Objective::OrdinalError] {
            let (one, other) = (value(all.clone(), objective.clone()), value(reversed.clone(), objective));
            prop_assert_eq!(one.value, other.value);
            // Which of two equally promising places gives the bound is up to the last bit of a float.
            prop_assert!((one.lower_bound - other.lower_bound).abs() < 1e-12);
        }
    }

    // More budget never needs more noise.
    #[test]
    fn raising_epsilon_never_raises_the_noise(all in profiles(4, 3), hundredths in 1u32..200) {
        let value = |hundredths: u32| {
            let budget = epsilon(&format!("{hundredths}/100"));
            cluster(&problem(all.clone(), |builder| builder.complete(&budget))).unwrap().objective.value
        };
        prop_assert!(value(hundredths + 7) <= value(hundredths));
    }
}
