//! Exact coins and dice from random words.

use super::below::below;
use super::random::Words;
use crate::model::{TOTAL, TOTAL_BITS};
use lookalike_device::keeps;

/// What a sampler asks of chance. A test answers in every possible way, and so writes out the sampler's law.
pub(super) trait Chance {
    /// True with probability weight/2^53.
    fn coin(&mut self, weight: u64) -> bool;

    /// Each number below the bound with the same probability.
    fn below(&mut self, bound: u64) -> u64;

    /// As many coins as asked for, at most 64, each for itself; the lowest bit is the first.
    fn coins(&mut self, weight: u64, count: u32) -> u64;
}

/// Words that are taken from the cipher at a time.
const BUFFER: usize = 32;

/// Answers from a stream of words.
pub(super) struct FromWords {
    words: Words,
    buffer: [u8; 8 * BUFFER],
    used: usize,
}

impl FromWords {
    pub(super) fn new(words: Words) -> Self {
        FromWords { words, buffer: [0; 8 * BUFFER], used: BUFFER }
    }

    pub(super) fn next(&mut self) -> u64 {
        if self.used == BUFFER {
            self.words.fill(&mut self.buffer);
            self.used = 0;
        }
        self.used += 1;
        u64::from_le_bytes(self.buffer.as_chunks().0[self.used - 1])
    }
}

impl Chance for FromWords {
    fn coin(&mut self, weight: u64) -> bool {
        keeps(self.next(), weight)
    }

    fn below(&mut self, bound: u64) -> u64 {
        below(bound, || self.next())
    }

    fn coins(&mut self, weight: u64, count: u32) -> u64 {
        coins(weight, count, || self.next())
    }
}

/// Compares as many random fractions with weight/2^53, bit by bit from the top, and stops when all are decided: about
/// eight words for 64 coins.
fn coins(weight: u64, count: u32, mut next: impl FnMut() -> u64) -> u64 {
    let mut open = u64::MAX >> (u64::BITS - count);
    if weight == TOTAL {
        return open;
    }
    let (mut rest, mut ones) = (weight << (u64::BITS - TOTAL_BITS), 0);
    // With nothing left of the weight, what is still open is equal to it and so not below it.
    while open != 0 && rest != 0 {
        let bits = next();
        if rest >> (u64::BITS - 1) == 1 {
            ones |= open & !bits;
            open &= bits;
        } else {
            open &= !bits;
        }
        rest <<= 1;
    }
    ones
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::RandomKey;
    use proptest::prelude::*;

    proptest! {
        // Each coin is the comparison of its own 53-bit fraction, whose bits are those of the words at its place.
        #[test]
        fn coins_compare_fractions_bit_by_bit(weight in prop_oneof![0..=TOTAL, (0u64..=16).prop_map(|part| part << 49)],
                                              count in 1u32..=64, words in prop::collection::vec(any::<u64>(), 53),
                                              near in any::<bool>()) {
            // Fractions near the weight as well as anywhere: its own bits at all places, but for the last words.
            let bit_of_weight = |at: usize| if weight >> (52 - at) & 1 == 1 { u64::MAX } else { 0 };
            let words: Vec<u64> =
                (0..53).map(|at| if near && at < 48 { bit_of_weight(at) } else { words[at] }).collect();
            let mut used = words.iter();
            let found = coins(weight, count, || *used.next().expect("at most 53 words"));
            for place in 0..64 {
                let fraction = words.iter().fold(0, |fraction, word| fraction << 1 | (word >> place & 1));
                prop_assert_eq!(found >> place & 1 == 1, place < count && fraction < weight, "{}", place);
            }
        }
    }

    #[test]
    fn a_coin_is_below_its_weight_in_53_bits() {
        // Word by word, the coin is the comparison that the alias tables make as well.
        let (mut chance, mut words) =
            [(); 2].map(|()| RandomKey::from_seed(3).words_from(0)).map(FromWords::new).into();
        for at in 0..200u64 {
            let weight = TOTAL / 200 * at;
            let (coin, word): (bool, u64) = (FromWords::coin(&mut chance, weight), FromWords::next(&mut words));
            assert_eq!(coin, word >> 11 < weight);
        }
        assert!((0..100).all(|_| chance.coin(TOTAL) && !chance.coin(0)));
    }

    #[test]
    fn buffered_words_are_the_words() {
        let key = RandomKey::from_seed(9);
        let (mut buffered, mut plain) = (FromWords::new(key.words_of_row(5)), key.words_of_row(5));
        assert!((0..3 * BUFFER).all(|_| buffered.next() == plain.next()));
    }
}
