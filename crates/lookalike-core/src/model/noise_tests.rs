//! Tests of [`super::Noise`].

use super::*;
use crate::exact::parse_rational;
use proptest::prelude::*;

fn rational(text: &str) -> Rational {
    parse_rational(text).unwrap()
}

fn noise(epsilon: &str, sensitivity: &str, exponent: i32) -> Result<Noise> {
    Noise::for_epsilon(epsilon.parse().unwrap(), rational(sensitivity), exponent)
}

#[test]
fn steps_are_the_most_that_rounding_can_make_of_the_sensitivity() {
    // All pairs on a mesh of a sixteenth of a step, over more than one period of the grid: the bound holds, and some
    // pair attains it.
    for exponent in [-1, 0, 1] {
        for sixteenths in 1..80i64 {
            let sixteenth = |n: i64| Rational::new(n.into(), 16.into());
            let noise = Noise::for_epsilon("1".parse().unwrap(), sixteenth(sixteenths), exponent).unwrap();
            let rounded = |n: i64| noise.round(&sixteenth(n));
            let pairs = (-32..32).flat_map(|a| (0..=sixteenths).map(move |by| (a, a + by)));
            let most = pairs.map(|(a, b)| rounded(b) - rounded(a)).max().unwrap();
            assert_eq!(BigInt::from(noise.steps()), most, "sensitivity {sixteenths}/16 on a grid of 2^{exponent}");
        }
    }
}

#[test]
fn values_on_the_grid_pay_nothing_for_rounding() {
    for (sensitivity, exponent, steps) in [("1", 0, 1u32), ("7", 0, 7), ("3", -4, 48), ("1", -10, 1024), ("8", 3, 1)] {
        assert_eq!(noise("1/2", sensitivity, exponent).unwrap().steps(), steps.into(), "{sensitivity} {exponent}");
    }
    assert_eq!(noise("1/2", "7", 0).unwrap().decay().to_string(), "1/14");
    assert_eq!(noise("ln(3)", "1", -1).unwrap().decay().to_string(), "1/2*ln(3)");
}

#[test]
fn halves_go_upward() {
    let noise = noise("1", "1", -1).unwrap();
    let rounded = ["0.25", "-0.25", "0.249", "-0.26", "0.75", "-0.75", "3"].map(|text| noise.round(&rational(text)));
    assert_eq!(rounded, [1, 0, 0, -1, 2, -1, 6].map(BigInt::from));
}

#[test]
fn arguments_that_make_no_sense_are_refused() {
    let text = |result: Result<Noise>| result.unwrap_err().to_string();
    assert_eq!(text(noise("1", "0", 0)), "sensitivity = 0, expected a number above 0");
    assert_eq!(text(noise("1", "-1", 0)), "sensitivity = -1, expected a number above 0");
    assert_eq!(text(noise("1", "1", -1075)), "a grid of 2^-1075, expected a power of two from 2^-1074 to 2^970");
    assert_eq!(
        text(noise("1", "1", -45)),
        "noise of more than 2^44 grid steps (decay 1/35184372088832 a step), expected a coarser grid or a larger epsilon"
    );
    assert!(noise("1", "1", -44).is_ok());
    let clamped = |lower, upper| noise("1", "1", 0).unwrap().clamped(rational(lower), rational(upper));
    assert_eq!(text(clamped("2", "2")), "bounds 2 and 2, expected the lower one first");
    assert_eq!(
        text(clamped("0", "9007199254740993")),
        "bound 9007199254740993 is more than 2^53 steps of 2^0 from 0, expected a coarser grid"
    );
    assert!(clamped("-9007199254740992", "9007199254740992").is_ok());
    assert_eq!(clamped("0", "0.5").unwrap().clamp().unwrap()[1], rational("1/2"));
    for confidence in ["0", "1", "-1", "95"] {
        let message = noise("1", "1", 0).unwrap().interval(&rational(confidence)).unwrap_err().to_string();
        assert_eq!(message, format!("confidence = {confidence}, expected a number between 0 and 1"));
    }
}

/// P(|Z| > m) for α = 1/r, exactly.
fn beyond(m: u32, r: u64) -> Rational {
    let power = BigInt::from(r).pow(m + 1);
    Rational::new(BigInt::from(2 * r), power * BigInt::from(r + 1))
}

#[test]
fn intervals_at_equality_are_at_most_one_step_wide_of_the_smallest() {
    // P(|Z| > 2) = 1/18 at α = 1/3: a confidence of exactly 17/18 cannot be told from its neighbours by enclosures.
    let noise = noise("ln(3)", "1", 0).unwrap();
    assert!([2, 3].contains(&noise.interval(&rational("17/18")).unwrap()));
    assert_eq!(noise.interval(&rational("0.94444")).unwrap(), 2);
    assert_eq!(noise.interval(&rational("0.94445")).unwrap(), 3);
    assert_eq!(noise.interval(&rational("0.4")).unwrap(), 0, "P(0) = 1/2");
}

#[test]
fn intervals_of_wide_noise_agree_with_the_continuous_law() {
    // P(|Z| > m) is close to e^(−m·decay): m = 3.6888794541·10^9 at 97.5 %.
    let m = noise("1e-9", "1", 0).unwrap().interval(&rational("0.975")).unwrap();
    assert!((3_688_879_453..3_688_879_456).contains(&m), "{m}");
}

proptest! {
    #[test]
    fn intervals_are_the_smallest_that_hold(r in 2u64..50, numerator in 1u64..1_000_000) {
        let noise = noise(&format!("ln({r})"), "1", 0).unwrap();
        let confidence = Rational::new(numerator.into(), 1_000_000.into());
        let m = noise.interval(&confidence).unwrap() as u32;
        let rest = Rational::one() - confidence;
        prop_assert!(beyond(m, r) <= rest);
        prop_assert!(m == 0 || beyond(m - 1, r) >= rest);
    }

    #[test]
    fn decay_times_steps_is_the_claim(n in 1i64..10_000, d in 1i64..10_000, exponent in -12i32..12) {
        let noise = Noise::for_epsilon("1/3".parse().unwrap(), Rational::new(n.into(), d.into()), exponent).unwrap();
        let product = noise.decay().scale(&Rational::from_integer(noise.steps().into())).unwrap();
        prop_assert_eq!(&product, noise.epsilon());
    }
}
