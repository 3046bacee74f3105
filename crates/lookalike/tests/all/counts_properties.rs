//! The seven properties: the checker against their definitions, and which follow from which.

use lookalike::counts::*;
use lookalike::exact::Rational;
use lookalike::model::{Channel, Mechanism, TOTAL};
use num_traits::Zero;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::RngSeed;

fn mechanism(rows: Vec<Vec<u64>>) -> Mechanism {
    let counts = categories(rows.len() - 1).unwrap();
    let mut builder = lookalike::model::SecretGraph::builder(counts.names().clone());
    builder.chain(&"1".parse().unwrap());
    Mechanism::point(counts.clone(), counts, builder.build().unwrap(), Channel::rows(rows).unwrap()).unwrap()
}

/// Small numbers as a row of weights: ties are frequent, and what is missing to 2^53 goes to the diagonal.
fn weights(row: &[u64], diagonal: usize) -> Vec<u64> {
    let unit = TOTAL / 24;
    let mut weights: Vec<u64> = row.iter().map(|&small| small * unit).collect();
    weights[diagonal] = 0;
    weights[diagonal] = TOTAL - weights.iter().sum::<u64>();
    weights
}

/// Random matrices with small entries; half of them symmetric, fair or sorted, so that properties hold now and then.
fn mechanisms() -> impl Strategy<Value = Mechanism> {
    let shape = (1usize..=3, 0u8..8, prop::collection::vec(0u64..=8, 17));
    shape.prop_map(|(n, bits, small)| {
        let mut rows: Vec<Vec<u64>> = (0..=n).map(|j| small[4 * j..=4 * j + n].to_vec()).collect();
        for j in 0..=n {
            if bits & 1 != 0 {
                // Falling away from the diagonal.
                rows[j][..j].sort_unstable();
                rows[j][j + 1..].sort_unstable_by(|a, b| b.cmp(a));
            }
            if bits & 2 != 0 && 2 * j > n {
                rows[j] = rows[n - j].iter().rev().copied().collect();
            }
            if bits & 4 != 0 {
                // Off the diagonal the same sum in every row: all to the last or first place.
                let last = if 2 * j <= n { n } else { 0 };
                (0..=n).filter(|&i| i != j && i != last).for_each(|i| rows[j][i] %= 3);
                let others: u64 = (0..=n).filter(|&i| i != j && i != last).map(|i| rows[j][i]).sum();
                rows[j][last] = 6 + 2 * small[16] - others;
            }
        }
        if n.is_multiple_of(2) && bits & 2 != 0 {
            for i in n / 2 + 1..=n {
                rows[n / 2][i] = rows[n / 2][n - i];
            }
        }
        mechanism(rows.iter().enumerate().map(|(j, row)| weights(row, j)).collect())
    })
}

