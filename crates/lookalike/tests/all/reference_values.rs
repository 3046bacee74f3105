//! The reference values of the paper's mechanisms, from the library and from the oracle that judges it.

use crate::oracle::formulation::{optimum, optimum_of_symmetric_flips};
use crate::oracle::instance::{Budget, Instance};
use crate::oracle::*;

fn assert_close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what}: found {found}, expected {expected}");
}

/// Profiles (1 − p, p) with p = ones/whole.
fn bernoulli(ones: impl IntoIterator<Item = u64>, whole: u64) -> Vec<Vec<u64>> {
    ones.into_iter().map(|ones| vec![whole - ones, ones]).collect()
}

/// The closed form for two Bernoulli profiles with p ≤ p'.
fn pair_formula(p: f64, p_other: f64, epsilon: f64) -> f64 {
    let ratio = epsilon.exp();
    let g = |u: f64| if u > 0.0 { u / (2.0 * u + ratio - 1.0) } else { 0.0 };
    g(p_other - ratio * p).max(g((1.0 - p) - ratio * (1.0 - p_other)))
}

#[test]
fn pairs_have_the_flip_of_the_closed_form() {
    let half = Budget("0.5", 0.5);
    let printed =
        [(2, 0.0, 0.1907), (4, 0.1939, 0.2761), (6, 0.2959, 0.3245), (8, 0.3469, 0.3558), (10, 0.3775, 0.3775)];
    for (tenths, symmetric, from_zero) in printed {
        for (ones, printed) in [([10 - tenths, 10 + tenths], symmetric), ([0, 2 * tenths], from_zero)] {
            let instance = Instance::chain(bernoulli(ones, 20), half);
            let expected = pair_formula(ones[0] as f64 / 20.0, ones[1] as f64 / 20.0, 0.5);
            let what = format!("{ones:?} twentieths");
            assert_close(expected, printed, 5e-5, &what);
            let design = designed(&instance.problem(), "two-profile");
            assert_sound(&instance, &design);
            assert_close(design.objective.value, expected, 1e-9, &what);
            // One flip probability for both profiles is all that two profiles need when they mirror each other.
            let (optimum, smooth) =
                (optimum_of_symmetric_flips(&instance), designed(&instance.problem(), "smooth-one-bit"));
            assert_optimal(&instance, &smooth, &optimum);
            if ones[0] + ones[1] == 20 {
                assert_close(optimum.upper, expected, 1e-9, &what);
                assert_close(smooth.objective.value, expected, 1e-9, &what);
            } else {
                assert!(smooth.objective.value <= expected + 1e-9, "{what}");
            }
        }
    }
}

#[test]
fn pairs_where_the_unguarded_formula_fails() {
    for (ones, budget) in [([2, 4], Budget("1", 1.0)), ([10, 10], Budget("0.5", 0.5))] {
        let instance = Instance::chain(bernoulli(ones, 20), budget);
        assert_eq!(designed(&instance.problem(), "smooth-one-bit").objective.value, 0.0);
        assert_close(optimum_of_symmetric_flips(&instance).upper, 0.0, 1e-12, "no noise");
    }
}

#[test]
fn six_chains_of_bernoulli_profiles() {
    let (fifth, half, one) = (Budget("0.2", 0.2), Budget("0.5", 0.5), Budget("1", 1.0));
    let printed = [
        (6, fifth, 0.301755295645, 0.3219),
        (6, half, 0.147151776469, 0.1907),
        (6, one, 0.073575888234, 0.0944),
        (21, fifth, 0.091969860293, 0.1556),
        (21, half, 0.036787944117, 0.0668),
        (21, one, 0.018393972059, 0.0275),
    ];
    for (k, budget, smooth, cluster) in printed {
        let instance = Instance::chain(bernoulli(0..k, k - 1), budget);
        let (problem, what) = (instance.problem(), format!("chain-{k} at {}", budget.0));
        assert_close(optimum_of_symmetric_flips(&instance).upper, smooth, 1e-9, &what);
        let design = designed(&problem, "smooth-one-bit");
        assert_sound(&instance, &design);
        assert_close(design.objective.value, smooth, 1e-9, &what);
        assert_close(designed(&problem, "one-bit-cluster").objective.value, cluster, 5e-5, &what);
        assert_close(designed(&problem, "k-rr").objective.value, 1.0 / (1.0 + budget.1.exp()), 1e-12, &what);
    }
}

/// Table 1 of the paper.
fn categorical_chain(budget: Budget) -> Instance {
    Instance::chain(vec![vec![2, 3, 4, 1], vec![3, 3, 3, 1], vec![4, 4, 1, 1]], budget)
}

const CATEGORICAL_CHAIN: [(Budget, f64); 6] = [
    (Budget("0.1", 0.1), 0.120847326618),
    (Budget("0.2", 0.2), 0.098644444541),
    (Budget("0.5", 0.5), 0.056684741688),
    (Budget("1", 1.0), 0.008418409498),
    (Budget("ln(3)", 1.098_612_288_668_109_8), 0.0),
    (Budget("2", 2.0), 0.0),
];

#[test]
fn the_oracle_knows_the_categorical_chain() {
    for (budget, expected) in CATEGORICAL_CHAIN {
        let optimum = optimum(&categorical_chain(budget));
        assert_narrow(&optimum);
        assert_close(optimum.upper, expected, 1e-9, budget.0);
    }
}

#[test]
fn the_categorical_chain_of_table_1() {
    for (budget, expected) in CATEGORICAL_CHAIN {
        let instance = categorical_chain(budget);
        let design = designed_optimally(&instance.problem());
        assert_sound(&instance, &design);
        assert_close(design.objective.value, expected, 1e-9, budget.0);
        assert!(design.objective.lower_bound <= expected + 1e-11);
        assert_close(
            designed(&instance.problem(), "k-rr").objective.value,
            1.0 / (budget.1.exp() + 3.0),
            1e-12,
            "k-rr",
        );
    }
}

#[test]
fn the_identity_is_private_for_the_categorical_chain_at_ln_3() {
    let mechanism = designed_optimally(&categorical_chain(Budget("ln(3)", 3f64.ln())).problem()).mechanism;
    assert!((0..3).all(|secret| mechanism.channel(secret).is_identity()));
}
