//! Tests of the limits: against exact sums of fractions, against closed forms and textbooks, and by what they promise.

use super::*;
use crate::exact::Rational;
use num_bigint::BigInt;
use num_traits::{One, Pow, Zero};
use proptest::prelude::*;

/// `Pr[X ≥ k]` for n trials of probability p, exactly.
fn exact_tail(k: u64, n: u64, p: &Rational) -> Rational {
    let q = Rational::one() - p;
    let (mut tail, mut ways) = (Rational::zero(), BigInt::one());
    for j in 0..=n {
        if j >= k {
            tail += Rational::from_integer(ways.clone()) * Pow::pow(p, j) * Pow::pow(&q, n - j);
        }
        ways = ways * (n - j) / (j + 1);
    }
    tail
}

fn exactly(x: f64) -> Rational {
    Rational::from_float(x).unwrap()
}

/// Whether the lower limit lies at or below the exact one, and twice a millionth of it higher lies beyond.
fn is_tight_lower(limit: f64, k: u64, n: u64, error: f64) -> bool {
    let above = exactly(limit * (1.0 + 2e-6));
    exact_tail(k, n, &exactly(limit)) <= exactly(error) && exact_tail(k, n, &above) > exactly(error)
}

proptest! {
    #[test]
    fn limits_enclose_the_exact_ones_tightly(n in 1u64..25, part in 0.0..1.0f64, power in 1i32..=40) {
        let (k, error) = ((part * (n + 1) as f64) as u64, f64::powi(0.5, power));
        let lower = lower_limit(k, n, error);
        prop_assert!(if k == 0 { lower == 0.0 } else { is_tight_lower(lower, k, n, error) }, "lower {lower}");
        let upper = upper_limit(k, n, error);
        // Pr[X ≤ k | U] is Pr[n − X ≥ n − k] with the probability 1 − U.
        let failures = |u: f64| exact_tail(n - k, n, &(Rational::one() - exactly(u)));
        if k == n {
            prop_assert_eq!(upper, 1.0);
        } else {
            // Next to 1 floats are coarser than that.
            let nearer = f64::min(1.0 - (1.0 - upper) * (1.0 + 2e-6), upper.next_down().next_down());
            prop_assert!(failures(upper) <= exactly(error) && failures(nearer) > exactly(error), "upper {upper}");
        }
    }

    #[test]
    fn limits_grow_with_successes_and_narrow_with_the_error(n in 1u64..100_000, part in 0.0..1.0f64, power in 2i32..39) {
        let (k, error) = ((part * n as f64) as u64, f64::powi(0.5, power));
        let (lower, upper) = clopper_pearson(k, n, error);
        let share = k as f64 / n as f64;
        prop_assert!((0.0..=share).contains(&lower) && (share..=1.0).contains(&upper) && lower < upper);
        let (more_lower, more_upper) = clopper_pearson(k + 1, n + 1, error);
        prop_assert!(lower < more_lower && upper <= more_upper);
        let (narrow_lower, narrow_upper) = clopper_pearson(k, n, 2.0 * error);
        prop_assert!(lower <= narrow_lower && narrow_upper <= upper);
        prop_assert!((k == 0 || lower < narrow_lower) && (k == n || narrow_upper < upper));
    }

    /// One kind of success more or less turns one limit into the other.
    #[test]
    fn the_limits_of_failures_are_those_of_successes_mirrored(n in 1u64..1_000_000, part in 0.0..1.0f64) {
        let k = (part * n as f64) as u64;
        let ((lower, upper), (low, high)) = (clopper_pearson(k, n, 0.05), clopper_pearson(n - k, n, 0.05));
        prop_assert!((lower - (1.0 - high)).abs() < 1e-12 && (upper - (1.0 - low)).abs() < 1e-12);
    }
}

#[test]
fn textbook_values_are_found() {
    for (k, n, error, lower, upper) in [
        (4, 10, 0.05, 0.1216, 0.7376),
        (1, 10, 0.05, 0.0025, 0.4450),
        (10, 100, 0.05, 0.0490, 0.1762),
        (50, 100, 0.05, 0.3983, 0.6017),
        (0, 30, 0.10, 0.0, 0.0950),
        (15, 20, 0.01, 0.4402, 0.9417),
    ] {
        let (low, high) = clopper_pearson(k, n, error);
        assert!((low - lower).abs() <= 1e-4 && (high - upper).abs() <= 1e-4, "{k} of {n}: {low} {high}");
    }
}

