//! Tests of compositions: two-sided, against exact ones, and against values found elsewhere.

use super::super::tests_support::law;
use super::*;
use crate::exact::{Direction, decimal, to_f64};
use crate::local::{self, Protocol};
use crate::model::{Categories, Channel, Distribution, Limits, Names, SecretGraph, TOTAL};
use crate::strategies;
use num_bigint::BigInt;
use proptest::prelude::*;

fn number(text: &str) -> Rational {
    parse_rational(text).unwrap()
}

fn epsilon(text: &str) -> Epsilon {
    text.parse().unwrap()
}

/// Rows with these weights over their sum, a power of two.
fn channel(rows: &[&[u64]]) -> Channel {
    let row = |row: &&[u64]| row.iter().map(|weight| TOTAL / row.iter().sum::<u64>() * weight).collect();
    Channel::rows(rows.iter().map(row).collect()).unwrap()
}

fn values(channel: Channel, claim: &str) -> Mechanism {
    let names = |count: usize, letter: char| Categories::new((0..count).map(|at| format!("{letter}{at}"))).unwrap();
    let inputs = names(channel.inputs(), 'x');
    let mut builder = SecretGraph::builder(inputs.names().clone());
    builder.complete(&epsilon(claim));
    Mechanism::point(inputs, names(channel.outputs(), 'y'), builder.build().unwrap(), channel).unwrap()
}

/// Profiles that are released as they are, with the edges given.
fn profiles(laws: Vec<Distribution>, edges: &[[u32; 2]], claim: &str) -> Mechanism {
    let categories = Categories::new((0..laws[0].len()).map(|at| format!("y{at}"))).unwrap();
    let names = Names::new("profile", (0..laws.len()).map(|at| format!("p{at}"))).unwrap();
    let mut builder = SecretGraph::builder(names);
    edges.iter().for_each(|&[a, b]| builder.edge(a, b, epsilon(claim)).unwrap());
    let identity = Channel::identity(categories.len()).unwrap();
    Mechanism::shared(categories.clone(), categories, builder.build().unwrap(), laws, identity).unwrap()
}

fn shown(found: &EpsilonAtDelta) -> String {
    decimal(found.epsilon.as_ref().unwrap(), 6, Direction::Up)
}

#[test]
fn a_thousand_answers_within_a_tenth_are_what_the_binomial_law_says() {
    // By decimals of 80 digits in another language: 19.34467144799304367...
    let mut many = compose_epsilon(&epsilon("1/10"), 1000).unwrap();
    let found = many.epsilon_at(&number("1e-6")).unwrap();
    let found_epsilon = found.epsilon.clone().unwrap();
    assert!(found_epsilon >= number("19.3446714479930436"), "{}", shown(&found));
    assert!(found_epsilon <= number("19.344671449"), "{}", shown(&found));
    assert_eq!((found.method, found.pair), (Method::EpsilonAlone, None));
    // 21:19 at ε = 2, exactly and on a grid: 0.729675151444191053171357...
    let almost = values(channel(&[&[21, 19, 24], &[19, 21, 24]]), "1");
    let mut exact = compose(&values(channel(&[&[21, 43], &[43, 21]]), "1"), 40).unwrap();
    assert_eq!(exact.epsilon_at(&number("1e-6")).unwrap().method, Method::Exact);
    assert_eq!(compose(&almost, 1000).unwrap().epsilon_at(&number("1e-6")).unwrap().method, Method::Grid);
}

