//! Exact draws of two-sided geometric noise, alias discrete Laplace.

use super::digit::Digit;
use super::random::RandomKey;
use crate::exact::{Epsilon, Rational};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};
use rayon::prelude::*;

/// A whole number Z with `P(z) ∝ α^|z|`, α = e^−decay.
///
/// # Guarantee
/// For a uniform key the law is exact. Row i takes the words `W·i` to `W·i + W − 1` of the key, W being
/// [`TwoSidedGeometric::words`], and the rare row that needs more goes on with a stream of its own, so that its noise
/// depends on the key and its number alone.
///
/// # Why the law is right
/// P(Z ≥ 0) = 1/(1 + α), and given the sign Z is G or −1 − G with G geometric, `P(G = g) = (1 − α)·α^g`, independent of
/// the sign: P(−1 − g) ∝ α·α^g. So the sign is a digit of period 2 with ratio α, and nothing is rejected. And G is the
/// sum of independent digits `U + t·V`, U of period t with ratio α and V geometric with ratio α^t, since
/// `α^(u + t·v) = α^u·(α^t)^v`. Where the scale is large, digits of at most [`DIGIT_BITS`] bits each are split off until
/// V's scale is small; V's last cell means "at least so many", and what comes on top of them is geometric again.
#[derive(Debug, Clone)]
pub(super) struct TwoSidedGeometric {
    sign: Digit,
    /// The digits of G from the lowest on, each with the place of its lowest bit.
    low: Vec<(u32, Digit)>,
    top: (u32, Digit),
}

/// Tables of at most a thousand cells stay in the nearest cache.
const DIGIT_BITS: u32 = 10;
/// V goes beyond its listed cells with a probability of about e^-16, or once in nine million draws.
const LISTED: u32 = 16;
/// Rows that one task draws at a time.
const CHUNK: usize = 1 << 14;
/// Rows whose words are drawn at a time, few enough to stay in the nearest cache.
const BLOCK: usize = 256;

impl TwoSidedGeometric {
    /// The law with this decay, which is at least 2^-44 or so.
    pub(super) fn new(decay: &Epsilon) -> Self {
        let doubled = |bits: u32| {
            decay.scale(&Rational::from_integer(BigInt::one() << bits)).expect("far below the largest epsilon")
        };
        let least = Epsilon::rational(Rational::new(LISTED.into(), (1 << DIGIT_BITS).into())).expect("positive");
        let bits = (0..).find(|&bits| doubled(bits) >= least).expect("a decay is positive");
        let digits = bits.div_ceil(DIGIT_BITS);
        let place = |digit: u32| bits * digit / digits.max(1);
        let low = (0..digits)
            .map(|digit| {
                let (from, to) = (place(digit), place(digit + 1));
                (from, Digit::of_period(doubled(from), 1 << (to - from)))
            })
            .collect();
        let top = doubled(bits);
        let listed = (Rational::from_integer(LISTED.into()) / top.enclose(32).lower().to_rational()).ceil();
        let listed = listed.to_integer().to_u32().unwrap_or(u32::MAX).clamp(1, 1 << DIGIT_BITS);
        TwoSidedGeometric { sign: Digit::of_period(decay.clone(), 2), low, top: (bits, Digit::unbounded(top, listed)) }
    }

    /// How many words each row has.
    pub(super) fn words(&self) -> usize {
        2 + self.low.len()
    }

    /// Calls `release(i, z)` for every output i, with the noise of row `first_row + i`, and writes what it returns. Rows
    /// are below 2^63.
    ///
    /// z is exact unless it is beyond 64 bits, where it is −2^64 or 2^64 − 1: any sum with 64 bits that is cut off at
    /// 64 bits is what it would be with z in full. Runs on the current rayon pool, or right here where one task does it all.
    pub(super) fn release<O: Send>(
        &self,
        key: &RandomKey,
        first_row: u64,
        outputs: &mut [O],
        release: impl Fn(usize, i128) -> O + Sync,
    ) {
        let task = |(chunk, outputs): (usize, &mut [O])| {
            let first = chunk * CHUNK;
            let mut words = key.words_from((u128::from(first_row) + first as u128) * self.words() as u128);
            let mut bytes = vec![0; 8 * self.words() * BLOCK.min(outputs.len())];
            for (block, outputs) in outputs.chunks_mut(BLOCK).enumerate() {
                let first = first + block * BLOCK;
                let bytes = &mut bytes[..8 * self.words() * outputs.len()];
                words.fill(bytes);
                let rows = bytes.as_chunks().0.chunks_exact(self.words());
                for (at, (output, words)) in (first..).zip(outputs.iter_mut().zip(rows)) {
                    let (noise, is_sure) = self.look(words);
                    let noise = if is_sure { noise.into() } else { self.decide(words, key, first_row + at as u64) };
                    *output = release(at, noise);
                }
            }
        };
        // As for channels: what one task does needs no pool.
        match outputs.len() {
            ..=CHUNK => task((0, outputs)),
            _ => outputs.par_chunks_mut(CHUNK).enumerate().for_each(task),
        }
    }

    /// The noise that the words of a row show, and whether they decide it.
    #[inline(always)]
    fn look(&self, words: &[[u8; 8]]) -> (i64, bool) {
        let (sign, (place, top)) = (self.sign.look(word(words[0])), &self.top);
        let look = top.look(word(words[1]));
        let mut is_sure = sign.is_sure & look.is_sure & (look.cell != top.last_cell());
        let mut magnitude = i64::from(look.cell) << place;
        for ((place, digit), bytes) in self.low.iter().zip(&words[2..]) {
            let look = digit.look(word(*bytes));
            is_sure &= look.is_sure;
            magnitude |= i64::from(look.cell) << place;
        }
        // −1 − G is G with all bits turned.
        (magnitude ^ -i64::from(sign.cell), is_sure)
    }

    /// The noise of a row whose words do not decide it, with further words of its own.
    #[cold]
    fn decide(&self, words: &[[u8; 8]], key: &RandomKey, row: u64) -> i128 {
        let mut more = key.words_of_row(row);
        self.decide_with(&words.iter().map(|bytes| word(*bytes)).collect::<Vec<_>>(), &mut || more.next())
    }

    fn decide_with(&self, words: &[u64], next: &mut dyn FnMut() -> u64) -> i128 {
        let is_negative = self.sign.decide(words[0], next) == 1;
        let (place, top) = &self.top;
        let (mut word, mut high) = (words[1], 0u128);
        loop {
            let cell = top.decide(word, next);
            high += u128::from(cell);
            if cell != top.last_cell() {
                break;
            }
            word = next();
        }
        let mut magnitude = high << place;
        for ((place, digit), &word) in self.low.iter().zip(&words[2..]) {
            magnitude |= u128::from(digit.decide(word, next)) << place;
        }
        // More than any number of words could reach, and half of the room, so that a number of 64 bits can be added.
        let magnitude = i128::try_from(magnitude).unwrap_or(i128::MAX).min(i128::MAX / 2);
        if is_negative { -1 - magnitude } else { magnitude }
    }
}

fn word(bytes: [u8; 8]) -> u64 {
    u64::from_le_bytes(bytes)
}

#[cfg(test)]
#[path = "two_sided_geometric_tests.rs"]
mod tests;
