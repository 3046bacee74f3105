//! Powers of all transition matrices of a box of binary chains at once.

use super::logarithm::{ONE, PROBABILITY_BITS};
use super::powers::{Enclosure, PowersOf};
use crate::exact::Rational;
use num_traits::{One, ToPrimitive, Zero};
use std::rc::Rc;

/// All P = [1−p, p; q, 1−q] with p and q from two intervals.
///
/// With λ = 1 − p − q, r = p/q and the stationary law π = (q, p)/(p + q) the powers, each column divided by its
/// stationary probability, are
///
/// ```text
/// P^k(0, 0)/π(0) = 1 + rλ^k        P^k(0, 1)/π(1) = 1 − λ^k
/// P^k(1, 0)/π(0) = 1 − λ^k         P^k(1, 1)/π(1) = 1 + λ^k/r
/// ```
///
/// Influences are the same with these: π(x) cancels between the law of a node and the powers to its left, which it
/// would not between bounds of them. Where p or q may be 0, nothing is known: no quilt serves all of such chains.
pub(super) struct BinaryPowers {
    /// λ below and above.
    second: [i128; 2],
    /// r and 1/r below and above, over `whole`; none where p or q may be 0.
    odds: Option<[[i128; 2]; 2]>,
    /// 1 over `whole` = 1 + max(r, 1/r), below and above, so that all entries are at most one.
    unit: [i128; 2],
}

impl BinaryPowers {
    /// Probabilities from 0 to 1, each with its ends in order.
    pub(super) fn new([p, q]: [&[Rational; 2]; 2]) -> Self {
        let second = |end: usize, up| fixed(&(Rational::one() - &p[end] - &q[end]), up);
        let second = [second(1, false), second(0, true)];
        if p[0].is_zero() || q[0].is_zero() {
            return BinaryPowers { second, odds: None, unit: [0, ONE.into()] };
        }
        let odds = [[&p[0] / &q[1], &p[1] / &q[0]], [&q[0] / &p[1], &q[1] / &p[0]]];
        let whole = Rational::one() + odds[0][1].clone().max(odds[1][1].clone());
        let ends = |[below, above]: [Rational; 2]| [fixed(&(below / &whole), false), fixed(&(above / &whole), true)];
        BinaryPowers { second, unit: ends([Rational::one(), Rational::one()]), odds: Some(odds.map(ends)) }
    }

    fn at(&self, exponent: u64) -> Enclosure {
        let Some([odds, back]) = self.odds else {
            return Enclosure { states: 2, lower: vec![0; 4], upper: vec![ONE; 4] };
        };
        let lambda = power(self.second, exponent);
        let one = i128::from(ONE);
        let stay = [odds, back].map(|odds| sum(self.unit, product(odds, lambda)));
        let change = product(self.unit, [one - lambda[1], one - lambda[0]]);
        let [lower, upper] = [0, 1].map(|end| {
            [stay[0][end], change[end], change[end], stay[1][end]].map(|entry| entry.clamp(0, one) as u64).to_vec()
        });
        Enclosure { states: 2, lower, upper }
    }
}

impl PowersOf for BinaryPowers {
    fn states(&self) -> usize {
        2
    }

    fn power(&mut self, exponent: u64) -> Rc<Enclosure> {
        Rc::new(self.at(exponent))
    }
}

fn sum(a: [i128; 2], b: [i128; 2]) -> [i128; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

/// All products of a number from 0 to 1 and one from −1 to 2.
fn product(part: [i128; 2], factor: [i128; 2]) -> [i128; 2] {
    // The least product takes the smaller part of what is positive, and the larger of what is negative.
    let below = if factor[0] >= 0 { part[0] } else { part[1] };
    let above = if factor[1] >= 0 { part[1] } else { part[0] };
    [(below * factor[0]) >> PROBABILITY_BITS, -((-(above * factor[1])) >> PROBABILITY_BITS)]
}

/// A number in units of 2^-62.
fn fixed(number: &Rational, up: bool) -> i128 {
    let scaled = number * num_bigint::BigInt::from(ONE);
    let whole = if up { scaled.ceil() } else { scaled.floor() };
    whole.to_integer().to_i128().expect("the number is at most 1 in size")
}

/// λ^k for all λ of an interval within [−1, 1].
fn power([below, above]: [i128; 2], exponent: u64) -> [i128; 2] {
    let signed = |value: i128, up: bool| {
        // The size of a negative number is rounded the other way.
        let negative = value < 0 && exponent % 2 == 1;
        let size = size_power(value.unsigned_abs(), exponent, up != negative) as i128;
        if negative { -size } else { size }
    };
    if exponent % 2 == 1 || below >= 0 {
        return [signed(below, false), signed(above, true)];
    }
    let least = if above <= 0 { signed(above, false) } else { 0 };
    [least, signed(below, true).max(signed(above, true))]
}

/// m^k for 0 ≤ m ≤ 1, by squares.
fn size_power(mut base: u128, mut exponent: u64, up: bool) -> u128 {
    let times = |a: u128, b: u128| if up { (a * b).div_ceil(u128::from(ONE)) } else { (a * b) >> PROBABILITY_BITS };
    let mut result = u128::from(ONE);
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = times(result, base);
        }
        base = times(base, base);
        exponent /= 2;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;
    use proptest::prelude::*;

    fn share(hundredths: i64) -> Rational {
        Rational::new(hundredths.into(), 100.into())
    }

    proptest! {
        #[test]
        fn the_powers_of_every_chain_in_the_box_are_enclosed(p in (0i64..=100, 0i64..=100), q in (0i64..=100, 0i64..=100), inside in (0i64..=10, 0i64..=10), exponent in 1u64..12) {
            let ends = |(a, b): (i64, i64)| [share(a.min(b)), share(a.max(b))];
            let (p, q) = (ends(p), ends(q));
            let at = |ends: &[Rational; 2], tenths: i64| &ends[0] + (&ends[1] - &ends[0]) * Rational::new(tenths.into(), 10.into());
            let (x, y) = (at(&p, inside.0), at(&q, inside.1));
            let one = [[Rational::one() - &x, x.clone()], [y.clone(), Rational::one() - &y]];
            let mut exact = one.clone();
            for _ in 1..exponent {
                exact = std::array::from_fn(|i| std::array::from_fn(|j| &exact[i][0] * &one[0][j] + &exact[i][1] * &one[1][j]));
            }
            prop_assume!(p[0] > Rational::zero() && q[0] > Rational::zero());
            let found = BinaryPowers::new([&p, &q]).power(exponent);
            let whole = Rational::one() + (&p[1] / &q[0]).max(&q[1] / &p[0]);
            let stationary = [&y / (&x + &y), &x / (&x + &y)];
            let unit = Rational::new(1.into(), BigInt::from(ONE));
            for (place, exact) in exact.as_flattened().iter().enumerate() {
                let exact = exact / &stationary[place % 2] / &whole;
                prop_assert!(&unit * BigInt::from(found.lower[place]) <= exact, "{place}");
                prop_assert!(&unit * BigInt::from(found.upper[place]) >= exact, "{place}");
                if p[0] == p[1] && q[0] == q[1] {
                    prop_assert!(found.upper[place] - found.lower[place] < 100);
                }
            }
        }
    }
}
