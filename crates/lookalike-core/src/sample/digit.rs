//! Whole numbers with an exponential law, drawn exactly by comparing a uniform number with irrational bounds.

use crate::exact::{Dyadic, Epsilon, Interval, Rational};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Pow, ToPrimitive};
use std::cmp::Ordering;

/// A random whole number u with `P(u) ∝ β^u`, β = e^−decay: one of `0..period`, or any number from 0 on.
///
/// # Guarantee
/// For uniform words the law is exact, although β is irrational as a rule. A uniform real U in [0, 1) falls below
/// `C_i = (1 − β^i)/(1 − β^period)` (β^∞ = 0) with probability C_i, and u is the number of bounds that it does not fall
/// below. The bits of U are drawn 64 at a time, and only as many as it takes to tell on which side of each bound it
/// lies: one word, but for about `cells · 2^-64` of all draws.
///
/// # Complexity
/// A draw looks into a guide by the leading bits of the word and takes about one comparison more.
///
/// # Reference
/// Von Neumann's lazy comparison and inversion; Devroye, Non-Uniform Random Variate Generation (1986), III.2.4 for the
/// guide. Canonne, Kamath and Steinke (2020) draw the same law by coins; the tests compare.
#[derive(Debug, Clone)]
pub(super) struct Digit {
    law: Law,
    /// The first 64 bits of each inner bound, ascending, and a last one that no word exceeds.
    bounds: Box<[u64]>,
    /// For each value of the leading bits the first cell that words with them can be in.
    guide: Box<[u16]>,
    /// How far a word is shifted to leave its leading bits.
    shift: u32,
}

/// What [`Digit::look`] saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Look {
    /// The cell.
    pub(super) cell: u32,
    /// Whether the word alone decides it.
    pub(super) is_sure: bool,
}

/// The law of a digit.
#[derive(Debug, Clone)]
struct Law {
    decay: Epsilon,
    /// `None` for the law on all whole numbers, of which those from `cells − 1` on share the last cell.
    period: Option<u32>,
    cells: u32,
}

/// Working precision of the bounds: 64 bits are kept, decays down to 2^-44 and a thousand products cost some 60.
const BITS: u64 = 256;
/// The largest guide: 8 kB.
const LARGEST_GUIDE_BITS: u32 = 12;
const WORD: u64 = u64::BITS as u64;

impl Digit {
    /// A digit of `0..period`; the period is at least 2 and at most 2^15.
    pub(super) fn of_period(decay: Epsilon, period: u32) -> Self {
        Digit::new(Law { decay, period: Some(period), cells: period })
    }

    /// A number from 0 on, of which those from `listed` on share the last cell; at most 2^15 are listed.
    pub(super) fn unbounded(decay: Epsilon, listed: u32) -> Self {
        Digit::new(Law { decay, period: None, cells: listed + 1 })
    }

    fn new(law: Law) -> Self {
        assert!((2..=1 << 15).contains(&law.cells), "cells are numbered in 16 bits");
        let bounds: Box<[u64]> = law.leading_words().into_iter().chain([u64::MAX]).collect();
        let guide_bits = (law.cells.ilog2() + 3).clamp(8, LARGEST_GUIDE_BITS);
        let shift = u64::BITS - guide_bits;
        let first_cell = |bucket: u64| bounds.partition_point(|&bound| bound < bucket << shift) as u16;
        let guide = (0..1 << guide_bits).map(first_cell).collect();
        Digit { law, bounds, guide, shift }
    }

    /// The last cell of an unbounded digit stands for this number and all beyond.
    pub(super) fn last_cell(&self) -> u32 {
        self.law.cells - 1
    }

    /// The cell that a word alone shows.
    #[inline(always)]
    pub(super) fn look(&self, word: u64) -> Look {
        let mut cell = usize::from(self.guide[(word >> self.shift) as usize]);
        while word > self.bounds[cell] {
            cell += 1;
        }
        Look { cell: cell as u32, is_sure: word != self.bounds[cell] }
    }

    /// The cell, with further words where the first one does not decide.
    pub(super) fn decide(&self, first: u64, next: &mut dyn FnMut() -> u64) -> u32 {
        let Look { mut cell, is_sure } = self.look(first);
        if is_sure {
            return cell;
        }
        let mut words = vec![first];
        while cell < self.last_cell() && !self.is_below(cell + 1, &mut words, next) {
            cell += 1;
        }
        cell
    }

