//! Draws the reports of a certified oracle.

use super::chance::{Chance, FromWords};
use super::random::RandomKey;
use super::sampler::check_codes;
use crate::certify::Certified;
use crate::error::{Error, Result};
use crate::model::{Encoding, HashFamily, Oracle, Report, Reports};
use rayon::prelude::*;

/// Draws the reports of a certified oracle.
///
/// # Guarantee
/// For a uniform key a report has exactly the certified probability, [`Oracle::weight`] over [`Oracle::scale`]: coins are
/// compared in integers, and dice throw away the incomplete last stretch of words. Row i draws from the stream of its own
/// number, so that a report depends on the key, its row and its value, and on nothing else. The function of a hash is
/// drawn without a look at the value.
///
/// # Complexity
/// A row takes about d/8 words (unary), three words (hash), two (Hadamard) or k + 1 (subset of k).
///
/// # Example
/// ```
/// use lookalike_core::{certify::certify, model::{Categories, Encoding, Oracle, TOTAL}};
/// use lookalike_core::sample::{OracleSampler, RandomKey};
/// let unary = Encoding::Unary { one: TOTAL / 2, other: TOTAL / 4 };
/// let oue = Oracle::new(Categories::new(["a", "b", "c"])?, "ln(3)".parse()?, unary)?;
/// let certified = certify(oue)?;
/// let reports = OracleSampler::new(&certified).privatize(&RandomKey::from_seed(1), 0, &[0, 2, 2, 1])?;
/// assert_eq!(reports.len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct OracleSampler {
    oracle: Oracle,
    family: Option<HashFamily>,
}

/// Rows that one task draws at a time, unless their reports are long.
const CHUNK: usize = 1 << 12;
/// Characters of reports that one task draws at a time.
const CHUNK_LENGTH: usize = 1 << 20;
/// Characters of reports that are to be drawn at once.
const LENGTH_AT_ONCE: usize = 1 << 23;
/// Rows that are to be drawn at once.
const ROWS_AT_ONCE: usize = 1 << 16;
/// Streams of rows beyond have no number.
const MOST_ROWS: u64 = 1 << 63;

impl OracleSampler {
    /// The sampler of a certified oracle.
    pub fn new(certified: &Certified<Oracle>) -> Self {
        let oracle = certified.mechanism().clone();
        OracleSampler { family: oracle.family(), oracle }
    }

    /// How many rows to draw at once so that their reports take some megabytes, as numbers and as text: fewer where a report
    /// is long. A subset of 100,000 categories has 150 KB.
    pub fn rows_at_once(&self) -> usize {
        (LENGTH_AT_ONCE / self.oracle.longest_text()).clamp(1, ROWS_AT_ONCE)
    }

    /// The reports on `values`, the first of which is row `first_row` of the run.
    ///
    /// Runs on the current rayon pool; the result does not depend on its size, nor on how a run is cut into calls.
    ///
    /// # Errors
    /// A code that is out of range, by its row and without the value, or more than 2^63 rows.
    pub fn privatize(&self, key: &RandomKey, first_row: u64, values: &[u32]) -> Result<Reports> {
        if first_row.checked_add(values.len() as u64).is_none_or(|end| end > MOST_ROWS) {
            return Err(Error::input("more than 2^63 rows"));
        }
        check_codes(values, self.oracle.size() as usize, first_row, "value")?;
        let rows = (CHUNK_LENGTH / self.oracle.longest_text()).clamp(1, CHUNK);
        let task = |(chunk, values): (usize, &[u32])| {
            let (mut reports, mut scratch) = (self.oracle.no_reports(), Scratch::new(&self.oracle));
            for (row, &value) in (first_row + (chunk * rows) as u64..).zip(values) {
                self.draw(value, &mut FromWords::new(key.words_of_row(row)), &mut scratch);
                reports.push(scratch.report());
            }
            reports
        };
        // What one task does needs no pool.
        if values.len() <= rows {
            return Ok(task((0, values)));
        }
        let mut reports = self.oracle.no_reports();
        let parts = values.par_chunks(rows).enumerate().map(task);
        parts.collect::<Vec<Reports>>().iter().for_each(|part| reports.append(part));
        Ok(reports)
    }

