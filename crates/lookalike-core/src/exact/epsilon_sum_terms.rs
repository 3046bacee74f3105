//! Sums and differences of the forms of ε, and the theorems that tell when they are zero.

use super::epsilon::{Form, enclose_product};
use super::{Interval, Rational};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// What a coefficient multiplies: √n, and ln r if there is a logarithm.
pub(super) type Unit = (u64, Option<Rational>);

/// `Σ c·√n·ln r` with rational c ≠ 0 of either sign, each n square-free and each r > 1.
#[derive(Debug, Clone, Default)]
pub(super) struct Terms(BTreeMap<Unit, Rational>);

/// The bits at which two different sums nearly always differ.
const FIRST_BITS: u64 = 64;

impl Terms {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn forms(&self) -> impl Iterator<Item = Form> {
        self.0.iter().map(|((radicand, base), coefficient)| Form::new(coefficient.clone(), *radicand, base.clone()))
    }

    pub(super) fn add(&mut self, unit: Unit, coefficient: Rational) {
        if coefficient.is_zero() {
            return;
        }
        match self.0.entry(unit) {
            std::collections::btree_map::Entry::Vacant(place) => {
                place.insert(coefficient);
            }
            std::collections::btree_map::Entry::Occupied(mut place) => {
                *place.get_mut() += coefficient;
                if place.get().is_zero() {
                    place.remove();
                }
            }
        }
    }

    pub(super) fn add_terms(&mut self, other: &Terms) {
        for (unit, coefficient) in &other.0 {
            self.add(unit.clone(), coefficient.clone());
        }
    }

    pub(super) fn minus(&self, other: &Terms) -> Terms {
        let mut difference = self.clone();
        for (unit, coefficient) in &other.0 {
            difference.add(unit.clone(), -coefficient);
        }
        difference
    }

    /// An interval of width at most 2^−bits that contains the value.
    pub(super) fn enclose(&self, bits: u64) -> Interval {
        let bits = bits + u64::from(usize::BITS - self.0.len().leading_zeros());
        let terms = self.0.iter().map(|((radicand, base), c)| enclose_product(c, *radicand, base.as_ref(), bits));
        terms.fold(Interval::integer(0), |sum, term| &sum + &term)
    }

    /// The value compared with 0. Always ends: what is not told apart from 0 by a few bits is first decided by
    /// [`Terms::independent`].
    pub(super) fn sign(&self) -> Ordering {
        // Every unit is positive.
        match [self.0.values().any(Signed::is_positive), self.0.values().any(Signed::is_negative)] {
            [false, false] => return Ordering::Equal,
            [true, false] => return Ordering::Greater,
            [false, true] => return Ordering::Less,
            [true, true] => {}
        }
        let at = |bits: u64| {
            let value = self.enclose(bits);
            let ends = (value.lower().signum(), value.upper().signum());
            (ends.0 == ends.1 && ends.0 != 0).then(|| ends.0.cmp(&0))
        };
        if let Some(sign) = at(FIRST_BITS) {
            return sign;
        }
        if self.independent().is_empty() {
            return Ordering::Equal;
        }
        let mut bits = 2 * FIRST_BITS;
        loop {
            match at(bits) {
                Some(sign) => return sign,
                None => bits *= 2,
            }
        }
    }

    /// The same value over units that are linearly independent over the rationals, so that it is 0 exactly when no
    /// term is left, and a fraction exactly when no term but a fraction is left.
    ///
    /// For each root the logarithms are written in those of pairwise coprime whole numbers. These are multiplicatively
    /// independent, so by Baker's theorem 1 and their logarithms are linearly independent over the algebraic numbers;
    /// the roots of square-free numbers are independent over the rationals.
    pub(super) fn independent(&self) -> Terms {
        let mut independent = Terms::default();
        let mut radicands: Vec<u64> = self.0.keys().map(|(radicand, _)| *radicand).collect();
        radicands.dedup();
        for radicand in radicands {
            let of_root = || self.0.range((radicand, None)..).take_while(|((other, _), _)| *other == radicand);
            let bases = of_root().filter_map(|((_, base), _)| base.as_ref());
            let coprime = coprime_base(bases.flat_map(|base| [base.numer(), base.denom()]));
            for ((_, base), coefficient) in of_root() {
                let Some(base) = base else {
                    independent.add((radicand, None), coefficient.clone());
                    continue;
                };
                for factor in &coprime {
                    let exponent = valuation(base.numer(), factor) - valuation(base.denom(), factor);
                    let unit = (radicand, Some(Rational::from_integer(factor.clone())));
                    independent.add(unit, coefficient * BigInt::from(exponent));
                }
            }
        }
        independent
    }

    /// The value, when it is a fraction; only for the terms that [`Terms::independent`] gives.
    pub(super) fn as_rational(&self) -> Option<Rational> {
        let mut terms = self.0.iter();
        match (terms.next(), terms.next()) {
            (None, _) => Some(Rational::zero()),
            (Some(((1, None), coefficient)), None) => Some(coefficient.clone()),
            _ => None,
        }
    }
}

/// Pairwise coprime numbers above 1 such that each of the given ones is a product of powers of them.
///
/// By greatest common divisors alone: no number is factored into primes.
pub fn coprime_base<'a>(numbers: impl Iterator<Item = &'a BigInt>) -> Vec<BigInt> {
    let mut base: Vec<BigInt> = Vec::new();
    // Each split leaves a smaller product, so the list runs empty.
    let mut waiting: Vec<BigInt> = numbers.cloned().collect();
    while let Some(number) = waiting.pop() {
        debug_assert!(number.is_positive());
        if number.is_one() || base.contains(&number) {
            continue;
        }
        match base.iter().position(|element| !element.gcd(&number).is_one()) {
            None => base.push(number),
            Some(place) => {
                let element = base.swap_remove(place);
                let common = element.gcd(&number);
                waiting.extend([element / &common, number / &common, common]);
            }
        }
    }
    base.sort();
    base
}

/// How often a factor above 1 divides a number above 0.
pub fn valuation(number: &BigInt, factor: &BigInt) -> i64 {
    let (mut rest, mut times) = (number.clone(), 0);
    loop {
        let (quotient, remainder) = rest.div_rem(factor);
        if !remainder.is_zero() {
            return times;
        }
        (rest, times) = (quotient, times + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_coprime_base_is_coprime_and_makes_up_every_number(numbers in prop::collection::vec(1u64..100_000, 0..8)) {
            let numbers: Vec<BigInt> = numbers.into_iter().map(BigInt::from).collect();
            let base = coprime_base(numbers.iter());
            for (place, one) in base.iter().enumerate() {
                prop_assert!(*one > BigInt::one());
                prop_assert!(base[..place].iter().all(|other| one.gcd(other).is_one()));
            }
            for number in &numbers {
                let powers = base.iter().map(|factor| factor.pow(valuation(number, factor) as u32));
                prop_assert_eq!(&powers.product::<BigInt>(), number);
            }
        }
    }
}