#[test]
fn sixteen_outputs_are_near_what_fast_fourier_transforms_in_doubles_say() {
    // Two rows of splitmix64 from 7, each weight 1000 to 1999; 2^20 points of doubles in another language.
    let mut state = 7u64;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let mut row = || {
        let weights: Vec<u64> = (0..16).map(|_| 1000 + next() % 1000).collect();
        let sum = u128::from(weights.iter().sum::<u64>());
        let mut row: Vec<u64> = weights.iter().map(|w| (u128::from(TOTAL) * u128::from(*w) / sum) as u64).collect();
        row[0] += TOTAL - row.iter().sum::<u64>();
        row
    };
    let mechanism = values(Channel::rows(vec![row(), row()]).unwrap(), "3");
    for (k, least, most) in [(10, "4.19651", "4.1975"), (100, "17.04708", "17.0500")] {
        let found = compose(&mechanism, k).unwrap().epsilon_at(&number("1e-6")).unwrap();
        assert_eq!(found.method, Method::Grid);
        let found = found.epsilon.unwrap();
        assert!(found >= number(least) && found <= number(most), "{k}: {}", decimal(&found, 6, Direction::Up));
    }
}

#[test]
fn a_pair_that_dominates_and_is_none_of_them_is_said_to_be_that() {
    // The two directions of an uneven bit are different losses, and neither dominates the other.
    let uneven = values(channel(&[&[60, 4], &[32, 32]]), "5");
    let (first, second) = (uneven.output_law(0), uneven.output_law(1));
    let [one, other] = [PrivacyLoss::of(&first, &second).unwrap(), PrivacyLoss::of(&second, &first).unwrap()];
    let k = 20;
    let delta = number("1e-6");
    let mut all = compose(&uneven, k).unwrap();
    let found = all.epsilon_at(&delta).unwrap();
    assert_eq!((found.method, found.pair), (Method::Dominating, None));
    assert_eq!(all.delta_at(&epsilon("1")).method, Method::Dominating);
    let splits = (0..=k as u32).map(|times| {
        let split = PrivacyLoss::composed(&[(&one, times), (&other, k as u32 - times)]).unwrap();
        to_f64(&split.exp_epsilon(&delta).unwrap(), Direction::Up).ln()
    });
    let (best, said) = (splits.fold(0.0, f64::max), to_f64(found.epsilon.as_ref().unwrap(), Direction::Up));
    assert!(best < said && said < 1.25 * best, "never below any list of pairs, and not far above: {best} {said}");
    // A direction that dominates the other is met again and again: then the number is reached.
    let three = values(channel(&[&[48, 8, 8], &[8, 48, 8], &[24, 24, 16]]), "5");
    let mut several = compose(&three, 3).unwrap();
    let reached = several.epsilon_at(&delta).unwrap();
    let pair = PrivacyLoss::of(&three.output_law(0), &three.output_law(1)).unwrap();
    assert_eq!(reached.method, Method::Exact);
    let power = pair.times(3).unwrap().exp_epsilon(&delta).unwrap();
    let apart = to_f64(&power, Direction::Up).ln() - to_f64(reached.epsilon.as_ref().unwrap(), Direction::Up);
    assert!(apart.abs() < 1e-9, "{apart}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn epsilon_is_enough_and_one_percent_less_is_not(rows in prop::collection::vec(strategies::row(3), 2), k in 1u64..40, n in 1u32..6) {
        let delta = number(&format!("1e-{n}"));
        let mechanism = values(Channel::rows(rows).unwrap(), "10");
        let mut composition = compose(&mechanism, k).unwrap();
        let found = composition.epsilon_at(&delta).unwrap();
        // How near a grid is follows from its step; that is for the next test.
        if let (Some(found), Method::Exact | Method::Dominating) = (found.epsilon, found.method) {
            let at = |value: Rational, composition: &mut Composition| {
                Epsilon::rational(value).map(|epsilon| composition.delta_at(&epsilon).delta)
            };
            if let Ok(reached) = at(found.clone(), &mut composition) {
                // The upper end of an enclosure.
                prop_assert!(reached <= &delta * number("1.000000000000001"));
            }
            if let Ok(beyond) = at(&found * number("0.99"), &mut composition) {
                prop_assert!(beyond > delta, "{} at 99 % of {}", beyond, found);
            }
        }
    }

    #[test]
    fn a_grid_is_near_the_exact_composition(rows in prop::collection::vec(strategies::row(3), 2), k in 2u64..12) {
        let mechanism = values(Channel::rows(rows).unwrap(), "10");
        let losses = pairs::distinct(&mechanism).unwrap();
        let loss = PrivacyLoss::dominating(losses.iter().map(|(_, loss)| loss));
        prop_assume!(loss.infinite().is_zero() && loss.ratios() > 1);
        let largest = Rational::from_integer(80.into());
        let grid = Candidate::of_enclosures(loss.enclosures(), Epsilon::rational(largest).unwrap(), Method::Grid, k);
        let mut grid = Composition { releases: k, statement: Statement::AnyPairs, candidates: vec![grid], dominates: false };
        let mut exact = Composition { candidates: Candidate::of_losses(vec![(None, loss)], k), ..grid.clone() };
        for delta in ["1e-6", "0.001", "0.1"].map(number) {
            let (near, found) = (grid.epsilon_at(&delta).unwrap(), exact.epsilon_at(&delta).unwrap());
            prop_assert_eq!((near.method, found.method), (Method::Grid, Method::Exact));
            let (near, found) = (near.epsilon.unwrap(), found.epsilon.unwrap());
            // The exact one is rounded up as well, by at most 2^−63.
            prop_assert!(&near + number("2e-19") >= found, "{} is below {}", near, found);
            // A step a release is the theorem; near it is what the halving looks for.
            let room = (grid.candidates[0].step().to_rational() * BigInt::from(k)).max(&found * number("0.001"));
            prop_assert!(near <= &found + room + number("1e-9"), "{} is far above {}", near, found);
        }
    }

    #[test]
    fn the_trade_off_curve_is_below_every_exact_one(rows in prop::collection::vec(strategies::row(3), 2), k in 1u32..5) {
        let mechanism = values(Channel::rows(rows).unwrap(), "10");
        let mut composition = compose(&mechanism, k.into()).unwrap();
        composition.epsilon_at(&number("1e-3")).unwrap();
        let curve = composition.trade_off();
        for (_, loss) in pairs::distinct(&mechanism).unwrap() {
            for [alpha, beta] in loss.times(k).unwrap().trade_off() {
                prop_assert!(curve.beta(&alpha) <= beta);
            }
        }
    }
}

