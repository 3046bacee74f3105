//! How much a node's state tells of states to its left and right, in fixed point, rounded to a named side.
//!
//! For two states x, x' of node i and a quilt X_{i−a}, X_{i+b} the nodes of the quilt are independent given X_i, so
//!
//! ```text
//! ln Pr(X_Q = (s, u) | X_i = x) / Pr(X_Q = (s, u) | X_i = x')
//!     = ln Pr(X_i = x') / Pr(X_i = x) + ln P^a(s, x) / P^a(s, x') + ln P^b(x, u) / P^b(x', u)
//! ```
//!
//! by Bayes's rule, where the probability of X_{i−a} = s cancels. The first two terms belong to the left node, the last
//! one to the right. The largest value over s and u splits into a left part and a right part for each pair; the
//! influence is the largest sum of the two over pairs. Only what can happen counts: x and x' possible at node i, s
//! possible at node i−a.

use super::logarithm::{LOGARITHM_BITS, logarithm};
use super::powers::{Enclosure, PowersOf};
use crate::exact::Dyadic;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Logarithms of ratios for all ordered pairs of states (x, x'), row after row, in units of 2^-44.
pub type Pairs = Rc<[i64]>;

/// A ratio to something that is 0, or that is too small to be told from 0. Finite values are below 2^52.
pub const INFINITE: i64 = 1 << 60;
/// A pair that cannot occur: nothing that is added makes it count.
pub const IMPOSSIBLE: i64 = -(1 << 62);
/// What tells the two apart: three finite parts add up to less than 2^54, and what has an infinite one to more than this.
const FAR: i64 = 1 << 58;

/// On which side a bound lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// Never above what is bounded.
    Below,
    /// Never below it.
    Above,
}

/// Logarithms of what is divided, and of what it is divided by, so that quotients lie on one side.
struct Logarithms {
    states: usize,
    side: Side,
    /// Far below what a divisor can be where nothing is divided: 0/0 does not count.
    dividends: Vec<i64>,
    divisors: Vec<i64>,
}

impl Logarithms {
    fn of(probabilities: &Enclosure, side: Side) -> Self {
        let below = |zero| move |&value: &u64| if value == 0 { zero } else { logarithm(value).0 };
        let above = |zero| move |&value: &u64| if value == 0 { zero } else { logarithm(value).1 };
        // As differences of these, x/0 is about INFINITE, 0/x about −2·INFINITE and 0/0 −INFINITE: a maximum passes over the
        // last two without asking for them.
        let (nothing, zero) = (-2 * INFINITE, -INFINITE);
        let (lower, upper) = (probabilities.lower.iter(), probabilities.upper.iter());
        let (dividends, divisors) = match side {
            Side::Above => (upper.map(above(nothing)).collect(), lower.map(below(zero)).collect()),
            Side::Below => (lower.map(below(nothing)).collect(), upper.map(above(zero)).collect()),
        };
        Logarithms { states: probabilities.states, side, dividends, divisors }
    }

    /// For each pair the largest ln M(x, u) / M(x', u) over u.
    fn over_columns(&self) -> Vec<i64> {
        let row = |table: &'_ Vec<i64>, x: usize| table[x * self.states..][..self.states].to_vec();
        let mut largest = Vec::with_capacity(self.states * self.states);
        for x in 0..self.states {
            let dividends = row(&self.dividends, x);
            largest.extend(self.divisors.chunks_exact(self.states).map(|divisors| {
                dividends.iter().zip(divisors).map(|(dividend, divisor)| dividend - divisor).fold(-INFINITE, i64::max)
            }));
        }
        self.finished(largest)
    }

    /// For each pair the largest ln M(s, x) / M(s, x') over these s.
    fn over_rows(&self, rows: &[bool]) -> Vec<i64> {
        let mut largest = vec![-INFINITE; self.states * self.states];
        for s in (0..self.states).filter(|&s| rows[s]) {
            let divisors = &self.divisors[s * self.states..][..self.states];
            for x in 0..self.states {
                let dividend = self.dividends[s * self.states + x];
                // A dividend of 0 has quotients that are never the largest.
                if dividend > -INFINITE {
                    let pairs = &mut largest[x * self.states..][..self.states];
                    for (pair, divisor) in pairs.iter_mut().zip(divisors) {
                        *pair = (*pair).max(dividend - divisor);
                    }
                }
            }
        }
        self.finished(largest)
    }

