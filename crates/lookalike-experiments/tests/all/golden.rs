//! The tables against the committed ones. `make golden` rewrites them.

use crate::common;

use lookalike_experiments::EXPERIMENTS;
use std::path::Path;

/// A number that another processor may round the other way differs by one unit of its last decimal. The column `cost`
/// between `smallest` and `largest` is that of one of many solutions that are best to a billionth: it may differ by more.
fn same(column: &str, found: &str, expected: &str) -> bool {
    let tolerance = if column == "cost" { 1e-4 } else { 1.5e-6 };
    let is_decimal = |text: &str| text.split_once('.').is_some_and(|(_, decimals)| decimals.len() == 6);
    match (found.parse::<f64>(), expected.parse::<f64>()) {
        (Ok(a), Ok(b)) if is_decimal(found) && is_decimal(expected) => (a - b).abs() < tolerance,
        _ => found == expected,
    }
}

fn is_up_to_date(found: &str, expected: &str) -> bool {
    let columns: Vec<&str> = expected.lines().next().unwrap_or_default().split(',').collect();
    let line = |(found, expected): (&str, &str)| {
        let (found, expected): (Vec<&str>, Vec<&str>) = (found.split(',').collect(), expected.split(',').collect());
        let same = |((column, found), expected): ((&&str, &&str), &&str)| same(column, found, expected);
        found.len() == expected.len() && columns.iter().zip(&found).zip(&expected).all(same)
    };
    found.lines().count() == expected.lines().count() && found.lines().zip(expected.lines()).all(line)
}

#[test]
fn every_table_is_the_committed_one() {
    let data = common::invented();
    // What takes minutes is done by `make soak` and `make golden`; `coverage.rs` does a part of it.
    let is_soak = ["LOOKALIKE_REPETITIONS", "UPDATE_GOLDEN"].iter().any(|name| std::env::var_os(name).is_some());
    for experiment in EXPERIMENTS.into_iter().filter(|experiment| is_soak || !experiment.is_long()) {
        let table = experiment.run(&data).unwrap().table.csv();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(format!("{}.csv", experiment.name));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, &table).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(is_up_to_date(&table, &committed), "{} is out of date; it should read:\n{table}", path.display());
    }
    let folder = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("golden")).unwrap();
    assert_eq!(folder.count(), EXPERIMENTS.len(), "no committed table is left over");
}

#[test]
fn a_difference_that_shows_is_one() {
    assert!(is_up_to_date("a,b\nx,0.123456\n", "a,b\nx,0.123457\n"));
    for other in ["a,b\nx,0.123458\n", "a,b\ny,0.123456\n", "a,b\n", "a,b\nx,0.123456,1\n", ""] {
        assert!(!is_up_to_date("a,b\nx,0.123456\n", other), "{other}");
    }
}
