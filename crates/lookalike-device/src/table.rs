//! The table of one device.

use crate::format::{DIGEST_BYTES, Form, HEADER_BYTES, Header};
use crate::texts::Texts;
use crate::{Column, Digest, Generator, Layout, NotReleased, Refused, TOTAL, WordCount, keeps, select, sha256};

/// The channel of one profile, ready to draw. It borrows the bytes that it was read from.
///
/// # Guarantee
/// For uniform words, value x is released as y with exactly the probability that was proved when the table was exported.
/// A draw takes [`Table::words_a_value`] words, and does the same steps, whatever the value and the words are; where it looks
/// in the table depends on them.
///
/// # Example
/// ```
/// use lookalike_device::Table;
/// let table = Table::read(include_bytes!("../vectors/keep.table"))?;
/// // The first word decides whether the value is kept, the second draws another.
/// assert_eq!(table.draw(3, &[0, 0])?, 3);
/// // A table that was cut off is refused.
/// assert!(Table::read(&include_bytes!("../vectors/keep.table")[..100]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Table<'a> {
    inputs: u32,
    outputs: u32,
    layout: Layout,
    /// One weight an input, or none for the form rows.
    keep: &'a [[u8; 8]],
    /// All tables one after the other; only one for the form keep.
    columns: &'a [[u8; 8]],
    texts: Texts<'a>,
    digest: &'a Digest,
}

impl<'a> Table<'a> {
    /// The table with these bytes; [`crate::format`] says what they are.
    ///
    /// Takes a number of steps that is proportional to the bytes, once; draws check nothing again.
    ///
    /// # Errors
    /// Anything but a whole table: every byte counts, and so does one that is missing or too many. The digest in the table
    /// stops accidents. It does not stop a person, who can compute it anew: [`Table::read_expected`] does.
    pub fn read(bytes: &'a [u8]) -> Result<Self, Refused> {
        let header = Header::read(bytes)?;
        let expected = header.length().ok_or(Refused::Size)?;
        if bytes.len() != expected {
            return Err(Refused::Length { found: bytes.len(), expected });
        }
        let (hashed, digest) = bytes.split_last_chunk::<DIGEST_BYTES>().ok_or(Refused::too_short(bytes))?;
        if sha256(hashed) != *digest {
            return Err(Refused::Digest);
        }
        let (keep, columns) = header.numbers().ok_or(Refused::Size)?;
        let rest = hashed.get(HEADER_BYTES..).ok_or(Refused::too_short(bytes))?;
        let (keep, rest) = words(rest, keep).ok_or(Refused::too_short(bytes))?;
        let (columns, rest) = words(rest, columns).ok_or(Refused::too_short(bytes))?;
        let texts = Texts::read(header, rest)?;
        let Header { inputs, outputs, .. } = header;
        let table = Table { inputs, outputs, layout: header.layout(), keep, columns, texts, digest };
        table.checked()
    }

    /// As [`Table::read`], and refuses every table but that of a digest, which came by another way than the table.
    ///
    /// `lookalike export` prints the digest.
    ///
    /// # Errors
    /// Those of [`Table::read`], and another digest.
    pub fn read_expected(bytes: &'a [u8], digest: &Digest) -> Result<Self, Refused> {
        let table = Table::read(bytes)?;
        if table.digest == digest { Ok(table) } else { Err(Refused::OtherDigest) }
    }

    /// The table, if all that can be drawn from it exists.
    ///
    /// Thresholds are below the height of a column whatever their bits are, so that the points of each row are 2^53.
    fn checked(self) -> Result<Self, Refused> {
        if let Some(value) = self.keep.iter().position(|&weight| u64::from_le_bytes(weight) > TOTAL) {
            return Err(Refused::Keep { value });
        }
        let outputs = u64::from(self.outputs);
        for (place, &column) in self.columns.iter().enumerate() {
            let (own, column) = (place as u64 % self.layout.columns() as u64, column_of(column));
            // A column beyond the outputs has none of its own, and so no point below its threshold.
            let has_own = own < outputs || self.layout.threshold(column) == 0;
            if !has_own || self.layout.other(column) >= outputs {
                return Err(Refused::Column { place });
            }
        }
        Ok(self)
    }

    /// Releases a value, given as its code, with words of a generator.
    ///
    /// # Errors
    /// A value that is not known, or an error of the generator: then nothing is released.
    pub fn privatize<G: Generator>(&self, value: u32, generator: &mut G) -> Result<u32, NotReleased<G::Error>> {
        if value >= self.inputs {
            return Err(NotReleased::UnknownValue { inputs: self.inputs });
        }
        let first = if self.keep.is_empty() { 0 } else { generator.word().map_err(NotReleased::Generator)? };
        let last = generator.word().map_err(NotReleased::Generator)?;
        Ok(self.released(value, first, last))
    }

