use super::super::identified::MOST_COMPONENTS;
use super::*;
use crate::model::{Categories, Channel, Distribution, Names, SecretGraph};
use proptest::prelude::*;

const ONE: u64 = 1 << 53;

fn law(weights: &[u64]) -> Distribution {
    Distribution::from_weights(weights.iter().map(|&weight| weight.into()).collect()).unwrap()
}

fn names(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|at| format!("{prefix}{at}")).collect()
}

fn complete(names: Names) -> SecretGraph {
    let mut builder = SecretGraph::builder(names);
    builder.complete(&"100".parse().unwrap());
    builder.build().unwrap()
}

/// A mechanism of the kind point with these rows, in parts of their sum.
fn point(rows: &[&[u64]]) -> Mechanism {
    let categories = |prefix, count| Categories::new(names(prefix, count)).unwrap();
    let (inputs, outputs) = (categories("x", rows.len()), categories("y", rows[0].len()));
    let graph = complete(inputs.names().clone());
    Mechanism::point(inputs, outputs, graph, Channel::rows(rows.iter().map(|row| scaled(row)).collect()).unwrap())
        .unwrap()
}

/// The row with the sum 2^53; its sum must divide that.
fn scaled(row: &[u64]) -> Vec<u64> {
    let unit = ONE / row.iter().sum::<u64>();
    row.iter().map(|weight| weight * unit).collect()
}

/// Profiles that release their values unchanged.
fn unchanged(profiles: &[&[u64]]) -> Mechanism {
    let size = profiles[0].len();
    let categories = Categories::new(names("x", size)).unwrap();
    let graph = complete(Names::new("profile", names("p", profiles.len())).unwrap());
    let laws: Vec<Distribution> = profiles.iter().map(|weights| law(weights)).collect();
    let channels = vec![Channel::identity(size).unwrap()];
    Mechanism::aware(categories.clone(), categories, graph, laws, channels, vec![0; profiles.len()]).unwrap()
}

fn estimate(mechanism: &Mechanism, counts: &[u64]) -> Estimate {
    Estimator::new(mechanism).unwrap().estimate(counts, Confidence::default()).unwrap()
}

fn members(figures: &[Figure]) -> Vec<Vec<u32>> {
    figures.iter().map(|figure| figure.members.clone()).collect()
}

#[test]
fn the_survey_is_read_back_by_two_y_minus_a_half() {
    let found = estimate(&point(&[&[3, 1], &[1, 3]]), &[820, 180]);
    let yes = &found.histogram[1];
    assert!((yes.unbiased - 2.0 * (0.18 - 0.25)).abs() < 1e-12);
    assert_eq!((yes.lower, yes.cut, yes.likelihood < 1e-6), (0.0, true, true), "{yes:?}");
    // Var = y(1 − y)/n · 4 on the diagonal, the opposite beside it: shares sum to 1.
    let variance = 4.0 * 0.18 * 0.82 / 1000.0;
    for (found, expected) in found.covariance.iter().zip([variance, -variance, -variance, variance]) {
        assert!((found - expected).abs() < 1e-12);
    }
}

#[test]
fn the_variance_of_randomized_response_is_that_of_the_literature() {
    // k-RR, d = 4, E = 5 (weights 5 to 1 in parts of 8): n·Var → (d − 2 + E)/(E − 1)² for a share near 0.
    let rows: [&[u64]; 4] = [&[5, 1, 1, 1], &[1, 5, 1, 1], &[1, 1, 5, 1], &[1, 1, 1, 5]];
    let estimator = Estimator::new(&point(&rows)).unwrap();
    let prediction = estimator.predict(1_000_000, &[0.0, 0.5, 0.25, 0.25]).unwrap();
    let PredictedError { members, deviation, bias } = &prediction.histogram[0];
    assert_eq!((&members[..], *bias), (&[0][..], 0.0));
    assert!((deviation * deviation * 1e6 - 7.0 / 16.0).abs() < 1e-9, "{deviation}");
}

