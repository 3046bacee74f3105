//! Bulk privatization of (profile, value) codes.

use super::alias::{AliasTable, Column, column_bits, point};
use super::random::RandomKey;
use crate::certify::Certified;
use crate::error::{Error, Result};
use crate::model::{Channel, Form, Kind, Mechanism, TOTAL_BITS};
use rayon::prelude::*;

/// The tables of a certified mechanism, ready to draw.
///
/// # Guarantee
/// For a uniform key, record (s, x) is released as y with exactly the certified probability of the channel of s.
/// Row i uses word i of the key, or words 2i and 2i + 1 when some channel has the form `keep`; so a row's output
/// depends on the key, its number, its profile and its value, and on nothing else.
///
/// # Example
/// ```
/// use lookalike::{certify::certify, design, model::{Categories, SecretGraph}, sample::{RandomKey, Sampler}};
/// let bits = Categories::new(["no", "yes"])?;
/// let mut builder = SecretGraph::builder(bits.names().clone());
/// builder.complete(&"ln(3)".parse()?);
/// let problem = design::Problem::values(bits, builder.build()?)?;
/// let certified = certify(design::randomized_response(&problem)?.mechanism)?;
/// let sampler = Sampler::new(&certified);
/// let mut released = [0; 4];
/// sampler.privatize(&RandomKey::from_seed(1), 0, None, &[0, 1, 1, 0], &mut released)?;
/// assert!(released.iter().all(|&code| code < 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Sampler {
    kind: Kind,
    secrets: usize,
    inputs: usize,
    column_bits: u32,
    /// Whether a row takes two words.
    two_words: bool,
    /// For each secret the place of its channel.
    assignment: Vec<u32>,
    channels: Vec<Tables>,
}

#[derive(Debug, Clone)]
enum Tables {
    /// 2^column_bits columns an input.
    Rows(Vec<Column>),
    Keep {
        keep: Vec<u64>,
        redraw: Vec<Column>,
    },
}

/// Rows that one task privatizes at a time.
const CHUNK: usize = 1 << 16;
/// Rows whose words are drawn at a time, few enough to stay in the nearest cache.
const BLOCK: usize = 512;

impl Sampler {
    /// The sampler of a certified mechanism.
    ///
    /// Takes O(d²) time and memory a channel of the form `rows`, O(d) for `keep`.
    pub fn new(certified: &Certified<Mechanism>) -> Self {
        let mechanism = certified.mechanism();
        let tables = |channel: &Channel| match channel.form() {
            Form::Rows { weights, outputs } => {
                let table = |row: &[u64]| AliasTable::new(row).columns().to_vec();
                Tables::Rows(weights.chunks_exact(outputs).flat_map(table).collect())
            }
            Form::Keep { keep, redraw } => {
                Tables::Keep { keep: keep.to_vec(), redraw: AliasTable::new(redraw).columns().to_vec() }
            }
        };
        let channels: Vec<Tables> = mechanism.channels().iter().map(tables).collect();
        Sampler {
            kind: mechanism.kind(),
            secrets: mechanism.graph().names().len(),
            inputs: mechanism.inputs().len(),
            column_bits: column_bits(mechanism.outputs().len()),
            two_words: channels.iter().any(|tables| matches!(tables, Tables::Keep { .. })),
            assignment: mechanism.assignment().to_vec(),
            channels,
        }
    }

    /// Releases one value for each row: `outputs[i]` for the record (profiles[i], values[i]), which is row
    /// `first_row + i` of the run.
    ///
    /// `profiles` is needed for the kind aware and ignored for the others. Runs on the current rayon pool; the result
    /// does not depend on its size, nor on how a run is cut into calls.
    ///
    /// # Errors
    /// Slices of different lengths, or a code that is out of range; the error names the row and no value.
    pub fn privatize(
        &self,
        key: &RandomKey,
        first_row: u64,
        profiles: Option<&[u32]>,
        values: &[u32],
        outputs: &mut [u32],
    ) -> Result<()> {
        let profiles = if self.kind == Kind::Aware { Some(self.needed(profiles, values, first_row)?) } else { None };
        self.check_lengths(values.len(), outputs.len(), "outputs")?;
        check_codes(values, self.inputs, first_row, "value")?;
        outputs.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, outputs)| {
            let start = chunk * CHUNK;
            let profiles = profiles.map(|profiles| &profiles[start..start + outputs.len()]);
            let values = &values[start..start + outputs.len()];
            self.privatize_chunk(key, first_row + start as u64, profiles, values, outputs);
        });
        Ok(())
    }

    fn needed<'a>(&self, profiles: Option<&'a [u32]>, values: &[u32], first_row: u64) -> Result<&'a [u32]> {
        let profiles =
            profiles.ok_or_else(|| Error::input("no profiles, expected one for each row of an aware mechanism"))?;
        self.check_lengths(values.len(), profiles.len(), "profiles")?;
        check_codes(profiles, self.secrets, first_row, "profile")?;
        Ok(profiles)
    }

    fn check_lengths(&self, values: usize, others: usize, what: &str) -> Result<()> {
        if values == others {
            return Ok(());
        }
        Err(Error::input(format!("{values} values and {others} {what}, expected equally many")))
    }

    fn privatize_chunk(
        &self,
        key: &RandomKey,
        first_row: u64,
        profiles: Option<&[u32]>,
        values: &[u32],
        outputs: &mut [u32],
    ) {
        let words_a_row = if self.two_words { 2 } else { 1 };
        let mut stream = key.words_from(first_row * words_a_row as u64);
        let mut words = [0; 2 * BLOCK];
        for (block, outputs) in outputs.chunks_mut(BLOCK).enumerate() {
            let words = &mut words[..outputs.len() * words_a_row];
            stream.fill(words);
            for (at, (output, words)) in outputs.iter_mut().zip(words.chunks_exact(words_a_row)).enumerate() {
                let row = block * BLOCK + at;
                let secret = profiles.map_or(0, |profiles| profiles[row]);
                *output = self.draw(secret, values[row], words[0], words[words_a_row - 1]);
            }
        }
    }

    /// One draw. The second word is used only by channels of the form `keep`.
    fn draw(&self, secret: u32, value: u32, first: u64, second: u64) -> u32 {
        let pick = |columns: &[Column], word: u64| {
            let (column, height) = point(word, self.column_bits);
            columns[column].pick(height)
        };
        match &self.channels[self.assignment[secret as usize] as usize] {
            Tables::Rows(columns) => pick(&columns[(value as usize) << self.column_bits..], first),
            Tables::Keep { keep, .. } if first >> (u64::BITS - TOTAL_BITS) < keep[value as usize] => value,
            Tables::Keep { redraw, .. } => pick(redraw, second),
        }
    }
}

fn check_codes(codes: &[u32], count: usize, first_row: u64, what: &str) -> Result<()> {
    match codes.iter().position(|&code| code as usize >= count) {
        None => Ok(()),
        Some(at) => Err(Error::input(format!(
            "row {}: {what} code out of range, expected a code below {count}",
            first_row + at as u64 + 1
        ))),
    }
}

#[cfg(test)]
#[path = "sampler_tests.rs"]
mod tests;