#[test]
fn the_answer_never_exceeds_the_sum_and_grows_with_releases_and_certainty() {
    let mechanism = values(channel(&[&[9, 4, 3], &[3, 9, 4], &[4, 3, 9]]), "ln(3)");
    let mut before = Rational::zero();
    for k in [1u64, 2, 5, 20, 80, 300] {
        let mut composition = compose(&mechanism, k).unwrap();
        let at =
            |composition: &mut Composition, delta| composition.epsilon_at(&number(delta)).unwrap().epsilon.unwrap();
        let [rough, fine, sure] = ["0.01", "1e-6", "0"].map(|delta| at(&mut composition, delta));
        let sum = epsilon("ln(3)").scale(&Rational::from_integer(k.into())).unwrap();
        let sum = sum.enclose(60).upper().to_rational() + number("1e-15");
        assert!(rough <= fine && fine <= sure && sure <= sum, "{k}");
        assert!(before < fine, "{k}");
        before = fine;
        // At the sum itself nothing is left, exactly.
        let limit = epsilon("ln(3)").scale(&Rational::from_integer(k.into())).unwrap();
        assert!(composition.delta_at(&limit).delta.is_zero(), "{k}");
    }
}

#[test]
fn of_profiles_the_worst_pair_is_named_and_of_values_any_pairs_are_meant() {
    let laws = vec![law(&[5, 2, 1]), law(&[3, 3, 2]), law(&[1, 2, 5])];
    let mechanism = profiles(laws.clone(), &[[0, 1], [1, 2]], "2");
    let delta = number("0.001");
    for k in [3u64, 30] {
        let mut composition = compose(&mechanism, k).unwrap();
        assert_eq!((composition.statement(), composition.releases()), (Statement::OnePair, k));
        let found = composition.epsilon_at(&delta).unwrap();
        let alone = |one: usize, other: usize| {
            let loss = PrivacyLoss::of(&laws[one], &laws[other]).unwrap();
            Candidate::of_losses(vec![(None, loss)], k)
        };
        let each = [[0u32, 1], [1, 0], [1, 2], [2, 1]].map(|pair| {
            let candidates = alone(pair[0] as usize, pair[1] as usize);
            let mut single = Composition { releases: k, statement: Statement::OnePair, candidates, dominates: false };
            (single.epsilon_at(&delta).unwrap().epsilon.unwrap(), pair)
        });
        let worst = each.iter().max().unwrap();
        assert_eq!(found.pair, Some(worst.1));
        assert_eq!(found.epsilon.as_ref(), Some(&worst.0));
    }
    // The same laws as values: any of the pairs at each release is at least as much.
    let rows = channel(&[&[5, 2, 1], &[3, 3, 2], &[1, 2, 5]]);
    let inputs = Categories::new(["a", "b", "c"]).unwrap();
    let mut builder = SecretGraph::builder(inputs.names().clone());
    builder.chain(&epsilon("2"));
    let same = Mechanism::point(inputs.clone(), inputs, builder.build().unwrap(), rows).unwrap();
    let mut any = compose(&same, 30).unwrap();
    let mut one = compose(&mechanism, 30).unwrap();
    let [any_found, one_found] = [&mut any, &mut one].map(|composition| composition.epsilon_at(&delta).unwrap());
    assert_eq!((any.statement(), any_found.pair), (Statement::AnyPairs, None));
    assert!(any_found.epsilon >= one_found.epsilon);
}

