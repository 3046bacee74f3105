//! Reports read back within limits of the profiles.

use super::tests::{complete, coverage, law, names, scaled};
use super::*;
use crate::exact::Rational;
use crate::model::{Categories, Channel, Distribution, Limits, Names};

/// Two profiles over three values with channels of their own, and limits around them, in eighths.
fn mechanism(limits: [[[i64; 2]; 3]; 2]) -> Mechanism {
    let noisy = |rows: &[&[u64]]| Channel::rows(rows.iter().map(|row| scaled(row)).collect()).unwrap();
    let channels = vec![noisy(&[&[6, 1, 1], &[1, 6, 1], &[1, 1, 6]]), noisy(&[&[10, 3, 3], &[0, 15, 1], &[1, 1, 14]])];
    let categories = Categories::new(names("x", 3)).unwrap();
    let graph = complete(Names::new("profile", names("p", 2)).unwrap());
    let laws = vec![law(&[2, 2, 4]), law(&[4, 2, 2])];
    Mechanism::aware(categories.clone(), categories, graph, laws, channels, vec![0, 1])
        .unwrap()
        .within(limits.map(|limits| of_eighths(&limits)).to_vec())
        .unwrap()
}

fn of_eighths(limits: &[[i64; 2]]) -> Limits {
    let fraction = |ends: &[i64; 2]| ends.map(|end| Rational::new(end.into(), 8.into()));
    Limits::new(&limits.iter().map(fraction).collect::<Vec<_>>()).unwrap()
}

const SOME: [[[i64; 2]; 3]; 2] = [[[1, 3], [1, 3], [3, 5]], [[3, 5], [2, 3], [1, 3]]];
const ALL: [[[i64; 2]; 3]; 2] = [[[0, 8]; 3]; 2];

/// The output law where profiles are this frequent and have these laws, in eighths, and the shares of the values.
fn truth(mechanism: &Mechanism, shares: [f64; 2], laws: [[u64; 3]; 2]) -> (Vec<f64>, Vec<f64>) {
    let (mut outputs, mut values) = (vec![0.0; 3], vec![0.0; 3]);
    for (profile, (share, weights)) in shares.iter().zip(laws).enumerate() {
        let channel = mechanism.channel(profile as u32);
        for (x, weight) in weights.iter().enumerate() {
            let p = share * *weight as f64 / 8.0;
            values[x] += p;
            (0..3).for_each(|y| outputs[y] += p * channel.weight(x, y) as f64 / channel.scale() as f64);
        }
    }
    (outputs, values)
}

/// Exactly, for laws at corners of the limits and inside, few reports and more.
#[test]
fn laws_within_limits_are_covered_and_others_need_not_be() {
    let mechanism = mechanism(SOME);
    let estimator = Estimator::new(&mechanism, Trust::Limits).unwrap();
    let corners = [[[3, 1, 4], [5, 2, 1]], [[1, 2, 5], [3, 2, 3]], [[1, 3, 4], [4, 3, 1]], [[2, 2, 4], [4, 2, 2]]];
    for laws in corners {
        for shares in [[1.0, 0.0], [0.25, 0.75], [0.5, 0.5]] {
            let (outputs, values) = truth(&mechanism, shares, laws);
            for n in [1, 4, 9] {
                let (each, _) = coverage(&estimator, &vec![&outputs[..]; n], &values, Confidence::default());
                assert!(each.iter().all(|covered| *covered >= 0.95 - 1e-9), "{laws:?} {shares:?} {n}: {each:?}");
                let together = Confidence { level: 0.9, simultaneous: true };
                let (_, all) = coverage(&estimator, &vec![&outputs[..]; n], &values, together);
                assert!(all >= 0.9 - 1e-9, "{laws:?} {shares:?} {n}: {all}");
            }
        }
    }
    // Everybody has the first value, which no law within the limits allows.
    let (outputs, values) = truth(&mechanism, [1.0, 0.0], [[8, 0, 0], [8, 0, 0]]);
    let (each, _) = coverage(&estimator, &vec![&outputs[..]; 15], &values, Confidence::default());
    assert_eq!(each[0], 0.0);
}

fn widths(estimator: &Estimator, reports: u64, mix: Option<&[f64]>, together: bool) -> Vec<f64> {
    let confidence = Confidence { simultaneous: together, ..Confidence::default() };
    let found = estimator.predict(reports, mix, confidence).unwrap();
    found.histogram.iter().filter(|interval| interval.members.len() == 1).map(|interval| interval.width).collect()
}

#[test]
fn intervals_are_between_those_that_trust_the_profiles_and_those_that_trust_nothing() {
    let some = mechanism(SOME);
    let profiles = Estimator::new(&some, Trust::Profiles).unwrap();
    let limits = Estimator::new(&some, Trust::Limits).unwrap();
    let nothing = Estimator::new(&some, Trust::Nothing).unwrap();
    let mut gained = 0;
    for together in [false, true] {
        for reports in [20, 500, 5_000, 100_000] {
            let [least, within, most] =
                [&profiles, &limits, &nothing].map(|estimator| widths(estimator, reports, None, together));
            for ((least, within), most) in least.iter().zip(&within).zip(&most) {
                assert!(*least <= within * 1.02 + 1e-6, "{reports}: {least} {within}");
                assert!(*within <= most * 1.02 + 1e-6, "{reports}: {within} {most}");
                gained += usize::from(*within < 0.9 * most);
            }
        }
    }
    assert!(gained >= 12, "limits are of use: {gained} of 24");
}

