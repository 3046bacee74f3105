//! Values that an independent program found, to nine decimals.

use lookalike::design::MechanismName;
use lookalike::exact::{Direction, Epsilon, Rational, parse_rational, to_f64};
use lookalike_experiments::{bernoulli_chain, bernoulli_couplet, categorical_chain, designed};

fn epsilon(text: &str) -> Epsilon {
    text.parse().unwrap()
}

fn flip(problem: &lookalike::design::Problem, name: MechanismName) -> f64 {
    to_f64(&designed(problem, name).unwrap().largest_flip(), Direction::Nearest)
}

#[track_caller]
fn assert_close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "found {found}, expected {expected}");
}

#[test]
fn chains_of_bernoulli_profiles() {
    for (count, budget, smooth, cluster) in [
        (6, "0.2", 0.301755295645, 0.3219),
        (6, "0.5", 0.147151776469, 0.1907),
        (6, "1", 0.073575888234, 0.0944),
        (21, "0.2", 0.091969860293, 0.1556),
        (21, "0.5", 0.036787944117, 0.0668),
        (21, "1", 0.018393972059, 0.0275),
    ] {
        let problem = bernoulli_chain(count, &epsilon(budget)).unwrap();
        assert_close(flip(&problem, MechanismName::SmoothOneBit), smooth, 1e-9);
        assert_close(flip(&problem, MechanismName::OneBitCluster), cluster, 5e-5);
        let warner = 1.0 / (1.0 + budget.parse::<f64>().unwrap().exp());
        assert_close(flip(&problem, MechanismName::RandomizedResponse), warner, 1e-9);
    }
}

#[test]
fn the_categorical_chain_of_table_1() {
    for (budget, expected) in [
        ("0.1", 0.120847326618),
        ("0.2", 0.098644444541),
        ("0.5", 0.056684741688),
        ("1", 0.008418409498),
        ("ln(3)", 0.0),
        ("1.2", 0.0),
    ] {
        let problem = categorical_chain(&epsilon(budget)).unwrap();
        assert_close(flip(&problem, MechanismName::SmoothCategorical), expected, 1e-9);
        let k_rr = 1.0 / (epsilon(budget).to_f64().exp() + 3.0);
        assert_close(flip(&problem, MechanismName::RandomizedResponse), k_rr, 1e-9);
    }
}

/// The flip of a couplet: Observation 10 with its sign guard.
fn pair(p_i: f64, p_j: f64, epsilon: f64) -> f64 {
    let exp = epsilon.exp();
    let g = |u: f64| if u > 0.0 { u / (2.0 * u + exp - 1.0) } else { 0.0 };
    g(p_j - exp * p_i).max(g((1.0 - p_i) - exp * (1.0 - p_j)))
}

#[test]
fn couplets() {
    let printed = [
        ("0.2", 0.0, 0.1907),
        ("0.4", 0.1939, 0.2761),
        ("0.6", 0.2959, 0.3245),
        ("0.8", 0.3469, 0.3558),
        ("1", 0.3775, 0.3775),
    ];
    let half = Rational::new(1.into(), 2.into());
    for (difference, symmetric, from_zero) in printed {
        let exact = parse_rational(difference).unwrap();
        let around = [&half - &exact * &half, &half + &exact * &half];
        let zero = [Rational::from_integer(0.into()), exact];
        for (ones, printed) in [(around, symmetric), (zero, from_zero)] {
            let problem = bernoulli_couplet(&ones, &epsilon("0.5")).unwrap();
            let [p_i, p_j] = ones.map(|p| to_f64(&p, Direction::Nearest));
            let found = flip(&problem, MechanismName::TwoProfile);
            assert_close(found, pair(p_i, p_j, 0.5), 1e-9);
            assert_close(found, printed, 5e-5);
        }
    }
}

#[test]
fn the_closed_forms_of_couplets() {
    for (tenths, budget) in [(3i64, 0.2f64), (6, 0.5), (9, 1.0)] {
        let (delta, text) = (tenths as f64 / 10.0, budget.to_string());
        let exact = Rational::new(tenths.into(), 10.into());
        let half = Rational::new(1.into(), 2.into());
        let around = bernoulli_couplet(&[&half - &exact * &half, &half + &exact * &half], &epsilon(&text)).unwrap();
        let symmetric = (0.5 * (1.0 - (budget / 2.0).tanh() / delta)).max(0.0);
        assert_close(flip(&around, MechanismName::TwoProfile), symmetric, 1e-9);
        assert_close(flip(&around, MechanismName::SmoothOneBit), symmetric, 1e-9);
        let zero = bernoulli_couplet(&[Rational::from_integer(0.into()), exact], &epsilon(&text)).unwrap();
        let from_zero = delta / (2.0 * delta + budget.exp() - 1.0);
        assert_close(flip(&zero, MechanismName::TwoProfile), from_zero, 1e-9);
    }
}
