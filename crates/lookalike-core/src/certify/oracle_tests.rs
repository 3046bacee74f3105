//! Tests of the certifier of oracles: the closed forms against the written-out law, at and one unit beyond the boundary.

use super::*;
use crate::certify::certify;
use crate::model::Categories;
use crate::model::oracles_for_tests::{self, Protocol};
use num_bigint::BigInt;
use num_traits::{One, Zero};
use proptest::prelude::*;

fn epsilon(text: &str) -> Epsilon {
    text.parse().unwrap()
}

fn categories(size: u32) -> Categories {
    Categories::new((0..size).map(|x| format!("c{x}"))).unwrap()
}

fn named(protocol: Protocol, size: u32, text: &str) -> Oracle {
    oracles_for_tests::oracle(protocol, size, &epsilon(text))
}

fn encoding(size: u32) -> impl Strategy<Value = Encoding> {
    let weight = || prop_oneof![Just(0), Just(TOTAL), Just(TOTAL / 2), 0..=TOTAL];
    prop_oneof![
        (weight(), weight()).prop_map(|(one, other)| Encoding::Unary { one, other }),
        (prop::sample::select(vec![2u32, 3, 5]), weight()).prop_map(|(buckets, keep)| Encoding::Hash { buckets, keep }),
        weight().prop_map(|plus| Encoding::Hadamard { plus }),
        (1..size, weight()).prop_map(|(size, include)| Encoding::Subset { size, include }),
    ]
}

/// The largest ratio of a report between two categories, by fractions; `None` for infinite.
fn brute_force(oracle: &Oracle) -> Option<Rational> {
    let mut worst = Rational::one();
    for report in oracle.all_reports(100_000).unwrap().iter() {
        for x in 0..oracle.size() {
            for y in 0..oracle.size() {
                let [more, less] = [x, y].map(|x| BigInt::from(oracle.weight(x, report).to_big()));
                match (more.is_zero(), less.is_zero()) {
                    (false, true) => return None,
                    (true, true) => {}
                    _ => worst = worst.max(Rational::new(more, less)),
                }
            }
        }
    }
    Some(worst)
}

proptest! {
    #[test]
    fn the_law_and_the_closed_form_have_the_same_largest_ratio(
        (size, encoding) in (2u32..6).prop_flat_map(|size| (Just(size), encoding(size))),
    ) {
        let Ok(oracle) = Oracle::new(categories(size), epsilon("1"), encoding) else { return Ok(()) };
        let reports = oracle.all_reports(1_000).unwrap();
        let ratio = |[more, less]: [Natural; 2]| {
            (!less.is_zero()).then(|| Rational::new(more.to_big().into(), less.to_big().into()))
        };
        let expected = brute_force(&oracle);
        prop_assert_eq!(ratio(of_law(&oracle, &reports)), expected.clone());
        prop_assert_eq!(ratio(of_closed_form(&oracle)), expected.clone());
        let verdict = certify(oracle);
        let is_private = expected.is_some_and(|ratio| ratio <= epsilon("1").exp(96).lower().to_rational());
        prop_assert_eq!(verdict.is_ok(), is_private);
    }
}

#[test]
fn every_protocol_is_private_at_its_epsilon_and_not_at_99_percent_of_it() {
    for text in ["ln(3)", "1/10", "1", "5/2", "6"] {
        let less = epsilon(text).scale(&Rational::new(99.into(), 100.into())).unwrap();
        for size in [2, 3, 5, 9, 100, 3_000] {
            for protocol in Protocol::ALL {
                let oracle = named(protocol, size, text);
                let certified = certify(oracle.clone()).unwrap();
                let certificate = certified.certificate();
                let achieved = certificate.achieved().unwrap();
                let claim = epsilon(text).enclose(60);
                assert!(achieved.lower() <= claim.upper(), "{protocol} {size} {text}");
                let violation = certify(oracle.with_epsilon(less.clone())).unwrap_err();
                assert_eq!(violation.certificate().ratio(), certificate.ratio());
            }
        }
    }
}

#[test]
fn one_unit_of_noise_less_is_refused() {
    let without = |encoding| match encoding {
        Encoding::Unary { one, other } if one == TOTAL / 2 => Encoding::Unary { one, other: other - 1 },
        Encoding::Unary { one, other } => Encoding::Unary { one: one + 1, other: other - 1 },
        Encoding::Hash { buckets, keep } => Encoding::Hash { buckets, keep: keep + 1 },
        Encoding::Hadamard { plus } => Encoding::Hadamard { plus: plus + 1 },
        Encoding::Subset { size, include } => Encoding::Subset { size, include: include + 1 },
    };
    for text in ["ln(3)", "1/1000", "1", "4", "30"] {
        for size in [2, 4, 100] {
            for protocol in Protocol::ALL {
                let oracle = named(protocol, size, text);
                let quieter = Oracle::new(categories(size), epsilon(text), without(oracle.encoding())).unwrap();
                assert!(certify(oracle).is_ok(), "{protocol} {size} {text}");
                assert!(certify(quieter).is_err(), "{protocol} {size} {text}");
            }
        }
    }
}

#[test]
fn the_certificate_says_how_it_was_proved() {
    let proof = |protocol, size| {
        let certified = certify(named(protocol, size, "ln(3)")).unwrap();
        certified.certificate().proof().to_string()
    };
    assert_eq!(proof(Protocol::Oue, 10), "exact law of 1024 reports");
    assert_eq!(proof(Protocol::Oue, 11), "closed form");
    assert_eq!(proof(Protocol::KRr, 128), "exact law of 128 reports");
    assert_eq!(proof(Protocol::KRr, 129), "closed form");
    assert_eq!(proof(Protocol::Hadamard, 100), "exact law of 128 reports");
    assert_eq!(proof(Protocol::Subset, 1_000), "closed form");
    // Five buckets at E = 3: 25 functions of one digit.
    assert_eq!(proof(Protocol::Olh, 3), "exact law of 125 reports");
}

#[test]
fn a_false_claim_is_told_with_its_ratio() {
    let message = |plus, text: &str| {
        let oracle = Oracle::new(categories(3), epsilon(text), Encoding::Hadamard { plus }).unwrap();
        certify(oracle).unwrap_err().to_string()
    };
    assert_eq!(message(TOTAL / 4 * 3, "1"), "two categories, some report: ratio 3 exceeds e^(1)");
    assert_eq!(message(TOTAL, "9"), "two categories, some report: ratio a positive number to 0 exceeds e^(9)");
}
