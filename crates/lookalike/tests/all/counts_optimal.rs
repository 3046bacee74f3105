//! The optimal mechanism for every set of properties: against another library's simplex on the plain program, against
//! its own proven bound, and the order of the costs that the reference page gives.

use lookalike::certify::certify;
use lookalike::counts::*;
use lookalike::design::Watch;
use lookalike::exact::{Direction, Rational, to_f64};
use lookalike::model::Prior;
use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOptions};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::ops::RangeInclusive;

fn float(value: &Rational) -> f64 {
    to_f64(value, Direction::Nearest)
}

fn best(n: usize, alpha: &str, properties: &str, prior: &Prior, loss: CountLoss) -> Optimal {
    let (alpha, properties) = (alpha.parse::<Alpha>().unwrap(), properties.parse::<Properties>().unwrap());
    let found = optimal(n, &alpha, properties, (prior, loss), &Watch::default()).unwrap();
    assert!(check_sound(&found, properties), "n {n} alpha {alpha} {properties} {loss}");
    found
}

/// Private as claimed, with the properties asked for, and not below its own bound.
fn check_sound(found: &Optimal, asked: Properties) -> bool {
    let has = properties(&found.mechanism).unwrap().includes(asked);
    has && certify(found.mechanism.clone()).is_ok() && found.bound.as_ref().is_none_or(|bound| *bound <= found.score)
}

fn uniform_l0(n: usize, alpha: &str, properties: &str) -> f64 {
    float(&best(n, alpha, properties, &Prior::uniform(n + 1).unwrap(), CountLoss::L0).score)
}

#[test]
fn the_reference_costs_come_out() {
    for (n, alpha, properties, expected) in [
        (4, "0.9", "none", 0.94737),
        (4, "0.9", "WH", 0.96420),
        (4, "0.9", "CM", 0.96543),
        (4, "0.9", "F", 0.96719),
        (7, "0.76", "none", 0.86364),
        (7, "0.76", "WH", 0.86364),
        (7, "0.76", "CM", 0.88616),
        (7, "0.76", "WH,RM,CM", 0.88616),
        (7, "0.76", "F", 0.90899),
    ] {
        let found = uniform_l0(n, alpha, properties);
        assert!((found - expected).abs() <= 5e-6, "n {n} alpha {alpha} {properties}: {found}, expected {expected}");
    }
}

// {} = RH = RM ≤ WH = WH+RM ≤ CH = CM = WH+RM+CM ≤ F = all ≤ 1.
#[test]
fn there_are_four_costs_in_this_order() {
    for n in 1..=12 {
        for alpha in ["1/4", "1/2", "0.62", "0.76", "0.9", "0.99"] {
            let cost = |properties| uniform_l0(n, alpha, properties);
            let classes: Vec<Vec<f64>> =
                [&["none", "RH", "RM"][..], &["WH", "WH,RM"], &["CH", "CM", "WH,RM,CM"], &["F", "all"]]
                    .iter()
                    .map(|class| class.iter().map(|properties| cost(properties)).collect())
                    .collect();
            for class in &classes {
                assert!(class.iter().all(|cost| (cost - class[0]).abs() <= 1e-8), "n {n} alpha {alpha}: {classes:?}");
            }
            assert!(classes.windows(2).all(|pair| pair[0][0] <= pair[1][0] + 1e-8), "n {n} alpha {alpha}: {classes:?}");
            assert!(classes[3][0] <= 1.0 + 1e-8, "n {n} alpha {alpha}: {classes:?}");
            let a: f64 = float(alpha.parse::<Alpha>().unwrap().exact().unwrap());
            assert!((classes[0][0] - 2.0 * a / (1.0 + a)).abs() <= 1e-8, "GM at n {n} alpha {alpha}");
        }
    }
}

