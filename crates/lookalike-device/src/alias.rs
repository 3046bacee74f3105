//! Columns of exact alias tables over 2^53, and the draw from them.

/// Every row of a channel sums to 2^53.
pub const TOTAL: u64 = 1 << TOTAL_BITS;
/// The binary logarithm of [`TOTAL`].
pub const TOTAL_BITS: u32 = 53;

/// The bits of a word below its point.
const UNUSED_BITS: u32 = u64::BITS - TOTAL_BITS;

/// How words and columns are divided for a number of outputs.
///
/// A row of weights that sum to 2^53 is laid out in 2^c ≥ d columns of equal height 2^(53−c), each holding at most two
/// outputs: its own below a threshold, another above. The upper 53 bits of a word choose a column (the first c of them)
/// and a height (the rest): every one of the 2^53 points is equally likely and belongs to exactly one output, so an output
/// is drawn with exactly its weight over 2^53. No float, no rejection, no bias. The lowest 11 bits of a word are not used.
///
/// # Reference
/// Walker 1977, Vose 1991; the exact form needs only that 2^c divides 2^53.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// c: at least 1, so that shifts stay below the width of a word.
    column_bits: u32,
}

/// A column in one word: the threshold in the upper 53 − c bits, the other output in the lower 11 + c.
///
/// A full column has its own number as the other output and the threshold 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column(u64);

impl Column {
    /// The word of the column, as tables hold it.
    pub fn to_word(self) -> u64 {
        self.0
    }

    /// The column that a table holds as this word.
    #[inline(always)]
    pub fn from_word(word: u64) -> Self {
        Column(word)
    }
}

impl Layout {
    /// The layout for a number of outputs, at least one and at most 2^32.
    pub fn new(outputs: usize) -> Self {
        Layout { column_bits: outputs.next_power_of_two().trailing_zeros().max(1) }
    }

    /// The number of columns of a table: 2^c.
    pub fn columns(self) -> usize {
        1 << self.column_bits
    }

    /// The height of a column: 2^(53−c).
    pub fn height(self) -> u64 {
        TOTAL >> self.column_bits
    }

    /// The column that has its own output below a threshold, which is less than the height, and another output above.
    pub fn column(self, threshold: u64, other: usize) -> Column {
        Column(threshold << (UNUSED_BITS + self.column_bits) | other as u64)
    }

    /// The threshold of a column: as many of its points draw its own output.
    pub fn threshold(self, column: Column) -> u64 {
        column.0 >> (UNUSED_BITS + self.column_bits)
    }

    /// The output that the other points of a column draw; of a column that was read, any number below 2^(11+c).
    pub fn other(self, column: Column) -> u64 {
        column.0 & self.other_bits()
    }

    /// Where the table of a number begins when tables stand one after the other.
    #[inline(always)]
    pub fn table(self, number: usize) -> usize {
        number.wrapping_shl(self.column_bits)
    }

    /// The output that a word draws from the table that begins at a place of the columns.
    ///
    /// # Panics
    /// If the table is not there.
    #[inline(always)]
    pub fn draw(self, columns: &[Column], table: usize, word: u64) -> u32 {
        self.draw_by(|place| columns[place], table, word)
    }

    /// As [`Layout::draw`], from columns that are held in another way: `column` gives the one at a place.
    #[inline(always)]
    pub fn draw_by(self, column: impl FnOnce(usize) -> Column, table: usize, word: u64) -> u32 {
        // Shifts are by 1 to 53, so nothing wraps; the checks for it would cost as much as the draw.
        let number = word.wrapping_shr(u64::BITS.wrapping_sub(self.column_bits));
        let column = column(table.wrapping_add(number as usize)).0;
        let other = self.other_bits();
        // The height in the upper bits, ones below it: less than the column exactly when the height is less than the
        // threshold, whatever the other output is.
        let height = word.wrapping_shl(self.column_bits) | other;
        select(height < column, number as u32, (column & other) as u32)
    }

    /// The bits of a column that hold its other output.
    #[inline(always)]
    fn other_bits(self) -> u64 {
        1u64.wrapping_shl(UNUSED_BITS.wrapping_add(self.column_bits)).wrapping_sub(1)
    }
}

/// One of two values without a branch: which one is as random as a coin, and no predictor can guess it.
#[inline(always)]
pub fn select(first: bool, one: u32, other: u32) -> u32 {
    let mask = u32::from(first).wrapping_neg();
    (one & mask) | (other & !mask)
}

