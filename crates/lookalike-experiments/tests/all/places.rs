//! The experiments with places: reference values, the laws of errors, the order of the mechanisms, and the public data.

use crate::common::tracks;
use lookalike::exact::{Direction, to_f64};
use lookalike_experiments::{Cell, Data, DataSet, Outcome, Picture, named};
use std::path::Path;

fn run(name: &str, data: &Data) -> Outcome {
    named(name).unwrap().run(data).unwrap()
}

fn invented() -> Data {
    let mut data = Data::default();
    data.parse(DataSet::Tracks, &tracks(12)).unwrap();
    data
}

/// The numbers of a column, row after row.
fn numbers(outcome: &Outcome, name: &str) -> Vec<f64> {
    let table = &outcome.table;
    let at = table.columns().iter().position(|column| column == name).unwrap_or_else(|| panic!("no column {name}"));
    let number = |row: &Vec<Cell>| match &row[at] {
        Cell::Number(number) => to_f64(number, Direction::Nearest),
        Cell::Text(text) => text.parse().unwrap(),
    };
    table.rows().iter().map(number).collect()
}

fn all_hold(outcome: &Outcome) {
    assert!(outcome.findings.iter().all(|finding| finding.holds), "{:?}", outcome.findings);
}

#[test]
fn the_unit_grid_has_the_reference_values() {
    let outcome = run("places-unit-grid", &Data::default());
    all_hold(&outcome);
    let found: Vec<[String; 3]> =
        outcome.highlights.texts().map(|row| [row[0].clone(), row[2].clone(), row[3].clone()]).collect();
    let mut compared = 0;
    for [what, value, reference] in &found {
        if let Ok(expected) = reference.parse::<f64>() {
            let digits = reference.split_once('.').unwrap().1.len() as i32;
            let difference = (value.parse::<f64>().unwrap() - expected).abs();
            assert!(difference <= 0.51 * 10f64.powi(-digits), "{what}: {value}, expected {reference}");
            compared += 1;
        }
    }
    assert_eq!(compared, 2, "the optimum and the trap; what is known of spanners is a finding: {found:?}");
    assert!(outcome.charts.iter().any(|chart| matches!(chart.chart, Picture::Cells(_))));
}

/// What must be so on any tracks.
fn planar_is_as_expected(outcome: &Outcome) {
    all_hold(outcome);
    let [radius, draws] = ["radius", "draws"].map(|name| numbers(outcome, name));
    assert_eq!(radius, [50.0, 100.0, 200.0, 400.0, 800.0]);
    for (name, factor) in [("mean", 2.0), ("median", 1.6783), ("p95", 4.7439), ("p99", 6.6384)] {
        let (closed, drawn) = (numbers(outcome, name), numbers(outcome, &format!("{name}_drawn")));
        for at in 0..radius.len() {
            let scale = radius[at] / 4f64.ln();
            assert!((closed[at] / scale - factor).abs() < 1e-4, "{name}: {}", closed[at] / scale);
            // The 99 % quantile of n draws deviates most: by √(p(1−p)/n)/(t²·e^−t) = 1.73/√n, of which seven are allowed.
            assert!((drawn[at] / closed[at] - 1.0).abs() < 12.0 / draws[at].sqrt(), "{name} {}", drawn[at]);
        }
    }
    assert!(outcome.charts.iter().any(|chart| matches!(&chart.chart, Picture::Tracks(map) if map.tracks.len() == 2)));
}

/// What must be so on any tracks.
fn grids_are_ordered(outcome: &Outcome) {
    assert!(outcome.findings[0].holds, "{:?}", outcome.findings);
    let names = ["planar", "remapped", "truncated", "optimal", "spanner_1.1", "spanner_1.5"];
    let [planar, remapped, truncated, optimal, near, wide] = names.map(|name| numbers(outcome, name));
    for at in 0..planar.len() {
        let equal = 1.0 + 1e-9;
        assert!(remapped[at] <= planar[at], "row {at}");
        for other in [&remapped, &truncated, &near, &wide] {
            assert!(optimal[at] <= other[at] * equal, "row {at}");
        }
        assert!(at == 0 || optimal[at] > optimal[at - 1], "a larger radius costs more");
    }
}

#[test]
fn errors_on_invented_tracks_are_those_of_the_law() {
    let outcome = run("places-planar", &invented());
    planar_is_as_expected(&outcome);
    assert_eq!(numbers(&outcome, "draws")[0], 5_970.0);
    assert!(outcome.open[0].ends_with("3 of 600 fixes lie outside of it and are left out."), "{}", outcome.open[0]);
}

#[test]
fn mechanisms_on_invented_tracks_are_in_order() {
    let outcome = run("places-grid", &invented());
    grids_are_ordered(&outcome);
    assert!(outcome.caption.contains("4×4 cells") && outcome.caption.contains("all 120 pairs"), "{}", outcome.caption);
    assert!(outcome.open[1].contains("it must come from public data"), "{:?}", outcome.open);
}

#[test]
fn without_data_or_with_those_of_another_place_there_is_no_experiment() {
    for name in ["places-planar", "places-grid"] {
        let experiment = named(name).unwrap();
        assert_eq!(experiment.needs(), Some(DataSet::Tracks));
        let error = experiment.run(&Data::default()).unwrap_err().to_string();
        assert!(
            error.contains("needs the position fixes of trips: --tracks FILE names go_track_trackspoints.csv"),
            "{error}"
        );
        let mut elsewhere = Data::default();
        elsewhere.parse(DataSet::Tracks, "latitude,longitude,track_id,time\n45.07,7.69,1,x\n").unwrap();
        let error = experiment.run(&elsewhere).unwrap_err().to_string();
        assert!(error.contains("no fixes within the region of the experiment"), "{error}");
    }
    let mut one = Data::default();
    one.parse(DataSet::Tracks, "latitude,longitude,track_id,time\n-10.95,-37.06,1,x\n").unwrap();
    let error = named("places-grid").unwrap().run(&one).unwrap_err().to_string();
    assert!(error.contains("of tracks with odd numbers or of those with even ones, expected both"), "{error}");
}

/// Skipped with a word where LOOKALIKE_TRACKS does not name the file: it is not ours to pass on.
#[test]
fn trips_in_aracaju() {
    let Some(path) = std::env::var_os("LOOKALIKE_TRACKS") else {
        eprintln!("skipped: LOOKALIKE_TRACKS does not name {}", DataSet::Tracks.source());
        return;
    };
    let mut data = Data::default();
    data.read(DataSet::Tracks, Path::new(&path)).unwrap();
    let outcome = run("places-planar", &data);
    planar_is_as_expected(&outcome);
    assert!(outcome.open[0].contains("1420 of 18107 fixes lie outside of it"), "{}", outcome.open[0]);
    let outcome = run("places-grid", &data);
    grids_are_ordered(&outcome);
    // With little noise left, half of the tracks tell too little of the others.
    let elsewhere = &outcome.findings[1];
    assert!(!elsewhere.holds && elsewhere.evidence.starts_with("the optimum at 4 of 5 ε"), "{elsewhere:?}");
    assert!(outcome.caption.contains("6×6 cells"), "{}", outcome.caption);
}