/// The plain program: a variable an entry, every demand a row, straight from the definitions.
fn simplex(n: usize, alpha: f64, properties: Properties, prior: &Prior, loss: CountLoss) -> f64 {
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let mut p = Vec::new();
    for j in 0..=n {
        let weight = float(&prior.weight(j));
        let cost = |i: usize| weight * float(&loss.cost(i.abs_diff(j)));
        p.push((0..=n).map(|i| problem.add_var(cost(i), (0.0, 1.0))).collect::<Vec<_>>());
    }
    for row in &p {
        problem.add_constraint(row.iter().map(|&entry| (entry, 1.0)).collect::<Vec<_>>(), ComparisonOp::Eq, 1.0);
    }
    // P[i|j] is p[j][i].
    let mut row = |more: (usize, usize), factor: f64, less: (usize, usize), op: ComparisonOp| {
        if more != less {
            problem.add_constraint([(p[more.1][more.0], 1.0), (p[less.1][less.0], -factor)], op, 0.0);
        }
    };
    let ge = ComparisonOp::Ge;
    for i in 0..=n {
        for j in 0..=n {
            if j < n {
                row((i, j), alpha, (i, j + 1), ge);
                row((i, j + 1), alpha, (i, j), ge);
            }
            for property in properties.iter() {
                match property {
                    Property::RowHonesty => row((i, i), 1.0, (i, j), ge),
                    Property::ColumnHonesty => row((j, j), 1.0, (i, j), ge),
                    Property::RowMonotonicity if j < i => row((i, j + 1), 1.0, (i, j), ge),
                    Property::RowMonotonicity if j > i => row((i, j - 1), 1.0, (i, j), ge),
                    Property::ColumnMonotonicity if i < j => row((i + 1, j), 1.0, (i, j), ge),
                    Property::ColumnMonotonicity if i > j => row((i - 1, j), 1.0, (i, j), ge),
                    Property::Fairness => row((i, i), 1.0, (j, j), ComparisonOp::Eq),
                    Property::Symmetry => row((i, j), 1.0, (n - i, n - j), ComparisonOp::Eq),
                    _ => {}
                }
            }
        }
    }
    if properties.contains(Property::WeakHonesty) {
        (0..=n).for_each(|i| {
            problem.add_constraint([(p[i][i], 1.0)], ge, 1.0 / (n as f64 + 1.0));
        });
    }
    let mut options = SolveOptions::default();
    options.tolerances.feasibility = 1e-10;
    let outcome = problem.solve_with(options).expect("the program has an optimum");
    outcome.into_solution().expect("there is no time limit").objective() * (n as f64 + 1.0) / n as f64
}

