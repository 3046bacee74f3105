//! The shapes of the published figures, and where the paper's words do not hold.

use lookalike::exact::{Direction, Rational, to_f64};
use lookalike_experiments::{Cell, Data, Outcome, named};

fn run(name: &str) -> Outcome {
    named(name).unwrap().run(&Data::default()).unwrap()
}

/// The rows as the values of named columns; texts are read as numbers.
fn column(outcome: &Outcome, name: &str) -> Vec<f64> {
    let table = &outcome.table;
    let at = table.columns().iter().position(|column| column == name).unwrap_or_else(|| panic!("no column {name}"));
    let value = |row: &Vec<Cell>| match &row[at] {
        Cell::Text(text) => text.parse().unwrap(),
        Cell::Number(number) => to_f64(number, Direction::Nearest),
    };
    table.rows().iter().map(value).collect()
}

fn holds(outcome: &Outcome) -> Vec<bool> {
    outcome.findings.iter().map(|finding| finding.holds).collect()
}

#[test]
fn figure_2a_lies_below_the_baseline_everywhere_and_grows() {
    let outcome = run("figure-2a");
    let (difference, baseline) = (column(&outcome, "difference"), column(&outcome, "warner"));
    assert_eq!(difference.len(), 3 * 2 * 20);
    for name in ["two_profile", "smooth_one_bit"] {
        let flips = column(&outcome, name);
        for at in 0..flips.len() {
            assert!(flips[at] < baseline[at] || difference[at] == 1.0 && flips[at] < baseline[at] + 1e-9);
            assert!(at % 20 == 0 || flips[at] >= flips[at - 1], "{name} row {at}");
        }
        assert!(flips.iter().any(|flip| *flip > 0.3));
    }
    // An own flip for each profile never needs more than a common one.
    let (common, own) = (column(&outcome, "two_profile"), column(&outcome, "smooth_one_bit"));
    assert!(common.iter().zip(&own).all(|(common, own)| *own <= common + 1e-9));
    assert_eq!(holds(&outcome), [true, true]);
}

#[test]
fn figure_2b_costs_the_same_in_every_category() {
    let outcome = run("figure-2b");
    let epsilons = column(&outcome, "epsilon");
    for category in 1..=4 {
        for (cost, epsilon) in column(&outcome, &format!("category_{category}")).iter().zip(&epsilons) {
            assert!((cost - 0.6 / (epsilon.exp() + 3.0)).abs() < 1e-12);
        }
    }
    assert_eq!(holds(&outcome), [true]);
}

#[test]
fn figure_2c_is_within_the_range_of_all_optimal_solutions() {
    let outcome = run("figure-2c");
    let [cost, smallest, largest] = ["cost", "smallest", "largest"].map(|name| column(&outcome, name));
    let (epsilon, category) = (column(&outcome, "epsilon"), column(&outcome, "category"));
    for at in 0..cost.len() {
        assert!(smallest[at] <= cost[at] + 1e-6 && cost[at] <= largest[at] + 1e-6, "row {at}");
        assert!(epsilon[at] < 1.0987 || largest[at] < 1e-6, "from ln 3 on nothing is changed");
    }
    // The range is no point: the figure is not determined by the paper.
    assert!(largest.iter().zip(&smallest).any(|(largest, smallest)| largest - smallest > 0.01));
    // The paper's claim against the baseline fails, and only here.
    let baseline = column(&outcome, "k_rr");
    let worse: Vec<(f64, f64)> =
        (0..cost.len()).filter(|&at| cost[at] > baseline[at]).map(|at| (epsilon[at], category[at])).collect();
    assert_eq!(worse, [(0.05, 3.0)]);
    let at = category.iter().position(|&category| category == 3.0).unwrap();
    assert!((cost[at] - 0.1583).abs() < 5e-5 && (baseline[at] - 0.1481).abs() < 5e-5);
}

#[test]
fn figure_3_spreads_wider_than_its_baseline_at_the_line() {
    for (ours, theirs, count) in [("figure-3c", "figure-3a", 6), ("figure-3d", "figure-3b", 21)] {
        let (ours, theirs) = (run(ours), run(theirs));
        let spread = |outcome: &Outcome, least: &str, greatest: &str, wanted: f64| {
            let (epsilon, least) = (column(outcome, "epsilon"), column(outcome, least));
            let first = epsilon.iter().position(|&epsilon| epsilon == wanted).unwrap();
            least[first + count - 1] - column(outcome, greatest)[first]
        };
        let baseline = spread(&theirs, "output_1", "output_1", 0.2);
        assert!((baseline - 0.2f64.exp_m1() / (0.2f64.exp() + 1.0)).abs() < 1e-9);
        // Of all optimal solutions, the least spread there is.
        assert!(spread(&ours, "smallest", "largest", 0.2) > 3.0 * baseline);
        assert_eq!((holds(&ours), holds(&theirs)), (vec![true; 3], vec![true]));
        let [output, smallest, largest] = ["output_1", "smallest", "largest"].map(|name| column(&ours, name));
        for at in 0..output.len() {
            assert!(smallest[at] <= output[at] + 1e-9 && output[at] <= largest[at] + 1e-9, "row {at}");
        }
        assert!(largest.iter().zip(&smallest).any(|(largest, smallest)| largest - smallest > 0.01));
    }
}

#[test]
fn table_1_and_the_chains_are_ordered_by_mechanism() {
    for name in ["chain-flips", "table-1"] {
        let outcome = run(name);
        assert!(holds(&outcome).into_iter().all(|holds| holds), "{name}");
    }
}

#[test]
fn the_lecture_is_right_about_the_survey_and_wrong_about_the_sensitivities() {
    let outcome = run("notes");
    assert_eq!(holds(&outcome), [true, true, false, false]);
    let text = outcome.table.csv();
    assert!(text.contains("sensitivity of the maximum,n = 2 of 1..300,299,"), "{text}");
    assert!(text.contains("sensitivity of the mean,n = 2 of 1..300,299/2,"), "{text}");
}

#[test]
fn numbers_are_exact_until_they_are_printed() {
    let outcome = run("figure-3a");
    let half = Rational::new(1.into(), 2.into());
    // Warner's response to the profiles p and 1 − p sums to exactly 1.
    let outputs: Vec<&Rational> = outcome.table.rows()[..6]
        .iter()
        .map(|row| if let Cell::Number(number) = &row[2] { number } else { panic!("a number") })
        .collect();
    for at in 0..3 {
        assert_eq!((outputs[at] + outputs[5 - at]) * &half, half);
    }
}