/// Computed with 40 digits.
#[test]
fn limits_of_many_trials_are_right_to_ten_digits_and_outward() {
    for (k, n, error, lower, upper) in [
        (33_333_333, 100_000_000, 1e-12, 0.33299724677585, 0.33366952732472),
        (17, 1_000_000_000, 1e-6, 3.7629103092961e-9, 4.6827294109286e-8),
        (500_000_000, 1_000_000_000, 0.05, 0.49996900974842, 0.50003099025158),
    ] {
        let (low, high) = clopper_pearson(k, n, error);
        assert!(low <= lower * (1.0 + 1e-13) && lower - low <= 1e-9 * lower, "{k} of {n}: {low}");
        assert!(high >= upper * (1.0 - 1e-13) && high - upper <= 1e-9 * upper, "{k} of {n}: {high}");
    }
}

#[test]
fn no_success_and_no_failure_have_closed_forms_at_every_size() {
    for n in [1u64, 2, 10, 1000, 1_000_000, 100_000_000, 1_000_000_000] {
        for error in [0.5f64, 0.05, 1e-6, 1e-12] {
            // (1 − U)^n = error/2.
            let exact = -((error / 2.0).ln() / n as f64).exp_m1();
            let (lower, upper) = clopper_pearson(0, n, error);
            assert!(lower == 0.0 && upper >= exact && upper <= exact * (1.0 + 1e-7), "{n} {error}: {upper} {exact}");
            let (lower, upper) = clopper_pearson(n, n, error);
            assert!(
                upper == 1.0 && lower <= 1.0 - exact && 1.0 - lower <= exact * (1.0 + 1e-6),
                "{n} {error}: {lower}"
            );
            // L^1 for one success: 1 − (1 − L)^n = error/2.
            let exact = -((-error / 2.0).ln_1p() / n as f64).exp_m1();
            let lower = clopper_pearson(1, n, error).0;
            assert!(lower <= exact && lower >= exact * (1.0 - 1e-7), "{n} {error}: {lower} {exact}");
        }
    }
    assert_eq!(clopper_pearson(0, 0, 0.05), (0.0, 1.0));
}

#[test]
fn every_probability_is_covered_at_least_as_often_as_promised_and_not_always() {
    let (n, error) = (20, 0.1);
    let limits: Vec<_> = (0..=n).map(|k| clopper_pearson(k, n, error)).collect();
    let mut least = Rational::one();
    for step in 1..200 {
        let p = Rational::new(step.into(), 200.into());
        let covers = |&k: &u64| exactly(limits[k as usize].0) <= p && p <= exactly(limits[k as usize].1);
        let mass = |k: u64| exact_tail(k, n, &p) - exact_tail(k + 1, n, &p);
        let covered: Rational = (0..=n).filter(covers).map(mass).sum();
        assert!(covered >= Rational::new(9.into(), 10.into()), "{p}: {covered}");
        least = least.min(covered);
    }
    assert!(least < Rational::new(93.into(), 100.into()), "the limits are not wider than they need be");
}

#[test]
fn a_hundred_million_trials_are_quick_and_near_the_normal_limits() {
    let begin = std::time::Instant::now();
    for k in [1u64, 7, 1_000, 30_000_000, 50_000_000, 99_999_999] {
        let n = 100_000_000;
        let (lower, upper) = clopper_pearson(k, n, 0.05);
        let share = k as f64 / n as f64;
        assert!(lower < share && share < upper);
        if k >= 1000 && n - k >= 1000 {
            let deviation = 1.959_963_985 * (share * (1.0 - share) / n as f64).sqrt();
            assert!(((upper - lower) / (2.0 * deviation) - 1.0).abs() < 0.02, "{k}");
        }
    }
    assert!(begin.elapsed().as_secs() < 5, "{:?}", begin.elapsed());
}

#[test]
#[should_panic(expected = "11 successes among 10 trials")]
fn more_successes_than_trials_are_refused() {
    clopper_pearson(11, 10, 0.05);
}

#[test]
#[should_panic(expected = "expected more than 0 and less than 1")]
fn an_error_of_nothing_is_refused() {
    clopper_pearson(1, 10, 0.0);
}