#[test]
fn limits_that_one_law_meets_are_profiles() {
    let some = mechanism(SOME);
    let points: Vec<Limits> = some.profiles().iter().map(Limits::of_law).collect();
    let components = Components::limits(&some, &points).unwrap();
    let limits = Estimator::from_components(&some, Trust::Limits, components);
    let profiles = Estimator::new(&some, Trust::Profiles).unwrap();
    let (outputs, _) = truth(&some, [0.5, 0.5], [[2, 2, 4], [4, 2, 2]]);
    let of = |reports: f64| outputs.iter().map(|p| (p * reports).round() as u64).collect::<Vec<_>>();
    for counts in [vec![3, 4, 5], of(1_000.0), of(100_000.0)] {
        for simultaneous in [false, true] {
            let confidence = Confidence { simultaneous, ..Confidence::default() };
            let [one, other] = [&limits, &profiles]
                .map(|estimator| estimator.estimate(&Reported::new(counts.clone()), confidence).unwrap());
            assert_eq!((one.histogram.len(), one.mix.len()), (other.histogram.len(), other.mix.len()));
            for (one, other) in one.histogram.iter().chain(&one.mix).zip(other.histogram.iter().chain(&other.mix)) {
                for [one, other] in [[one.lower, other.lower], [one.upper, other.upper], [one.share, other.share]] {
                    assert!((one - other).abs() < 1e-4, "{counts:?}: {one} {other}");
                }
            }
            assert_eq!(one.misfit.is_some(), other.misfit.is_some());
        }
    }
}

#[test]
fn limits_that_all_laws_meet_are_nothing() {
    let all = mechanism(ALL);
    let limits = Estimator::new(&all, Trust::Limits).unwrap();
    let nothing = Estimator::new(&all, Trust::Nothing).unwrap();
    for counts in [[3, 4, 5], [300, 250, 450], [20_000, 30_000, 50_000]] {
        let [one, other] = [&limits, &nothing]
            .map(|estimator| estimator.estimate(&Reported::new(counts.to_vec()), Confidence::default()).unwrap());
        for (one, other) in one.histogram.iter().zip(&other.histogram) {
            assert_eq!(one.members, other.members);
            // From some hundreds of reports on draws from one law have a smaller error of Berry and Esseen than fixed respondents.
            let (width, most) = (one.width(), other.width());
            assert!(width <= most + 1e-3 && width >= 0.9 * most, "{counts:?}: {width} {most}");
        }
    }
}

/// A mix of corners is in the model, however the reports come out in proportion to it; a law outside is not.
#[test]
fn only_reports_that_no_law_within_the_limits_explains_are_a_misfit() {
    let some = mechanism(SOME);
    let estimator = Estimator::new(&some, Trust::Limits).unwrap();
    let misfit = |laws| {
        let (outputs, _) = truth(&some, [0.25, 0.75], laws);
        let counts: Vec<u64> = outputs.iter().map(|p| (100_000.0 * p).round() as u64).collect();
        estimator.estimate(&Reported::new(counts), Confidence::default()).unwrap().misfit
    };
    for laws in [[[3, 1, 4], [5, 2, 1]], [[1, 2, 5], [3, 2, 3]], [[1, 3, 4], [4, 3, 1]]] {
        assert_eq!(misfit(laws), None, "{laws:?}");
    }
    assert!(misfit([[0, 0, 8], [0, 0, 8]]).is_some());
    // With the profiles trusted, corners are a misfit as well.
    let profiles = Estimator::new(&some, Trust::Profiles).unwrap();
    let (outputs, _) = truth(&some, [0.25, 0.75], [[1, 2, 5], [3, 2, 3]]);
    let counts = outputs.iter().map(|p| (100_000.0 * p).round() as u64).collect();
    assert!(profiles.estimate(&Reported::new(counts), Confidence::default()).unwrap().misfit.is_some());
}

/// Four reports are about respondents and eight stand in for others.
#[test]
fn stand_ins_are_taken_out_within_limits_too() {
    let some = mechanism(SOME);
    let estimator = Estimator::new(&some, Trust::Limits).unwrap();
    let (outputs, values) = truth(&some, [0.5, 0.5], [[1, 2, 5], [5, 2, 1]]);
    let many = Reported::new(outputs.iter().map(|p| (80_000.0 * p + 40_000.0).round() as u64).collect());
    let found = estimator.estimate(&many.with_stand_ins(120_000).unwrap(), Confidence::default()).unwrap();
    for (figure, truth) in found.histogram.iter().zip(&values) {
        assert!(figure.lower <= *truth && *truth <= figure.upper && figure.width() < 0.3, "{figure:?} {truth}");
    }
    assert_eq!(found.misfit, None);
}

#[test]
fn limits_that_are_not_there_are_not_trusted() {
    let some = mechanism(SOME);
    let laws: Vec<Distribution> = some.profiles().to_vec();
    let (inputs, graph) = (some.inputs().clone(), some.graph().clone());
    let without = Mechanism::shared(inputs.clone(), inputs, graph, laws, Channel::identity(3).unwrap()).unwrap();
    let error = Estimator::new(&without, Trust::Limits).err().unwrap().to_string();
    assert_eq!(error, "trust in limits, but the profiles of this mechanism have none");
    assert_eq!([&some, &without].map(|mechanism| Trust::usual(mechanism, false)), [Trust::Limits, Trust::Nothing]);
    assert_eq!(Trust::usual(&some, true), Trust::Nothing);
    let error = Estimator::new(&some, Trust::Limits).unwrap().predict(9, Some(&[1.0]), Confidence::default());
    assert_eq!(error.err().unwrap().to_string(), "a mix of 1, expected 2");
}
