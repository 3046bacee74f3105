//! Whether a list of codes stands in an order that chance would not give it.
//!
//! Everything is said given the multiset of the codes: under the hypothesis of a random order, all orders of these codes
//! are equally likely. The floats here decide whether a warning is shown, and nothing about privacy.

use super::row_order::Order;

/// The chance that one of the tests below speaks of a random order. There are at most 32 of them in a release: eight on
/// the first rows and on a thinned look at all rows, of profiles and of values. Together they stay below one in a million.
const FALSE_ALARM: f64 = 1e-6 / 32.0;

/// Of fewer rows no order is rare enough: 10! is less than one in `FALSE_ALARM`.
const FEW_ROWS: usize = 11;

/// More codes than this are also looked at in [`BINS`] bins of equal size, in which near numbers are equal.
const FEW_CODES: usize = 64;
const BINS: usize = 16;

/// The order that the codes stand in, if chance alone would not have put them so.
///
/// # Guarantee
/// For codes in a uniformly random order the answer is `None` except with probability at most eight times `FALSE_ALARM`.
///
/// # Complexity
/// Linear for small codes, and that of sorting for large ones.
pub(super) fn order_of(codes: &[u32]) -> Option<Order> {
    if codes.len() < FEW_ROWS {
        return None;
    }
    let ranks = Ranks::of(codes);
    if ranks.counts.len() < 2 {
        return None;
    }
    let [runs, after_one, after_four] = ranks.bets();
    let in_bins = || ranks.counts.len() > FEW_CODES && ranks.binned().bets()[0].is_beyond_chance();
    if ranks.is_arranged() {
        Some(Order::Sorted)
    } else if runs.is_beyond_chance() || in_bins() {
        Some(Order::Runs)
    } else if ranks.has_trend() {
        Some(Order::Trend)
    } else {
        (after_one.is_beyond_chance() || after_four.is_beyond_chance()).then_some(Order::Periodic)
    }
}

/// Whether equal codes all stand together, some code is there twice, and there are others.
pub(super) fn is_grouped(codes: &[u32]) -> bool {
    if codes.len() < 3 {
        return false;
    }
    let ranks = Ranks::of(codes);
    let distinct = ranks.counts.len();
    distinct > 1 && distinct < codes.len() && ranks.number_of_runs() == distinct
}

/// Codes by their rank among those that occur.
struct Ranks {
    ranks: Vec<u32>,
    /// How often each rank occurs.
    counts: Vec<u32>,
}

impl Ranks {
    fn of(codes: &[u32]) -> Ranks {
        let largest = codes.iter().copied().fold(0, u32::max) as usize;
        let mut distinct: Vec<u32>;
        if largest <= 4 * codes.len() {
            let mut seen = vec![false; largest + 1];
            codes.iter().for_each(|&code| seen[code as usize] = true);
            distinct = (0..).zip(&seen).filter(|(_, seen)| **seen).map(|(code, _)| code).collect();
        } else {
            distinct = codes.to_vec();
            distinct.sort_unstable();
            distinct.dedup();
        }
        let rank = |code: &u32| distinct.partition_point(|other| other < code) as u32;
        let ranks: Vec<u32> = match distinct.last() {
            // Codes without a gap are their own ranks.
            Some(&last) if last as usize + 1 == distinct.len() => codes.to_vec(),
            _ => codes.iter().map(rank).collect(),
        };
        let mut counts = vec![0; distinct.len()];
        ranks.iter().for_each(|&rank| counts[rank as usize] += 1);
        Ranks { ranks, counts }
    }

    /// The ranks in bins that hold about equally many; equal ranks share one.
    fn binned(&self) -> Ranks {
        let (mut below, total) = (0, self.ranks.len());
        let bin = |&count: &u32| {
            let bin = (below * BINS / total) as u32;
            below += count as usize;
            bin
        };
        let bins: Vec<u32> = self.counts.iter().map(bin).collect();
        Ranks::of(&self.ranks.iter().map(|&rank| bins[rank as usize]).collect::<Vec<_>>())
    }

    fn number_of_runs(&self) -> usize {
        1 + self.ranks.windows(2).filter(|pair| pair[0] != pair[1]).count()
    }

    /// Whether the codes are in order, or equal ones all stand together, where few enough orders do so.
    ///
    /// Of the n! / (n_1! … n_k!) orders two are sorted up or down, and k! have all equal codes together.
    fn is_arranged(&self) -> bool {
        let sorted = self.ranks.is_sorted() || self.ranks.iter().rev().is_sorted();
        let distinct = self.counts.len();
        if !sorted && self.number_of_runs() != distinct {
            return false;
        }
        let arrangements = if sorted { 2f64.ln() } else { ln_factorial(distinct) };
        let orders =
            ln_factorial(self.ranks.len()) - self.counts.iter().map(|&count| ln_factorial(count as usize)).sum::<f64>();
        arrangements - orders <= FALSE_ALARM.ln()
    }

