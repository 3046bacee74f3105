//! Tests of [`super::PlanarBlocks`]: every weight dominates, every point has the same factor, every block is in one place.

use super::*;
use crate::exact::Interval;
use num_traits::ToPrimitive;
use std::collections::BTreeSet;

const DECAYS: [&str; 8] = ["50", "1", "ln(3)/10", "1/16", "1/17", "sqrt(2)/300", "ln(2)/1000000", "1e-12"];

fn blocks(decay: &str) -> (PlanarBlocks, ExponentialCoin) {
    let decay: Epsilon = decay.parse().unwrap();
    let coin = ExponentialCoin::new(&decay);
    (PlanarBlocks::new(&decay, &coin), coin)
}

fn is_at_most_one(chance: &Interval) -> bool {
    chance.upper().to_rational() <= Rational::one()
}

fn some_blocks() -> impl Iterator<Item = [u64; 2]> {
    let edges = [0, 1, 2, 63, 64, 125, 126];
    let near = edges.into_iter().flat_map(move |i| edges.map(|j| [i, j]));
    near.chain(core().step_by(331))
}

#[test]
fn weights_dominate_exactly_and_sum_to_the_whole() {
    for decay in DECAYS {
        let (blocks, coin) = blocks(decay);
        assert_eq!(blocks.weights().iter().sum::<u64>(), TOTAL, "{decay}");
        for block in some_blocks() {
            let at = |block: [u64; 2]| block.map(|number| i128::from(number) << blocks.side_bits);
            let odds = blocks.odds(number(block) as u32);
            let nearest = coin.chance(at(block), &odds, 100);
            // κ and the weight are equal only where the block begins at 0, whose weight is larger by the margin.
            assert!(is_at_most_one(&nearest), "{decay} {block:?}");
            // Tight as well, but for the last unit and the margin of doubles, unless it is beyond their table.
            let tight = 1.0 - 1.0 / odds.denominator as f64 - 1e-11;
            let beyond = nearest.upper().to_rational() * Rational::from_integer(odds.denominator.into());
            let beyond = beyond / Rational::from_integer(blocks.unit.into());
            if beyond.to_f64().unwrap() > 2e-14 {
                assert!(nearest.lower().to_rational().to_f64().unwrap() >= tight, "{decay} {block:?}");
            }
            let farthest = coin.chance(at(block.map(|number| number + 1)), &odds, 100).lower().to_rational();
            let quick = Rational::new(blocks.quick.into(), (1u32 << COIN_BITS).into());
            assert!(quick <= farthest, "{decay} {block:?}");
        }
        for (at, weight) in blocks.weights().iter().enumerate() {
            let [i, j] = PlanarBlocks::block(at as u32);
            assert_eq!(*weight > 0, (i < CORE && j < CORE) || at == TAIL as usize, "{decay} {at}");
        }
    }
}

#[test]
fn the_quick_look_accepts_nearly_all_where_blocks_are_small() {
    for (decay, least) in [("1/16", 0.91), ("1/17", 0.84), ("1/31", 0.90), ("1/1000", 0.91), ("1e-12", 0.85)] {
        let quick = f64::from(blocks(decay).0.quick) / f64::from(1 << COIN_BITS);
        assert!(quick > least && quick < 0.92, "{decay}: {quick}");
    }
    assert_eq!(blocks("50").0.quick, 0);
}

#[test]
fn every_point_is_proposed_and_accepted_with_the_same_factor() {
    let fraction = |n: u128, d: u64| Rational::new(n.into(), d.into());
    for decay in DECAYS {
        let (blocks, _) = blocks(decay);
        let whole = fraction(blocks.unit.into(), TOTAL);
        for block in some_blocks() {
            let number = number(block) as u32;
            assert_eq!(PlanarBlocks::block(number), block);
            let odds = blocks.odds(number);
            assert_eq!((odds.shift, blocks.ratio(number)), (0, [odds.numerator as f64, odds.denominator as f64]));
            let proposed = fraction(blocks.weights[number as usize].into(), TOTAL);
            assert_eq!(proposed * fraction(odds.numerator, odds.denominator), whole, "{decay} {block:?}");
        }
        for (ring, words) in
            [(0u64, vec![u64::MAX]), (1, vec![u64::MAX >> 1]), (5, vec![u64::MAX >> 5]), (70, vec![0, 1 << 57])]
        {
            let mut words = words.into_iter().chain([8]);
            let ([i, j], odds) = blocks.draw_tail(&mut || words.next().unwrap());
            let start = CORE + RING * ring;
            assert!((start..start + RING).contains(&i.max(j)) && words.next().is_none());
            let proposed = fraction(blocks.weights[TAIL as usize].into(), TOTAL)
                / Rational::from_integer((BigInt::one() << (ring + 1)) * blocks_of_ring(start));
            let odds = fraction(odds.numerator, odds.denominator) * (BigInt::one() << odds.shift);
            assert_eq!(proposed * odds, whole, "{decay} ring {ring}");
        }
    }
}

#[test]
fn the_tail_is_dominated_in_every_ring() {
    for decay in DECAYS {
        let (blocks, coin) = blocks(decay);
        for ring in 0..100u64 {
            // The nearest point of the ring, on an axis.
            let start = CORE + RING * ring;
            let numerator = u128::from(blocks.unit) * u128::from(blocks_of_ring(start));
            let odds = Odds { numerator, shift: ring + 1, denominator: blocks.weights[TAIL as usize] };
            assert!(
                is_at_most_one(&coin.chance([i128::from(start) << blocks.side_bits, 0], &odds, 64)),
                "{decay} {ring}"
            );
        }
    }
    // Where the tail is largest, not one proposal in a hundred is of it.
    assert!(blocks("1/16").0.weights[TAIL as usize] < TOTAL / 100);
}

#[test]
fn core_and_rings_are_a_square_each_block_once() {
    let mut seen: BTreeSet<[u64; 2]> = core().collect();
    for ring in 0..4 {
        let start = CORE + RING * ring;
        for place in 0..blocks_of_ring(start) {
            assert!(seen.insert(block_of_ring(start, place)), "ring {ring}, place {place}");
        }
        let side = (start + RING) as usize;
        assert_eq!(seen.len(), side * side);
        assert!(seen.iter().flatten().all(|&number| number < start + RING));
    }
}

#[test]
fn blocks_are_the_least_that_keep_the_core_far() {
    for (decay, bits) in [("1", 0), ("1/16", 0), ("1/17", 1), ("1/32", 1), ("1/33", 2), ("100000", 0), ("1e-12", 36)] {
        assert_eq!(side_bits(&decay.parse().unwrap()), bits, "{decay}");
    }
    let least = Epsilon::rational(Rational::new(BigInt::one(), BigInt::one() << 44)).unwrap();
    assert_eq!(side_bits(&least), LARGEST_SIDE_BITS);
}
