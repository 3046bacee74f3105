//! Exact alias tables over 2^53 with a power-of-two number of columns.

use crate::model::{TOTAL, TOTAL_BITS};

/// Draws from a row of integer weights that sum to 2^53, exactly, in constant time.
///
/// The row is laid out in 2^c ≥ d columns of equal height 2^(53−c), each holding at most two outputs: its own below a
/// threshold, another above. The upper 53 bits of a word choose a column (the first c of them) and a height (the
/// rest): every one of the 2^53 points is equally likely and belongs to exactly one output, so an output is drawn
/// with exactly its weight over 2^53. No float, no rejection, no bias. The lowest 11 bits of a word are not used.
///
/// # Reference
/// Walker 1977, Vose 1991; the exact form needs only that 2^c divides 2^53.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AliasTable {
    layout: Layout,
    columns: Vec<Column>,
}

/// How words and columns are divided for a number of outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    /// c: at least 1, so that shifts stay below the width of a word.
    column_bits: u32,
}

/// A column in one word: the threshold in the upper 53 − c bits, the other output in the lower 11 + c.
///
/// A full column has its own number as the other output and the threshold 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Column(u64);

/// The bits of a word below its point.
const UNUSED_BITS: u32 = u64::BITS - TOTAL_BITS;

impl Layout {
    pub(super) fn new(outputs: usize) -> Self {
        Layout { column_bits: outputs.next_power_of_two().trailing_zeros().max(1) }
    }

    /// The number of columns of a table: 2^c.
    pub(super) fn columns(self) -> usize {
        1 << self.column_bits
    }

    /// Where the table of a number begins when tables stand one after the other.
    #[inline(always)]
    pub(super) fn table(self, number: usize) -> usize {
        number.wrapping_shl(self.column_bits)
    }

    /// The output that a word draws from the table that begins at a place of the columns.
    ///
    /// # Panics
    /// If the table is not there.
    #[inline(always)]
    pub(super) fn draw(self, columns: &[Column], table: usize, word: u64) -> u32 {
        // Shifts are by 1 to 53, so nothing wraps; the checks for it would cost as much as the draw.
        let number = word.wrapping_shr(u64::BITS.wrapping_sub(self.column_bits));
        let column = columns[table.wrapping_add(number as usize)].0;
        let other = 1u64.wrapping_shl(UNUSED_BITS.wrapping_add(self.column_bits)).wrapping_sub(1);
        // The height in the upper bits, ones below it: less than the column exactly when the height is less than the
        // threshold, whatever the other output is.
        let height = word.wrapping_shl(self.column_bits) | other;
        select(height < column, number as u32, (column & other) as u32)
    }

    fn column(self, threshold: u64, other: usize) -> Column {
        Column(threshold << (UNUSED_BITS + self.column_bits) | other as u64)
    }
}

/// One of two values without a branch: which one is as random as a coin, and no predictor can guess it.
#[inline(always)]
pub(super) fn select(first: bool, one: u32, other: u32) -> u32 {
    let mask = u32::from(first).wrapping_neg();
    (one & mask) | (other & !mask)
}

impl AliasTable {
    /// The table of a row.
    ///
    /// Takes O(d) steps.
    ///
    /// # Panics
    /// If the weights do not sum to 2^53 (rows of a [`crate::model::Channel`] always do).
    pub fn new(row: &[u64]) -> Self {
        assert_eq!(row.iter().sum::<u64>(), TOTAL, "a row sums to 2^53");
        let layout = Layout::new(row.len());
        let height = TOTAL >> layout.column_bits;
        let mut rest: Vec<u64> = row.to_vec();
        rest.resize(layout.columns(), 0);
        let mut columns: Vec<Column> = (0..rest.len()).map(|at| layout.column(0, at)).collect();
        // Each short column is filled up by a tall one, which may become short by that.
        let mut short: Vec<usize> = (0..rest.len()).filter(|&at| rest[at] < height).collect();
        let mut tall: Vec<usize> = (0..rest.len()).filter(|&at| rest[at] > height).collect();
        while let (Some(low), Some(&high)) = (short.pop(), tall.last()) {
            columns[low] = layout.column(rest[low], high);
            rest[high] -= height - rest[low];
            if rest[high] <= height {
                tall.pop();
                if rest[high] < height {
                    short.push(high);
                }
            }
        }
        AliasTable { layout, columns }
    }

    /// The output that a uniform 64-bit word draws.
    pub fn draw(&self, word: u64) -> u32 {
        self.layout.draw(&self.columns, 0, word)
    }

    pub(super) fn into_columns(self) -> Vec<Column> {
        self.columns
    }
}

/// The number of points of a table that draw each output, found by walking the columns and asking `draw` at both ends
/// of each stretch on which it is constant. Used by the tests of this module and of the sampler.
#[cfg(test)]
pub(super) fn enumerated(layout: Layout, outputs: usize, draw: impl Fn(u64) -> u32) -> Vec<u64> {
    let height_bits = TOTAL_BITS - layout.column_bits;
    let height = 1u64 << height_bits;
    let mut counts = vec![0; outputs];
    for column in 0..layout.columns() as u64 {
        let word = |point: u64| ((column << height_bits) | point) << UNUSED_BITS;
        let first = draw(word(0));
        // The threshold, by bisection on the draw itself.
        let (mut low, mut high) = (1, height);
        while low < high {
            let middle = low + (high - low) / 2;
            if draw(word(middle)) == first { low = middle + 1 } else { high = middle }
        }
        counts[first as usize] += low;
        assert_eq!(draw(word(low - 1) | 0x7ff), first, "the lowest eleven bits do not matter");
        if low < height {
            let second = draw(word(low));
            assert_eq!(draw(word(height - 1) | 0x7ff), second, "two outputs a column");
            counts[second as usize] += height - low;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::strategies::row;
    use proptest::prelude::*;

    fn rows() -> impl Strategy<Value = Vec<u64>> {
        (1usize..41).prop_flat_map(row)
    }

    fn law(row: &[u64]) -> Vec<u64> {
        let table = AliasTable::new(row);
        enumerated(table.layout, row.len(), |word| table.draw(word))
    }

    proptest! {
        #[test]
        fn the_law_of_the_table_is_the_row(row in rows()) {
            prop_assert_eq!(law(&row), row);
        }
    }

    #[test]
    fn a_thousand_and_one_outputs_are_exact() {
        let mut row = vec![TOTAL / 1024; 1001];
        row[500] += TOTAL - row.iter().sum::<u64>();
        assert_eq!(law(&row), row);
    }

    #[test]
    fn one_output_is_always_drawn() {
        assert_eq!(law(&[TOTAL]), [TOTAL]);
    }
}
