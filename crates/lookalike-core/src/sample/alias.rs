//! Exact alias tables over 2^53 with a power-of-two number of columns.

use crate::model::TOTAL;
use lookalike_device::{Column, Layout};

/// Draws from a row of integer weights that sum to 2^53, exactly, in constant time.
///
/// How a row becomes columns, and how a word draws from them, is said at [`Layout`], which devices draw with too.
///
/// # Reference
/// Walker 1977, Vose 1991.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AliasTable {
    layout: Layout,
    columns: Vec<Column>,
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
        let height = layout.height();
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

    /// The columns of the table.
    pub fn into_columns(self) -> Vec<Column> {
        self.columns
    }
}

/// The number of points of a table that draw each output, found by walking the columns and asking `draw` at both ends
/// of each stretch on which it is constant. Used by the tests of this module and of the sampler.
#[cfg(test)]
pub(super) fn enumerated(layout: Layout, outputs: usize, draw: impl Fn(u64) -> u32) -> Vec<u64> {
    let height = layout.height();
    let height_bits = height.trailing_zeros();
    let unused_bits = u64::BITS - crate::model::TOTAL_BITS;
    let mut counts = vec![0; outputs];
    for column in 0..layout.columns() as u64 {
        let word = |point: u64| ((column << height_bits) | point) << unused_bits;
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