    /// As [`Table::privatize`], with words that are given: [`Table::words_a_value`] of them.
    ///
    /// # Errors
    /// A value that is not known, or another number of words.
    pub fn draw(&self, value: u32, words: &[u64]) -> Result<u32, NotReleased<WordCount>> {
        if value >= self.inputs {
            return Err(NotReleased::UnknownValue { inputs: self.inputs });
        }
        match (words, self.keep.is_empty()) {
            (&[last], true) => Ok(self.released(value, 0, last)),
            (&[first, last], false) => Ok(self.released(value, first, last)),
            _ => Err(NotReleased::Generator(WordCount { found: words.len(), expected: self.words_a_value() })),
        }
    }

    /// What a known value is released as.
    #[inline(always)]
    fn released(&self, value: u32, first: u64, last: u64) -> u32 {
        let keep = self.keep.get(value as usize);
        let table = if keep.is_some() { 0 } else { self.layout.table(value as usize) };
        let drawn = self.layout.draw_by(|place| column_of(self.columns[place]), table, last);
        select(keeps(first, keep.map_or(0, |&weight| u64::from_le_bytes(weight))), value, drawn)
    }

    /// The number of values that may be privatized: their codes are below it.
    pub fn inputs(&self) -> u32 {
        self.inputs
    }

    /// The number of values that may be released: their codes are below it.
    pub fn outputs(&self) -> u32 {
        self.outputs
    }

    /// How the channel is stored.
    pub fn form(&self) -> Form {
        if self.keep.is_empty() { Form::Rows } else { Form::Keep }
    }

    /// How many words of randomness a draw takes: 1 for rows, 2 for keep.
    pub fn words_a_value(&self) -> usize {
        if self.keep.is_empty() { 1 } else { 2 }
    }

    /// The digest of the table.
    pub fn digest(&self) -> &'a Digest {
        self.digest
    }

    /// The weight, out of 2^53, with which a value is kept before anything is drawn; 0 for the form rows.
    pub fn kept_weight(&self, value: u32) -> Option<u64> {
        let weight = self.keep.get(value as usize).map_or(0, |&weight| u64::from_le_bytes(weight));
        (value < self.inputs).then_some(weight)
    }

    /// The weight, out of 2^53, with which an output is drawn for a value that was not kept: its columns added up.
    ///
    /// Takes O(d) steps.
    pub fn drawn_weight(&self, value: u32, output: u32) -> Option<u64> {
        if value >= self.inputs || output >= self.outputs {
            return None;
        }
        let from = if self.keep.is_empty() { self.layout.table(value as usize) } else { 0 };
        let columns = self.columns.get(from..)?.iter().take(self.layout.columns()).map(|&column| column_of(column));
        let points = columns.zip(0..).map(|(column, own): (Column, u32)| {
            let threshold = self.layout.threshold(column);
            let below = if own == output { threshold } else { 0 };
            let above =
                if self.layout.other(column) == u64::from(output) { self.layout.height() - threshold } else { 0 };
            below + above
        });
        Some(points.sum())
    }

    /// The ε that the mechanism file claims, as text, if the table has it. Nothing rests on it here: it was proved on export.
    pub fn epsilon(&self) -> Option<&'a str> {
        self.texts.get(0).filter(|_| self.texts.count() > 0)
    }

    /// The name of an input, if the table has it. Takes O(d) steps.
    pub fn input_name(&self, value: u32) -> Option<&'a str> {
        if value >= self.inputs { None } else { self.texts.get(value.checked_add(1)?) }
    }

    /// The name of an output, if the table has it. Takes O(d) steps.
    pub fn output_name(&self, output: u32) -> Option<&'a str> {
        let are_the_same = u64::from(self.texts.count()) == 1 + u64::from(self.inputs);
        let before = if are_the_same { 1 } else { self.inputs.checked_add(1)? };
        if output >= self.outputs { None } else { self.texts.get(output.checked_add(before)?) }
    }
}

fn column_of(bytes: [u8; 8]) -> Column {
    Column::from_word(u64::from_le_bytes(bytes))
}

/// So many words of eight bytes, and the bytes after them.
fn words(bytes: &[u8], count: usize) -> Option<(&[[u8; 8]], &[u8])> {
    let (words, rest) = bytes.split_at_checked(count.checked_mul(8)?)?;
    Some((words.as_chunks().0, rest))
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
