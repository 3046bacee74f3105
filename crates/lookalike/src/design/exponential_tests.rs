//! Tests of the exponential mechanism.

use super::*;
use crate::certify::{Achieved, certify};
use crate::exact::{Direction, parse_rational, to_f64};
use proptest::prelude::*;

fn categories(prefix: &str, count: usize) -> Categories {
    Categories::new((0..count).map(|at| format!("{prefix}{at}"))).unwrap()
}

fn complete(inputs: &Categories, epsilon: &str) -> SecretGraph {
    let mut builder = SecretGraph::builder(inputs.names().clone());
    builder.complete(&epsilon.parse().unwrap());
    builder.build().unwrap()
}

fn table(rows: &[&[i64]]) -> Vec<Vec<Rational>> {
    rows.iter().map(|row| row.iter().map(|&score| Rational::from_integer(score.into())).collect()).collect()
}

fn designed(rows: &[&[i64]], sensitivity: &str, epsilon: &str, movement: Movement) -> Result<Repaired> {
    let (inputs, outputs) = (categories("x", rows.len()), categories("y", rows[0].len()));
    let graph = complete(&inputs, epsilon);
    exponential(inputs, outputs, graph, &table(rows), &parse_rational(sensitivity).unwrap(), movement)
}

#[test]
fn probabilities_are_in_proportion_to_exponentials() {
    let rows: [&[i64]; 2] = [&[0, -1, -2], &[-1, 0, -1]];
    for (movement, factor) in [(Movement::Anyhow, 2.0), (Movement::Together, 1.0)] {
        // One row is enough for the law; the pair moves both ways.
        let rows = if movement == Movement::Anyhow { &rows[..] } else { &[rows[0], rows[0]] };
        let design = designed(rows, "1", "3/2", movement).unwrap();
        let channel = &design.mechanism.channels()[0];
        for (x, row) in rows.iter().enumerate() {
            let weights: Vec<f64> = row.iter().map(|&score| (1.5 * score as f64 / factor).exp()).collect();
            for (y, weight) in weights.iter().enumerate() {
                let found = to_f64(&channel.probability(x, y), Direction::Nearest);
                assert!((found - weight / weights.iter().sum::<f64>()).abs() < 1e-14, "{movement:?} {x} {y}");
            }
        }
    }
}

#[test]
fn both_forms_reach_their_epsilon_where_they_can() {
    // With many outputs, one against all others: moving together the sum of weights hardly moves, so that nothing of ε
    // is left unused; and with one output that rises while all others fall, both factors of e^(ε/2) are.
    let achieved = |rows: &[&[i64]], movement| {
        let certified = certify(designed(rows, "1", "1", movement).unwrap().mechanism).unwrap();
        match certified.certificate().worst().achieved() {
            Achieved::Within(interval) => to_f64(&interval.upper().to_rational(), Direction::Up),
            Achieved::Infinite => f64::INFINITY,
        }
    };
    let (mut one, zeros) = ([0i64; 64], [0i64; 64]);
    one[5] = 1;
    let together = achieved(&[&zeros, &one], Movement::Together);
    assert!(together > 0.97 && together <= 1.0, "{together}");
    let mut against = [-1i64; 64];
    against[5] = 1;
    let anyhow = achieved(&[&zeros, &against], Movement::Anyhow);
    assert!(anyhow > 0.97 && anyhow <= 1.0, "{anyhow}");
}

#[test]
fn tables_that_break_their_promise_are_refused() {
    let text = |rows: &[&[i64]], movement| designed(rows, "1", "1", movement).unwrap_err().to_string();
    assert_eq!(
        text(&[&[0, 0], &[0, 2]], Movement::Anyhow),
        "edge (\"x0\", \"x1\"): scores of one output differ by 2, expected at most 1"
    );
    assert_eq!(
        text(&[&[0, 1], &[1, 0]], Movement::Together),
        "edge (\"x0\", \"x1\"): some scores rise and others fall, expected all to move together (or any movement)"
    );
    assert_eq!(text(&[&[0, 1], &[1]], Movement::Anyhow), "input \"x1\" has 1 scores, expected 2, one for each output");
    assert_eq!(
        designed(&[&[0], &[0]], "0", "1", Movement::Anyhow).unwrap_err().to_string(),
        "sensitivity = 0, expected a number above 0"
    );
    let (inputs, outputs) = (categories("x", 2), categories("y", 1));
    let graph = complete(&inputs, "1");
    let one = parse_rational("1").unwrap();
    let error = exponential(inputs, outputs, graph, &table(&[&[0]]), &one, Movement::Anyhow).unwrap_err();
    assert_eq!(error.to_string(), "1 rows of scores for 2 inputs");
}

#[test]
fn outputs_far_behind_are_given_up_or_shared_and_the_claim_holds() {
    // e^-200 is no weight out of 2^53 for one input and half of all for another, which is 400 steps away.
    let design = designed(&[&[0, -400], &[0, 0]], "400", "400", Movement::Together).unwrap();
    assert!(design.cost < 1e-9, "{}", design.cost);
    assert!(certify(design.mechanism).is_ok());
    let even = designed(&[&[0, -1], &[-1, 0]], "1", "1e-30", Movement::Anyhow).unwrap();
    assert!(certify(even.mechanism).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_table_certifies_at_little_cost(scores in prop::collection::vec(prop::collection::vec(-3i64..=3, 4), 2..5),
                                            epsilon in prop_oneof![Just("1/10"), Just("ln(3)"), Just("2"), Just("10")]) {
        let rows: Vec<&[i64]> = scores.iter().map(Vec::as_slice).collect();
        let design = designed(&rows, "6", epsilon, Movement::Anyhow).unwrap();
        prop_assert!(design.cost < 1e-9, "{}", design.cost);
        prop_assert!(certify(design.mechanism).is_ok());
    }
}
