//! Bulk privatization of (profile, value) codes.

use super::alias::AliasTable;
use super::random::RandomKey;
use crate::certify::Certified;
use crate::error::{Error, Result};
use crate::model::{Form, Kind, Mechanism};
use lookalike_device::{Column, Layout, keeps, select};
use rayon::prelude::*;

/// The tables of a certified mechanism, ready to draw.
///
/// # Guarantee
/// For a uniform key, record (s, x) is released as y with exactly the certified probability of the channel of s.
/// Row i uses word i of the key. If some channel has the form `keep`, row i uses words 2i, which decides whether x is
/// kept, and 2i + 1, which draws the output if not (a channel of the form `rows` keeps nothing and draws from row x).
/// So a row's output depends on the key, its number, its profile and its value, and on nothing else.
///
/// # Example
/// ```
/// use lookalike_core::{certify::certify, model::{Categories, Channel, Mechanism, SecretGraph, TOTAL}};
/// use lookalike_core::sample::{RandomKey, Sampler};
/// let bits = Categories::new(["no", "yes"])?;
/// let mut builder = SecretGraph::builder(bits.names().clone());
/// builder.complete(&"ln(3)".parse()?);
/// let channel = Channel::rows(vec![vec![TOTAL / 4 * 3, TOTAL / 4], vec![TOTAL / 4, TOTAL / 4 * 3]])?;
/// let certified = certify(Mechanism::point(bits.clone(), bits, builder.build()?, channel)?)?;
/// let sampler = Sampler::new(&certified);
/// let mut released = [0; 4];
/// sampler.privatize(&RandomKey::from_seed(1), 0, None, &[0, 1, 1, 0], &mut released)?;
/// assert!(released.iter().all(|&code| code < 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Sampler {
    kind: Kind,
    inputs: usize,
    outputs: usize,
    layout: Layout,
    /// All tables one after the other.
    columns: Vec<Column>,
    /// For each secret where its cells begin in `cells`.
    starts: Vec<usize>,
    /// For each channel and input what to do.
    cells: Vec<Cell>,
    /// Whether a row takes two words.
    two_words: bool,
}

