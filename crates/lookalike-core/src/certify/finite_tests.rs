//! Tests of the certifier: against brute force over all pairs, at and one unit beyond the boundary.

use super::*;
use crate::certify::Achieved;
use crate::certify::certify;
use crate::exact::{Direction, Rational, parse_rational, to_f64};
use crate::model::{Categories, Channel, Distribution, Epsilon, GraphBuilder, Names, TOTAL};
use num_traits::Signed;
use proptest::prelude::*;

fn epsilon(text: &str) -> Epsilon {
    text.parse().unwrap()
}

fn bits() -> Categories {
    Categories::new(["no", "yes"]).unwrap()
}

fn profile(probabilities: &[&str]) -> Distribution {
    Distribution::new(&probabilities.iter().map(|text| parse_rational(text).unwrap()).collect::<Vec<_>>()).unwrap()
}

fn graph(count: usize, fill: impl FnOnce(&mut GraphBuilder)) -> SecretGraph {
    let mut builder = SecretGraph::builder(Names::new("profile", (0..count).map(|at| format!("p{at}"))).unwrap());
    fill(&mut builder);
    builder.build().unwrap()
}

/// Bernoulli profiles released through the identity.
fn released_unchanged(profiles: &[&[&str]], graph: SecretGraph) -> Mechanism {
    let profiles: Vec<_> = profiles.iter().map(|probabilities| profile(probabilities)).collect();
    let categories = Categories::new((0..profiles[0].len()).map(|at| format!("c{at}"))).unwrap();
    let identity = Channel::identity(categories.len()).unwrap();
    Mechanism::shared(categories.clone(), categories, graph, profiles, identity).unwrap()
}

fn warner(epsilon_text: &str, keep: u64) -> Mechanism {
    let mut builder = SecretGraph::builder(bits().names().clone());
    builder.complete(&epsilon(epsilon_text));
    let rows = vec![vec![keep, TOTAL - keep], vec![TOTAL - keep, keep]];
    Mechanism::point(bits(), bits(), builder.build().unwrap(), Channel::rows(rows).unwrap()).unwrap()
}

#[test]
fn warner_passes_at_the_boundary_and_fails_one_unit_beyond() {
    let certified = certify(warner("ln(3)", 3 << 51)).unwrap();
    assert_eq!(certified.certificate().pairs(), 1);
    let Achieved::Within(achieved) = certified.certificate().worst().achieved() else { panic!("finite") };
    let ln3 = epsilon("ln(3)").enclose(100);
    assert!(achieved.lower() <= ln3.lower() && ln3.upper() <= achieved.upper());
    assert!(achieved.width().to_rational() < parse_rational("1e-12").unwrap());
    let violation = certify(warner("ln(3)", (3 << 51) + 1)).unwrap_err();
    assert_eq!(
        violation.to_string(),
        "edge (\"no\", \"yes\"), output \"no\": ratio 6755399441055745/2251799813685247 exceeds e^(ln(3))"
    );
}

#[test]
fn a_smaller_claim_on_the_same_channel_is_refused() {
    assert!(certify(warner("1.09861228866811", 3 << 51)).is_ok());
    assert!(certify(warner("1.09861228866810", 3 << 51)).is_err());
}

#[test]
fn zeros_are_harmless_together_and_a_violation_apart() {
    let chain = || graph(2, |builder| builder.chain(&epsilon("1")));
    // Neither profile ever has the third category.
    assert!(certify(released_unchanged(&[&["0.5", "0.5", "0"], &["0.4", "0.6", "0"]], chain())).is_ok());
    let violation = certify(released_unchanged(&[&["0.5", "0.5", "0"], &["0.4", "0.5", "0.1"]], chain())).unwrap_err();
    let worst = violation.certificate().worst().clone();
    assert_eq!((worst.secrets(), worst.output(), worst.achieved()), ([1, 0], 2, Achieved::Infinite));
    assert!(violation.to_string().contains("ratio a positive number to 0 exceeds e^(1)"), "{violation}");
}

#[test]
fn the_worst_edge_has_the_least_slack_against_its_own_epsilon() {
    // Ratios 2 at ε = 1 (slack 0.307) and 1.5 at ε = 1/2 (slack 0.0945).
    let graph = graph(4, |builder| {
        builder.edge(0, 1, epsilon("1")).unwrap();
        builder.edge(2, 3, epsilon("1/2")).unwrap();
    });
    let profiles: [&[&str]; 4] = [&["0.4", "0.6"], &["0.2", "0.8"], &["0.3", "0.7"], &["0.2", "0.8"]];
    let certified = certify(released_unchanged(&profiles, graph)).unwrap();
    assert_eq!(certified.certificate().worst().secrets(), [2, 3]);
    assert_eq!(certified.certificate().worst().claimed(), &epsilon("1/2"));
}

