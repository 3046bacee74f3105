use super::super::identified::MOST_COMPONENTS;
use super::super::joint::Joint;
use super::super::likelihood::most_likely_mix;
use super::super::majorant::{Purpose, majorant};
use super::*;
use crate::model::{Categories, Channel, Distribution, Names, SecretGraph};
use proptest::prelude::*;

pub(super) const ONE: u64 = 1 << 53;

pub(super) fn law(weights: &[u64]) -> Distribution {
    Distribution::from_weights(weights.iter().map(|&weight| weight.into()).collect()).unwrap()
}

pub(super) fn names(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|at| format!("{prefix}{at}")).collect()
}

pub(super) fn complete(names: Names) -> SecretGraph {
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
pub(super) fn scaled(row: &[u64]) -> Vec<u64> {
    let unit = ONE / row.iter().sum::<u64>();
    row.iter().map(|weight| weight * unit).collect()
}

/// Profiles that release their values unchanged.
pub(super) fn unchanged(profiles: &[&[u64]]) -> Mechanism {
    let size = profiles[0].len();
    let categories = Categories::new(names("x", size)).unwrap();
    let graph = complete(Names::new("profile", names("p", profiles.len())).unwrap());
    let laws: Vec<Distribution> = profiles.iter().map(|weights| law(weights)).collect();
    let channels = vec![Channel::identity(size).unwrap()];
    Mechanism::aware(categories.clone(), categories, graph, laws, channels, vec![0; profiles.len()]).unwrap()
}

fn estimate(mechanism: &Mechanism, trust: Trust, counts: &[u64]) -> Estimate {
    let estimator = Estimator::new(mechanism, trust).unwrap();
    estimator.estimate(&Reported::new(counts.to_vec()), Confidence::default()).unwrap()
}

fn members(figures: &[Figure]) -> Vec<Vec<u32>> {
    figures.iter().map(|figure| figure.members.clone()).collect()
}

#[test]
fn the_survey_is_read_back_by_two_y_minus_a_half() {
    let found = estimate(&point(&[&[3, 1], &[1, 3]]), Trust::Nothing, &[820, 180]);
    let yes = &found.histogram[1];
    assert!((yes.unbiased.unwrap() - 2.0 * (0.18 - 0.25)).abs() < 1e-12);
    assert_eq!((yes.lower, yes.share < 1e-6, yes.counted), (0.0, true, None), "{yes:?}");
    // Var = y(1 − y)/n · 4 on the diagonal, the opposite beside it: shares sum to 1.
    let variance = 4.0 * 0.18 * 0.82 / 1000.0;
    for (found, expected) in found.covariance.iter().zip([variance, -variance, -variance, variance]) {
        assert!((found - expected).abs() < 1e-12);
    }
    // 180 are 70 fewer than can be expected of no yes at all: 5 deviations.
    let misfit = found.misfit.unwrap();
    let expected = if misfit.output == 1 { 0.25 } else { 0.75 };
    assert!((misfit.fitted - expected).abs() < 1e-6, "{misfit:?}");
}

#[test]
fn merged_categories_are_one_figure() {
    // The second and third input have one row: nothing tells them apart, and their total is known.
    let found = estimate(&point(&[&[6, 1, 1], &[1, 6, 1], &[1, 6, 1]]), Trust::Nothing, &[30, 50, 20]);
    assert_eq!(members(&found.histogram), [vec![0], vec![1], vec![2], vec![1, 2]]);
    let known: Vec<bool> = found.histogram.iter().map(|figure| figure.unbiased.is_some()).collect();
    assert_eq!(known, [true, false, false, true]);
    // Either may be all of their total, or none.
    let (one, both) = (&found.histogram[1], &found.histogram[3]);
    assert!(one.lower == 0.0 && (one.upper - both.upper).abs() < 0.02, "{one:?} {both:?}");
    let total = found.histogram[0].unbiased.unwrap() + both.unbiased.unwrap();
    assert!((total - 1.0).abs() < 1e-12, "{total} {:?}", found.histogram);
}

#[test]
fn an_output_without_information_leaves_everything_open() {
    let found = estimate(&point(&[&[1, 1], &[1, 1]]), Trust::Nothing, &[30, 50]);
    assert_eq!(members(&found.histogram), [[0], [1]]);
    for figure in &found.histogram {
        assert!(figure.unbiased.is_none() && figure.lower == 0.0 && figure.upper == 1.0, "{figure:?}");
    }
}

#[test]
fn profiles_with_equal_laws_are_one_figure() {
    let mechanism = unchanged(&[&[1, 1, 2], &[1, 2, 1], &[2, 4, 2], &[2, 1, 1]]);
    let found = estimate(&mechanism, Trust::Profiles, &[100, 120, 90]);
    assert_eq!(members(&found.mix), [vec![0], vec![1, 2], vec![3]]);
    assert_eq!(members(&found.histogram), [vec![0], vec![1], vec![2]]);
    assert_eq!(members(&estimate(&mechanism, Trust::Nothing, &[100, 120, 90]).mix), [] as [Vec<u32>; 0]);
}

#[test]
fn dependent_laws_give_only_their_total() {
    // The third profile is halfway between the first two; the fourth stands alone.
    let mechanism = unchanged(&[&[4, 0, 4, 8], &[0, 4, 4, 8], &[2, 2, 4, 8], &[4, 4, 8, 0]]);
    let found = estimate(&mechanism, Trust::Profiles, &[100, 120, 90, 200]);
    assert_eq!(members(&found.mix), [vec![0, 1, 2], vec![3]]);
    assert_eq!(members(&found.histogram).len(), 4);
}

#[test]
fn nearly_equal_profiles_are_wide_and_not_wrong() {
    let near = 1_000_000;
    let two = unchanged(&[&[near, near], &[near + 1, near - 1]]);
    let found = estimate(&two, Trust::Profiles, &[4_900, 5_100]);
    assert!(found.mix[0].lower < 1e-6 && found.mix[0].upper > 1.0 - 1e-6, "{:?}", found.mix);
}

#[test]
fn what_was_released_unchanged_is_counted() {
    let mechanism = unchanged(&[&[1, 1, 2], &[1, 2, 1]]);
    let found = estimate(&mechanism, Trust::Nothing, &[1_000, 1_200, 900]);
    for (figure, share) in found.histogram.iter().zip([1_000.0 / 3_100.0, 1_200.0 / 3_100.0, 900.0 / 3_100.0]) {
        assert_eq!(figure.counted, Some(share));
        assert!((figure.share - share).abs() < 1e-6, "{figure:?}");
    }
    // Profiles with as many of the second as of the first do not explain three times as many of the first.
    let found = estimate(&unchanged(&[&[1, 1, 2], &[1, 1, 1]]), Trust::Profiles, &[1_500, 500, 2_000]);
    let misfit = found.misfit.unwrap();
    assert_eq!((misfit.output, misfit.reported), (1, 0.125), "{misfit:?}");
    let nothing = estimate(&unchanged(&[&[1, 1, 2], &[1, 1, 1]]), Trust::Nothing, &[1_500, 500, 2_000]);
    assert_eq!(nothing.misfit, None);
}

#[test]
fn mistakes_are_refused_with_what_was_expected() {
    let estimator = Estimator::new(&point(&[&[1, 1, 0], &[1, 3, 0]]), Trust::Nothing).unwrap();
    let refused = |counts: &[u64], level: f64| {
        let reported = Reported::new(counts.to_vec());
        estimator.estimate(&reported, Confidence { level, simultaneous: false }).unwrap_err().to_string()
    };
    assert_eq!(refused(&[1, 2], 0.9), "counts of 2 outputs, expected 3");
    assert_eq!(refused(&[0, 0, 0], 0.9), "no reports, expected at least one");
    let never = "output number 3 was reported, which the mechanism never gives (reports of another mechanism?)";
    assert_eq!(refused(&[1, 2, 1], 0.9), never);
    for level in [0.0, 1.0, f64::NAN, 95.0] {
        assert!(refused(&[1, 2, 0], level).ends_with("expected one strictly between 0 and 1 such as 0.95"));
    }
    let predicted =
        |reports, mix: &[f64]| estimator.predict(reports, Some(mix), Confidence::default()).unwrap_err().to_string();
    assert_eq!(predicted(0, &[0.5, 0.5]), "0 reports, expected at least 1");
    assert_eq!(predicted(9, &[1.0]), "a mix of 1, expected 2");
    let error = Estimator::new(&point(&[&[1, 1], &[1, 1]]), Trust::Profiles).err().unwrap().to_string();
    assert_eq!(error, "trust in profiles, but the secrets of this mechanism are values: it has no profiles");
}

#[test]
fn very_many_profiles_have_a_histogram_and_no_mix() {
    let profiles: Vec<Vec<u64>> = (0..=MOST_COMPONENTS as u64).map(|at| vec![1 + at % 7, 1 + at % 5, 3]).collect();
    let profiles: Vec<&[u64]> = profiles.iter().map(Vec::as_slice).collect();
    let estimator = Estimator::new(&unchanged(&profiles), Trust::Profiles).unwrap();
    assert!(estimator.is_crowded());
    let found = estimator.estimate(&Reported::new(vec![5, 6, 7]), Confidence::default()).unwrap();
    assert_eq!((found.histogram.len(), found.mix.len()), (3, 0));
}

/// The law of the counts of three outputs when respondents have these laws: by the counts of the first two.
fn law_of_counts(respondents: &[&[f64]]) -> Vec<([u64; 3], f64)> {
    let mut laws = std::collections::BTreeMap::from([([0u64; 3], 1.0)]);
    for law in respondents {
        let mut next = std::collections::BTreeMap::new();
        for (counts, weight) in laws {
            for (y, p) in law.iter().enumerate() {
                let mut counts = counts;
                counts[y] += 1;
                *next.entry(counts).or_insert(0.0) += weight * p;
            }
        }
        laws = next;
    }
    laws.into_iter().collect()
}

/// The probability with which the interval of each category covers its truth.
pub(super) fn coverage(
    estimator: &Estimator,
    respondents: &[&[f64]],
    truth: &[f64],
    confidence: Confidence,
) -> (Vec<f64>, f64) {
    let (mut each, mut all) = (vec![0.0; truth.len()], 0.0);
    for (counts, weight) in law_of_counts(respondents) {
        if weight == 0.0 {
            continue;
        }
        let found = estimator.estimate(&Reported::new(counts.to_vec()), confidence).unwrap();
        let covers = |(figure, truth): (&Figure, &f64)| figure.lower <= truth + 1e-9 && truth - 1e-9 <= figure.upper;
        let covered: Vec<bool> = found.histogram.iter().zip(truth).map(covers).collect();
        for figure in &found.histogram {
            assert!(figure.lower <= figure.share && figure.share <= figure.upper, "{figure:?}");
            assert!(0.0 <= figure.lower && figure.upper <= 1.0, "{figure:?}");
        }
        covered.iter().zip(&mut each).for_each(|(&covers, sum)| *sum += if covers { weight } else { 0.0 });
        all += if covered.iter().all(|&covers| covers) { weight } else { 0.0 };
    }
    (each, all)
}

#[test]
fn few_reports_are_covered_exactly_as_promised() {
    let sharp: [&[u64]; 3] = [&[126, 1, 1], &[1, 126, 1], &[1, 1, 126]];
    for rows in [
        [&[6u64, 1, 1] as &[u64], &[1, 6, 1], &[1, 1, 6]],
        sharp,
        [&[5, 2, 1], &[1, 4, 3], &[2, 2, 4]],
        // GM at α = 0.9 for a group of two: nearly all is noise.
        [&[542, 48, 434], &[500, 24, 500], &[434, 48, 542]],
    ] {
        let estimator = Estimator::new(&point(&rows), Trust::Nothing).unwrap();
        let laws: Vec<Vec<f64>> = estimator.components.laws().map(<[f64]>::to_vec).collect();
        for n in [1usize, 2, 3, 6, 11, 16] {
            for shares in [[1.0, 0.0, 0.0], [0.0, 0.5, 0.5], [0.25, 0.25, 0.5]] {
                // Those who reported, and draws from a population.
                let fixed: Vec<usize> =
                    [0, 1, 2].iter().flat_map(|&x| vec![x; (shares[x] * n as f64).round() as usize]).collect();
                let truth: Vec<f64> =
                    (0..3).map(|x| fixed.iter().filter(|&&at| at == x).count() as f64 / fixed.len() as f64).collect();
                let respondents: Vec<&[f64]> = fixed.iter().map(|&x| &laws[x][..]).collect();
                let mixed = estimator.components.mixed(&shares);
                for (respondents, truth) in [(respondents, truth), (vec![&mixed[..]; n], shares.to_vec())] {
                    let (each, _) = coverage(&estimator, &respondents, &truth, Confidence::default());
                    assert!(each.iter().all(|covered| *covered >= 0.95 - 1e-9), "{rows:?} {n} {shares:?}: {each:?}");
                    let together = Confidence { level: 0.9, simultaneous: true };
                    let (_, all) = coverage(&estimator, &respondents, &truth, together);
                    assert!(all >= 0.9 - 1e-9, "{rows:?} {n} {shares:?}: {all}");
                }
            }
        }
    }
}

#[test]
fn profiles_need_not_be_right_unless_they_are_trusted() {
    let noisy = |rows: &[&[u64]]| Channel::rows(rows.iter().map(|row| scaled(row)).collect()).unwrap();
    let channels = vec![noisy(&[&[6, 1, 1], &[1, 6, 1], &[1, 1, 6]]), noisy(&[&[10, 3, 3], &[0, 15, 1], &[1, 1, 14]])];
    let categories = Categories::new(names("x", 3)).unwrap();
    let graph = complete(Names::new("profile", names("p", 2)).unwrap());
    let laws = vec![law(&[1, 1, 2]), law(&[2, 1, 1])];
    let mechanism = Mechanism::aware(categories.clone(), categories, graph, laws, channels, vec![0, 1]).unwrap();
    let nothing = Estimator::new(&mechanism, Trust::Nothing).unwrap();
    let profiles = Estimator::new(&mechanism, Trust::Profiles).unwrap();
    // All are of the second profile and have the second value, which no mix of the profiles has.
    let row: Vec<f64> = nothing.components.law(4).to_vec();
    for n in [4, 12, 16] {
        let (each, _) = coverage(&nothing, &vec![&row[..]; n], &[0.0, 1.0, 0.0], Confidence::default());
        assert!(each.iter().all(|covered| *covered >= 0.95), "{each:?}");
    }
    let (each, _) = coverage(&profiles, &[&row[..]; 16], &[0.0, 1.0, 0.0], Confidence::default());
    assert_eq!(each[1], 0.0);
    // And what comes from the profiles is covered where they are trusted.
    let mixed = profiles.components.mixed(&[0.3, 0.7]);
    let truth = [0.3 * 0.25 + 0.7 * 0.5, 0.25, 0.3 * 0.5 + 0.7 * 0.25];
    for n in [1, 5, 16] {
        let (each, _) = coverage(&profiles, &vec![&mixed[..]; n], &truth, Confidence::default());
        assert!(each.iter().all(|covered| *covered >= 0.95), "{each:?}");
    }
}

#[test]
fn stand_ins_are_taken_out() {
    let mechanism = point(&[&[6, 1, 1], &[1, 6, 1], &[1, 1, 6]]);
    let estimator = Estimator::new(&mechanism, Trust::Nothing).unwrap();
    // 8,000 reports of the first category, and 12,000 drawn evenly.
    let reported = Reported::new(vec![6_000 + 4_000, 1_000 + 4_000, 1_000 + 4_000]).with_stand_ins(12_000).unwrap();
    let found = estimator.estimate(&reported, Confidence::default()).unwrap();
    let first = &found.histogram[0];
    assert!((first.unbiased.unwrap() - 1.0).abs() < 1e-9 && first.lower > 0.9 && first.upper == 1.0, "{first:?}");
    assert_eq!((found.reports, found.stand_ins), (8_000, 12_000));
    let ignored = estimator.estimate(&Reported::new(reported.counts().to_vec()), Confidence::default()).unwrap();
    assert!(ignored.histogram[0].upper < 0.7, "{:?}", ignored.histogram[0]);
    // Exactly: 4 respondents with the second category, 8 stand-ins.
    let row: Vec<f64> = estimator.components.law(1).to_vec();
    let even = [1.0 / 3.0; 3];
    let respondents: Vec<&[f64]> = [vec![&row[..]; 4], vec![&even[..]; 8]].concat();
    let mut covered = [0.0; 3];
    for (counts, weight) in law_of_counts(&respondents) {
        let reported = Reported::new(counts.to_vec()).with_stand_ins(8).unwrap();
        let found = estimator.estimate(&reported, Confidence::default()).unwrap();
        for ((figure, truth), sum) in found.histogram.iter().zip([0.0, 1.0, 0.0]).zip(&mut covered) {
            *sum += if figure.lower <= truth && truth <= figure.upper { weight } else { 0.0 };
        }
    }
    assert!(covered.iter().all(|covered| *covered >= 0.95 - 1e-9), "{covered:?}");
}

#[test]
fn predictions_are_the_intervals_of_reports_as_expected() {
    let mechanism = point(&[&[5, 2, 1], &[1, 4, 3], &[2, 2, 4]]);
    let estimator = Estimator::new(&mechanism, Trust::Nothing).unwrap();
    let mix = [0.5, 0.25, 0.25];
    let predicted = estimator.predict(8_000, Some(&mix), Confidence::default()).unwrap();
    // Laws in eighths of 8,000 and quarters of those: whole numbers.
    let counts = estimator.components.mixed(&mix).iter().map(|p| (8_000.0 * p).round() as u64).collect();
    let found = estimator.estimate(&Reported::new(counts), Confidence::default()).unwrap();
    for ((interval, figure), share) in predicted.histogram.iter().zip(&found.histogram).zip(mix) {
        assert_eq!((interval.width, interval.share), (figure.width(), share));
        assert!((figure.share - share).abs() < 1e-6);
    }
    assert!(predicted.widest() >= predicted.root_mean_square());
}

#[test]
fn intervals_narrow_with_the_reports_as_the_normal_law_does() {
    // Two values: Clopper and Pearson. More: Bentkus, 1.24 times as wide; trusted profiles: Berry and Esseen.
    let two = Estimator::new(&point(&[&[6, 1, 1], &[1, 6, 1], &[1, 1, 6]]), Trust::Nothing).unwrap();
    let many = Estimator::new(&point(&[&[5, 2, 1], &[1, 4, 3], &[2, 2, 4]]), Trust::Nothing).unwrap();
    let alike = Estimator::new(&unchanged(&[&[5, 2, 1], &[1, 4, 3], &[2, 2, 4]]), Trust::Profiles).unwrap();
    for (estimator, at_most) in [(&two, 1.01), (&many, 1.27), (&alike, 1.03)] {
        let n = 1_000_000;
        let predicted = estimator.predict(n, Some(&[0.3, 0.3, 0.4]), Confidence::default()).unwrap();
        let law = estimator.components.mixed(&[0.3, 0.3, 0.4]);
        for (target, interval) in estimator.targets.iter().zip(&predicted.histogram) {
            let reading = target.reading(&estimator.components).unwrap();
            let mean = dot(&reading, &law);
            let variance: f64 = reading.iter().zip(&law).map(|(g, p)| p * (g - mean) * (g - mean)).sum();
            let normal = 2.0 * 1.96 * (variance / n as f64).sqrt();
            let ratio = interval.width / normal;
            assert!(0.98 < ratio && ratio < at_most, "{ratio}");
        }
    }
}

/// Readings with a bias are for few reports: kept for many they made intervals of profile shares three times as wide.
#[test]
fn profile_shares_narrow_with_the_reports_whatever_the_mix() {
    let estimator =
        Estimator::new(&unchanged(&[&[2, 3, 4, 1], &[3, 3, 3, 1], &[4, 4, 1, 1]]), Trust::Profiles).unwrap();
    let shares = &estimator.targets[estimator.histogram..];
    for mix in [[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.9, 0.05, 0.05]] {
        for n in [10_000u64, 30_000] {
            let law = estimator.components.mixed(&mix);
            let counts = law.iter().map(|p| (n as f64 * p).round() as u64).collect();
            let found = estimator.estimate(&Reported::new(counts), Confidence::default()).unwrap();
            for (target, figure) in shares.iter().zip(&found.mix) {
                let reading = target.reading(&estimator.components).unwrap();
                let mean = dot(&reading, &law);
                let variance: f64 = reading.iter().zip(&law).map(|(g, p)| p * (g - mean) * (g - mean)).sum();
                let normal = 2.0 * 1.96 * (variance / n as f64).sqrt();
                assert!(
                    figure.width() <= 1.2 * normal,
                    "{mix:?} {n} {:?}: {} {normal}",
                    target.members,
                    figure.width()
                );
            }
        }
    }
}

/// Limits of the outputs hold for all shares at once, and for respondents of whom nothing is assumed.
#[test]
fn joint_intervals_are_covered_together() {
    let mechanism = point(&[&[5, 2, 1], &[1, 4, 3], &[2, 2, 4]]);
    let estimator = Estimator::new(&mechanism, Trust::Nothing).unwrap();
    let components = &estimator.components;
    let joint = Joint::new(components, estimator.targets.iter().map(|target| target.shares(components))).unwrap();
    let laws: Vec<&[f64]> = components.laws().collect();
    for respondents in [vec![laws[1]; 14], [vec![laws[0]; 5], vec![laws[2]; 9]].concat(), vec![laws[0]; 2]] {
        let count = |law: &[f64]| respondents.iter().filter(|of| **of == law).count() as f64 / respondents.len() as f64;
        let truth: Vec<f64> = laws.iter().map(|law| count(law)).collect();
        let covered = |counts: &[u64; 3]| {
            let found = joint.intervals(components, counts, 0.1);
            found.iter().zip(&truth).all(|([lower, upper], truth)| (*lower..=*upper).contains(truth))
        };
        let laws = law_of_counts(&respondents);
        let all: f64 = laws.iter().map(|(counts, weight)| if covered(counts) { *weight } else { 0.0 }).sum();
        assert!(all >= 0.9 - 1e-9, "{all}");
    }
    // By hand: 5/8, 1/8 and 2/8 of the first output, of which at most U is possible; x0 has at most (U − 1/8)·2 then.
    let [[_, upper], ..] = joint.intervals(components, &[500, 250, 250], 0.06)[..] else { panic!("three shares") };
    let most = crate::estimate::upper_limit(500, 1_000, 0.01);
    assert!(upper <= 2.0 * (most - 0.125) + 1e-6, "{upper} {most}");
}

/// Together, shares of several channels are read off limits of the outputs: with one reading each they are wider.
#[test]
fn intervals_together_are_joint_where_that_is_narrower() {
    let noisy = |rows: &[&[u64]]| Channel::rows(rows.iter().map(|row| scaled(row)).collect()).unwrap();
    let channels =
        vec![noisy(&[&[62, 1, 1], &[1, 62, 1], &[2, 2, 60]]), noisy(&[&[61, 3, 0], &[0, 63, 1], &[1, 1, 62]])];
    let categories = Categories::new(names("x", 3)).unwrap();
    let graph = complete(Names::new("profile", names("p", 2)).unwrap());
    let laws = vec![law(&[1, 1, 2]), law(&[2, 1, 1])];
    let mechanism = Mechanism::aware(categories.clone(), categories, graph, laws, channels, vec![0, 1]).unwrap();
    let estimator = Estimator::new(&mechanism, Trust::Nothing).unwrap();
    let reported = Reported::new(vec![6_000, 3_000, 1_000]);
    let width = |confidence| {
        let found = estimator.estimate(&reported, confidence).unwrap();
        found.histogram.iter().map(Figure::width).sum::<f64>()
    };
    let together = width(Confidence { level: 0.95, simultaneous: true });
    let each = width(Confidence { level: 1.0 - 0.05 / 3.0, simultaneous: false });
    assert!(together < each, "{together} {each}");
}

#[test]
fn simultaneous_intervals_are_those_of_a_smaller_error() {
    let estimator = Estimator::new(&point(&[&[3, 1], &[1, 3]]), Trust::Nothing).unwrap();
    let width = |level, simultaneous, cohorts: usize| {
        let reported = vec![Reported::new(vec![500, 500]); cohorts];
        let found = estimator.estimate_cohorts(&reported, Confidence { level, simultaneous }).unwrap();
        found[0].histogram[0].width()
    };
    // Bonferroni over two figures, in one cohort and in four.
    assert!((width(0.9, true, 1) - width(0.95, false, 1)).abs() < 1e-12);
    assert!((width(0.92, true, 4) - width(0.99, false, 1)).abs() < 1e-12);
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
    fn readings_are_never_on_the_wrong_side(
        profiles in (2usize..5, 2usize..7).prop_flat_map(|(size, count)| prop::collection::vec(weights(size), count)),
        trust in prop::sample::select(vec![Trust::Nothing, Trust::Profiles]),
        reports in 1u64..100_000,
    ) {
        let laws: Vec<&[u64]> = profiles.iter().map(Vec::as_slice).collect();
        let estimator = Estimator::new(&unchanged(&laws), trust).unwrap();
        let components = &estimator.components;
        let expected = components.expected_law();
        for target in &estimator.targets {
            let shares = target.shares(components);
            for (law, share) in components.laws().zip(&shares) {
                if let Some(reading) = target.reading(components) {
                    prop_assert!((dot(&reading, law) - share).abs() < 1e-8);
                }
            }
            let purpose = Purpose { expected: &expected, reports: reports as f64, deviations: 2.4 };
            let readings = majorant(components, &shares, purpose, target.reading(components).as_deref(), 3);
            for (law, share) in components.laws().zip(&shares) {
                prop_assert!(dot(&readings, law) >= share - 1e-9, "{} {}", dot(&readings, law), share);
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
        let components = Components::of(&mechanism, Trust::Profiles).unwrap();
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
