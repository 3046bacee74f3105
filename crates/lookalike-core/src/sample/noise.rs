//! Bulk release of numbers with certified noise.

use super::grid::{MOST_STEPS, from_steps, step, to_steps};
use super::random::RandomKey;
use super::sampler::check_lengths;
use super::two_sided_geometric::TwoSidedGeometric;
use crate::certify::Certified;
use crate::error::{Error, Result};
use crate::model::Noise;
use num_traits::ToPrimitive;
use rayon::prelude::*;

/// The tables of certified noise, ready to draw.
///
/// # Guarantee
/// For a uniform key, row i is released as its value, clamped and rounded as the noise says, plus noise of exactly the
/// certified law, in whole steps: no float is ever added to a float. A sum that does not fit is cut off at a fixed
/// bound, which looks at nothing but the sum (64 bits for whole numbers, ±2^53 steps for reals, which are all doubles);
/// a value beyond the same bound is brought to it first, which moves no two values apart. So there is no error that
/// could tell of a value, and none of the law.
///
/// Row i's noise depends on the key and its number alone: not on other rows, threads or batches. Two runs must not share
/// a key.
///
/// # Complexity
/// Some ten nanoseconds per row, and one word of randomness more for each factor of 1,000 in the scale above 64 steps.
///
/// # Example
/// ```
/// use lookalike_core::{certify::certify, exact::parse_rational, model::Noise, sample::{NoiseSampler, RandomKey}};
/// let count = Noise::for_epsilon("1/2".parse()?, parse_rational("1")?, 0)?;
/// let sampler = NoiseSampler::new(&certify(count)?);
/// let mut released = [0; 3];
/// sampler.add(&RandomKey::from_seed(1), 0, &[17, 0, 4], &mut released)?;
/// assert!((released[0] - 17).abs() < 100);
/// // Reals between 0 and 1 that may be anything, to 1/1024.
/// let share = Noise::for_epsilon("2".parse()?, parse_rational("1")?, -10)?
///     .clamped(parse_rational("0")?, parse_rational("1")?)?;
/// let mut released = [0.0; 2];
/// NoiseSampler::new(&certify(share)?).add_reals(&RandomKey::from_seed(2), 0, &[0.3, 7.5], &mut released)?;
/// assert!(released.iter().all(|real| (real * 1024.0).fract() == 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Reference
/// Canonne, Kamath and Steinke, The Discrete Gaussian for Differential Privacy (2020), section 5, for the law.
#[derive(Debug, Clone)]
pub struct NoiseSampler {
    law: TwoSidedGeometric,
    exponent: i32,
    /// The bounds of the clamp in steps.
    clamp: [i64; 2],
}

impl NoiseSampler {
    /// The sampler of certified noise.
    pub fn new(certified: &Certified<Noise>) -> Self {
        let noise = certified.mechanism();
        // Rounding is monotone: a value that is clamped and then rounded is one that is rounded and then clamped.
        let steps = |bound| noise.round(bound).to_i64().expect("bounds are within 2^53 steps");
        let clamp = noise.clamp().map_or([i64::MIN, i64::MAX], |bounds| bounds.each_ref().map(steps));
        NoiseSampler { law: TwoSidedGeometric::new(noise.decay()), exponent: noise.exponent(), clamp }
    }

    /// Releases a whole number for each row: `outputs[i]` for `values[i]`, which is row `first_row + i` of the run.
    ///
    /// # Errors
    /// Noise on another grid than the whole numbers, slices of different lengths, or a row beyond 2^63.
    pub fn add(&self, key: &RandomKey, first_row: u64, values: &[i64], outputs: &mut [i64]) -> Result<()> {
        if self.exponent != 0 {
            return Err(Error::input(format!(
                "whole numbers and a grid of 2^{}, expected a grid of 1 or real numbers",
                self.exponent
            )));
        }
        self.add_steps(key, first_row, values, outputs)
    }

    /// The same for values that are rounded to the grid already ([`Noise::round`]), in steps, and gives steps: for numbers
    /// that are no doubles, such as decimals.
    ///
    /// # Errors
    /// Slices of different lengths, or a row beyond 2^63.
    pub fn add_steps(&self, key: &RandomKey, first_row: u64, steps: &[i64], outputs: &mut [i64]) -> Result<()> {
        check_rows(first_row, steps.len(), outputs.len())?;
        let [lower, upper] = self.clamp;
        self.law.release(key, first_row, outputs, |at, noise| {
            let sum = i128::from(steps[at].clamp(lower, upper)) + noise;
            sum.clamp(i64::MIN.into(), i64::MAX.into()) as i64
        });
        Ok(())
    }

    /// Releases a point of the grid for each row: `outputs[i]` for `values[i]`, which is row `first_row + i` of the run.
    ///
    /// # Errors
    /// A value that is not a finite number, slices of different lengths, or a row beyond 2^63. The error names the row
    /// and no value.
    pub fn add_reals(&self, key: &RandomKey, first_row: u64, values: &[f64], outputs: &mut [f64]) -> Result<()> {
        check_rows(first_row, values.len(), outputs.len())?;
        if let Some(at) = first_not_finite(values) {
            let row = u128::from(first_row) + at as u128 + 1;
            return Err(Error::input(format!("row {row}: not a finite number, expected one")));
        }
        let ([lower, upper], grid) =
            (self.clamp.map(|bound| bound.clamp(-MOST_STEPS, MOST_STEPS)), step(self.exponent));
        self.law.release(key, first_row, outputs, |at, noise| {
            let sum = i128::from(to_steps(values[at], self.exponent).clamp(lower, upper)) + noise;
            from_steps(sum.clamp((-MOST_STEPS).into(), MOST_STEPS.into()) as i64, grid)
        });
        Ok(())
    }
}

/// The place of the first value that is no number. Few values need no pool.
fn first_not_finite(values: &[f64]) -> Option<usize> {
    const FEW: usize = 1 << 14;
    match values.len() {
        ..=FEW => values.iter().position(|value| !value.is_finite()),
        _ => values.par_iter().position_first(|value| !value.is_finite()),
    }
}

/// Refuses what cannot be released row by row.
pub(super) fn check_rows(first_row: u64, values: usize, outputs: usize) -> Result<()> {
    check_lengths(values, outputs, "outputs")?;
    if u128::from(first_row) + values as u128 > 1 << 63 {
        return Err(Error::input("more than 2^63 rows"));
    }
    Ok(())
}

#[cfg(test)]
#[path = "noise_tests.rs"]
mod tests;
