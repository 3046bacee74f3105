//! Square blocks of the grid that propose points of the planar law, each with a whole weight.

use super::below::below;
use super::exponential_coin::{COIN_BITS, ExponentialCoin, Odds};
use crate::exact::{Epsilon, Rational};
use crate::model::TOTAL;
use num_bigint::BigInt;
use num_traits::One;

/// Proposals for the law `P(z) ∝ e^(−δ·|z|)` on the points with whole coordinates: a quarter of the plane in blocks of
/// m × m points, m = 2^k, each with a whole weight that dominates its points.
///
/// # The blocks
/// Points are proposed by magnitudes (a, b) ≥ 0 and two signs: a coordinate is a or −1 − a, so that each point is
/// proposed in one way only. Block (i, j) has the magnitudes from (i·m, j·m) to below ((i + 1)·m, (j + 1)·m). The
/// *core* are the blocks with i and j below [`CORE`]; all others are the *tail*, in rings of [`RING`] blocks: ring r has
/// the blocks whose larger number is from s = CORE + RING·r to below s + RING, which are 32·(s + 8) blocks. m is the
/// least power of two with δ·m ≥ 1/16, so that the core reaches at least 7.9 scales 1/δ far.
///
/// # The weights
/// With a whole number κ (`unit`), the weights w of core blocks and that of the tail W, which sum to 2^53:
///
/// 1. w ≥ κ·e^(−δ·|corner|), where the corner (i·m, j·m) is nearer to 0 than any point of its block.
/// 2. W ≥ 2κ·n·e^(−δ·CORE·m), where n is the number of blocks of ring 0.
///
/// A core block is proposed with probability w/2^53, and each of its points in every quarter with the same
/// probability; it is accepted with probability κ/w·e^(−δ·|z|), at most 1 by (1). Ring r is proposed with probability
/// W/2^53·2^−(r+1), each of its n(r) blocks and their points alike, and accepted with probability
/// κ·n(r)·2^(r+1)/W·e^(−δ·|z|). That is at most 1 by (2), since a point of ring r has |z| ≥ (CORE + RING·r)·m,
/// n(r)/n = 1 + 16r/135 ≤ e^(0.12r) and δ·RING·m ≥ 1: it is at most e^((0.12 + ln 2 − 1)·r).
///
/// So *every* point z is proposed and accepted with probability κ/(4·m²·2^53)·e^(−δ·|z|), whatever the weights are: whole
/// numbers propose, and the law is exact all the same.
#[derive(Debug, Clone)]
pub(super) struct PlanarBlocks {
    side_bits: u32,
    /// κ.
    unit: u64,
    /// By number; numbers that belong to no block have none.
    weights: Box<[u64]>,
    quick: u32,
}

/// Blocks of the core in each direction: one less than a power of two, so that there is room for the tail.
const CORE: u64 = 127;
const ROW_BITS: u32 = 7;
/// The number of the tail among the weights.
pub(super) const TAIL: u32 = (1 << (2 * ROW_BITS)) - 1;
/// Blocks across a ring of the tail.
const RING: u64 = 16;
/// Blocks are this many bits wide at most.
pub(super) const LARGEST_SIDE_BITS: u32 = 40;

