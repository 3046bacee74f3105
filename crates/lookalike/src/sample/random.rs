//! The random words of a run.

use chacha20::ChaCha12Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// The key of a run: word i of its stream is the same whoever asks for it, in whatever order.
///
/// The words are those of ChaCha12 with this key and nonce 0: word i is made of the 32-bit words 2i (low half) and
/// 2i + 1 of the key stream.
///
/// A key comes from the operating system's generator; [`RandomKey::from_seed`] is for tests and experiments only.
#[derive(Clone)]
pub struct RandomKey([u8; 32]);

impl RandomKey {
    /// The key with these bytes, which must come from a generator fit for cryptography.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        RandomKey(bytes)
    }

    /// The key whose first eight bytes are the seed, little end first, and the others zero. Not private: whoever
    /// knows the seed can undo the noise.
    pub fn from_seed(seed: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        RandomKey(bytes)
    }

    /// The words of another stream of the same key (nonce 1), for draws that belong to no row.
    pub(super) fn other_words(&self) -> Words {
        let mut generator = ChaCha12Rng::from_seed(self.0);
        generator.set_stream(1);
        Words(generator)
    }

    /// The words from number `first` on.
    pub(super) fn words_from(&self, first: u64) -> Words {
        let mut generator = ChaCha12Rng::from_seed(self.0);
        generator.set_word_pos(2 * u128::from(first));
        Words(generator)
    }
}

impl std::fmt::Debug for RandomKey {
    /// Never shows the key.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RandomKey(…)")
    }
}

/// A stretch of the words of a key.
pub(super) struct Words(ChaCha12Rng);

impl Words {
    pub(super) fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    pub(super) fn fill(&mut self, words: &mut [u64]) {
        for word in words {
            *word = self.0.next_u64();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_addressed_by_number() {
        let key = RandomKey::from_seed(7);
        let mut all = [0; 200];
        key.words_from(0).fill(&mut all);
        for first in [0, 1, 7, 8, 31, 32, 33, 100, 199] {
            let mut one = [0; 1];
            key.words_from(first as u64).fill(&mut one);
            assert_eq!(one[0], all[first]);
        }
    }

    #[test]
    fn words_are_pinned() {
        // Changing these would change every seeded run. Computed independently from the definition of ChaCha12.
        let mut words = [0; 4];
        RandomKey::from_seed(7).words_from(0).fill(&mut words);
        assert_eq!(words, PINNED);
        let text = format!("{:?}", RandomKey::from_seed(7));
        assert_eq!(text, "RandomKey(…)");
    }

    const PINNED: [u64; 4] = [15275289290002133535, 16977796898406435185, 1027680088268782925, 9841335315954383402];
}
