//! The codes of string views.

use arrow_array::StringViewArray;

/// The last short texts seen with their codes, one for each place.
///
/// A view of at most twelve bytes is the text itself, with its length: 16 bytes that are compared at once, where a hash
/// of the text would be computed for every row.
#[derive(Default)]
pub(super) struct Views(Vec<(u128, u32)>);

impl Views {
    const BITS: u32 = 12;
    const LONGEST_INLINE: u32 = 12;
    /// No view begins with such a length.
    const NONE: u128 = u128::MAX;

    /// Appends the code of every row, null or not, from the function that knows the code of a text.
    pub fn append(&mut self, array: &StringViewArray, codes: &mut Vec<u32>, look_up: impl Fn(&str) -> u32) {
        if self.0.is_empty() {
            self.0.resize(1 << Self::BITS, (Self::NONE, 0));
        }
        codes.extend(array.views().iter().enumerate().map(|(row, &view)| {
            if view as u32 > Self::LONGEST_INLINE {
                return look_up(array.value(row));
            }
            // The lower half has the length and four bytes; an odd number with mixed bits spreads both over the high bits.
            let mixed = ((view >> 64) as u64).rotate_left(32) ^ view as u64;
            let place = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - Self::BITS);
            let slot = &mut self.0[place as usize];
            if slot.0 != view {
                *slot = (view, look_up(array.value(row)));
            }
            slot.1
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