#[test]
fn merged_categories_are_one_figure() {
    // The second and third input have one row: nothing tells them apart, and their total is known.
    let found = estimate(&point(&[&[6, 1, 1], &[1, 6, 1], &[1, 6, 1]]), &[30, 50, 20]);
    assert_eq!(members(&found.histogram), [vec![0], vec![1], vec![2], vec![1, 2]]);
    let biases: Vec<f64> = found.histogram.iter().map(|figure| (1e6 * figure.bias).round() / 1e6).collect();
    assert_eq!(biases, [0.0, 0.5, 0.5, 0.0]);
    // Either may be all of their total, or none.
    let (one, both) = (&found.histogram[1], &found.histogram[3]);
    assert!(one.lower == 0.0 && one.upper >= both.upper.min(1.0) - 1e-9, "{one:?} {both:?}");
    let total = found.histogram[0].unbiased + both.unbiased;
    assert!((total - 1.0).abs() < 1e-12, "{total} {:?}", found.histogram);
}

#[test]
fn an_output_without_information_leaves_one_figure() {
    let found = estimate(&point(&[&[1, 1], &[1, 1]]), &[30, 50]);
    assert_eq!(members(&found.histogram), [[0], [1]]);
    for figure in &found.histogram {
        assert!((figure.bias - 0.5).abs() < 1e-9 && figure.lower == 0.0 && figure.upper == 1.0, "{figure:?}");
    }
}

#[test]
fn profiles_with_equal_laws_are_one_figure() {
    let mechanism = unchanged(&[&[1, 1, 2], &[1, 2, 1], &[2, 4, 2], &[2, 1, 1]]);
    let found = estimate(&mechanism, &[100, 120, 90]);
    assert_eq!(members(&found.mix), [vec![0], vec![1, 2], vec![3]]);
    assert_eq!(members(&found.histogram), [vec![0], vec![1], vec![2]]);
}

#[test]
fn dependent_laws_give_only_their_total() {
    // The third profile is halfway between the first two; the fourth stands alone.
    let mechanism = unchanged(&[&[4, 0, 4, 8], &[0, 4, 4, 8], &[2, 2, 4, 8], &[4, 4, 8, 0]]);
    let found = estimate(&mechanism, &[100, 120, 90, 200]);
    assert_eq!(members(&found.mix), [vec![0, 1, 2], vec![3]]);
    assert_eq!(members(&found.histogram).len(), 4);
}

#[test]
fn nearly_equal_profiles_are_wide_and_not_wrong() {
    let near = 1_000_000;
    let mechanism = unchanged(&[&[near, near], &[near + 1, near - 1], &[0, 1]]);
    let found = estimate(&mechanism, &[4_900, 5_100]);
    // Three laws on a line. What cannot be seen moves the third by a millionth of what it moves the others.
    assert_eq!(members(&found.mix), [vec![0, 1], vec![2]]);
    let two = unchanged(&[&[near, near], &[near + 1, near - 1]]);
    let found = estimate(&two, &[4_900, 5_100]);
    assert_eq!((found.mix[0].lower, found.mix[0].upper, found.mix[0].cut), (0.0, 1.0, true), "{:?}", found.mix);
}

#[test]
fn mistakes_are_refused_with_what_was_expected() {
    let estimator = Estimator::new(&point(&[&[1, 1, 0], &[1, 3, 0]])).unwrap();
    let refused = |counts: &[u64], level: f64| {
        estimator.estimate(counts, Confidence { level, simultaneous: false }).unwrap_err().to_string()
    };
    assert_eq!(refused(&[1, 2], 0.9), "counts of 2 outputs, expected 3");
    assert_eq!(refused(&[0, 0, 0], 0.9), "no reports, expected at least one");
    let never = "output number 3 was reported, which the mechanism never gives (reports of another mechanism?)";
    assert_eq!(refused(&[1, 2, 1], 0.9), never);
    for level in [0.0, 1.0, f64::NAN, 95.0] {
        assert!(refused(&[1, 2, 0], level).ends_with("expected one strictly between 0 and 1 such as 0.95"));
    }
    assert_eq!(estimator.predict(0, &[0.5, 0.5]).unwrap_err().to_string(), "0 reports, expected at least 1");
    assert_eq!(estimator.predict(9, &[1.0]).unwrap_err().to_string(), "a mix of 1, expected 2");
}