    /// Bets on every row but the first, of three kinds: that it has the code of the row before it, that which followed the
    /// last row like the one before it, and that which followed the last four rows like the four before it.
    ///
    /// Rows with many codes are foretold by the one before them, and the last kind is left to rows with few.
    fn bets(&self) -> [Bets; 3] {
        let mut left = self.counts.clone();
        let [mut runs, mut after_one, mut after_four] = [Bets::default(); 3];
        let mut followers = vec![NOBODY; self.counts.len()];
        let mut fours = Fours::new(if self.counts.len() <= FEW_CODES { self.ranks.len() } else { 0 });
        let mut rows_left = self.ranks.len() as u32;
        for pair in self.ranks.windows(2) {
            let [before, next] = [pair[0], pair[1]];
            left[before as usize] -= 1;
            rows_left -= 1;
            let one_of = 1.0 / f64::from(rows_left);
            let chance = |rank: u32| f64::from(left[rank as usize]) * one_of;
            runs.bet(chance(before), before == next);
            let follower = std::mem::replace(&mut followers[before as usize], next);
            if follower != NOBODY {
                after_one.bet(chance(follower), follower == next);
            }
            if let Some(follower) = fours.follower(before, next) {
                after_four.bet(chance(follower), follower == next);
            }
        }
        [runs, after_one, after_four]
    }

    /// Whether codes rise or fall along the rows.
    ///
    /// S = Σ a_i·b_i, where a_i is the place of row i and b_i the middle rank of its code, both from −1/2 to 1/2. In a random
    /// order its mean is 0. Seen row by row it is a martingale, and row i moves it within a range of 1 − i/(n − 1): two
    /// codes that change places, at i and later, change S by no more. So Pr[S ≥ t] ≤ exp(−2t²/Σ(1 − i/(n − 1))²) by the
    /// inequality of Azuma and Hoeffding, and the same below.
    fn has_trend(&self) -> bool {
        self.trend() >= -FALSE_ALARM.ln()
    }

    /// A number that a random order brings to x or more with probability at most 2·exp(−x).
    fn trend(&self) -> f64 {
        let last = (self.ranks.len() - 1) as f64;
        let mut below = 0.0;
        let middle = |&count: &u32| {
            let middle = below + f64::from(count - 1) / 2.0;
            below += f64::from(count);
            middle / last - 0.5
        };
        let middles: Vec<f64> = self.counts.iter().map(middle).collect();
        let places = (0..).map(|at| f64::from(at) / last - 0.5);
        let sum: f64 = places.zip(&self.ranks).map(|(place, &rank)| place * middles[rank as usize]).sum();
        let squares = (last + 1.0) * (2.0 * last + 1.0) / (6.0 * last);
        2.0 * sum * sum / squares
    }
}

/// No code.
const NOBODY: u32 = u32::MAX;

/// What followed four rows the last time. They are known again by a hash; two that share one only spoil some of the bets.
struct Fours {
    followers: Vec<u32>,
    /// The last four codes, 16 bits each.
    last: u64,
    seen: usize,
}

impl Fours {
    fn new(rows: usize) -> Self {
        Fours { followers: vec![NOBODY; (2 * rows).next_power_of_two()], last: 0, seen: 0 }
    }

    /// What followed the last four rows, the youngest of them `before`, when they stood together last; now `next` does.
    #[inline]
    fn follower(&mut self, before: u32, next: u32) -> Option<u32> {
        let bits = self.followers.len().trailing_zeros();
        if bits == 0 {
            return None;
        }
        (self.last, self.seen) = (self.last << 16 | u64::from(before & 0xffff), self.seen + 1);
        let place = self.last.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits);
        let follower = std::mem::replace(&mut self.followers[place as usize], next);
        (self.seen >= 4 && follower != NOBODY).then_some(follower)
    }
}

/// Bets on the codes of rows, each made before the row is seen.
///
/// Given the rows before it and all codes, the next row has code c with probability p = (rows of c that are left) / (rows
/// that are left). So hits less these chances are a martingale D, and with V = Σ p(1 − p), for each λ > 0,
/// exp(λD − (e^λ − 1 − λ)V) has a mean of at most 1 (Bennett; Freedman, On tail probabilities for martingales, 1975). By
/// Markov's inequality it reaches 1/α with probability at most α.
#[derive(Clone, Copy, Default)]
struct Bets {
    surplus: f64,
    variance: f64,
}

impl Bets {
    /// Every λ has its share of the allowed chance.
    const RATES: [f64; 8] = [1.0 / 32.0, 1.0 / 16.0, 1.0 / 8.0, 1.0 / 4.0, 1.0 / 2.0, 1.0, 2.0, 4.0];

    #[inline]
    fn bet(&mut self, chance: f64, is_hit: bool) {
        self.surplus += f64::from(u8::from(is_hit)) - chance;
        self.variance += chance * (1.0 - chance);
    }

    fn is_beyond_chance(&self) -> bool {
        self.evidence() >= -FALSE_ALARM.ln()
    }

    /// The logarithm of a number whose mean in a random order is at most 1.
    fn evidence(&self) -> f64 {
        let exponent = |rate: f64| rate * self.surplus - (rate.exp_m1() - rate) * self.variance;
        let most = Bets::RATES.iter().map(|&rate| exponent(rate)).fold(f64::NEG_INFINITY, f64::max);
        most - (Bets::RATES.len() as f64).ln()
    }
}

/// ln n!, for large n by Stirling's series, which is then right to nine digits.
fn ln_factorial(n: usize) -> f64 {
    if n < 64 {
        return (2..=n).map(|factor| (factor as f64).ln()).sum();
    }
    let n = n as f64;
    n * n.ln() - n + (std::f64::consts::TAU * n).ln() / 2.0 + 1.0 / (12.0 * n)
}

#[cfg(test)]
#[path = "row_sequence_tests.rs"]
mod tests;
