//! Exact alias tables over 2^53 with a power-of-two number of columns.

use crate::model::{TOTAL, TOTAL_BITS};

/// Draws from a row of integer weights that sum to 2^53, exactly, in constant time.
///
/// The row is laid out in 2^c ≥ d columns of equal height 2^(53−c), each holding at most two outputs. The upper 53
/// bits of a word choose a column (the first c of them) and a height (the rest): every one of the 2^53 points is
/// equally likely and belongs to exactly one output, so an output is drawn with exactly its weight over 2^53. No
/// float, no rejection, no bias.
///
/// # Reference
/// Walker 1977, Vose 1991; the exact form needs only that 2^c divides 2^53.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AliasTable {
    columns: Vec<Column>,
    column_bits: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Column {
    /// Heights below this belong to `lower`, the others to `upper`.
    threshold: u64,
    lower: u32,
    upper: u32,
}

impl Column {
    pub(super) fn pick(self, height: u64) -> u32 {
        if height < self.threshold { self.lower } else { self.upper }
    }
}

/// The bits of a column number for d outputs: the least c with 2^c ≥ d.
pub(super) fn column_bits(outputs: usize) -> u32 {
    outputs.next_power_of_two().trailing_zeros()
}

/// The point of the layout that a word stands for: its upper 53 bits, as (column, height).
pub(super) fn point(word: u64, column_bits: u32) -> (usize, u64) {
    let point = word >> (u64::BITS - TOTAL_BITS);
    let height_bits = TOTAL_BITS - column_bits;
    ((point >> height_bits) as usize, point & ((1 << height_bits) - 1))
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
        let column_bits = column_bits(row.len());
        let height = 1u64 << (TOTAL_BITS - column_bits);
        let mut rest: Vec<u64> = row.to_vec();
        rest.resize(1 << column_bits, 0);
        let mut columns: Vec<Column> =
            (0..rest.len() as u32).map(|at| Column { threshold: height, lower: at, upper: at }).collect();
        // Each short column is filled up by a tall one, which may become short by that.
        let mut short: Vec<usize> = (0..rest.len()).filter(|&at| rest[at] < height).collect();
        let mut tall: Vec<usize> = (0..rest.len()).filter(|&at| rest[at] > height).collect();
        while let (Some(low), Some(&high)) = (short.pop(), tall.last()) {
            columns[low] = Column { threshold: rest[low], lower: low as u32, upper: high as u32 };
            rest[high] -= height - rest[low];
            if rest[high] <= height {
                tall.pop();
                if rest[high] < height {
                    short.push(high);
                }
            }
        }
        AliasTable { columns, column_bits }
    }

    /// The output that a uniform 64-bit word draws.
    pub fn draw(&self, word: u64) -> u32 {
        let (column, height) = point(word, self.column_bits);
        self.columns[column].pick(height)
    }

    pub(super) fn columns(&self) -> &[Column] {
        &self.columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The number of points of the layout that draw each output, found by walking the columns and asking `draw` on
    /// both sides of each threshold: draw is constant between them.
    fn enumerated(table: &AliasTable, outputs: usize) -> Vec<u64> {
        let height_bits = TOTAL_BITS - table.column_bits;
        let height = 1u64 << height_bits;
        let mut counts = vec![0; outputs];
        for (at, column) in table.columns.iter().enumerate() {
            let word = |point: u64| (((at as u64) << height_bits) | point) << 11;
            for (from, to) in [(0, column.threshold), (column.threshold, height)] {
                if from < to {
                    let drawn = table.draw(word(from));
                    assert_eq!(table.draw(word(to - 1) | 0x7ff), drawn, "the lowest eleven bits do not matter");
                    counts[drawn as usize] += to - from;
                }
            }
        }
        counts
    }

    fn row() -> impl Strategy<Value = Vec<u64>> {
        prop::collection::vec(prop_oneof![Just(0), 0..=TOTAL, (TOTAL - 3)..=TOTAL, 0u64..4], 0..40).prop_map(
            |mut cuts| {
                cuts.sort_unstable();
                cuts.push(TOTAL);
                let mut before = 0;
                cuts.into_iter().map(|cut| cut - std::mem::replace(&mut before, cut)).collect()
            },
        )
    }

    proptest! {
        #[test]
        fn the_law_of_the_table_is_the_row(row in row()) {
            prop_assert_eq!(enumerated(&AliasTable::new(&row), row.len()), row);
        }
    }

    #[test]
    fn a_thousand_and_one_outputs_are_exact() {
        let mut row = vec![TOTAL / 1024; 1001];
        row[500] += TOTAL - row.iter().sum::<u64>();
        assert_eq!(enumerated(&AliasTable::new(&row), 1001), row);
    }
}
