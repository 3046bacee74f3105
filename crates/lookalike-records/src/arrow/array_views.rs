//! The codes of texts, most of which are short and come again.

use arrow_array::{GenericStringArray, OffsetSizeTrait, StringViewArray};

/// The last short texts seen with their codes, one for each place.
///
/// A view of at most twelve bytes is the text itself, with its length: 16 bytes that are compared at once, where a hash
/// of the text would be computed for every row. Columns without views have theirs made.
#[derive(Default)]
pub(crate) struct Views(Vec<(u128, u32)>);

impl Views {
    const BITS: u32 = 12;
    const LONGEST_INLINE: u32 = 12;
    /// No view begins with such a length.
    const NONE: u128 = u128::MAX;

    /// Appends the code of every row, null or not, from the function that knows the code of a text.
    pub fn append(&mut self, array: &StringViewArray, codes: &mut Vec<u32>, look_up: impl Fn(&str) -> u32) {
        self.fill();
        codes.extend(array.views().iter().enumerate().map(|(row, &view)| {
            if view as u32 > Self::LONGEST_INLINE {
                return look_up(array.value(row));
            }
            self.code(view, || look_up(array.value(row)))
        }));
    }

    /// The same for texts that lie one after the other.
    pub fn append_texts<O: OffsetSizeTrait>(
        &mut self,
        array: &GenericStringArray<O>,
        codes: &mut Vec<u32>,
        look_up: impl Fn(&str) -> u32,
    ) {
        self.fill();
        let bytes = array.value_data();
        codes.extend(array.value_offsets().windows(2).enumerate().map(|(row, ends)| {
            let (start, end) = (ends[0].as_usize(), ends[1].as_usize());
            let length = end - start;
            match bytes[start..].first_chunk() {
                // What follows the text in its twelve bytes is not its own.
                Some(&chunk) if length <= Self::LONGEST_INLINE as usize => {
                    let text = u128::from_le_bytes(chunk) & ((1 << (8 * length)) - 1);
                    self.code(text << 32 | length as u128, || look_up(array.value(row)))
                }
                // Long, or at the very end of the column.
                _ => look_up(array.value(row)),
            }
        }));
    }

    fn fill(&mut self) {
        if self.0.is_empty() {
            self.0.resize(1 << Self::BITS, (Self::NONE, 0));
        }
    }

    #[inline]
    fn code(&mut self, view: u128, look_up: impl FnOnce() -> u32) -> u32 {
        // The lower half has the length and four bytes; an odd number with mixed bits spreads both over the high bits.
        let mixed = ((view >> 64) as u64).rotate_left(32) ^ view as u64;
        let place = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - Self::BITS);
        let slot = &mut self.0[place as usize];
        if slot.0 != view {
            *slot = (view, look_up());
        }
        slot.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{Array, LargeStringArray, StringArray};

    #[test]
    fn texts_one_after_the_other_have_the_same_codes_as_views() {
        let texts: Vec<String> = (0..5_000).map(|n| format!("{}{n}", "é".repeat(n % 7))).collect();
        let rows = texts.iter().chain(&texts).map(|text| Some(text.as_str())).chain([Some(""), None, Some("0"), None]);
        let (small, large) = (StringArray::from_iter(rows.clone()), LargeStringArray::from_iter(rows));
        let code = |text: &str| text.trim_start_matches('é').parse::<u32>().unwrap_or(5_000);
        for first in [0, 1, 9_990] {
            let (mut codes, mut views) = (vec![], Views::default());
            let rows = small.len() - first;
            views.append_texts(&small.slice(first, rows), &mut codes, code);
            views.append_texts(&large.slice(first, rows), &mut codes, code);
            let expected: Vec<u32> = (0..5_000).chain(0..5_000).chain([5_000, 5_000, 0, 5_000]).skip(first).collect();
            assert_eq!(codes, [&expected[..], &expected[..]].concat());
        }
    }

    #[test]
    fn short_and_long_texts_have_their_codes_however_often_they_collide() {
        let texts: Vec<String> = (0..20_000).map(|n| format!("{}{n}", "x".repeat(n % 14))).collect();
        let array = StringViewArray::from_iter_values(texts.iter().chain(&texts));
        let code = |text: &str| text.trim_start_matches('x').parse::<u32>().unwrap();
        let (mut codes, mut views) = (vec![7], Views::default());
        views.append(&array, &mut codes, code);
        let expected: Vec<u32> = (0..20_000).chain(0..20_000).collect();
        assert_eq!((codes[0], &codes[1..]), (7, &expected[..]));
        codes.clear();
        views.append(&array.slice(20_000, 3), &mut codes, |_| 9);
        assert!(codes.iter().zip(0..).all(|(&code, row)| code == row || code == 9), "a slice begins where it begins");
    }
}