#[test]
fn symmetric_mechanisms_have_one_pair_that_stands_for_all() {
    let mut composition = compose(&values(channel(&[&[6, 1, 1], &[1, 6, 1], &[1, 1, 6]]), "ln(6)"), 4).unwrap();
    let found = composition.epsilon_at(&number("0.01")).unwrap();
    assert_eq!((found.method, found.pair), (Method::Exact, Some([0, 1])));
}

#[test]
fn a_group_too_large_is_answered_from_epsilon_alone() {
    let unit = TOTAL / 1024;
    let rows = (0..260u64)
        .map(|at| vec![(400 + at / 2) * unit, (624 - at / 2 - (at % 2)) * unit, (at % 2) * unit + unit / 2, unit / 2]);
    let rows: Vec<Vec<u64>> = rows
        .map(|mut row| {
            row[1] -= unit;
            row
        })
        .collect();
    let mechanism = values(Channel::rows(rows).unwrap(), "3");
    assert!(pairs::distinct(&mechanism).is_some());
    let large: Vec<Vec<u64>> = (0..400u64).map(|at| vec![TOTAL / 2 + at, TOTAL / 4 - at, TOTAL / 4]).collect();
    let large = values(Channel::rows(large).unwrap(), "1");
    assert!(pairs::distinct(&large).is_none());
    let mut composition = compose(&large, 10).unwrap();
    let mut alone = compose_epsilon(&epsilon("1"), 10).unwrap();
    let delta = number("1e-5");
    assert_eq!(composition.epsilon_at(&delta).unwrap(), alone.epsilon_at(&delta).unwrap());
    // By its claim, and so far above what the laws would give.
    assert!(alone.epsilon_at(&delta).unwrap().epsilon.unwrap() > number("5"));
}

