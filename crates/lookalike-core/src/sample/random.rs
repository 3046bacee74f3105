//! The random words of a run.

use chacha20::cipher::{KeyIvInit, StreamCipher, StreamCipherSeek};
use chacha20::rand_core::{Rng, SeedableRng};
use chacha20::{ChaCha12, ChaCha12Rng, Key, Nonce};

/// The key of a run: word i of its stream is the same whoever asks for it, in whatever order.
///
/// The words are those of ChaCha12 in its original form with a 64-bit block counter: this key, nonce 0, and word i made
/// of the bytes 8i to 8i + 7 of the key stream, little end first.
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

    /// The key for draws that stand in for records which are not to be looked at: the first four words of a stream of their own
    /// (nonce 2).
    ///
    /// What is drawn under it is independent of all that is drawn under this key, also of what was drawn for the same row.
    ///
    /// # Example
    /// ```
    /// use lookalike_core::{certify::certify, exact::parse_rational, model::Noise, sample::{NoiseSampler, RandomKey}};
    /// let sampler = NoiseSampler::new(&certify(Noise::for_epsilon("1/9".parse()?, parse_rational("1")?, 0)?)?);
    /// let (key, mut own, mut stand_ins) = (RandomKey::from_seed(1), [0; 50], [0; 50]);
    /// sampler.add(&key, 0, &[0; 50], &mut own)?;
    /// sampler.add(&key.for_stand_ins(), 0, &[0; 50], &mut stand_ins)?;
    /// assert_ne!(own, stand_ins);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn for_stand_ins(&self) -> RandomKey {
        let mut bytes = [0; 32];
        Words::new(&self.0, 2, 0).fill(&mut bytes);
        RandomKey(bytes)
    }

    /// The words from number `first` on.
    pub(super) fn words_from(&self, first: u128) -> Words {
        Words::new(&self.0, 0, first)
    }

    /// The words of another stream of the same key (nonce 1), for draws that belong to no row.
    pub(super) fn other_words(&self) -> Words {
        Words::new(&self.0, 1, 0)
    }

    /// The words of a row's own stream (nonce 2^63 + row, for a row below 2^63): for the rare row that needs more words
    /// than each row has, and for kinds whose rows take as many as chance wants.
    pub(super) fn words_of_row(&self, row: u64) -> Words {
        Words::new(&self.0, 1 << 63 | row, 0)
    }

    /// The words of another stream of the row's own (nonce 2^62 + row): for draws that stand in for its record.
    ///
    /// # Panics
    /// For a row beyond 2^62.
    pub(super) fn words_beside_row(&self, row: u64) -> Words {
        assert!(row < 1 << 62, "rows beyond 2^62 have no such stream");
        Words::new(&self.0, 1 << 62 | row, 0)
    }

    /// The words of a stream for the order of rows (nonce 2^61 + stream): no draw for a record uses them.
    ///
    /// # Panics
    /// For a stream beyond 2^61.
    pub(super) fn words_of_order(&self, stream: u64) -> Words {
        assert!(stream < 1 << 61, "orders have no stream beyond 2^61");
        Words::new(&self.0, 1 << 61 | stream, 0)
    }
}

impl std::fmt::Debug for RandomKey {
    /// Never shows the key.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RandomKey(…)")
    }
}

/// A stretch of the words of a key, drawn a buffer at a time.
pub(super) struct Words {
    key: [u8; 32],
    nonce: u64,
    /// The number of the next word.
    next: u128,
    /// Where the cipher stands, and how many words it still gives.
    cipher: Option<(ChaCha12, u128)>,
}

/// Words in a block of 64 bytes.
const BLOCK_WORDS: u128 = 8;
/// Words in 2^32 blocks, after which the upper half of the block counter goes up.
const EPOCH_WORDS: u128 = BLOCK_WORDS << 32;

impl Words {
    fn new(key: &[u8; 32], nonce: u64, next: u128) -> Self {
        Words { key: *key, nonce, next, cipher: None }
    }

    /// Fills the buffer, whose length is a multiple of eight bytes, with the next words.
    ///
    /// The crate's cipher is faster than its generator, but counts blocks in 32 bits and does not give the last one;
    /// there the generator, with its 64-bit counter, takes over.
    pub(super) fn fill(&mut self, mut bytes: &mut [u8]) {
        while !bytes.is_empty() {
            let (mut cipher, left) = self.cipher.take().unwrap_or_else(|| self.cipher_here());
            let wanted = (bytes.len() / 8) as u128;
            let now = if left == 0 { 1 } else { wanted.min(left) };
            let (head, tail) = bytes.split_at_mut(now as usize * 8);
            if left == 0 {
                self.generator_here().fill_bytes(head);
            } else {
                cipher.write_keystream(head);
                self.cipher = (left > now).then_some((cipher, left - now));
            }
            self.next += now;
            bytes = tail;
        }
    }

