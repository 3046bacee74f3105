//! How far the count that report noisy max chooses may be behind the largest.

use crate::exact::{Direction, Rational, to_f64};
use crate::model::NoisyMax;
use crate::{Error, Result};
use num_traits::{One, Signed};

/// Noise of a larger scale than the inverse of this is summed in blocks of so much of its scale.
const BLOCK: f64 = 1e-3;
/// What the sum leaves out at either end, against what is asked for: e to the power of minus this.
const CUT: f64 = 30.0;
/// Room for the rounding of the sums.
const ROUNDING: f64 = 1e-9;

/// The least D such that with at least this probability the chosen one of so many counts is at most D below the largest,
/// whatever the counts are.
///
/// Let one count be the largest. What happens is worst when all the others are D + 1 below it and win ties: raising a
/// count that is further behind, or lowering one that is nearer, only makes it likelier that one of those is chosen. So
/// with the noise Z of the largest, F the distribution function of Z and n the number of the others, D is enough exactly
/// when `E[1 − F(Z + D)^n] ≤ 1 − confidence`. D is the least one for noise of a scale up to 1,000 steps; beyond that it
/// may be larger by less than a thousandth of the scale, since the sum is bounded from above in blocks. A probability
/// within 1e-9 of itself of what is asked for counts as more.
///
/// # Errors
/// A confidence that is not between 0 and 1.
///
/// # Example
/// ```
/// use lookalike::{estimate::most_behind, exact::parse_rational, model::{Movement, NoisyMax}};
/// let max = NoisyMax::for_epsilon("1/2".parse()?, 1, Movement::Anyhow)?;
/// // Noise of at most 16 on each of three counts would give 32.
/// assert_eq!(most_behind(&max, 3, &parse_rational("0.95")?)?, 16);
/// # Ok::<(), lookalike::Error>(())
/// ```
pub fn most_behind(max: &NoisyMax, counts: usize, confidence: &Rational) -> Result<u64> {
    let rest = Rational::one() - confidence;
    if !confidence.is_positive() || !rest.is_positive() {
        return Err(Error::input(format!("confidence = {confidence}, expected a number between 0 and 1")));
    }
    let chance = Chance::new(max.decay().to_f64(), counts.saturating_sub(1), to_f64(&rest, Direction::Down));
    // Twice as far each time, then halved.
    let mut enough = 1;
    while !chance.is_enough(enough) {
        enough *= 2;
    }
    let mut less = enough / 2;
    if chance.is_enough(0) {
        return Ok(0);
    }
    while enough - less > 1 {
        let middle = less + (enough - less) / 2;
        if chance.is_enough(middle) { enough = middle } else { less = middle }
    }
    Ok(enough)
}

/// The chance that a count further behind than D is chosen.
struct Chance {
    decay: f64,
    /// How many others there are.
    others: f64,
    /// How often it may happen.
    allowed: f64,
}

impl Chance {
    fn new(decay: f64, others: usize, allowed: f64) -> Self {
        Chance { decay, others: others as f64, allowed: allowed * (1.0 - ROUNDING) }
    }

    /// Whether E[1 − F(Z + D)^n] is small enough; bounded from above.
    fn is_enough(&self, behind: u64) -> bool {
        if self.others == 0.0 {
            return true;
        }
        let block = (BLOCK / self.decay).floor().max(1.0);
        let reach = ((CUT - self.allowed.ln()) / self.decay / block).ceil() * block;
        // What is further to the left than the sum begins counts as chosen wrongly.
        let mut sum = self.tail(reach + 1.0);
        let mut start = -reach;
        while start <= reach {
            sum += self.mass(start, start + block) * self.any_wins(start + behind as f64);
            start += block;
        }
        sum += self.tail(start) * self.any_wins(start + behind as f64);
        sum <= self.allowed
    }

    /// P(Z ≥ z) = α^z/(1 + α), for z ≥ 0.
    fn tail(&self, z: f64) -> f64 {
        (-self.decay * z).exp() / (1.0 + (-self.decay).exp())
    }

    /// P(start ≤ Z < end).
    fn mass(&self, start: f64, end: f64) -> f64 {
        match (start >= 0.0, end <= 0.0) {
            (true, _) => self.tail(start) * -(-self.decay * (end - start)).exp_m1(),
            // By symmetry P(−end < Z ≤ −start).
            (_, true) => self.tail(1.0 - end) * -(-self.decay * (end - start)).exp_m1(),
            _ => 1.0 - self.tail(end) - self.tail(1.0 - start),
        }
    }

    /// 1 − F(w)^n: some one of the others has noise above w.
    fn any_wins(&self, w: f64) -> f64 {
        let logarithm = match w >= -1.0 {
            true => (-self.tail(w + 1.0)).ln_1p(),
            // F(w) = P(Z ≥ −w).
            false => self.decay * w - (-self.decay).exp().ln_1p(),
        };
        -(self.others * logarithm).exp_m1()
    }
}

#[cfg(test)]
#[path = "most_behind_tests.rs"]
mod tests;