    /// A state is like itself; what came from no quotient at all has no bound above.
    fn finished(&self, mut pairs: Vec<i64>) -> Vec<i64> {
        for (place, pair) in pairs.iter_mut().enumerate() {
            if place / self.states == place % self.states {
                *pair = 0;
            } else if *pair > FAR || (self.side == Side::Above && *pair < -FAR) {
                *pair = INFINITE;
            }
        }
        pairs
    }
}

/// ln law(x') / law(x) for each pair.
pub fn prior_of_law(law: &Enclosure, side: Side) -> Vec<i64> {
    let logarithms = Logarithms::of(law, side);
    let quotient = |x: usize, other: usize| logarithms.dividends[other] - logarithms.divisors[x];
    let states = law.states;
    logarithms.finished((0..states * states).map(|place| quotient(place / states, place % states)).collect())
}

/// The left and right parts of influences, made when they are asked for.
pub struct Parts<P> {
    /// Where the powers come from.
    pub powers: P,
    side: Side,
    right: BTreeMap<u64, Pairs>,
    left: BTreeMap<(u64, usize), Pairs>,
}

impl<P: PowersOf> Parts<P> {
    /// No part yet.
    pub fn new(powers: P, side: Side) -> Self {
        Parts { powers, side, right: BTreeMap::new(), left: BTreeMap::new() }
    }

    /// max_u ln P^b(x, u) / P^b(x', u).
    pub fn right(&mut self, distance: u64) -> Pairs {
        // Taken apart, since a part is made from the powers while the map of parts is borrowed.
        let Parts { powers, side, right, .. } = self;
        right
            .entry(distance)
            .or_insert_with(|| Logarithms::of(&powers.power(distance), *side).over_columns().into())
            .clone()
    }

    /// max_s ln P^a(s, x) / P^a(s, x') over a set of states, which has this number.
    pub fn left(&mut self, distance: u64, number: usize, set: &[bool]) -> Pairs {
        if let Some(part) = self.left.get(&(distance, number)) {
            return part.clone();
        }
        let part: Pairs = self.left_once(distance, set).into();
        self.left.insert((distance, number), part.clone());
        part
    }

    /// As [`Parts::left`], for a part that is needed once.
    pub fn left_once(&mut self, distance: u64, set: &[bool]) -> Vec<i64> {
        Logarithms::of(&self.powers.power(distance), self.side).over_rows(set)
    }

    /// max_s ln P^k(s, x') / P^k(s, x): what Pr(X_i = x') / Pr(X_i = x) is at most for i > k, whatever the law of
    /// X_{i−k} on these states: a quotient of two averages lies between the quotients of what is averaged.
    pub fn prior_after(&mut self, distance: u64, set: &[bool]) -> Vec<i64> {
        let (states, part) = (self.powers.states(), self.left_once(distance, set));
        (0..states * states).map(|place| part[place % states * states + place / states]).collect()
    }
}

/// The largest sum over pairs; none where it is infinite. A pair with itself makes it at least 0.
pub fn largest_sum(prior: &[i64], left: Option<&[i64]>, right: Option<&[i64]>) -> Option<i64> {
    let largest = match (left, right) {
        (Some(left), Some(right)) => {
            let sums = prior.iter().zip(left).zip(right).map(|((prior, left), right)| prior + left + right);
            sums.fold(0, i64::max)
        }
        (Some(part), None) | (None, Some(part)) => {
            prior.iter().zip(part).map(|(prior, part)| prior + part).fold(0, i64::max)
        }
        (None, None) => 0,
    };
    (largest < FAR).then_some(largest)
}

/// A logarithm in units of 2^-44 as a number.
pub fn number(logarithm: i64) -> Dyadic {
    Dyadic::new(logarithm.into(), -i64::from(LOGARITHM_BITS))
}
