//! Errors on groups of people: expectations by brute force, draws, and the reference values.

use crate::common::people;
use lookalike::counts::{CLOSED_FORMS, ClosedForm};
use lookalike::exact::{Direction, Rational, to_f64};
use lookalike_experiments::{Cell, Data, DataSet, Outcome, named};
use std::path::Path;

fn run(adult: &Data) -> Outcome {
    named("counts-adult").unwrap().run(adult).unwrap()
}

fn adult(text: &str) -> Data {
    let mut data = Data::default();
    data.parse(DataSet::Adult, text).unwrap();
    data
}

/// Whether the person of a line has an attribute.
fn has(line: &str, attribute: &str) -> bool {
    let fields: Vec<&str> = line.split(", ").collect();
    match attribute {
        "sex: male" => fields[9] == "Male",
        "income above 50K" => fields[14] == ">50K",
        "age below 30" => fields[0].parse::<u32>().unwrap() < 30,
        other => panic!("attribute {other:?}"),
    }
}

/// Σ over groups and outputs of probability times squared distance, divided by the number of groups.
fn mean_squared_error(lines: &[&str], attribute: &str, n: usize, alpha: &str, form: ClosedForm) -> Rational {
    let mechanism = form(n, &alpha.parse().unwrap()).unwrap();
    let (mut sum, mut groups) = (Rational::from_integer(0.into()), 0);
    for group in lines.chunks_exact(n) {
        let count = group.iter().filter(|line| has(line, attribute)).count();
        for output in 0..=n {
            let distance = Rational::from_integer((output as i64 - count as i64).pow(2).into());
            sum += mechanism.channels()[0].probability(count, output) * distance;
        }
        groups += 1;
    }
    sum / Rational::from_integer(groups.into())
}

fn number(cell: &Cell) -> f64 {
    match cell {
        Cell::Number(number) => to_f64(number, Direction::Nearest),
        Cell::Text(text) => text.parse().unwrap(),
    }
}

#[test]
fn expectations_are_those_of_brute_force_and_draws_are_near_them() {
    let text = people(67);
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    let outcome = run(&adult(&text));
    assert_eq!(outcome.table.rows().len(), 3 * 5 * 11);
    let names = CLOSED_FORMS.map(|(name, _)| name.to_lowercase());
    assert_eq!(outcome.table.columns()[4..8], names);
    for row in outcome.table.rows() {
        let [attribute, n, groups, alpha] = [0, 1, 2, 3].map(|at: usize| row[at].text());
        let n: usize = n.parse().unwrap();
        assert_eq!(groups, (67 / n).to_string());
        for (at, (name, form)) in CLOSED_FORMS.into_iter().enumerate() {
            let expected = to_f64(&mean_squared_error(&lines, &attribute, n, &alpha, form), Direction::Nearest);
            let (exact, drawn) = (number(&row[4 + at]), number(&row[8 + at]));
            assert!((exact.powi(2) - expected).abs() < 1e-9, "{name} {attribute} {n} {alpha}: {exact}");
            // Squares up to n² deviate by at most n²/2: twelve such deviations of their mean, of 10 draws a group.
            let berth = 6.0 * (n * n) as f64 / (10.0 * (67 / n) as f64).sqrt();
            assert!((drawn.powi(2) - expected).abs() < berth, "{name} {attribute} {n} {alpha}: {drawn}");
        }
    }
    let drawn = outcome.findings.last().unwrap();
    assert!(drawn.holds && drawn.evidence.starts_with("660 of 660 sums"), "{drawn:?}");
}

#[test]
fn without_data_or_with_too_few_people_there_is_no_experiment() {
    let experiment = named("counts-adult").unwrap();
    assert!(experiment.needs() == Some(DataSet::Adult) && named("counts").unwrap().needs().is_none());
    let error = experiment.run(&Data::default()).unwrap_err().to_string();
    assert!(error.starts_with("counts-adult: needs the UCI Adult data: --adult FILE"), "{error}");
    let error = experiment.run(&adult(&people(31))).unwrap_err().to_string();
    assert_eq!(error, "counts-adult: 31 people, expected enough for a group of 32");
    assert!(experiment.run(&adult("\n")).is_err(), "nobody");
}

/// Skipped with a word where LOOKALIKE_ADULT does not name the file: it is not ours to pass on.
#[test]
fn the_reference_values_come_out_of_the_file_itself() {
    let Some(path) = std::env::var_os("LOOKALIKE_ADULT") else {
        eprintln!("skipped: LOOKALIKE_ADULT does not name the file adult.data");
        return;
    };
    let mut data = Data::default();
    data.read(DataSet::Adult, Path::new(&path)).unwrap();
    let outcome = run(&data);
    assert!(outcome.caption.starts_with("The 32561 people"), "{}", outcome.caption);
    for (attribute, errors) in [("sex: male", [2.089, 1.763, 1.826]), ("income above 50K", [2.160, 1.883, 1.950])] {
        let wanted = |row: &&Vec<Cell>| [0, 1, 2, 3].map(|at: usize| row[at].text()) == [attribute, "4", "8140", "0.9"];
        let row = outcome.table.rows().iter().find(wanted).unwrap();
        // GM, EM and UM.
        for (at, expected) in [4, 6, 7].into_iter().zip(errors) {
            assert!((number(&row[at]) - expected).abs() < 5e-4, "{attribute}: {:?}", row[at]);
        }
    }
    assert!(outcome.findings.iter().all(|finding| finding.holds), "{:?}", outcome.findings);
}