fn cases(
    sizes: RangeInclusive<usize>,
) -> impl Strategy<Value = (usize, &'static str, Properties, Vec<i64>, CountLoss)> {
    let alpha = prop_oneof![Just("1/10"), Just("1/2"), Just("0.76"), Just("0.9"), Just("0.97")];
    let losses = prop_oneof![
        Just(CountLoss::L0),
        Just(CountLoss::LHalf),
        Just(CountLoss::L1),
        Just(CountLoss::L2),
        Just(CountLoss::MoreThan(1))
    ];
    let properties = prop::sample::subsequence(&Property::ALL[..], 0..=7).prop_map(|chosen| Properties::of(&chosen));
    // Priors: any, symmetric, or even.
    let prior = (prop::collection::vec(prop_oneof![Just(0i64), 1i64..10], 13), 0u8..3);
    (sizes, alpha, properties, prior, losses).prop_map(|(n, alpha, properties, (weights, shape), loss)| {
        let weight = |j: usize| match shape {
            0 => weights[j],
            1 => weights[j.min(n - j)],
            _ => 1,
        };
        let mut prior: Vec<i64> = (0..=n).map(weight).collect();
        if prior.iter().all(|&weight| weight == 0) {
            prior = vec![1; n + 1];
        }
        (n, alpha, properties, prior, loss)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, rng_seed: RngSeed::Fixed(20_180_416), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn optima_are_those_of_the_plain_program((n, alpha, properties, prior, loss) in cases(1..=6)) {
        let prior = Prior::new(&prior.iter().map(|&weight| Rational::from_integer(weight.into())).collect::<Vec<_>>()).unwrap();
        let found = best(n, alpha, &properties.to_string(), &prior, loss);
        let expected = simplex(n, float(alpha.parse::<Alpha>().unwrap().exact().unwrap()), properties, &prior, loss);
        let (score, size) = (float(&found.score), float(&loss.cost(n)).max(1.0));
        prop_assert!((score - expected).abs() <= 1e-7 * size, "{:?}: {} against {}", found.method, score, expected);
        if let Some(bound) = &found.bound {
            prop_assert!(float(bound) <= expected + 1e-7 * size, "bound {} above {}", float(bound), expected);
            prop_assert!(float(bound) >= score - 1e-6 * size, "bound {} far below {}", float(bound), score);
        }
    }

    // Too large for the simplex here; no bound is above the score of a mechanism, so a small gap proves both.
    #[test]
    fn larger_optima_are_proved_by_their_own_bound((n, alpha, properties, prior, loss) in cases(7..=12)) {
        let prior = Prior::new(&prior.iter().map(|&weight| Rational::from_integer(weight.into())).collect::<Vec<_>>()).unwrap();
        let found = best(n, alpha, &properties.to_string(), &prior, loss);
        if let Some(bound) = &found.bound {
            let gap = float(&(&found.score - bound));
            prop_assert!(gap <= 1e-7 * float(&loss.cost(n)), "{:?}: gap {}", found.method, gap);
        }
    }
}

// Three columns a count are enough for even counts: the bound proves it.
#[test]
fn even_counts_need_no_program_over_all_entries() {
    for n in [16, 33, 48] {
        for alpha in ["0.51", "0.7", "0.9", "0.99"] {
            for properties in ["CH", "CM", "WH,RM,CM"] {
                let found = best(n, alpha, properties, &Prior::uniform(n + 1).unwrap(), CountLoss::L0);
                assert_eq!(found.method, Method::ChainProgram, "n {n} alpha {alpha} {properties}");
                let gap = float(&(&found.score - found.bound.unwrap()));
                assert!((0.0..=2e-8).contains(&gap), "n {n} alpha {alpha} {properties}: gap {gap}");
            }
        }
    }
}

#[test]
fn an_irrational_alpha_is_as_good() {
    let alpha = Alpha::from_epsilon("1/10".parse().unwrap());
    let prior = Prior::uniform(6).unwrap();
    for (properties, loss) in [("CM", CountLoss::L0), ("RM,CM", CountLoss::L1), ("none", CountLoss::L2)] {
        let properties = properties.parse().unwrap();
        let found = optimal(5, &alpha, properties, (&prior, loss), &Watch::default()).unwrap();
        assert!(check_sound(&found, properties), "{properties} {loss}");
        let expected = simplex(5, (-0.1f64).exp(), properties, &prior, loss);
        assert!((float(&found.score) - expected).abs() <= 1e-7, "{properties} {loss}: {expected}");
    }
}

#[test]
fn what_needs_no_program_has_none() {
    let method = |properties: &str, weights: &[i64], loss| {
        let weights: Vec<Rational> = weights.iter().map(|&weight| Rational::from_integer(weight.into())).collect();
        best(4, "0.9", properties, &Prior::new(&weights).unwrap(), loss).method
    };
    let (even, skewed) = ([1; 5], [1, 2, 3, 4, 5]);
    assert_eq!(method("none", &skewed, CountLoss::L1), Method::RemappedGeometric);
    assert_eq!(method("S", &even, CountLoss::L2), Method::RemappedGeometric);
    assert_eq!(method("WH", &even, CountLoss::L0), Method::WeaklyHonest);
    assert_eq!(method("F,CM", &even, CountLoss::L0), Method::ExplicitFair);
    assert_eq!(method("CM", &even, CountLoss::L0), Method::ChainProgram);
    assert_eq!(method("F", &skewed, CountLoss::L0), Method::ChainProgram);
    assert_eq!(method("WH", &even, CountLoss::L1), Method::LinearProgram);
}

#[test]
fn wishes_that_do_not_fit_are_refused() {
    let alpha: Alpha = "0.9".parse().unwrap();
    let ask = |n, size| {
        let prior = Prior::uniform(size).unwrap();
        optimal(n, &alpha, Properties::ALL, (&prior, CountLoss::L1), &Watch::default()).unwrap_err().to_string()
    };
    assert_eq!(ask(0, 1), "a group of n = 0, expected at least 1: a count of nobody tells nothing");
    assert_eq!(ask(4, 4), "a prior over 4 counts, expected 5: those from 0 to n");
    let stop = || true;
    let prior = Prior::uniform(5).unwrap();
    let watch = Watch::default().stop_when(&stop);
    assert!(optimal(4, &alpha, Properties::ALL, (&prior, CountLoss::L1), &watch).unwrap_err().is_stopped());
}
