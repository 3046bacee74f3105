//! Tests of closed forms against laws that are written out.

use super::super::LossGrid;
use super::*;
use crate::exact::{Dyadic, Rational, parse_rational};
use crate::model::{Categories, Encoding, TOTAL};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};
use proptest::prelude::*;

fn encoding(size: u32) -> impl Strategy<Value = Encoding> {
    let weight = || prop_oneof![Just(TOTAL), Just(TOTAL / 2), 0..=TOTAL];
    prop_oneof![
        (weight(), weight()).prop_map(|(one, other)| Encoding::Unary { one, other }),
        (prop::sample::select(vec![2u32, 3, 5]), weight()).prop_map(|(buckets, keep)| Encoding::Hash { buckets, keep }),
        weight().prop_map(|plus| Encoding::Hadamard { plus }),
        (1..size, weight()).prop_map(|(size, include)| Encoding::Subset { size, include }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_loss_of_an_oracle_is_that_of_its_reports(
        (size, encoding) in (2u32..5).prop_flat_map(|size| (Just(size), encoding(size))), pick in any::<u32>(),
    ) {
        let categories = Categories::new((0..size).map(|x| format!("c{x}"))).unwrap();
        let Ok(oracle) = Oracle::new(categories, "1".parse().unwrap(), encoding) else { return Ok(()) };
        let reports = oracle.all_reports(1_000).unwrap();
        let (x, y) = (pick % size, (pick + 1 + pick / size % (size - 1)) % size);
        let masses: Vec<[BigUint; 2]> = reports.iter().map(|report| [x, y].map(|x| oracle.weight(x, report).to_big())).collect();
        let whole = masses.iter().map(|masses| &masses[0]).sum();
        prop_assert_eq!(of_oracle(&oracle), PrivacyLoss::from_masses(masses, whole));
    }
}

/// δ of one release at an ε, from a fine grid.
fn delta(enclosures: &Enclosures, epsilon: &str) -> Rational {
    let step = Dyadic::new(BigInt::one(), -12);
    LossGrid::connecting(enclosures, &step).curve().delta(&parse_rational(epsilon).unwrap())
}

#[test]
fn noise_of_one_step_is_the_worst_that_its_epsilon_allows() {
    let epsilon: Epsilon = "ln(3)".parse().unwrap();
    let noise = Noise::for_epsilon(epsilon.clone(), Rational::one(), 0).unwrap();
    for text in ["0", "1/10", "1/2", "1", "1.09"] {
        let [one, other] = [of_noise(&noise).unwrap(), of_epsilon(&epsilon)].map(|pair| delta(&pair, text));
        assert!((one - other) * BigInt::from(1u64 << 60) <= Rational::one(), "{text}");
    }
}

#[test]
fn noise_is_that_of_the_written_out_law() {
    // α = 1/2 and three steps: P(z) = 2^−|z|/3, with all of z ≤ 0 and of z ≥ 3 together.
    let noise =
        Noise::new("3*ln(2)".parse().unwrap(), "ln(2)".parse().unwrap(), Rational::from_integer(3.into()), 0).unwrap();
    // Out of 24: 16, 4, 2 and 2.
    let masses = [[16u32, 2], [4, 2], [2, 4], [2, 16]].map(|masses| masses.map(BigUint::from)).to_vec();
    let exact = PrivacyLoss::from_masses(masses, 24u32.into());
    for text in ["1/10", "1/2", "1", "2", "3"] {
        let expected = exact.delta(&text.parse().unwrap()).enclosure();
        let found = delta(&of_noise(&noise).unwrap(), text);
        assert!(found >= expected.lower().to_rational(), "{text}");
        assert!(found <= expected.upper().to_rational() + parse_rational("1e-7").unwrap(), "{text}");
    }
}

#[test]
fn blocks_of_fine_noise_are_above_the_outcomes_themselves_by_little() {
    let noise = Noise::for_epsilon("1".parse().unwrap(), Rational::one(), -6).unwrap();
    let (blocks, single) = (in_blocks(&noise, 16).unwrap(), of_noise(&noise).unwrap());
    assert_eq!((blocks.len(), single.len()), (2 + 2 * 16, 2 + 63));
    let sum = |atoms: &Enclosures, law: usize| {
        atoms.iter().fold(Interval::point(Dyadic::zero()), |sum, atom| &sum + &atom[law])
    };
    for law in 0..2 {
        assert!(sum(&blocks, law).contains(&Rational::one()) && sum(&single, law).contains(&Rational::one()));
    }
    let mut gaps = Vec::new();
    for text in ["0", "1/10", "1/2", "0.9", "0.99"] {
        let [one, other] = [&blocks, &single].map(|atoms| delta(atoms, text));
        assert!(one >= &other - parse_rational("1e-20").unwrap(), "{text}");
        assert!(one <= &other + parse_rational("1e-3").unwrap(), "{text}");
        gaps.push(one - other);
    }
    assert!(gaps.iter().any(|gap| *gap > Rational::zero()), "blocks are not the outcomes");
    // The law of Laplace: 1 − e^((ε−1)/2) at ε for Δ = 1 and scale 1.
    let tail = crate::exact::enclose_exp(&parse_rational("-1/4").unwrap(), 60);
    let expected = Rational::one() - tail.upper().to_rational();
    let found = delta(&single, "1/2");
    assert!(
        found >= &expected - parse_rational("1e-3").unwrap() && found <= expected + parse_rational("1e-3").unwrap()
    );
}