    /// Whether the number that begins with these words is below C_i; more words are drawn until it is clear.
    fn is_below(&self, i: u32, words: &mut Vec<u64>, next: &mut dyn FnMut() -> u64) -> bool {
        for count in 1.. {
            if words.len() < count {
                words.push(next());
            }
            let drawn = words[..count].iter().fold(BigUint::ZERO, |drawn, &word| (drawn << WORD) + word);
            match drawn.cmp(&self.law.leading_bits(i, WORD * count as u64)) {
                Ordering::Less => return true,
                Ordering::Greater => return false,
                Ordering::Equal => {}
            }
        }
        unreachable!("the loop has no end")
    }
}

impl Law {
    /// ⌊C_i · 2^64⌋ for every inner bound, by one product and one quotient each.
    fn leading_words(&self) -> Vec<u64> {
        let (one, beta) = (Interval::integer(1), self.beta(BITS));
        let whole = self.whole(&beta, BITS);
        let mut power = one.clone();
        let mut bound = |i: u32| {
            power = (&power * &beta).outward(BITS);
            let enclosed = (&one - &power).divide(&whole, BITS).expect("a positive sum");
            let bits = decided(&enclosed, WORD).unwrap_or_else(|| self.leading_bits(i, WORD));
            bits.to_u64().expect("64 bits")
        };
        (1..self.cells).map(&mut bound).collect()
    }

    /// ⌊C_i · 2^n⌋, exactly.
    ///
    /// Enclosures are narrowed until they decide, which ends unless C_i is a multiple of 2^−n. Then C_i = s is rational, so
    /// `s·β^t − β^i + (1 − s) = 0`, and β is algebraic: e^decay = r^(a/b). If β^m is its first rational power, then
    /// 1, β, …, β^(m−1) are independent over the rationals, so m divides i and t, and β^g is rational, g = gcd(i, t) (g = i
    /// without a period). With `e^(decay·g) = p/q` in lowest terms C_i is `p^(t'−i')(p^i' − q^i')/(p^t' − q^t')` for
    /// `i' = i/g, t' = t/g`, and `(p − q)/p` without a period: in lowest terms the denominator is at least p. So p ≤ 2^n,
    /// and integers decide.
    fn leading_bits(&self, i: u32, n: u64) -> BigUint {
        let common = self.period.map_or(i, |period| period.gcd(&i));
        let fraction = self.decay.scale(&Rational::from_integer(common.into())).ok();
        if let Some(exp) = fraction.and_then(|decay| decay.rational_exp(n)) {
            return of_fraction(i / common, self.period.map(|period| period / common), n, &exp);
        }
        let mut bits = n + BITS;
        loop {
            let (one, beta) = (Interval::integer(1), self.beta(bits));
            let numerator = &one - &power(&beta, i, bits);
            let enclosed = numerator.divide(&self.whole(&beta, bits), bits).expect("a positive sum");
            if let Some(leading) = decided(&enclosed, n) {
                return leading;
            }
            bits *= 2;
        }
    }

    fn beta(&self, bits: u64) -> Interval {
        Interval::integer(1).divide(&self.decay.exp(bits), bits).expect("e^decay is positive")
    }

    /// 1 − β^period.
    fn whole(&self, beta: &Interval, bits: u64) -> Interval {
        let one = Interval::integer(1);
        self.period.map_or(one.clone(), |period| &one - &power(beta, period, bits))
    }
}

/// ⌊C_i · 2^n⌋ where e^decay is this fraction.
fn of_fraction(i: u32, period: Option<u32>, n: u64, exp: &Rational) -> BigUint {
    let power = |base: &BigInt, exponent: u32| Pow::pow(base.magnitude(), exponent);
    let [p, q] = [exp.numer(), exp.denom()];
    let first = power(p, i) - power(q, i);
    let (numerator, denominator) = match period {
        Some(period) => (power(p, period - i) * first, power(p, period) - power(q, period)),
        None => (first, power(p, i)),
    };
    (numerator << n).div_floor(&denominator)
}

/// The power of an interval between 0 and 1, by squaring.
fn power(base: &Interval, exponent: u32, bits: u64) -> Interval {
    let mut result = Interval::integer(1);
    for place in (0..u32::BITS - exponent.leading_zeros()).rev() {
        result = (&result * &result).outward(bits);
        if exponent >> place & 1 == 1 {
            result = (&result * base).outward(bits);
        }
    }
    result
}

/// ⌊x·2^n⌋ if it is the same for all x inside that are below 1, as every inner bound is.
fn decided(interval: &Interval, n: u64) -> Option<BigUint> {
    let most = (BigInt::one() << n) - BigInt::one();
    let [lower, upper] =
        [interval.lower(), interval.upper()].map(|end: &Dyadic| end.to_fixed(n, false).min(most.clone()));
    (lower == upper).then(|| lower.to_biguint()).flatten()
}

#[cfg(test)]
#[path = "digit_tests.rs"]
mod tests;
