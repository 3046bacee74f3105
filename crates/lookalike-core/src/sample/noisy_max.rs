//! Releases the place of the largest count.

use super::noise::check_rows;
use super::random::RandomKey;
use super::two_sided_geometric::TwoSidedGeometric;
use crate::certify::Certified;
use crate::error::{Error, Result};
use crate::model::NoisyMax;

/// Certified report noisy max, ready to draw.
///
/// # Guarantee
/// For a uniform key, the place of the largest of the counts plus noise of exactly the certified law is released, the
/// first of equals. Sums are compared whole, in 128 bits.
///
/// # Example
/// ```
/// use lookalike_core::{certify::certify, model::{Movement, NoisyMax}, sample::{NoisyMaxSampler, RandomKey}};
/// let max = NoisyMax::for_epsilon("1".parse()?, 1, Movement::Together)?;
/// let sampler = NoisyMaxSampler::new(&certify(max)?);
/// assert_eq!(sampler.select(&RandomKey::from_seed(1), 0, &[3, 500, 12])?, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Reference
/// Dwork and Roth, The Algorithmic Foundations of Differential Privacy (2014), Claim 3.9.
#[derive(Debug, Clone)]
pub struct NoisyMaxSampler {
    law: TwoSidedGeometric,
}

impl NoisyMaxSampler {
    /// The sampler of a certified mechanism.
    pub fn new(certified: &Certified<NoisyMax>) -> Self {
        NoisyMaxSampler { law: TwoSidedGeometric::new(certified.mechanism().decay()) }
    }

    /// The place of the largest noisy count. A place must stand for the same thing whatever the counts are, since the first
    /// of equals is taken: order by name, never by count. Count i takes the noise of row `first_row + i` of the key, so that several
    /// questions with one key must not share rows.
    ///
    /// # Errors
    /// No count, or a row beyond 2^63.
    pub fn select(&self, key: &RandomKey, first_row: u64, counts: &[i64]) -> Result<usize> {
        check_rows(first_row, counts.len(), counts.len())?;
        let mut sums = vec![0; counts.len()];
        // A common cap would make equals of sums that are not, and those go to the first: no neighbour may be moved so.
        self.law.release(key, first_row, &mut sums, |at, noise| noise.saturating_add(counts[at].into()));
        first_largest(&sums).ok_or_else(|| Error::input("no counts, expected at least one"))
    }
}

/// The place of the largest number, the first of equals.
fn first_largest(sums: &[i128]) -> Option<usize> {
    (0..sums.len()).reduce(|best, at| if sums[at] > sums[best] { at } else { best })
}

#[cfg(test)]
#[path = "noisy_max_tests.rs"]
mod tests;