#[test]
fn very_many_profiles_have_a_histogram_and_no_mix() {
    let profiles: Vec<Vec<u64>> = (0..=MOST_COMPONENTS as u64).map(|at| vec![1 + at % 7, 1 + at % 5, 3]).collect();
    let profiles: Vec<&[u64]> = profiles.iter().map(Vec::as_slice).collect();
    let estimator = Estimator::new(&unchanged(&profiles)).unwrap();
    assert!(estimator.is_crowded());
    let found = estimator.estimate(&[5, 6, 7], Confidence::default()).unwrap();
    assert_eq!((found.histogram.len(), found.mix.len()), (3, 0));
}

/// The probability with which each interval covers the truth, over all outcomes of n reports of three outputs.
fn coverage(mechanism: &Mechanism, mix: &[f64], n: u64) -> Vec<f64> {
    let estimator = Estimator::new(mechanism).unwrap();
    let law = estimator.components.mixed(mix);
    let ln_factorial = |n: u64| (1..=n).map(|k| (k as f64).ln()).sum::<f64>();
    let mut covered = vec![0.0; mix.len()];
    for a in 0..=n {
        for b in 0..=n - a {
            let counts = [a, b, n - a - b];
            let ways = ln_factorial(n) - counts.map(ln_factorial).iter().sum::<f64>();
            let chance = counts.iter().zip(&law).map(|(&count, p)| count as f64 * p.ln()).sum::<f64>();
            let estimate = estimator.estimate(&counts, Confidence::default()).unwrap();
            for (at, figure) in estimate.histogram.iter().enumerate() {
                let covers = figure.lower <= mix[at] + 1e-9 && mix[at] <= figure.upper + 1e-9;
                covered[at] += if covers { (ways + chance).exp() } else { 0.0 };
            }
        }
    }
    covered
}

#[test]
fn few_reports_are_covered_too() {
    for (rows, mix) in [
        (point(&[&[6, 1, 1], &[1, 6, 1], &[1, 1, 6]]), [1.0, 0.0, 0.0]),
        (point(&[&[6, 1, 1], &[1, 6, 1], &[1, 1, 6]]), [0.2, 0.3, 0.5]),
        (point(&[&[126, 1, 1], &[1, 126, 1], &[1, 1, 126]]), [0.9, 0.1, 0.0]),
        (point(&[&[5, 2, 1], &[1, 4, 3], &[2, 2, 4]]), [1.0, 0.0, 0.0]),
    ] {
        for n in [1, 2, 3, 5, 10, 20, 40] {
            for covered in coverage(&rows, &mix, n) {
                assert!(covered > 0.93, "{covered} at {n} reports of {mix:?}");
            }
        }
    }
}

#[test]
fn shares_sum_to_one_also_where_they_stay_open() {
    let profiles: Vec<Vec<u64>> = (0..40u64).map(|at| vec![1 + at % 7, 1 + at % 5, 1 + at % 3, 2]).collect();
    let profiles: Vec<&[u64]> = profiles.iter().map(Vec::as_slice).collect();
    let mut mechanism = unchanged(&profiles);
    let noisy = Channel::rows(vec![scaled(&[1, 1, 1, 1]); 4]).unwrap();
    let channels = vec![Channel::identity(4).unwrap(), noisy];
    let (inputs, graph) = (mechanism.inputs().clone(), mechanism.graph().clone());
    let laws = mechanism.profiles().to_vec();
    let assignment = (0..40).map(|at| at % 2).collect();
    mechanism = Mechanism::aware(inputs.clone(), inputs, graph, laws, channels, assignment).unwrap();
    let found = estimate(&mechanism, &[400, 300, 200, 100]);
    assert!(found.histogram.iter().all(|figure| figure.bias > 0.0));
    let total: f64 = found.histogram.iter().map(|figure| figure.unbiased).sum();
    assert!((total - 1.0).abs() < 1e-9, "{total}");
}

#[test]
fn simultaneous_intervals_are_wider() {
    let estimator = Estimator::new(&point(&[&[3, 1], &[1, 3]])).unwrap();
    let width = |simultaneous| {
        let found = estimator.estimate(&[500, 500], Confidence { level: 0.9, simultaneous }).unwrap();
        found.histogram[0].upper - found.histogram[0].lower
    };
    // Bonferroni over two figures: 95 % each.
    assert!((width(true) / width(false) - 1.959_963_98 / 1.644_853_63).abs() < 5e-3, "{}", width(true) / width(false));
}

