use super::super::BinaryBox;
use super::*;
use crate::exact::parse_rational;
use num_traits::One;
use proptest::prelude::*;

pub(crate) fn chain(initial: Initial, rows: &[Vec<u64>]) -> Chain {
    let law = |row: &Vec<u64>| Distribution::from_weights(row.iter().map(|&weight| weight.into()).collect());
    Chain::new(initial, rows.iter().map(|row| law(row).unwrap()).collect()).unwrap()
}

fn number(text: &str) -> Rational {
    parse_rational(text).unwrap()
}

fn is_just_below(found: &Rational, text: &str) {
    let room = number(text) - found;
    assert!(!room.is_negative() && room < number("1e-9"), "{room} from {text}");
}

#[test]
fn both_formulas_on_two_states() {
    let chain = chain(Initial::Arbitrary, &[vec![9, 1], vec![4, 6]]);
    let law = positive_stationary(&chain).unwrap();
    assert!(is_reversible(&chain, &law), "every chain on two states is");
    is_just_below(Mixing::by(&chain, &law, true).unwrap().gap(), "1");
    is_just_below(Mixing::by(&chain, &law, false).unwrap().gap(), "0.75");
}

#[test]
fn a_lazy_cycle_that_turns_one_way() {
    // P*P of x → x or x + 1 on a cycle of 4: 1/2 on the diagonal, 1/4 beside it, eigenvalues 1, 1/2, 1/2, 0.
    let rows: Vec<Vec<u64>> = (0..4).map(|x| (0..4).map(|y| u64::from(y == x || y == (x + 1) % 4)).collect()).collect();
    let chain = chain(Initial::Stationary, &rows);
    assert!(!is_reversible(&chain, &positive_stationary(&chain).unwrap()));
    is_just_below(Mixing::of(&chain).unwrap().gap(), "0.5");
}

#[test]
fn chains_to_which_it_does_not_apply_are_named() {
    let error = |rows: &[Vec<u64>]| {
        let error = Mixing::of(&chain(Initial::Arbitrary, rows)).unwrap_err();
        assert!(error.is_inapplicable() && error.to_string().ends_with("use the exact search"));
        error.to_string()
    };
    let twice = "eigenvalue 1 of PP* occurs more than once";
    assert!(error(&[vec![0, 1, 0], vec![3, 0, 7], vec![1, 0, 0]]).contains(twice));
    assert!(error(&[vec![0, 1], vec![1, 0]]).contains(twice));
    assert!(error(&[vec![1, 1], vec![0, 1]]).contains("leaves some states for good"));
    assert!(error(&[vec![1, 0], vec![0, 1]]).contains("more than one group of states"));
    assert!(error(&[vec![(1 << 60) - 1, 1], vec![1, (1 << 60) - 1]]).contains("too small to be shown"));
}

#[test]
fn fifty_one_levels() {
    // A lazy walk on levels, reversible, and a dense chain, which is not.
    let walk: Vec<Vec<u64>> =
        (0..51).map(|x: u64| (0..51).map(|y: u64| [20, 3, 0][x.abs_diff(y).min(2) as usize]).collect()).collect();
    let dense: Vec<Vec<u64>> =
        (0..51).map(|i: u64| (0..51).map(|j: u64| 1 + (i * i * 31 + j * 17 + i * j * 7) % 97).collect()).collect();
    for (rows, reversible) in [(walk, true), (dense, false)] {
        let chain = chain(Initial::Stationary, &rows);
        let law = positive_stationary(&chain).unwrap();
        assert_eq!(is_reversible(&chain, &law), reversible);
        let mixing = Mixing::of(&chain).unwrap();
        assert!(mixing.gap().is_positive());
    }
}

/// |P^t(x, y)/π(y) − 1|² ≤ (1 − g)^t/(π(x)π(y)), or (1 − g/2)^(2t): exactly what the eigenvalues say, in fractions.
fn bound_holds(chain: &Chain, mixing: &Mixing, law: &Distribution, reversible: bool) -> bool {
    let states = chain.states();
    let one = Rational::one();
    let contraction = if reversible {
        let half = &one - mixing.gap() / BigInt::from(2);
        &half * &half
    } else {
        &one - mixing.gap()
    };
    let mut power: Vec<Vec<Rational>> = chain.transition().iter().map(|row| row.probabilities().collect()).collect();
    let mut bound = contraction.clone();
    for _ in 0..6 {
        for (x, row) in power.iter().enumerate() {
            for (y, probability) in row.iter().enumerate() {
                let away = probability / law.probability(y) - &one;
                if &away * &away * law.probability(x) * law.probability(y) > bound {
                    return false;
                }
            }
        }
        let entry = |x: usize, y: usize| (0..states).map(|s| &power[x][s] * chain.transition()[s].probability(y)).sum();
        power = (0..states).map(|x| (0..states).map(|y| entry(x, y)).collect()).collect();
        bound *= &contraction;
    }
    true
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_powers_of_the_chain_obey_the_gap(rows in (2usize..5).prop_flat_map(|d| prop::collection::vec(prop::collection::vec(prop_oneof![Just(0u64), 1u64..20], d), d))) {
        prop_assume!(rows.iter().all(|row| row.iter().sum::<u64>() > 0));
        let chain = chain(Initial::Arbitrary, &rows);
        if let Ok(mixing) = Mixing::of(&chain) {
            let law = chain.stationary().unwrap();
            prop_assert!(bound_holds(&chain, &mixing, &law, is_reversible(&chain, &law)));
        }
    }

    /// On two states the gap is known, so that nothing is lost either.
    #[test]
    fn two_states_in_closed_form(p in 1u64..100, q in 1u64..100) {
        let chain = chain(Initial::Arbitrary, &[vec![100 - p, p], vec![q, 100 - q]]);
        let exact = Rational::new((2 * (p + q).min(200 - p - q)).into(), 100.into());
        let found = Mixing::of(&chain).unwrap();
        prop_assert!(found.gap() <= &exact && &exact - found.gap() < number("1e-9"));
        let [up, down] = [p, q].map(|hundredths| Rational::new(hundredths.into(), 100.into()));
        let as_box = BinaryBox::new(Initial::Arbitrary, [up.clone(), up], [down.clone(), down]).unwrap();
        let as_box = Mixing::of_box(&as_box).unwrap();
        prop_assert_eq!(as_box.gap(), &exact);
        prop_assert_eq!(as_box.least(), found.least());
    }
}
