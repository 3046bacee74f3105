//! Intervals of shares cover as often as they say: a part of the experiment `coverage`, which has more of everything.
//!
//! Seeds are fixed. An interval that covers with probability 0.95 exactly falls below 0.90 in 300 repetitions with probability
//! below 0.02 %, and most cover more often.

use lookalike::exact::{Direction, to_f64};
use lookalike_experiments::{Data, DataSet, coverage_rows, named};
use std::path::Path;

#[test]
fn every_interval_covers_for_every_kind_and_population() {
    for (kind, trust, population) in coverage_rows() {
        for reports in [6, 40, 300] {
            let covered = kind.covered(trust, population, reports, 300, 0.95).unwrap();
            let least = to_f64(&covered.least, Direction::Nearest);
            let (kind, population) = (kind.name(), population.name());
            assert!(least >= 0.90, "{kind}, trust {trust}, {population}, {reports} reports: covered in {least}");
            assert!(covered.misfits <= 3, "{kind}, {population}, {reports}: {} misfits", covered.misfits);
            assert!(covered.width > 0.0 && covered.width < 1.0 + 1e-9);
        }
    }
}

/// The census, where the file is at hand: cohorts that the profiles are not about.
#[test]
fn adult_read_back_by_sex_is_covered_where_nothing_is_trusted() {
    let Some(path) = std::env::var_os("LOOKALIKE_ADULT") else {
        eprintln!("skipped: LOOKALIKE_ADULT does not name the file adult.data");
        return;
    };
    let mut data = Data::default();
    data.read(DataSet::Adult, Path::new(&path)).unwrap();
    let outcome = named("estimate-adult").unwrap().run(&data).unwrap();
    assert!(outcome.findings.iter().all(|finding| finding.holds), "{:?}", outcome.findings);
    assert!(outcome.findings[0].evidence.starts_with("12 of 12"), "{:?}", outcome.findings);
    // The intervals where nothing is trusted, of both sexes at once; of each by itself they are from 0.018 to 0.053 wide.
    let table = outcome.table.csv();
    let width = |line: &str| {
        let (lower, upper) = line.split(',').nth(4).unwrap().split_once(" to ").unwrap();
        upper.parse::<f64>().unwrap() - lower.parse::<f64>().unwrap()
    };
    let widths: Vec<f64> = table.lines().skip(1).map(width).collect();
    let [least, most] = [widths.iter().copied().fold(1.0, f64::min), widths.iter().copied().fold(0.0, f64::max)];
    assert!(least <= 0.0195 && most <= 0.056, "{widths:?}");
}