prop_compose! {
    fn weights(size: usize)(weights in prop::collection::vec(0u64..50, size)) -> Vec<u64> {
        let mut weights = weights;
        weights[0] += u64::from(weights.iter().sum::<u64>() == 0);
        weights
    }
}

proptest! {
    #[test]
    fn readings_are_right_on_average_for_every_component(
        (profiles, mix) in (2usize..5, 2usize..7).prop_flat_map(|(size, count)| {
            (prop::collection::vec(weights(size), count), prop::collection::vec(0.0f64..1.0, count))
        }),
    ) {
        let laws: Vec<&[u64]> = profiles.iter().map(Vec::as_slice).collect();
        let estimator = Estimator::new(&unchanged(&laws)).unwrap();
        let total: f64 = mix.iter().sum::<f64>() + 1e-9;
        let mix: Vec<f64> = mix.iter().map(|weight| (weight + 1e-9 / mix.len() as f64) / total).collect();
        let law = estimator.components.mixed(&mix);
        for targets in [&estimator.histogram, &estimator.mix] {
            if !targets[0].is_input {
                prop_assert_eq!(targets.iter().map(|target| target.members.len()).sum::<usize>(), laws.len());
            }
            for (target, reading) in targets.iter().zip(estimator.least_noisy(targets, &estimator.smoothed(&law, 100))) {
                for component in 0..laws.len() {
                    let read = dot(&reading, estimator.components.law(component));
                    let share = target.share(&estimator.components, component);
                    let [least, most] = target.bias;
                    prop_assert!(least - 1e-5 < read - share && read - share < most + 1e-5, "{} {}", read, share);
                    prop_assert!(target.is_input && target.members.len() == 1 || (least, most) == (0.0, 0.0));
                }
                let before = |c: &[f64]| c.iter().zip(&estimator.smoothed(&law, 100)).map(|(c, p)| c * c * p).sum::<f64>();
                prop_assert!(before(&reading) <= before(&target.reading) * (1.0 + 1e-9) + 1e-12);
            }
        }
    }

    #[test]
    fn no_mix_is_more_likely(
        (profiles, counts, others) in (2usize..5, 2usize..7).prop_flat_map(|(size, count)| (
            prop::collection::vec(weights(size), count),
            prop::collection::vec(0u64..1000, size),
            prop::collection::vec(prop::collection::vec(0.0f64..1.0, count), 8),
        )),
    ) {
        let laws: Vec<&[u64]> = profiles.iter().map(Vec::as_slice).collect();
        let mechanism = unchanged(&laws);
        let components = Components::of(&mechanism).unwrap();
        let possible = |y: usize| components.laws().any(|law| law[y] > 0.0);
        let counts: Vec<f64> = (0..counts.len()).map(|y| if possible(y) { counts[y] as f64 } else { 0.0 }).collect();
        let total: f64 = counts.iter().sum();
        prop_assume!(total > 0.0);
        let shares: Vec<f64> = counts.iter().map(|count| count / total).collect();
        let value = |mix: &[f64]| {
            let law = components.mixed(mix);
            shares.iter().zip(law).filter(|(share, _)| **share > 0.0).map(|(share, p)| share * p.ln()).sum::<f64>()
        };
        let likely = most_likely_mix(&components, &shares);
        prop_assert!((likely.iter().sum::<f64>() - 1.0).abs() < 1e-12 && likely.iter().all(|w| *w >= 0.0));
        // The proof that none is better: no component alone pulls up the likelihood.
        let law = components.mixed(&likely);
        for q in components.laws() {
            let pull: f64 = shares.iter().zip(q.iter().zip(&law)).filter(|(f, _)| **f > 0.0).map(|(f, (q, p))| f * q / p).sum();
            prop_assert!(pull <= 1.0 + 1e-9, "{}", pull);
        }
        for other in others {
            let sum: f64 = other.iter().sum::<f64>() + 1e-12;
            let other: Vec<f64> = other.iter().map(|w| w / sum).collect();
            prop_assert!(value(&other) <= value(&likely) + 1e-10);
        }
    }
}