    /// The cipher at the next word, and the words it gives: none in the last block of an epoch.
    fn cipher_here(&self) -> (ChaCha12, u128) {
        let (epoch, within) = (self.next / EPOCH_WORDS, self.next % EPOCH_WORDS);
        // A 96-bit nonce stands where the upper half of the counter and the original 64-bit nonce do.
        let mut iv = [0; 12];
        iv[..4].copy_from_slice(&(epoch as u32).to_le_bytes());
        iv[4..].copy_from_slice(&self.nonce.to_le_bytes());
        let mut cipher = ChaCha12::new(&Key::from(self.key), &Nonce::from(iv));
        let left = (EPOCH_WORDS - BLOCK_WORDS).saturating_sub(within);
        if left > 0 {
            cipher.seek(within as u64 * 8);
        }
        (cipher, left)
    }

    fn generator_here(&self) -> ChaCha12Rng {
        let mut generator = ChaCha12Rng::from_seed(self.key);
        generator.set_stream(self.nonce);
        generator.set_word_pos(2 * self.next);
        generator
    }

    /// The next word alone.
    pub(super) fn next(&mut self) -> u64 {
        let mut bytes = [0; 8];
        self.fill(&mut bytes);
        u64::from_le_bytes(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(key: &RandomKey, first: u128, count: usize) -> Vec<u64> {
        let mut bytes = vec![0; 8 * count];
        key.words_from(first).fill(&mut bytes);
        bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect()
    }

    #[test]
    fn words_are_addressed_by_number() {
        let key = RandomKey::from_seed(7);
        let all = words(&key, 0, 200);
        for first in [0, 1, 7, 8, 31, 32, 33, 100, 199] {
            assert_eq!(words(&key, first, 1)[0], all[first as usize]);
        }
        let mut one_by_one = key.words_from(0);
        assert!(all.iter().all(|word| one_by_one.next() == *word));
    }

    #[test]
    fn words_are_pinned() {
        // Changing these would change every seeded run. Computed independently from the definition of ChaCha12.
        assert_eq!(words(&RandomKey::from_seed(7), 0, 4), PINNED);
        assert_eq!(words(&RandomKey::from_seed(7), (1 << 35) - 2, 4), PINNED_ACROSS, "where 32 bits of counter end");
        let across = words(&RandomKey::from_seed(7), (1 << 35) - 100, 102);
        assert_eq!(across[98..], PINNED_ACROSS, "through the seam in one call");
        assert_eq!(RandomKey::from_seed(7).other_words().next(), PINNED_OTHER);
        assert_eq!([0, 1].map(|row| RandomKey::from_seed(7).words_of_row(row).next()), PINNED_ROWS);
        assert_eq!(words(&RandomKey::from_seed(7).for_stand_ins(), 0, 1), PINNED_STAND_INS);
    }

    #[test]
    fn streams_of_other_purposes_share_no_word() {
        let key = RandomKey::from_seed(7);
        let mut all = words(&key, 0, 64);
        for mut stream in [
            key.other_words(),
            key.words_of_row(0),
            key.words_of_row(1),
            key.words_beside_row(0),
            key.words_beside_row(1),
            key.for_stand_ins().words_from(0),
            key.for_stand_ins().words_of_row(0),
        ] {
            all.extend((0..64).map(|_| stream.next()));
        }
        let different: std::collections::HashSet<u64> = all.iter().copied().collect();
        assert_eq!(different.len(), all.len());
    }

    #[test]
    fn the_key_is_never_shown() {
        assert_eq!(format!("{:?}", RandomKey::from_seed(7)), "RandomKey(…)");
    }

    const PINNED: [u64; 4] = [15275289290002133535, 16977796898406435185, 1027680088268782925, 9841335315954383402];
    const PINNED_ACROSS: [u64; 4] =
        [14647258615542698218, 17428765294124843592, 1083028057760383299, 14309282121432899036];
    const PINNED_OTHER: u64 = 7567632508882583846;
    const PINNED_STAND_INS: [u64; 1] = [10287674786730200020];
    const PINNED_ROWS: [u64; 2] = [2260436302830656932, 12850134784629347990];
}