impl PlanarBlocks {
    /// The blocks of the law with this decay, of at least 2^-44.
    pub(super) fn new(decay: &Epsilon, coin: &ExponentialCoin) -> Self {
        let side_bits = side_bits(decay);
        let corner = |[i, j]: [u64; 2]| [i, j].map(|number| (number << side_bits) as f64);
        let tail = 2.0 * blocks_of_ring(CORE) as f64 * coin.at_most(corner([CORE, 0]));
        let mut dominating = vec![0.0; TAIL as usize];
        core().for_each(|block| dominating[number(block)] = coin.at_most(corner(block)));
        // Doubles choose κ; that the weights are large enough and fit is for whole numbers to say. A weight may be one
        // unit and a relative 2^−50 larger than asked for, and the sum of doubles 2^−39 smaller than it is.
        let sum = (dominating.iter().sum::<f64>() + tail) * (1.0 + 1.0 / (1u64 << 38) as f64);
        let unit = ((TOTAL - (1 << 16)) as f64 / sum) as u64;
        // At least the product: `at_most` has room for the rounding of the product.
        let weight = |dominating: f64| if dominating == 0.0 { 0 } else { (unit as f64 * dominating) as u64 + 1 };
        let mut weights: Vec<u64> = dominating.into_iter().map(weight).collect();
        let rest = TOTAL.checked_sub(weights.iter().sum()).expect("the weights of the core fit");
        assert!(rest >= weight(tail), "the tail is dominated");
        weights.push(rest);
        let mut blocks = PlanarBlocks { side_bits, unit, weights: weights.into(), quick: 0 };
        // The farthest point of a block is at its other corner, with two negative coordinates.
        let least = |block: [u64; 2]| {
            let [numerator, denominator] = blocks.ratio(number(block) as u32);
            numerator * coin.at_least(corner(block.map(|number| number + 1))) / denominator
        };
        let least = core().map(least).fold(1.0, f64::min) * (1.0 - f64::EPSILON);
        blocks.quick = (least * f64::from(1u32 << COIN_BITS)) as u32;
        blocks
    }

    /// k: blocks have 2^k points in each direction.
    pub(super) fn side_bits(&self) -> u32 {
        self.side_bits
    }

    /// The weights by number: blocks of the core, and the tail.
    pub(super) fn weights(&self) -> &[u64] {
        &self.weights
    }

    /// A point of the core whose coin begins with bits below this is accepted, whatever the point.
    pub(super) fn quick(&self) -> u32 {
        self.quick
    }

    /// The block of the core with this number.
    #[inline(always)]
    pub(super) fn block(number: u32) -> [u64; 2] {
        [number >> ROW_BITS, number & ((1 << ROW_BITS) - 1)].map(u64::from)
    }

    /// The odds of points of a block of the core.
    pub(super) fn odds(&self, number: u32) -> Odds {
        Odds { numerator: self.unit.into(), shift: 0, denominator: self.weights[number as usize] }
    }

    /// The same as two doubles, which hold them exactly.
    #[inline(always)]
    pub(super) fn ratio(&self, number: u32) -> [f64; 2] {
        [self.unit, self.weights[number as usize]].map(|weight| weight as f64)
    }

    /// A block of the tail and the odds of its points.
    ///
    /// # Panics
    /// After 2^55 zero bits.
    pub(super) fn draw_tail(&self, next: &mut dyn FnMut() -> u64) -> ([u64; 2], Odds) {
        let mut ring = 0;
        loop {
            let word = next();
            ring += u64::from(word.leading_zeros());
            if word != 0 {
                break;
            }
        }
        let start = CORE + RING * ring;
        let count = blocks_of_ring(start);
        let block = block_of_ring(start, below(count, next));
        let numerator = u128::from(self.unit) * u128::from(count);
        (block, Odds { numerator, shift: ring + 1, denominator: self.weights[TAIL as usize] })
    }
}

/// The least k with δ·2^k ≥ 1/16.
fn side_bits(decay: &Epsilon) -> u32 {
    let least = Epsilon::rational(Rational::new(1.into(), RING.into())).expect("positive");
    let times = |bits: u32| decay.scale(&Rational::from_integer(BigInt::one() << bits));
    let is_enough = |bits: &u32| times(*bits).is_ok_and(|decay| decay >= least);
    (0..=LARGEST_SIDE_BITS).find(is_enough).expect("a decay of at least 2^-44")
}

fn core() -> impl Iterator<Item = [u64; 2]> {
    (0..CORE).flat_map(|i| (0..CORE).map(move |j| [i, j]))
}

/// The number of a block of the core.
fn number([i, j]: [u64; 2]) -> usize {
    (i << ROW_BITS | j) as usize
}

/// The number of blocks of the ring that starts here.
fn blocks_of_ring(start: u64) -> u64 {
    RING * (2 * start + RING)
}

/// A block of the ring that starts here, by its place among them: first those whose first number is in the ring, then
/// those whose second number alone is.
fn block_of_ring(start: u64, place: u64) -> [u64; 2] {
    let (along, across) = (place / RING, start + place % RING);
    if along < start + RING { [across, along] } else { [along - (start + RING), across] }
}

#[cfg(test)]
#[path = "planar_blocks_tests.rs"]
mod tests;
