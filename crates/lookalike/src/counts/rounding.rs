//! Probabilities as whole weights, with privacy and properties kept.
//!
//! Rows of whole weights must sum to 2^53, and rounding alone would break equal neighbours, tight ratios and equal
//! diagonals. So a probability p becomes `⌊(T − Λ)·p⌋ + C − K·F`, where F is a fixed *ladder* of whole numbers and C, K
//! are few units of 2^−53: a mix with a mechanism that has all seven properties **with room to spare**. (The uniform
//! mechanism has all seven too, but without room: all its entries are equal.)
//!
//! For the count j, the output i, d = |i − j| and m = min(j, n − j) the ladder is
//! `F = n·(d + min(d, m)) − m` for d > 0, and 0 for d = 0.
//!
//! - Every row of F has the same sum n²(n+1)/2, so every row loses the same Λ = (n+1)·C − K·n²(n+1)/2. (Over d > 0 the
//!   sum of d + min(d, m) is n(n+1)/2 + m, and m is taken off n times.)
//! - Along a row F rises by at least n with each step away from i = j.
//! - Along a column it rises by at least 1 and at most 2n + 1 with each step of j away from i: d grows by 1; where j
//!   moves to its end of the domain m falls by 1, so that min(d, m) rises by 1, stays or falls by 1 and −m rises by 1;
//!   where j moves to the middle d ≤ m before and after, so that n·2 is gained and at most 1 is lost.
//! - F is symmetric, at most n², and its diagonal is 0.
//!
//! Hence, if the probabilities have a property, the weights have it: K ≥ 2 is more than the two units by which rounding
//! can narrow a difference, diagonals only gain by what is left of a row, and `(T − Λ)/(n+1) + C ≥ T/(n+1)`. And they
//! are private: with a ≤ E·b for the probabilities, `(E − 1)·(C − K·F)` exceeds `K·(2n + 1)`, by which the ladder's step
//! may stand against it, and all rounding, if `C ≥ K·n² + K + (K·(2n + 3) + n)/(E − 1)`.
//!
//! Probabilities from a solver have its errors as well. All is therefore checked exactly in the end, and K raised until
//! the check passes.

use super::fixed::{PROBABILITY_BITS, Probability};
use super::{Alpha, Properties, Property, check, domain};
use crate::exact::{Direction, Natural, exceeds};
use crate::model::{Mechanism, TOTAL};
use crate::{Error, Result};
use num_bigint::BigUint;
use num_traits::{One, ToPrimitive};

/// The least K that rounding needs, and the largest that is tried: beyond it the target does not have the properties.
const FIRST_STEP: u64 = 2;
const LAST_STEP: u64 = 1 << 27;

/// A mechanism in probabilities: row after row, one a count.
pub(super) struct Target {
    pub(super) n: usize,
    pub(super) rows: Vec<Vec<Probability>>,
}

impl Target {
    /// The target with these entries, called with input and output.
    pub(super) fn of(n: usize, entry: impl Fn(usize, usize) -> Probability) -> Self {
        Target { n, rows: (0..=n).map(|j| (0..=n).map(|i| entry(j, i)).collect()).collect() }
    }
}

/// The mechanism in whole weights near the target that is private at α and has the properties.
///
/// # Errors
/// An α so near to 1 that 2^53 has no room for it, or a target that is far from private or from the properties.
pub(super) fn rounded(target: &Target, alpha: &Alpha, keeps: Properties) -> Result<Mechanism> {
    let mut step = FIRST_STEP;
    while let Some(mix) = Mix::new(target.n, alpha, step, keeps).filter(|_| step <= LAST_STEP) {
        let candidate = mix.weights(target, keeps).map(|weights| domain::mechanism(target.n, alpha, weights));
        if let Some(candidate) = candidate {
            let candidate = candidate?;
            if is_private(&candidate, alpha) && check::properties(&candidate)?.includes(keeps) {
                return Ok(candidate);
            }
        }
        step *= 4;
    }
    Err(Error::inapplicable(format!(
        "no weights of 2^-53 for n = {} at alpha = {alpha} with the properties {keeps}; a smaller alpha, n or set has \
         more room",
        target.n
    )))
}

/// How much of the ladder is mixed in.
struct Mix {
    n: u64,
    /// K; 0 where no property compares entries.
    step: u64,
    /// C.
    base: u64,
    /// Λ.
    lost: u64,
}

impl Mix {
    /// `None` where nothing of the target would be left.
    fn new(n: usize, alpha: &Alpha, room: u64, keeps: Properties) -> Option<Self> {
        let n = n as u64;
        let step = if keeps.without(Property::Symmetry).is_empty() { 0 } else { room };
        // 1/(E − 1) = α/(1 − α), rounded up.
        let above = alpha.scaled(128, Direction::Up);
        let one = BigUint::one() << 128u32;
        let rest = if above < one { &one - &above } else { return None };
        let slack = (BigUint::from(step * (2 * n + 1) + 2 * room + n) * above / rest + 1u32).to_u64()?;
        let base = (step * n * n + room).checked_add(slack)?;
        let lost = u128::from(n + 1) * u128::from(base) - u128::from(step * n * n * (n + 1) / 2);
        (lost < u128::from(TOTAL)).then_some(Mix { n, step, base, lost: lost as u64 })
    }

    /// K·F.
    fn ladder(&self, j: u64, i: u64) -> i64 {
        let (d, m) = (i.abs_diff(j), j.min(self.n - j));
        if d == 0 { 0 } else { (self.step * (self.n * (d + d.min(m)) - m)) as i64 }
    }

