//! Designs within limits for the people of UCI Adult, against values that another solver found from the plain program.

use lookalike::design::{Objective, Options, Problem, design, randomized_response};
use lookalike::estimate::clopper_pearson;
use lookalike::exact::Rational;
use lookalike::model::{Categories, Distribution, Limits, Names, SecretGraph};
use std::collections::BTreeMap;

/// Where bins of hours begin.
const BINS: [u64; 6] = [0, 20, 35, 41, 50, 60];

/// Counts of hours by race.
fn counts(text: &str) -> BTreeMap<String, [u64; 6]> {
    let mut counts = BTreeMap::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let hours: u64 = cells[12].parse().unwrap();
        let bin = BINS.iter().rposition(|&from| from <= hours).unwrap();
        counts.entry(cells[8].to_owned()).or_insert([0; 6])[bin] += 1;
    }
    counts
}

fn shown(value: f64) -> String {
    format!("{value:.4}").trim_start_matches('0').to_owned()
}

#[test]
fn hours_by_race_have_the_values_of_the_plain_program() {
    let Some(path) = std::env::var_os("LOOKALIKE_ADULT") else {
        eprintln!("skipped: LOOKALIKE_ADULT does not name the file adult.data");
        return;
    };
    let counts = counts(&std::fs::read_to_string(path).unwrap());
    let law = |counts: &[u64; 6]| Distribution::from_weights(counts.map(Into::into).to_vec()).unwrap();
    let exact = |limit: f64| Rational::from_float(limit).unwrap();
    let limits = |counts: &[u64; 6]| {
        let cell = |&count: &u64| clopper_pearson(count, counts.iter().sum(), 0.05);
        Limits::new(&counts.iter().map(cell).map(|(from, to)| [exact(from), exact(to)]).collect::<Vec<_>>()).unwrap()
    };
    let objectives = [
        (Objective::ExpectedError, ".0344 .0136 .0000 .0000", ".2452 .0953 .0130 .0000", ".8037 .7520 .6478 .4036"),
        (Objective::MaxFlip, ".0370 .0204 .0000 .0000", ".1070 .0475 .0138 .0000", ".1607 .1504 .1296 .0807"),
    ];
    for (objective, points, limited, responses) in objectives {
        let values = points.split(' ').zip(limited.split(' ')).zip(responses.split(' '));
        for (epsilon, ((point, limit), response)) in ["0.2", "0.5", "1", "2"].into_iter().zip(values) {
            let mut builder = SecretGraph::builder(Names::new("profile", counts.keys().cloned()).unwrap());
            builder.complete(&epsilon.parse().unwrap());
            let hours = Categories::new(BINS.map(|from| format!("from {from}"))).unwrap();
            let problem =
                Problem::profiles(hours, builder.build().unwrap(), counts.values().map(law).collect()).unwrap();
            let problem = problem.with_objective(objective.clone()).unwrap();
            let within = problem.clone().within(counts.values().map(limits).collect()).unwrap();
            let [one, all] = [&problem, &within].map(|problem| design(problem, &Options::default()).unwrap().objective);
            assert!(one.gap() < 1e-7 && all.gap() < 1e-7, "{one:?} {all:?}");
            let kept = randomized_response(&within).unwrap().objective.value;
            assert_eq!([one.value, all.value, kept].map(shown), [point, limit, response], "{objective:?} at {epsilon}");
        }
    }
}
