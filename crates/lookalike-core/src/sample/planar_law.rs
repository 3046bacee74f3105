//! Exact draws of planar Laplace noise on the grid.

use super::alias::AliasTable;
use super::chance::FromWords;
use super::exponential_coin::{COIN_BITS, ExponentialCoin};
use super::planar_blocks::{LARGEST_SIDE_BITS, PlanarBlocks, TAIL};
use super::random::{RandomKey, Words};
use crate::exact::Epsilon;

/// A point Z of the plane with whole coordinates, `P(z) ∝ e^(−decay·|z|)`, |z| being the Euclidean length.
///
/// # Guarantee
/// For a uniform key the law is exact. Row i takes the words `W·i` to `W·i + W − 1` of the key, W being
/// [`PlanarLaw::words`], and a row that needs more goes on with a stream of its own, so that its noise depends on the key
/// and its number alone.
///
/// # Why the law is right
/// A point is proposed and then accepted or not; if not, the next words propose another one. [`PlanarBlocks`] shows that
/// a point is proposed *and* accepted with a probability proportional to e^(−decay·|z|), so the point that is accepted at
/// last has the law. The block is drawn from whole weights by an exact [`AliasTable`], the place in the block and the
/// quarter of the plane by bits, and [`ExponentialCoin`] accepts with exactly the chance it should. Doubles are
/// looked at where their proved error leaves no doubt.
///
/// # Complexity
/// Where the scale is above 16 steps, one proposal in twelve to twenty-five is not accepted, and one row in a hundred
/// needs words of its own. A table of 128 kB is looked into once a proposal; the square root and the exponential are
/// asked for in one of six to twelve. Below, more proposals are needed, up to four a row on average.
#[derive(Debug, Clone)]
pub(super) struct PlanarLaw {
    table: AliasTable,
    blocks: PlanarBlocks,
    coin: ExponentialCoin,
}

/// The words of a proposal: the block in the upper 53 bits of the first and the quarter in its lowest two; the first
/// offset in the lowest bits of the second and the coin in its upper 24; and the second offset from bit 20 of the
/// third, which is the second once more where both offsets have at most 20 bits.
type Proposal = [u64; 3];

/// What a proposal comes to.
enum Look {
    Accepted([i64; 2]),
    Rejected,
    /// More words than those of the proposal have to tell.
    Open,
}

/// Proposals that each row has words for.
const PROPOSALS: usize = 2;
/// Where the second offset begins.
const SECOND_OFFSET: u32 = 20;
/// Coordinates are cut off here.
const FARTHEST: i128 = 1 << 62;
/// Rows whose words are drawn at a time, few enough to stay in the nearest cache.
pub(super) const MOST_AT_ONCE: usize = 256;

const _: () = assert!(2 * SECOND_OFFSET + COIN_BITS == u64::BITS && LARGEST_SIDE_BITS + COIN_BITS <= u64::BITS);

impl PlanarLaw {
    /// The law with this decay for each step of the grid, which is at least 2^-44.
    pub(super) fn new(decay: &Epsilon) -> Self {
        let coin = ExponentialCoin::new(decay);
        let blocks = PlanarBlocks::new(decay, &coin);
        PlanarLaw { table: AliasTable::new(blocks.weights()), blocks, coin }
    }

    /// How many words each row has.
    pub(super) fn words(&self) -> usize {
        PROPOSALS * self.proposal_words()
    }

    fn proposal_words(&self) -> usize {
        if self.blocks.side_bits() <= SECOND_OFFSET { 2 } else { 3 }
    }

    /// The noise of the rows from this one on, one after the other. Rows are below 2^63.
    pub(super) fn draws<'a>(&'a self, key: &'a RandomKey, first_row: u64) -> Draws<'a> {
        let words = key.words_from(u128::from(first_row) * self.words() as u128);
        Draws { law: self, key, row: first_row, words, bytes: vec![0; 8 * self.words() * MOST_AT_ONCE] }
    }

    /// The noise of a row whose words are seen to be enough.
    #[inline(always)]
    fn look(&self, words: &[[u8; 8]]) -> Option<[i64; 2]> {
        for words in words.chunks_exact(self.proposal_words()) {
            match self.look_at(proposal(words)) {
                Look::Accepted(point) => return Some(point),
                Look::Rejected => {}
                Look::Open => return None,
            }
        }
        None
    }