/// What to do with one input of one channel.
#[derive(Debug, Clone, Copy)]
struct Cell {
    /// Keep the input if the first word's point is below this.
    keep: u64,
    /// Where the table of the row begins.
    table: usize,
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
        let (mut columns, mut cells, mut two_words) = (Vec::new(), Vec::new(), false);
        let mut add = |row: &[u64]| {
            let table = columns.len();
            columns.extend(AliasTable::new(row).into_columns());
            table
        };
        for channel in mechanism.channels() {
            match channel.form() {
                Form::Rows { weights, outputs } => {
                    cells.extend(weights.chunks_exact(outputs).map(|row| Cell { keep: 0, table: add(row) }));
                }
                Form::Keep { keep, redraw } => {
                    let table = add(redraw);
                    cells.extend(keep.iter().map(|&keep| Cell { keep, table }));
                    two_words = true;
                }
            }
        }
        let inputs = mechanism.inputs().len();
        Sampler {
            kind: mechanism.kind(),
            inputs,
            outputs: mechanism.outputs().len(),
            layout: Layout::new(mechanism.outputs().len()),
            columns,
            starts: mechanism.assignment().iter().map(|&channel| channel as usize * inputs).collect(),
            cells,
            two_words,
        }
    }

    /// Releases one value for each row: `outputs[i]` for the record (`profiles[i]`, `values[i]`), which is row
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
        if first_row.checked_add(values.len() as u64).is_none() {
            return Err(Error::input("more than 2^64 rows"));
        }
        let words_from = |row: usize| {
            let mut words = key.words_from((u128::from(first_row) + row as u128) * self.words_per_row() as u128);
            move |bytes: &mut [u8]| words.fill(bytes)
        };
        self.privatize_by(words_from, first_row, profiles, values, outputs)
    }

    /// How many outputs the mechanism has.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// How many words of randomness a row takes: 1, or 2 where some channel has the form `keep`.
    pub fn words_per_row(&self) -> usize {
        if self.two_words { 2 } else { 1 }
    }

    /// As [`Sampler::privatize`], from words of the caller's: those of row i are the i-th [`Sampler::words_per_row`] of them.
    ///
    /// # Guarantee
    /// That of the sampler if the words are uniform and independent of each other and of the records, and no word is
    /// ever used for two rows. That is for the caller to see to; [`Sampler::privatize`] sees to it by itself.
    ///
    /// # Errors
    /// Those of [`Sampler::privatize`], and another number of words than the rows take.
    pub fn privatize_with_words(
        &self,
        words: &[u64],
        first_row: u64,
        profiles: Option<&[u32]>,
        values: &[u32],
        outputs: &mut [u32],
    ) -> Result<()> {
        let expected = values.len() * self.words_per_row();
        if words.len() != expected {
            return Err(Error::input(format!("{} words of randomness, expected {expected}", words.len())));
        }
        let words_from = |row: usize| {
            let mut rest = words[row * self.words_per_row()..].iter();
            move |bytes: &mut [u8]| {
                for (bytes, word) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(&mut rest) {
                    *bytes = word.to_le_bytes();
                }
            }
        };
        self.privatize_by(words_from, first_row, profiles, values, outputs)
    }

    /// Releases rows with the words that `words_from` a row of this call on gives out, as bytes.
    fn privatize_by<Words: FnMut(&mut [u8])>(
        &self,
        words_from: impl Fn(usize) -> Words + Sync,
        first_row: u64,
        profiles: Option<&[u32]>,
        values: &[u32],
        outputs: &mut [u32],
    ) -> Result<()> {
        let profiles = if self.kind == Kind::Aware { Some(needed(profiles, values)?) } else { None };
        check_lengths(values.len(), outputs.len(), "outputs")?;
        let release = |(chunk, outputs): (usize, &mut [u32])| {
            let rows = chunk * CHUNK..chunk * CHUNK + outputs.len();
            let profiles = profiles.map(|profiles| &profiles[rows.clone()]);
            self.privatize_chunk(words_from(rows.start), profiles, &values[rows], outputs)
        };
        // What one task does needs no pool: starting one costs more than a short batch, and threads besides.
        let in_range = match outputs.len() {
            ..=CHUNK => release((0, &mut *outputs)),
            _ => outputs.par_chunks_mut(CHUNK).enumerate().map(release).reduce(|| true, |one, other| one & other),
        };
        if in_range {
            return Ok(());
        }
        // Nothing is released of a run with a wrong code.
        outputs.fill(0);
        if let Some(profiles) = profiles {
            check_codes(profiles, self.starts.len(), first_row, "profile")?;
        }
        check_codes(values, self.inputs, first_row, "value")
    }

    /// Whether all codes were in range; if not, the outputs are of no use.
    fn privatize_chunk(
        &self,
        mut words: impl FnMut(&mut [u8]),
        profiles: Option<&[u32]>,
        values: &[u32],
        outputs: &mut [u32],
    ) -> bool {
        let words_per_row = self.words_per_row();
        let mut bytes = [0; 8 * 2 * BLOCK];
        for (at, outputs) in outputs.chunks_mut(BLOCK).enumerate() {
            let rows = at * BLOCK..at * BLOCK + outputs.len();
            let bytes = &mut bytes[..8 * words_per_row * outputs.len()];
            words(bytes);
            let values = &values[rows.clone()];
            if !are_below(values, self.inputs) {
                return false;
            }
            match profiles.map(|profiles| &profiles[rows]) {
                Some(profiles) if !are_below(profiles, self.starts.len()) => return false,
                Some(profiles) => {
                    let starts = profiles.iter().map(|&profile| self.starts[profile as usize]);
                    self.privatize_block(starts, values, bytes, outputs);
                }
                None => self.privatize_block(std::iter::repeat_n(0, values.len()), values, bytes, outputs),
            }
        }
        true
    }

    fn privatize_block(&self, starts: impl Iterator<Item = usize>, values: &[u32], bytes: &[u8], outputs: &mut [u32]) {
        let rows = outputs.iter_mut().zip(starts.zip(values));
        let (layout, columns) = (self.layout, &self.columns[..]);
        if self.two_words {
            for ((output, (start, &value)), words) in rows.zip(bytes.as_chunks::<16>().0) {
                let [first, second] = [0, 8].map(|from| word(words[from..from + 8].try_into().expect("eight bytes")));
                *output = self.draw(start, value, first, second);
            }
        } else {
            for ((output, (start, &value)), bytes) in rows.zip(bytes.as_chunks().0) {
                let table = layout.table(start.wrapping_add(value as usize));
                *output = layout.draw(columns, table, word(*bytes));
            }
        }
    }

    #[inline(always)]
    fn draw(&self, start: usize, value: u32, first: u64, second: u64) -> u32 {
        let cell = self.cells[start + value as usize];
        let redrawn = self.layout.draw(&self.columns, cell.table, second);
        select(keeps(first, cell.keep), value, redrawn)
    }
}

fn word(bytes: [u8; 8]) -> u64 {
    u64::from_le_bytes(bytes)
}

pub(super) fn check_lengths(values: usize, others: usize, what: &str) -> Result<()> {
    if values == others {
        return Ok(());
    }
    Err(Error::input(format!("{values} values and {others} {what}, expected equally many")))
}

fn needed<'a>(profiles: Option<&'a [u32]>, values: &[u32]) -> Result<&'a [u32]> {
    let profiles =
        profiles.ok_or_else(|| Error::input("no profiles, expected one for each row of an aware mechanism"))?;
    check_lengths(values.len(), profiles.len(), "profiles")?;
    Ok(profiles)
}

/// Whether all codes are below a number, without a branch a code.
fn are_below(codes: &[u32], count: usize) -> bool {
    let most = u32::try_from(count - 1).unwrap_or(u32::MAX);
    !codes.iter().fold(false, |beyond, &code| beyond | (code > most))
}

pub(super) fn check_codes(codes: &[u32], count: usize, first_row: u64, what: &str) -> Result<()> {
    let Some(at) = codes.iter().position(|&code| code as usize >= count) else {
        return Ok(());
    };
    Err(Error::input(format!(
        "row {}: {what} code out of range, expected a code below {count}",
        u128::from(first_row) + at as u128 + 1
    )))
}

#[cfg(test)]
#[path = "sampler_tests.rs"]
mod tests;
