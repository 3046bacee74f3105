//! Tests of the protocols: the published probabilities and variances, and the best size by brute force.

use super::*;
use proptest::prelude::*;

fn categories(size: u32) -> Categories {
    Categories::new((0..size).map(|x| format!("c{x}"))).unwrap()
}

fn made(protocol: Protocol, size: u32, epsilon: &str) -> Oracle {
    oracle(protocol, categories(size), epsilon.parse().unwrap()).unwrap()
}

fn variance(oracle: &Oracle) -> f64 {
    SupportEstimator::new(oracle).variance(0.0)
}

fn assert_close(found: f64, expected: f64, what: &str) {
    assert!((found / expected - 1.0).abs() < 1e-9, "{what}: {found}, expected {expected}");
}

#[test]
fn variances_are_those_of_the_formulas() {
    for epsilon in ["1/10", "1/2", "1", "ln(3)", "2", "4"] {
        let e = epsilon.parse::<Epsilon>().unwrap().to_f64().exp();
        for d in [2, 3, 10, 64, 1_000] {
            let noise = |protocol| variance(&made(protocol, d, epsilon));
            let gain = (e - 1.0).powi(2);
            assert_close(noise(Protocol::KRr), (f64::from(d) - 2.0 + e) / gain, "k-rr");
            assert_close(noise(Protocol::Oue), 4.0 * e / gain, "oue");
            assert_close(noise(Protocol::Sue), e.sqrt() / (e.sqrt() - 1.0).powi(2), "sue");
            assert_close(noise(Protocol::Hadamard), ((e + 1.0) / (e - 1.0)).powi(2), "hadamard");
            let olh = made(Protocol::Olh, d, epsilon);
            let Encoding::Hash { buckets, .. } = olh.encoding() else { panic!("a hash") };
            let g = f64::from(buckets);
            assert_close(variance(&olh), (e + g - 1.0).powi(2) / (gain * (g - 1.0)), "olh");
        }
    }
}

#[test]
fn olh_has_the_variance_of_oue_when_e_plus_1_is_prime() {
    for (epsilon, g) in [("ln(2)", 3), ("ln(4)", 5), ("ln(6)", 7), ("ln(100)", 101)] {
        let olh = made(Protocol::Olh, 50, epsilon);
        assert!(matches!(olh.encoding(), Encoding::Hash { buckets, .. } if buckets == g), "{olh:?}");
        assert_close(variance(&olh), variance(&made(Protocol::Oue, 50, epsilon)), epsilon);
    }
}

#[test]
fn probabilities_are_the_published_ones_rounded_to_the_private_side() {
    let support = |protocol, epsilon: &str| made(protocol, 9, epsilon).support().map(|p| p.to_string());
    assert_eq!(support(Protocol::Oue, "ln(3)"), ["1/2", "1/4"]);
    assert_eq!(support(Protocol::Sue, "2*ln(3)"), ["3/4", "1/4"]);
    assert_eq!(support(Protocol::Hadamard, "ln(7)"), ["7/8", "1/2"]);
    assert_eq!(support(Protocol::KRr, "ln(8)"), ["1/2", "1/16"]);
    assert_eq!(support(Protocol::Olh, "ln(4)"), ["1/2", "1/5"]);
    // Sets of three with p = 3E/(3E + 6) = 1/2 and q = (3 − p)/8.
    assert_eq!(support(Protocol::Subset, "ln(2)"), ["1/2", "5/16"]);
}

proptest! {
    #[test]
    fn k_rr_beats_oue_exactly_when_d_is_below_3e_plus_2(d in 2u32..60, thousandths in 50u32..3_000) {
        let epsilon = format!("{thousandths}/1000");
        let crossing = 3.0 * (f64::from(thousandths) / 1e3).exp() + 2.0;
        prop_assume!((f64::from(d) - crossing).abs() > 1e-6);
        let beats = variance(&made(Protocol::KRr, d, &epsilon)) < variance(&made(Protocol::Oue, d, &epsilon));
        prop_assert_eq!(beats, f64::from(d) < crossing);
    }

    // The formulas in floats over all sizes, against the size that was found and its exact weights.
    #[test]
    fn the_set_size_is_the_best_of_all(d in 2u32..500, thousandths in 20u32..5_000) {
        let epsilon = format!("{thousandths}/1000");
        let (e, count) = ((f64::from(thousandths) / 1e3).exp(), f64::from(d));
        let noise = |size: f64| {
            let p = size * e / (size * e + count - size);
            let q = (size - p) / (count - 1.0);
            q * (1.0 - q) / (p - q).powi(2)
        };
        let best = (1..d).map(|size| noise(size.into())).fold(f64::INFINITY, f64::min);
        let found = variance(&made(Protocol::Subset, d, &epsilon));
        prop_assert!((found / best - 1.0).abs() < 1e-9, "{} {}", found, best);
    }

    #[test]
    fn the_number_of_buckets_is_the_best_prime(thousandths in 20u32..6_000) {
        let e = (f64::from(thousandths) / 1e3).exp();
        let noise = |g: f64| (e + g - 1.0).powi(2) / ((e - 1.0).powi(2) * (g - 1.0));
        let primes = (2u32..1_500).filter(|number| is_prime(*number));
        let best = primes.map(|buckets| noise(buckets.into())).fold(f64::INFINITY, f64::min);
        let found = variance(&made(Protocol::Olh, 9, &format!("{thousandths}/1000")));
        prop_assert!((found / best - 1.0).abs() < 1e-9, "{} {}", found, best);
    }
}

#[test]
fn one_category_and_next_to_no_epsilon_are_refused() {
    for protocol in Protocol::ALL {
        let one = oracle(protocol, categories(1), "1".parse().unwrap()).unwrap_err();
        assert_eq!(one.to_string(), "1 category, expected at least 2: there is nothing to hide");
        let little = oracle(protocol, categories(5), "1e-20".parse().unwrap()).unwrap_err();
        assert!(little.is_inapplicable());
        assert_eq!(
            little.to_string(),
            format!(
                "{protocol} at epsilon = 1/100000000000000000000: weights out of 2^53 leave nothing to read back, choose \
                 a larger epsilon"
            )
        );
    }
}

#[test]
fn the_largest_epsilon_leaves_a_unit_of_noise() {
    for protocol in Protocol::ALL {
        let oracle = made(protocol, 70_000, "100000");
        let [own, other] = oracle.support();
        assert!(own < Rational::from_integer(1.into()) && other > Rational::from_integer(0.into()), "{protocol}");
    }
    let olh = made(Protocol::Olh, 70_000, "100000");
    assert!(matches!(olh.encoding(), Encoding::Hash { buckets: HashFamily::MOST_BUCKETS, .. }));
}

#[test]
fn names_come_back_and_others_are_refused() {
    for protocol in Protocol::ALL {
        assert_eq!(protocol.to_string().parse::<Protocol>().unwrap(), protocol);
    }
    assert_eq!(
        "rappor".parse::<Protocol>().unwrap_err().to_string(),
        "oracle \"rappor\" is not known, expected one of k-rr, subset, olh, hadamard, oue, sue"
    );
}