    #[inline(always)]
    fn look_at(&self, words: Proposal) -> Look {
        let number = self.table.draw(words[0]);
        if number == TAIL {
            return Look::Open;
        }
        let (side_bits, block) = (self.blocks.side_bits(), PlanarBlocks::block(number));
        let (offsets, signs) = (self.offsets(words), signs(words));
        // −1 − a is a with all bits turned.
        let coordinate = |at: usize| (block[at] << side_bits | offsets[at]) as i64 ^ signs[at];
        let (point, bits) = ([coordinate(0), coordinate(1)], coin_bits(words));
        if bits < self.blocks.quick() {
            return Look::Accepted(point);
        }
        match self.coin.look(point.map(|coordinate| coordinate as f64), self.blocks.ratio(number), bits) {
            Some(true) => Look::Accepted(point),
            Some(false) => Look::Rejected,
            None => Look::Open,
        }
    }

    /// The noise of a row whose words are not enough, with further words of its own.
    #[cold]
    fn decide(&self, words: &[[u8; 8]], key: &RandomKey, row: u64) -> [i64; 2] {
        let mut more = FromWords::new(key.words_of_row(row));
        self.decide_with(words, &mut || more.next())
    }

    fn decide_with(&self, words: &[[u8; 8]], next: &mut dyn FnMut() -> u64) -> [i64; 2] {
        let mut given = words.chunks_exact(self.proposal_words()).map(proposal);
        loop {
            let words = given.next().unwrap_or_else(|| self.draw_proposal(next));
            if let Some(point) = self.propose(words, next) {
                return point.map(|coordinate| coordinate.clamp(-FARTHEST, FARTHEST) as i64);
            }
        }
    }

    fn draw_proposal(&self, next: &mut dyn FnMut() -> u64) -> Proposal {
        let words = [(); 3].map(|()| next().to_le_bytes());
        proposal(&words[..self.proposal_words()])
    }

    /// The point that these words propose, if it is accepted.
    fn propose(&self, words: Proposal, next: &mut dyn FnMut() -> u64) -> Option<[i128; 2]> {
        let (block, odds) = match self.table.draw(words[0]) {
            TAIL => self.blocks.draw_tail(next),
            number => (PlanarBlocks::block(number), self.blocks.odds(number)),
        };
        let point = self.point(block, words);
        self.coin.decide(point, &odds, coin_bits(words), next).then_some(point)
    }

    /// The point of a block that these words propose.
    fn point(&self, block: [u64; 2], words: Proposal) -> [i128; 2] {
        let (offsets, signs) = (self.offsets(words), signs(words));
        let coordinate = |at: usize| {
            (i128::from(block[at]) << self.blocks.side_bits() | i128::from(offsets[at])) ^ i128::from(signs[at])
        };
        [coordinate(0), coordinate(1)]
    }

    /// Where in its block the point is.
    #[inline(always)]
    fn offsets(&self, [_, first, second]: Proposal) -> [u64; 2] {
        let mask = (1 << self.blocks.side_bits()) - 1;
        [first & mask, second >> SECOND_OFFSET & mask]
    }
}

/// Draws for consecutive rows.
pub(super) struct Draws<'a> {
    law: &'a PlanarLaw,
    key: &'a RandomKey,
    /// The row that comes next.
    row: u64,
    words: Words,
    bytes: Vec<u8>,
}

impl Draws<'_> {
    /// The noise of the next rows, at most [`MOST_AT_ONCE`].
    ///
    /// It is exact unless a coordinate is beyond ±2^62, where it is ±2^62: any sum with a number between −2^61 and 2^61 that
    /// is cut off there again is what it would be with the noise in full.
    pub(super) fn fill(&mut self, noise: &mut [[i64; 2]]) {
        let words = self.law.words();
        let bytes = &mut self.bytes[..8 * words * noise.len()];
        self.words.fill(bytes);
        for (noise, words) in noise.iter_mut().zip(bytes.as_chunks().0.chunks_exact(words)) {
            *noise = match self.law.look(words) {
                Some(noise) => noise,
                None => self.law.decide(words, self.key, self.row),
            };
            self.row += 1;
        }
    }
}

#[inline(always)]
fn proposal(words: &[[u8; 8]]) -> Proposal {
    [words[0], words[1], words[words.len() - 1]].map(u64::from_le_bytes)
}

/// For each coordinate 0, or −1 where it is negative.
#[inline(always)]
fn signs([word, ..]: Proposal) -> [i64; 2] {
    [-((word & 1) as i64), -((word >> 1 & 1) as i64)]
}

#[inline(always)]
fn coin_bits([_, word, _]: Proposal) -> u32 {
    (word >> (u64::BITS - COIN_BITS)) as u32
}

#[cfg(test)]
#[path = "planar_law_tests.rs"]
mod tests;