    /// All weights, row after row; `None` where one would be negative.
    fn weights(&self, target: &Target, keeps: Properties) -> Option<Vec<u64>> {
        let n = target.n;
        let symmetric = keeps.contains(Property::Symmetry);
        let entry = |j: usize, i: usize| {
            // The middle row is its own mirror image, and only its first half is read.
            let i = if symmetric && 2 * j == n { i.min(n - i) } else { i };
            let kept = (target.rows[j][i] * u128::from(TOTAL - self.lost)) >> PROBABILITY_BITS;
            kept as i64 + self.base as i64 - self.ladder(j as u64, i as u64)
        };
        let read = if symmetric { n / 2 } else { n };
        // A middle row that is its own mirror image has an even sum outside its diagonal.
        let even = if n.is_multiple_of(2) { !1 } else { !0 };
        let diagonal = (0..=read).map(|j| entry(j, j)).min().expect("a row") & even;
        let mut rows: Vec<Vec<i64>> = (0..=read).map(|j| (0..=n).map(|i| entry(j, i)).collect()).collect();
        for (j, row) in rows.iter_mut().enumerate() {
            row[j] = 0;
            let others: i64 = row.iter().sum();
            if keeps.contains(Property::Fairness) {
                spread(row, j, TOTAL as i64 - diagonal - others);
                row[j] = diagonal;
            } else {
                row[j] = TOTAL as i64 - others;
            }
        }
        for j in read + 1..=n {
            rows.push(rows[n - j].iter().rev().copied().collect());
        }
        rows.into_iter().flatten().map(|weight| u64::try_from(weight).ok()).collect()
    }
}

/// Adds `rest` to the entries other than the j-th as evenly as possible, one unit more to those near it.
fn spread(row: &mut [i64], j: usize, rest: i64) {
    let others = row.len() as i64 - 1;
    let (each, more) = (rest.div_euclid(others), rest.rem_euclid(others) as usize);
    let mut order: Vec<usize> = (0..row.len()).filter(|&i| i != j).collect();
    order.sort_by_key(|&i| i.abs_diff(j));
    for (place, i) in order.into_iter().enumerate() {
        row[i] += each + i64::from(place < more);
    }
}

/// Whether all weights of neighbouring counts are within 1/α of each other, exactly.
pub(super) fn is_private(mechanism: &Mechanism, alpha: &Alpha) -> bool {
    let (channel, size) = (&mechanism.channels()[0], mechanism.inputs().len());
    let within = |a: u128, b: u128| !exceeds(&Natural::from(a.max(b)), alpha.epsilon(), &Natural::from(a.min(b)));
    (1..size).all(|j| (0..size).all(|i| within(channel.weight(j - 1, i), channel.weight(j, i))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mix(n: u64) -> Mix {
        Mix { n, step: 1, base: 0, lost: 0 }
    }

    #[test]
    fn the_ladder_is_what_the_proof_says() {
        for n in 1..40u64 {
            let mix = mix(n);
            let (f, last) = (|j: u64, i: u64| mix.ladder(j, i), n as i64);
            for j in 0..=n {
                assert_eq!((0..=n).map(|i| f(j, i)).sum::<i64>(), last * last * (last + 1) / 2, "row {j} of {n}");
                for i in 0..=n {
                    assert!(f(j, i) <= last * last && f(j, i) == f(n - j, n - i));
                    let further = if i < j { i.checked_sub(1) } else { Some(i + 1).filter(|&i| i <= n && i > j) };
                    if let Some(further) = further {
                        assert!(f(j, further) >= f(j, i) + last, "along row {j} of {n} at {i}");
                    }
                    for (from, to) in (1..=n).map(|to| (to - 1, to)).flat_map(|(a, b)| [(a, b), (b, a)]) {
                        if to.abs_diff(i) > from.abs_diff(i) {
                            let rise = f(to, i) - f(from, i);
                            assert!((1..=2 * last + 1).contains(&rise), "along column {i} of {n} from {from}: {rise}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_left_of_a_row_is_spread_evenly_and_near() {
        let mut row = [10, 10, 0, 10, 10];
        spread(&mut row, 2, 6);
        assert_eq!(row, [11, 12, 0, 12, 11]);
        spread(&mut row, 2, -2);
        assert_eq!(row, [10, 12, 0, 12, 10]);
    }

    // A target that is neither fair, symmetric nor private ends in one that is all that.
    #[test]
    fn a_bad_target_is_mixed_until_it_passes_or_refused() {
        let alpha: Alpha = "0.9".parse().unwrap();
        let wobbly = Target::of(4, |j, i| (1 << PROBABILITY_BITS) / 5 + (((7 * j + 3 * i) as u128 % 4) << 30));
        let mechanism = rounded(&wobbly, &alpha, Properties::ALL).unwrap();
        assert!(is_private(&mechanism, &alpha));
        assert_eq!(check::properties(&mechanism).unwrap(), Properties::ALL);
        let identity = Target::of(4, |j, i| if i == j { 1 << PROBABILITY_BITS } else { 0 });
        assert!(rounded(&identity, &alpha, Properties::ALL).unwrap_err().is_inapplicable());
        let near_one: Alpha = "0.99999999999999999999".parse().unwrap();
        assert!(rounded(&wobbly, &near_one, Properties::ALL).unwrap_err().is_inapplicable());
    }
}
