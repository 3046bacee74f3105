//! Tests of the certifier of noise.

use super::*;
use crate::certify::certify;
use crate::exact::parse_rational;
use crate::model::Movement;
use num_traits::One;
use proptest::prelude::*;

fn noise(epsilon: &str, decay: &str, sensitivity: &str, exponent: i32) -> Noise {
    let (epsilon, decay) = (epsilon.parse().unwrap(), decay.parse().unwrap());
    Noise::new(epsilon, decay, parse_rational(sensitivity).unwrap(), exponent).unwrap()
}

#[test]
fn claims_pass_at_equality_and_fail_just_below() {
    for (epsilon, decay, sensitivity, exponent) in
        [("1", "1", "1", 0), ("ln(9)", "ln(3)", "2", 0), ("3/4", "1/4", "5/2", 0), ("1", "1/1024", "1", -10)]
    {
        assert!(certify(noise(epsilon, decay, sensitivity, exponent)).is_ok());
        let epsilon: Epsilon = epsilon.parse().unwrap();
        let less = epsilon.scale(&parse_rational("0.999999999999999999999").unwrap()).unwrap();
        let violation = certify(noise(&less.to_string(), decay, sensitivity, exponent)).unwrap_err();
        assert_eq!(violation.certificate().achieved().unwrap(), epsilon);
    }
    // Forms that can only be compared by enclosures.
    assert!(certify(noise("1.0986122886681098", "ln(3)", "1", 0)).is_ok());
    assert!(certify(noise("1.0986122886681096", "ln(3)", "1", 0)).is_err());
}

#[test]
fn a_product_beyond_any_claim_is_a_violation() {
    let violation = certify(noise("100000", "100000", "2", 0)).unwrap_err();
    assert_eq!(violation.certificate().achieved(), None);
    assert_eq!(violation.to_string(), "2 steps of decay 100000 exceed epsilon 100000");
}

#[test]
fn counts_that_move_anyhow_need_half_the_decay() {
    let max = |decay: &str, counts| NoisyMax::new("1".parse().unwrap(), decay.parse().unwrap(), 3, counts).unwrap();
    assert!(certify(max("1/3", Movement::Together)).is_ok());
    assert!(certify(max("1/6", Movement::Anyhow)).is_ok());
    let violation = certify(max("1/3", Movement::Anyhow)).unwrap_err();
    assert_eq!(violation.to_string(), "6 steps of decay 1/3 exceed epsilon 1");
}

#[test]
fn a_certificate_says_its_numbers() {
    let certified = certify(noise("1", "1/4", "0.9", -2)).unwrap();
    assert_eq!(
        certified.certificate().to_string(),
        "closed form: neighbours are at most 4 steps apart, decay 1/4 a step, epsilon 1 for numbers at most 9/10 \
         apart"
    );
}

proptest! {
    // Brute force over outputs: P(z − i)/P(z − j) = r^(|z − j| − |z − i|), and its largest is e^achieved exactly.
    #[test]
    fn the_closed_form_is_the_largest_ratio(r in 2u64..6, eighths in 1i64..40, exponent in -2i32..3) {
        let sensitivity = Rational::new(eighths.into(), 8.into());
        let noise = noise("1000", &format!("ln({r})"), &sensitivity.to_string(), exponent);
        let place = |n: i64| i64::try_from(noise.round(&Rational::new(n.into(), 8.into()))).unwrap();
        let places: Vec<i64> = (0..=32 + eighths).map(place).collect();
        let mut largest = 0;
        for (a, &i) in places[..32].iter().enumerate() {
            for &j in &places[a..=a + eighths as usize] {
                for output in -5..60i64 {
                    largest = largest.max((output - i).abs().abs_diff((output - j).abs()));
                }
            }
        }
        let achieved = certify(noise).unwrap().certificate().achieved().unwrap();
        let ratio = Rational::from_integer(BigInt::from(r).pow(largest as u32));
        prop_assert_eq!(achieved, Epsilon::ln(Rational::one(), ratio).unwrap());
    }
}