#[test]
fn a_broken_edge_is_the_worst_even_beside_a_tight_one() {
    let graph = graph(4, |builder| {
        builder.edge(0, 1, epsilon("ln(2)")).unwrap();
        builder.edge(2, 3, epsilon("ln(3/2)")).unwrap();
    });
    let profiles: [&[&str]; 4] = [
        &["0.4", "0.6"],
        &["0.2", "0.8"],
        &["0.3000000000000000000000001", "0.6999999999999999999999999"],
        &["0.2", "0.8"],
    ];
    let violation = certify(released_unchanged(&profiles, graph)).unwrap_err();
    assert_eq!(
        violation.certificate().worst().secrets(),
        [2, 3],
        "equality at ln 2 passes, 1e-25 above ln 1.5 does not"
    );
}

/// Every pair and both directions, with nothing clever: the oracle for `certify`.
fn brute_force(mechanism: &Mechanism) -> bool {
    let laws: Vec<Vec<Rational>> = mechanism.output_laws().iter().map(|law| law.probabilities().collect()).collect();
    let count = laws.len() as u32;
    let private = |a: u32, b: u32| {
        mechanism.graph().epsilon_between(a, b).is_none_or(|epsilon| {
            (0..laws[0].len()).all(|y| {
                let (q, q_prime) = (&laws[a as usize][y], &laws[b as usize][y]);
                let whole =
                    |p: &Rational, other: &Rational| Natural::from((p.numer() * other.denom()).magnitude().clone());
                !exceeds(&whole(q, q_prime), epsilon, &whole(q_prime, q))
            })
        })
    };
    (0..count).all(|a| (0..count).all(|b| a == b || private(a, b)))
}

fn weights(length: usize) -> impl Strategy<Value = Distribution> {
    prop::collection::vec(prop_oneof![1 => Just(0u32), 6 => 1u32..8], length).prop_filter_map("zero sum", |weights| {
        let weights: Vec<_> = weights.into_iter().map(|weight| Rational::from_integer(weight.into())).collect();
        Distribution::normalized(&weights).ok()
    })
}

proptest! {
    #[test]
    fn the_verdict_agrees_with_brute_force_over_all_pairs(
        profiles in prop::collection::vec(weights(3), 5),
        edges in prop::collection::vec((0u32..5, 0u32..5, 1u32..30), 0..5),
        group in prop::collection::btree_set(0u32..5, 2..5),
        budget in 2u32..30,
    ) {
        let graph = graph(5, |builder| {
            for (a, b, tenths) in edges.into_iter().filter(|(a, b, _)| a != b) {
                builder.edge(a, b, epsilon(&format!("{tenths}/10"))).unwrap();
            }
            builder.group("g", group.into_iter().collect(), epsilon(&format!("ln({budget})"))).unwrap();
        });
        let categories = Categories::new(["a", "b", "c"]).unwrap();
        let identity = Channel::identity(3).unwrap();
        let mechanism = Mechanism::shared(categories.clone(), categories, graph, profiles, identity).unwrap();
        let expected = brute_force(&mechanism);
        prop_assert_eq!(certify(mechanism).is_ok(), expected);
    }

    // Two-sided: the largest ratio is private at its own logarithm and not a thousandth below.
    #[test]
    fn the_achieved_epsilon_is_the_least_that_certifies(profiles in prop::collection::vec(weights(3), 4)) {
        let complete = |budget: &str| graph(4, |builder| builder.complete(&epsilon(budget)));
        let categories = Categories::new(["a", "b", "c"]).unwrap();
        let with = |graph| {
            let identity = Channel::identity(3).unwrap();
            certify(Mechanism::shared(categories.clone(), categories.clone(), graph, profiles.clone(), identity).unwrap())
        };
        let certificate = match with(complete("1000")) {
            Ok(certified) => certified.certificate().clone(),
            Err(violation) => {
                prop_assert_eq!(violation.certificate().worst().achieved(), Achieved::Infinite);
                return Ok(());
            }
        };
        let ratio = certificate.worst().ratio().unwrap();
        prop_assert!(!(ratio.clone() - Rational::from_integer(1.into())).is_negative());
        prop_assume!(ratio > Rational::from_integer(1.into()));
        let [at, below] = [format!("ln({ratio})"), format!("999/1000*ln({ratio})")];
        prop_assert!(with(complete(&at)).is_ok());
        prop_assert!(with(complete(&below)).is_err());
    }
}

#[test]
fn a_group_is_certified_like_its_pairs() {
    let profiles: [&[&str]; 3] = [&["0.4", "0.6"], &["0.3", "0.7"], &["0.2", "0.8"]];
    let as_group = |budget: &str| graph(3, |builder| builder.group("g", vec![0, 1, 2], epsilon(budget)).unwrap());
    assert!(certify(released_unchanged(&profiles, as_group("ln(2)"))).is_ok());
    let violation = certify(released_unchanged(&profiles, as_group("0.69"))).unwrap_err();
    assert_eq!(violation.certificate().worst().secrets(), [0, 2]);
    let Achieved::Within(achieved) = violation.certificate().worst().achieved() else { panic!("finite") };
    assert!((to_f64(&achieved.lower().to_rational(), Direction::Nearest) - std::f64::consts::LN_2).abs() < 1e-15);
}