#[test]
fn many_different_profiles_are_taken_together() {
    let laws: Vec<Distribution> = (0..20u64).map(|at| law(&[100 + at * at, 300 - 3 * at, 50 + 7 * at])).collect();
    let edges: Vec<[u32; 2]> = (0..20).flat_map(|a| (a + 1..20).map(move |b| [a, b])).collect();
    let mechanism = profiles(laws, &edges, "3");
    assert_eq!(pairs::distinct(&mechanism).unwrap().len(), 380);
    let found = compose(&mechanism, 5).unwrap().epsilon_at(&number("0.01")).unwrap();
    assert_eq!(found.pair, None);
}

#[test]
fn oracles_and_noise_are_no_worse_than_their_epsilon() {
    let categories = Categories::new((0..10).map(|at| format!("c{at}"))).unwrap();
    let (delta, claim) = (number("1e-6"), epsilon("1"));
    let alone = compose_epsilon(&claim, 50).unwrap().epsilon_at(&delta).unwrap().epsilon.unwrap();
    for protocol in Protocol::ALL {
        let oracle = local::oracle(protocol, categories.clone(), claim.clone()).unwrap();
        let mut composition = compose_oracle(&oracle, 50).unwrap();
        let found = composition.epsilon_at(&delta).unwrap().epsilon.unwrap();
        assert!(found <= alone && found > number("3"), "{protocol} {}", decimal(&found, 3, Direction::Up));
    }
    let noise = |exponent| Noise::for_epsilon(claim.clone(), number("1"), exponent).unwrap();
    let found = [0, -3, -20]
        .map(|exponent| compose_noise(&noise(exponent), 50).unwrap().epsilon_at(&delta).unwrap().epsilon.unwrap());
    // One step is the worst that ε allows; finer noise tells less.
    assert!(found[0] <= alone && &found[0] + number("1e-6") >= alone);
    assert!(found[1] < found[0] && found[2] < found[1] && found[2] > number("3"));
}

#[test]
fn wrong_numbers_are_refused() {
    let once = |releases| compose_epsilon(&epsilon("1"), releases).map_err(|error| error.to_string());
    assert_eq!(once(0).unwrap_err(), "0 releases, expected from 1 to 1000000000");
    assert_eq!(once(1_000_000_001).unwrap_err(), "1000000001 releases, expected from 1 to 1000000000");
    let error = once(1).unwrap().epsilon_at(&number("-1/2")).unwrap_err();
    assert_eq!(error.to_string(), "delta = -1/2, expected a number from 0 to 1");
    assert!(once(1).unwrap().curve(&[number("1.5")]).is_err());
}

// A largest and a least probability are no law, so nothing but ε is left; it covers every law within the limits.
#[test]
fn profiles_with_limits_are_answered_from_epsilon_alone() {
    let laws = |ps: [&str; 2]| ps.map(|p| Distribution::new(&[number(p), number("1") - number(p)]).unwrap()).to_vec();
    let fitted = profiles(laws(["0.5", "0.45"]), &[[0, 1]], "ln(1.5)");
    let around = |p: &str| {
        let ends = [number(p) - number("0.05"), number(p) + number("0.05")];
        Limits::new(&[ends, [number("0"), number("1")]]).unwrap()
    };
    let within = fitted.clone().within(vec![around("0.5"), around("0.45")]).unwrap();
    assert!(crate::certify::certify(within.clone()).is_ok());
    let (delta, releases) = (number("1e-6"), 40);
    let needed = |mechanism: &Mechanism| compose(mechanism, releases).unwrap().epsilon_at(&delta).unwrap();
    let found = needed(&within);
    let alone = compose_epsilon(&epsilon("ln(1.5)"), releases).unwrap().epsilon_at(&delta).unwrap();
    assert_eq!((&found.epsilon, found.method, found.pair), (&alone.epsilon, Method::EpsilonAlone, None));
    assert_eq!(compose(&within, releases).unwrap().statement(), Statement::OnePair);
    let corners = profiles(laws(["0.55", "0.4"]), &[[0, 1]], "ln(1.5)");
    assert!(needed(&fitted).epsilon < needed(&corners).epsilon && needed(&corners).epsilon < found.epsilon);
}
