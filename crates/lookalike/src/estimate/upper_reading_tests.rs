//! Limits against the exact laws of sums.

use super::*;
use crate::estimate::Trust;
use crate::model::{Categories, Channel, Mechanism, SecretGraph};

/// The components of a channel with these rows, in parts of their sum, which divides 2^53.
fn components(rows: &[[u64; 3]]) -> Components {
    let categories =
        |prefix: &str, count: usize| Categories::new((0..count).map(|at| format!("{prefix}{at}"))).unwrap();
    let (inputs, outputs) = (categories("x", rows.len()), categories("y", 3));
    let mut builder = SecretGraph::builder(inputs.names().clone());
    builder.complete(&"100".parse().unwrap());
    let scaled = |row: &[u64; 3]| row.iter().map(|weight| weight * ((1 << 53) / row.iter().sum::<u64>())).collect();
    let channel = Channel::rows(rows.iter().map(scaled).collect()).unwrap();
    let mechanism = Mechanism::point(inputs, outputs, builder.build().unwrap(), channel).unwrap();
    Components::of(&mechanism, Trust::Nothing).unwrap()
}

/// The law of how often the outputs 1 and 2 are reported by so many respondents of each component: a row for each number of ones.
fn law_of_counts(components: &Components, respondents: &[usize; 3]) -> Vec<Vec<f64>> {
    let reports: usize = respondents.iter().sum();
    let mut counts = vec![vec![0.0; reports + 1]; reports + 1];
    counts[0][0] = 1.0;
    for component in (0..3).flat_map(|component| vec![component; respondents[component]]) {
        let [none, one, two] = [0, 1, 2].map(|y| components.law(component)[y]);
        for ones in (0..=reports).rev() {
            for twos in (0..=reports - ones).rev() {
                let before = if ones > 0 { one * counts[ones - 1][twos] } else { 0.0 };
                let earlier = if twos > 0 { two * counts[ones][twos - 1] } else { 0.0 };
                counts[ones][twos] = none * counts[ones][twos] + before + earlier;
            }
        }
    }
    counts
}

/// The law of the sum of the outputs.
fn law_of_sum(components: &Components, respondents: &[usize; 3]) -> Vec<f64> {
    let mut sum = vec![1.0];
    for component in (0..3).flat_map(|component| vec![component; respondents[component]]) {
        let mut next = vec![0.0; sum.len() + 2];
        for (at, weight) in sum.iter().enumerate() {
            components.law(component).iter().enumerate().for_each(|(y, p)| next[at + y] += weight * p);
        }
        sum = next;
    }
    sum
}

/// The mean of the outputs of these respondents.
fn truth(components: &Components, respondents: &[usize; 3]) -> f64 {
    let mean = |component: usize| dot(components.law(component), &[0.0, 1.0, 2.0]);
    let sum: f64 = (0..3).map(|component| respondents[component] as f64 * mean(component)).sum();
    sum / respondents.iter().sum::<usize>() as f64
}

/// Outputs read as 0, 1 and 2, which is their mean exactly.
fn reading(components: &Components) -> UpperReading {
    let values = vec![0.0, 1.0, 2.0];
    let shares: Vec<f64> = components.laws().map(|law| dot(law, &values)).collect();
    UpperReading::new(values, &shares, components, &components.expected_law(), 2)
}

/// Rows with more variance in one mix than in another of the same mean, which is learnt.
#[test]
fn limits_with_a_variance_that_is_learnt_hold_for_fixed_respondents() {
    for rows in
        [[[4, 2, 2], [2, 4, 2], [1, 1, 6]], [[16, 0, 0], [8, 0, 8], [1, 14, 1]], [[7, 1, 0], [0, 8, 0], [0, 0, 8]]]
    {
        let components = components(&rows);
        let reading = reading(&components);
        assert!(reading.learns, "{rows:?}");
        for respondents in [[150, 0, 0], [0, 150, 0], [50, 40, 60], [2, 140, 8]] {
            let truth = truth(&components, &respondents);
            let mut missed = 0.0;
            for (ones, row) in law_of_counts(&components, &respondents).iter().enumerate() {
                for (twos, weight) in row.iter().enumerate().filter(|(_, weight)| **weight > 1e-12) {
                    let counts = [150 - ones - twos, ones, twos].map(|count| count as u64);
                    let is_missed = reading.limit(&counts, Sampling::Fixed, 0.1) < truth;
                    missed += if is_missed { weight } else { &0.0 };
                }
            }
            assert!(missed <= 0.1, "{rows:?} {respondents:?}: {missed}");
        }
    }
}

#[test]
fn limits_of_many_reports_hold_for_fixed_respondents() {
    for rows in [[[4, 4, 0], [2, 4, 2], [0, 4, 4]], [[30, 1, 1], [29, 2, 1], [28, 3, 1]]] {
        let components = components(&rows);
        let reading = reading(&components);
        assert!(!reading.learns, "{rows:?}: limits are those of the sum");
        for respondents in [[1_000, 0, 0], [0, 0, 700], [400, 300, 300], [10, 1_900, 40]] {
            let (truth, reports) = (truth(&components, &respondents), respondents.iter().sum::<usize>());
            for error in [0.025, 0.1] {
                let miss = |(sum, weight): (usize, &f64)| {
                    let twos = sum.saturating_sub(reports);
                    let counts = [reports + twos - sum, sum - 2 * twos, twos].map(|count| count as u64);
                    if reading.limit(&counts, Sampling::Fixed, error) < truth { *weight } else { 0.0 }
                };
                let missed: f64 = law_of_sum(&components, &respondents).iter().enumerate().map(miss).sum();
                assert!(missed <= error, "{rows:?} {respondents:?}: {missed} of {error}");
            }
        }
    }
}

#[test]
fn limits_of_many_reports_are_nearly_those_of_the_normal_law() {
    let components = components(&[[4, 4, 0], [2, 4, 2], [0, 4, 4]]);
    let reading = reading(&components);
    // A mean of 1 has the variance 1/2 whatever the mix.
    let deviations = |reports: u64| {
        let counts = [reports / 4, reports / 2, reports / 4];
        (reading.limit(&counts, Sampling::Fixed, 0.025) - 1.0) / (0.5 / reports as f64).sqrt()
    };
    let found = [400, 4_000, 40_000, 4_000_000].map(deviations);
    // Bentkus's bound takes 2.44; the normal law 1.96.
    assert!(found[0] > 2.4 && found[1] < 2.32 && found[2] < 2.1 && found[3] < 1.98, "{found:?}");
}

#[test]
fn a_row_that_stands_in_for_another_may_be_far_from_the_mean_of_all() {
    // Nine of ten rows are drawn evenly: the components are near each other, the respondents are not.
    let plain = components(&[[6, 1, 1], [1, 6, 1], [1, 1, 6]]);
    let mixed = plain.among(0.9, &[1.0 / 3.0; 3]);
    let room = reading(&mixed).room;
    let own = plain.laws().map(|law| dot(law, &[0.0, 1.0, 2.0])).fold(0.0, f64::max);
    assert!((room - own).abs() < 1e-9, "{room} {own}");
    assert_eq!(reading(&plain).room, own);
}