    /// Draws the report on a value.
    fn draw(&self, x: u32, chance: &mut impl Chance, to: &mut Scratch) {
        match self.oracle.encoding() {
            Encoding::Unary { one, other } => {
                let counts = (0..self.oracle.size()).step_by(64).map(|first| (self.oracle.size() - first).min(64));
                to.words.iter_mut().zip(counts).for_each(|(word, count)| *word = chance.coins(other, count));
                let (word, place) = (&mut to.words[x as usize / 64], x % 64);
                *word = *word & !(1 << place) | u64::from(chance.coin(one)) << place;
            }
            Encoding::Hash { buckets, keep } => {
                let family = self.family.expect("a hash has one");
                to.words[0] = chance.below(family.functions());
                let own = family.bucket(to.words[0], x);
                to.codes[0] = if chance.coin(keep) { own } else { other_than(own, buckets, chance) };
            }
            Encoding::Hadamard { plus } => {
                // All columns, and the other half folded onto the wanted one by the lowest bit of the row's number.
                to.codes[0] = chance.below(self.oracle.columns()) as u32;
                if self.oracle.supports(to.report(), x) != chance.coin(plus) {
                    to.codes[0] ^= 1 << (x + 1).trailing_zeros();
                }
            }
            Encoding::Subset { size, include } => {
                let own = chance.coin(include);
                to.draw_set(size - u32::from(own), self.oracle.size() - 1, chance);
                // The others are counted without x.
                to.codes.iter_mut().for_each(|code| *code += u32::from(*code >= x));
                to.codes.extend(own.then_some(x));
                to.codes.sort_unstable();
            }
        }
    }
}

/// A code below `count` but not this one, each equally likely.
fn other_than(own: u32, count: u32, chance: &mut impl Chance) -> u32 {
    let other = chance.below(u64::from(count) - 1) as u32;
    other + u32::from(other >= own)
}

/// The report at work.
struct Scratch {
    words: Vec<u64>,
    codes: Vec<u32>,
    /// A bit for each category that a set holds; all zero between sets.
    taken: Vec<u64>,
}

impl Scratch {
    fn new(oracle: &Oracle) -> Self {
        let bits = (oracle.size() as usize).div_ceil(64);
        let (words, codes, taken) = match oracle.encoding() {
            Encoding::Unary { .. } => (bits, 0, 0),
            Encoding::Hash { .. } => (1, 1, 0),
            Encoding::Hadamard { .. } => (0, 1, 0),
            Encoding::Subset { .. } => (0, 0, bits),
        };
        Scratch { words: vec![0; words], codes: vec![0; codes], taken: vec![0; taken] }
    }

    fn report(&self) -> Report<'_> {
        Report { words: &self.words, codes: &self.codes }
    }

    /// A set of `size` numbers below `count`, each set equally likely, in any order.
    ///
    /// # Reference
    /// Floyd's algorithm: Bentley and Floyd, A sample of brilliance (1987).
    fn draw_set(&mut self, size: u32, count: u32, chance: &mut impl Chance) {
        self.codes.clear();
        for last in count - size..count {
            let code = chance.below(u64::from(last) + 1) as u32;
            let code = if self.taken[code as usize / 64] >> (code % 64) & 1 == 1 { last } else { code };
            self.taken[code as usize / 64] |= 1 << (code % 64);
            self.codes.push(code);
        }
        self.codes.iter().for_each(|&code| self.taken[code as usize / 64] = 0);
    }
}

#[cfg(test)]
#[path = "oracle_sampler_tests.rs"]
mod tests;
