//! Several releases at once, exactly: outcomes with the same likelihood ratio are one.

use super::ratios::{CoprimeBase, Exponents};
use num_bigint::BigUint;
use num_traits::One;
use std::collections::BTreeMap;

/// The masses of an outcome under the first and the second law, over a common denominator.
pub(super) type Masses = [BigUint; 2];

/// Outcomes of several releases by their ratio.
pub(super) type ByRatio = BTreeMap<Exponents, Masses>;

/// How many multisets of k out of `atoms` there are: (k + atoms − 1 choose k).
pub(super) fn count(atoms: usize, k: u32) -> u128 {
    let (chosen, k) = (atoms.saturating_sub(1) as u128, u128::from(k));
    let step = |product: u128, at: u128| product.checked_mul(k + at).map(|product| product / at);
    // In each order the products are whole numbers; the shorter is less work.
    match chosen <= k {
        true => (1..=chosen).try_fold(1, step).unwrap_or(u128::MAX),
        false => {
            let step = |product: u128, at: u128| product.checked_mul(chosen + at).map(|product| product / at);
            (1..=k).try_fold(1, step).unwrap_or(u128::MAX)
        }
    }
}

/// The outcomes of k releases, each one of these atoms: a multiset of them, in any order.
pub(super) fn repeated(atoms: &[Masses], k: u32, base: &CoprimeBase) -> ByRatio {
    let atoms: Vec<Atom> =
        atoms.iter().map(|masses| Atom { masses, exponents: base.exponents([&masses[0], &masses[1]]) }).collect();
    let mut outcomes = ByRatio::new();
    if k == 0 {
        add(&mut outcomes, base.one(), [BigUint::one(), BigUint::one()]);
        return outcomes;
    }
    let Some((last, others)) = atoms.split_last() else { return outcomes };
    let powers = last.masses.each_ref().map(|mass| powers(mass, k));
    let start = Case { left: k, masses: [BigUint::one(), BigUint::one()], exponents: base.one() };
    each_case(others, start, &mut |case| {
        let exponents = plus(&case.exponents, &last.exponents, case.left);
        let masses = [0, 1].map(|law: usize| &case.masses[law] * &powers[law][case.left as usize]);
        add(&mut outcomes, exponents, masses);
    });
    outcomes
}

/// The outcomes of two independent groups of releases together.
pub(super) fn together(one: &ByRatio, other: &ByRatio) -> ByRatio {
    let mut outcomes = ByRatio::new();
    for (a, a_masses) in one {
        for (b, b_masses) in other {
            add(&mut outcomes, plus(a, b, 1), [&a_masses[0] * &b_masses[0], &a_masses[1] * &b_masses[1]]);
        }
    }
    outcomes
}

struct Atom<'a> {
    masses: &'a Masses,
    exponents: Exponents,
}

/// Multisets in which the counts of some atoms are chosen.
struct Case {
    /// The releases that are left for the other atoms.
    left: u32,
    /// How many orders there are, times the masses of the chosen atoms.
    masses: Masses,
    exponents: Exponents,
}

fn each_case(atoms: &[Atom<'_>], case: Case, visit: &mut impl FnMut(&Case)) {
    let Some((first, others)) = atoms.split_first() else { return visit(&case) };
    let Case { left, mut masses, mut exponents } = case;
    for count in 0..=left {
        each_case(others, Case { left: left - count, masses: masses.clone(), exponents: exponents.clone() }, visit);
        if count < left {
            // C(n, j + 1) = C(n, j)·(n − j)/(j + 1).
            masses = [0, 1].map(|law: usize| &masses[law] * &first.masses[law] * (left - count) / (count + 1));
            exponents = plus(&exponents, &first.exponents, 1);
        }
    }
}

fn plus(a: &[i64], b: &[i64], times: u32) -> Exponents {
    a.iter().zip(b).map(|(a, b)| a + b * i64::from(times)).collect()
}

fn add(outcomes: &mut ByRatio, exponents: Exponents, masses: Masses) {
    match outcomes.get_mut(&exponents) {
        Some(sum) => sum.iter_mut().zip(masses).for_each(|(sum, mass)| *sum += mass),
        None => drop(outcomes.insert(exponents, masses)),
    }
}

/// 1, x, x², …, x^k.
fn powers(x: &BigUint, k: u32) -> Vec<BigUint> {
    std::iter::successors(Some(BigUint::one()), |power| Some(power * x)).take(k as usize + 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn multisets_are_counted() {
        assert_eq!([count(1, 9), count(2, 9), count(3, 2), count(16, 4)], [1, 10, 6, 3876]);
        assert_eq!([count(3, 1000), count(40, 2)], [501_501, 820]);
        assert_eq!(count(1000, 1000), u128::MAX);
    }

    proptest! {
        #[test]
        fn masses_sum_to_the_power_of_the_sum(numbers in prop::collection::vec((1u32..9, 1u32..9), 1..4), k in 0u32..6) {
            let atoms: Vec<Masses> = numbers.iter().map(|&(p, q)| [p.into(), q.into()]).collect();
            let base = CoprimeBase::of(atoms.iter().flatten());
            let outcomes = repeated(&atoms, k, &base);
            prop_assert!(outcomes.len() as u128 <= count(atoms.len(), k));
            for law in 0..2 {
                let sum: BigUint = outcomes.values().map(|masses| &masses[law]).sum();
                let one: BigUint = atoms.iter().map(|masses| &masses[law]).sum();
                prop_assert_eq!(sum, one.pow(k));
            }
            // In two parts it is the same.
            let parts = [k / 2, k - k / 2].map(|k| repeated(&atoms, k, &base));
            prop_assert_eq!(together(&parts[0], &parts[1]), outcomes);
        }
    }
}
