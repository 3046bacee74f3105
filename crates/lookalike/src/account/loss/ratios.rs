//! Likelihood ratios as products of powers: equal ones are found without multiplying anything out.

use crate::exact::{Dyadic, Interval, Rational, coprime_base, enclose_ln, valuation};
use num_bigint::{BigInt, BigUint};
use std::cmp::Ordering;

/// Whole numbers above 1 of which no two have a common divisor, and of whose powers all ratios at hand are products.
///
/// Such a product is 1 only if all exponents are 0, for primes occur in one of the numbers only. So two ratios are equal
/// exactly when their exponents are.
#[derive(Debug)]
pub(super) struct CoprimeBase {
    numbers: Vec<BigInt>,
    /// ln of each to [`FIRST_BITS`].
    logarithms: Vec<Interval>,
}

/// A ratio as the exponents of the numbers of a [`CoprimeBase`].
pub(super) type Exponents = Vec<i64>;

/// Bits of the first logarithms; doubled until two ratios are told apart.
const FIRST_BITS: u64 = 128;

impl CoprimeBase {
    /// The base of these numbers, all above 0.
    pub(super) fn of<'a>(numbers: impl Iterator<Item = &'a BigUint>) -> Self {
        let numbers: Vec<BigInt> = numbers.cloned().map(BigInt::from).collect();
        let numbers = coprime_base(numbers.iter());
        let logarithms = numbers.iter().map(|number| logarithm(number, FIRST_BITS)).collect();
        CoprimeBase { numbers, logarithms }
    }

    /// The exponents of `numerator / denominator`, both products of powers of the base.
    pub(super) fn exponents(&self, [numerator, denominator]: [&BigUint; 2]) -> Exponents {
        let [numerator, denominator] = [numerator, denominator].map(|number| BigInt::from(number.clone()));
        self.numbers.iter().map(|factor| valuation(&numerator, factor) - valuation(&denominator, factor)).collect()
    }

    /// The exponents of 1.
    pub(super) fn one(&self) -> Exponents {
        vec![0; self.numbers.len()]
    }

    /// An enclosure of the logarithm of a ratio, to 2^−128 times its exponents.
    pub(super) fn logarithm(&self, exponents: &[i64]) -> Interval {
        sum(exponents, &self.logarithms)
    }

    /// Compares two ratios whose logarithms lie within these enclosures, exactly.
    pub(super) fn compare(&self, [a, b]: [&[i64]; 2], [a_within, b_within]: [&Interval; 2]) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        if let Some(order) = apart(&(a_within - b_within)) {
            return order;
        }
        let exponents: Exponents = a.iter().zip(b).map(|(a, b)| a - b).collect();
        let mut bits = 2 * FIRST_BITS;
        // Ends, for the ratios differ.
        loop {
            let logarithms: Vec<Interval> = self.numbers.iter().map(|number| logarithm(number, bits)).collect();
            if let Some(order) = apart(&sum(&exponents, &logarithms)) {
                return order;
            }
            bits *= 2;
        }
    }
}

fn apart(difference: &Interval) -> Option<Ordering> {
    match (difference.lower().signum(), difference.upper().signum()) {
        (1, _) => Some(Ordering::Greater),
        (_, -1) => Some(Ordering::Less),
        _ => None,
    }
}

fn logarithm(number: &BigInt, bits: u64) -> Interval {
    enclose_ln(&Rational::from_integer(number.clone()), bits).expect("a number above 1")
}

fn sum(exponents: &[i64], logarithms: &[Interval]) -> Interval {
    let terms = exponents.iter().zip(logarithms).map(|(&exponent, ln)| &Interval::integer(exponent) * ln);
    terms.fold(Interval::point(Dyadic::zero()), |sum, term| &sum + &term)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn base(numbers: &[u64]) -> CoprimeBase {
        CoprimeBase::of(numbers.iter().map(|&number| BigUint::from(number)).collect::<Vec<_>>().iter())
    }

    #[test]
    fn equal_ratios_have_equal_exponents() {
        let base = base(&[12, 18, 8, 1, 6]);
        let exponents = |a: u64, b: u64| base.exponents([&a.into(), &b.into()]);
        assert_eq!(exponents(12, 18), exponents(8, 12));
        assert_eq!(exponents(6, 6), base.one());
        assert_ne!(exponents(12, 18), exponents(18, 12));
    }

    #[test]
    fn ratios_that_differ_by_next_to_nothing_are_told_apart() {
        // (2^300 + 1)/2^300 against 1: 128 bits do not tell.
        let big: BigUint = BigUint::from(2u32).pow(300u32);
        let next = &big + 1u32;
        let base = CoprimeBase::of([&big, &next].into_iter());
        let (above, one) = (base.exponents([&next, &big]), base.one());
        let within = [&above, &one].map(|exponents| base.logarithm(exponents));
        assert_eq!(base.compare([&above, &one], [&within[0], &within[1]]), Ordering::Greater);
        assert_eq!(base.compare([&one, &above], [&within[1], &within[0]]), Ordering::Less);
    }

    proptest! {
        #[test]
        fn ratios_are_ordered_as_fractions_are(numbers in prop::collection::vec((1u64..200, 1u64..200), 2..6)) {
            let base = base(&numbers.iter().flat_map(|&(a, b)| [a, b]).collect::<Vec<_>>());
            for &(a, b) in &numbers {
                for &(c, d) in &numbers {
                    let [x, y] = [(a, b), (c, d)].map(|(a, b)| base.exponents([&a.into(), &b.into()]));
                    let within = [&x, &y].map(|exponents| base.logarithm(exponents));
                    prop_assert_eq!(base.compare([&x, &y], [&within[0], &within[1]]), (a * d).cmp(&(c * b)));
                }
            }
        }
    }
}