/// Whether a word keeps a value that is kept with this weight out of 2^53: its upper 53 bits are below the weight.
#[inline(always)]
pub fn keeps(word: u64, weight: u64) -> bool {
    word >> UNUSED_BITS < weight
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_column_tells_what_it_was_made_of(outputs in 1usize..5000, part in 0.0f64..1.0, other in 0usize..5000) {
            let layout = Layout::new(outputs);
            let threshold = (part * layout.height() as f64) as u64;
            let column = layout.column(threshold, other);
            prop_assert_eq!((layout.threshold(column), layout.other(column)), (threshold, other as u64));
            prop_assert_eq!(Column::from_word(column.to_word()), column);
        }

        // The last point below the threshold and the first that is not, whatever the unused bits are.
        #[test]
        fn a_threshold_is_met_to_the_point(outputs in 2usize..300, part in 0.001f64..1.0, at in any::<prop::sample::Index>(),
                                           unused in 0u64..2048) {
            let layout = Layout::new(outputs);
            let threshold = ((part * layout.height() as f64) as u64).clamp(1, layout.height() - 1);
            let (number, other) = (at.index(layout.columns()), outputs + 7);
            let height_bits = layout.height().trailing_zeros();
            let word = |height: u64| ((number as u64) << height_bits | height) << UNUSED_BITS | unused;
            let draw = |height| layout.draw_by(|_| layout.column(threshold, other), 0, word(height));
            prop_assert_eq!((draw(0), draw(threshold - 1)), (number as u32, number as u32));
            prop_assert_eq!((draw(threshold), draw(layout.height() - 1)), (other as u32, other as u32));
        }
    }

    // What a later version of the streams rests on: the upper half of a word decides by itself, whatever the lower one is, but
    // for one half in each column. Thresholds are taken where the cut between the halves is.
    #[test]
    fn the_upper_half_of_a_word_decides_but_for_one_in_a_column() {
        for outputs in [2, 1000] {
            let layout = Layout::new(outputs);
            let column_bits = layout.columns().trailing_zeros();
            let low_bits = 32 - UNUSED_BITS;
            let points = 1u64 << low_bits;
            for part in [0, 5, layout.height() / points - 1] {
                for rest in [0, 1, points - 1] {
                    let threshold = part * points + rest;
                    let column = layout.column(threshold, outputs + 7);
                    let draw = |upper: u64, lower: u64| layout.draw_by(|_| column, 0, upper << 32 | lower);
                    for (half, is_open) in [(part.saturating_sub(1), false), (part, true), (part + 1, false)] {
                        if half >= layout.height() / points || (half == part) != is_open {
                            continue;
                        }
                        // Column 1, and the upper bits of the height.
                        let upper = 1 << (32 - column_bits) | half;
                        let own = (0..points).filter(|&lower| draw(upper, lower << UNUSED_BITS) == 1).count() as u64;
                        let expected = threshold.saturating_sub(half * points).min(points);
                        assert_eq!(own, expected, "{outputs} outputs, threshold {threshold}, half {half}");
                        let [first, last] = [draw(upper, 0), draw(upper, u64::from(u32::MAX))];
                        assert_eq!(first != last, is_open && rest > 0);
                    }
                }
            }
        }
    }

    #[test]
    fn the_upper_half_of_a_word_decides_whether_to_keep_but_for_one() {
        let points = 1u64 << (32 - UNUSED_BITS);
        for weight in [1, points - 1, points, 5 * points + 7, TOTAL / 3, TOTAL - 1] {
            let half = weight / points;
            let halves = [(half.saturating_sub(1), half == 0), (half, true), (half + 1, false)];
            for (upper, is_open) in halves.into_iter().filter(|(upper, _)| *upper < 1 << 32) {
                let kept = (0..points).filter(|lower| keeps(upper << 32 | lower << UNUSED_BITS, weight)).count() as u64;
                assert_eq!(kept, weight.saturating_sub(upper * points).min(points));
                let [first, last] = [0, u64::from(u32::MAX)].map(|lower| keeps(upper << 32 | lower, weight));
                assert_eq!(first != last, is_open && weight % points > 0, "weight {weight}, upper half {upper}");
            }
        }
    }

    #[test]
    fn a_value_is_kept_by_exactly_its_weight_of_words() {
        assert!(!keeps(0, 0) && keeps(u64::MAX, TOTAL));
        assert!(keeps((5 << UNUSED_BITS) - 1, 5) && !keeps(5 << UNUSED_BITS, 5));
    }
}