/// The definitions, on fractions and over all pairs.
fn holds(mechanism: &Mechanism, property: Property) -> bool {
    let size = mechanism.inputs().len();
    let p = |i: usize, j: usize| mechanism.channels()[0].probability(j, i);
    let all = |of: &dyn Fn(usize, usize) -> bool| (0..size).all(|i| (0..size).all(|j| of(i, j)));
    // Whether c lies between a and b.
    let between = |a: usize, c: usize, b: usize| (a <= c && c <= b) || (b <= c && c <= a);
    match property {
        Property::RowHonesty => all(&|i, j| p(i, i) >= p(i, j)),
        Property::ColumnHonesty => all(&|i, j| p(j, j) >= p(i, j)),
        Property::RowMonotonicity => {
            all(&|i, j| (0..size).filter(|&c| between(i, c, j)).all(|nearer| p(i, nearer) >= p(i, j)))
        }
        Property::ColumnMonotonicity => {
            all(&|i, j| (0..size).filter(|&c| between(j, c, i)).all(|nearer| p(nearer, j) >= p(i, j)))
        }
        Property::Fairness => all(&|i, j| p(i, i) == p(j, j)),
        Property::WeakHonesty => {
            all(&|i, _| p(i, i) * Rational::from_integer(size.into()) >= Rational::from_integer(1.into()))
        }
        Property::Symmetry => all(&|i, j| p(i, j) == p(size - 1 - i, size - 1 - j)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, rng_seed: RngSeed::Fixed(20_180_416), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_checker_agrees_with_the_definitions_and_its_witnesses_are_true(mechanism in mechanisms()) {
        let p = |cell: Cell| mechanism.channels()[0].probability(cell.input, cell.output);
        for finding in check(&mechanism).unwrap() {
            prop_assert_eq!(finding.violation.is_none(), holds(&mechanism, finding.property), "{}", finding.property);
            if let Some(violation) = finding.violation {
                let guess = Rational::new(1.into(), mechanism.inputs().len().into());
                let reference = violation.reference.map_or(guess, p);
                prop_assert!(violation.by > Rational::zero());
                prop_assert_eq!(reference - p(violation.cell), violation.by);
            }
        }
    }

    // The implication diagram: whatever holds is closed under the rules.
    #[test]
    fn what_follows_holds(mechanism in mechanisms()) {
        let found = properties(&mechanism).unwrap();
        prop_assert_eq!(found.closure(), found);
    }
}

// No other rule is missing: for each closed set there is a mechanism with exactly these properties.
#[test]
fn every_closed_set_occurs() {
    let mut seen = std::collections::BTreeSet::new();
    // This one is too rare to be met by chance.
    let rare: [[u64; 3]; 3] = [[0, 1, 2], [1, 0, 2], [0, 3, 0]];
    let rare = mechanism(rare.iter().enumerate().map(|(j, row)| weights(row, j)).collect());
    seen.insert(properties(&rare).unwrap().to_string());
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for _ in 0..30_000 {
        let mechanism = mechanisms().new_tree(&mut runner).unwrap().current();
        if mechanism.inputs().len() > 2 {
            seen.insert(properties(&mechanism).unwrap().to_string());
        }
    }
    let closed: std::collections::BTreeSet<String> = (0..128u32)
        .map(|bits| {
            let chosen = Property::ALL.into_iter().enumerate().filter(|(at, _)| bits & 1 << at != 0);
            Properties::of(&chosen.map(|(_, property)| property).collect::<Vec<_>>()).closure().to_string()
        })
        .collect();
    let missing: Vec<_> = closed.difference(&seen).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn messages_name_cells_as_the_paper_does() {
    let rows = vec![vec![TOTAL / 4, 3 * (TOTAL / 4)], vec![TOTAL / 2, TOTAL / 2]];
    let findings = check(&mechanism(rows)).unwrap();
    let text: Vec<String> = findings
        .iter()
        .map(|finding| {
            let text = finding.violation.as_ref().map_or("holds".to_owned(), ToString::to_string);
            format!("{}: {text}", finding.property)
        })
        .collect();
    assert_eq!(
        text,
        [
            "RH: P[0|0] is less than P[0|1] by 1/4",
            "RM: P[0|0] is less than P[0|1] by 1/4",
            "CH: P[0|0] is less than P[1|0] by 1/2",
            "CM: P[0|0] is less than P[1|0] by 1/2",
            "F: P[0|0] is less than P[1|1] by 1/4",
            "WH: P[0|0] is less than 1/(n+1) by 1/4",
            "S: P[0|0] is less than P[1|1] by 1/4",
        ]
    );
}

#[test]
fn mechanisms_without_one_square_matrix_are_refused() {
    let counts = categories(1).unwrap();
    let mut builder = lookalike::model::SecretGraph::builder(counts.names().clone());
    builder.chain(&"1".parse().unwrap());
    let outputs = lookalike::model::Categories::new(["a", "b", "c"]).unwrap();
    let channel = Channel::rows(vec![vec![TOTAL, 0, 0]; 2]).unwrap();
    let wide = Mechanism::point(counts, outputs, builder.build().unwrap(), channel).unwrap();
    let error = check(&wide).unwrap_err();
    assert!(error.is_inapplicable());
    assert_eq!(
        error.to_string(),
        "a mechanism with 2 inputs and 3 outputs, expected equally many, at least 2, in order"
    );
}
