//! Tests of [`super::PlanarLaw`]: each point once, the law by draws, its tail by itself, and its symmetries.

use super::*;
use crate::exact::Interval;
use crate::sample::alias::enumerated;
use lookalike_device::Layout;
use num_traits::ToPrimitive;
use std::collections::BTreeSet;

fn epsilon(text: &str) -> Epsilon {
    text.parse().unwrap()
}

fn draws(decay: &str, seed: u64, count: usize) -> Vec<[i64; 2]> {
    let mut noise = vec![[0; 2]; count];
    fill(&PlanarLaw::new(&epsilon(decay)), &RandomKey::from_seed(seed), 0, &mut noise);
    noise
}

fn fill(law: &PlanarLaw, key: &RandomKey, first_row: u64, noise: &mut [[i64; 2]]) {
    let mut draws = law.draws(key, first_row);
    noise.chunks_mut(MOST_AT_ONCE).for_each(|part| draws.fill(part));
}

fn radius([x, y]: [i64; 2]) -> f64 {
    (x as f64).hypot(y as f64)
}

/// Which of the eight symmetric parts of the plane a point is in; on a line between them, the first.
fn octant([x, y]: [i64; 2]) -> usize {
    usize::from(x < 0) + 2 * usize::from(y < 0) + 4 * usize::from(x.abs() < y.abs())
}

/// Pearson's statistic of draws against e^(−decay·|z|) over the points within `reach` that have a cell, and what it
/// exceeds by chance with probability below 10^-6 (Laurent and Massart 2000, Lemma 1). Cells with fewer than five
/// expected draws count as one.
fn chi_square(
    noise: impl Iterator<Item = [i64; 2]>,
    decay: f64,
    reach: i64,
    cell: impl Fn([i64; 2]) -> Option<usize>,
) -> (f64, f64) {
    let (mut seen, mut law) = (Vec::new(), Vec::new());
    let add = |cells: &mut Vec<f64>, cell: usize, amount: f64| {
        if cells.len() <= cell {
            cells.resize(cell + 1, 0.0);
        }
        cells[cell] += amount;
    };
    noise.filter_map(&cell).for_each(|cell| add(&mut seen, cell, 1.0));
    for x in -reach..=reach {
        for y in -reach..=reach {
            if let Some(cell) = cell([x, y]) {
                add(&mut law, cell, (-decay * radius([x, y])).exp());
            }
        }
    }
    seen.resize(law.len(), 0.0);
    let scale = seen.iter().sum::<f64>() / law.iter().sum::<f64>();
    let (mut statistic, mut cells, mut few) = (0.0, 0.0, [0.0; 2]);
    for (seen, expected) in seen.into_iter().zip(law.into_iter().map(|weight| weight * scale)) {
        if expected < 5.0 {
            few = [few[0] + seen, few[1] + expected];
        } else {
            statistic += (seen - expected).powi(2) / expected;
            cells += 1.0;
        }
    }
    if few[1] >= 5.0 {
        statistic += (few[0] - few[1]).powi(2) / few[1];
        cells += 1.0;
    }
    let (freedom, x) = (cells - 1.0, 1e6f64.ln());
    (statistic, freedom + 2.0 * (freedom * x).sqrt() + 2.0 * x)
}

/// Squares of `width` points, numbered so that the first is around 0.
fn squares(width: i64, count: i64) -> impl Fn([i64; 2]) -> Option<usize> {
    move |point| {
        let [i, j] = point.map(|coordinate| (coordinate + width / 2).div_euclid(width).clamp(-count, count) + count);
        Some((i * (2 * count + 1) + j) as usize)
    }
}

#[test]
fn draws_follow_the_law_point_by_point_and_square_by_square() {
    // Rational, logarithmic and root forms; points by themselves, and squares that do not fit the blocks. Eight tests: a
    // false alarm in 100,000 seeds.
    for (seed, (decay, width, count)) in [
        ("5", 1, 2),
        ("1", 1, 6),
        ("ln(3)", 1, 6),
        ("sqrt(2)/5", 1, 12),
        ("ln(2)/8", 1, 12),
        ("1/16", 7, 10),
        ("1/20", 7, 12),
        ("sqrt(3)/60", 9, 14),
    ]
    .into_iter()
    .enumerate()
    {
        let nearest = epsilon(decay).to_f64();
        let noise = draws(decay, seed as u64, 150_000);
        let reach = (16.0 / nearest) as i64 + 10;
        let (statistic, limit) = chi_square(noise.into_iter(), nearest, reach, squares(width, count));
        assert!(statistic < limit, "{decay}: {statistic} of {limit}");
    }
}

#[test]
fn a_wrong_law_is_noticed() {
    let noise = draws("21/400", 1, 150_000);
    let (statistic, limit) = chi_square(noise.iter().copied(), 0.0525, 320, squares(7, 12));
    assert!(statistic < limit, "{statistic} of {limit}");
    // Five in a hundred in the decay.
    assert!(chi_square(noise.iter().copied(), 0.05, 320, squares(7, 12)).0 > limit);
    let turned = noise.iter().map(|&[x, y]| [x + i64::from(x == 0), y]);
    assert!(chi_square(turned, 0.0525, 320, squares(1, 20)).0 > limit, "one line of points");
}

#[test]
fn the_radius_and_the_direction_are_those_of_the_plane_where_the_scale_is_large() {
    // 1 − (1 + r)e^−r: mean 2, standard deviation √2; median, 95 % and 99 % as published. A step is 1e-5 of the scale at
    // most. Each figure within 4.9 standard deviations: 3 times 10 figures, a false alarm in 30,000 seeds.
    for (seed, decay) in ["1e-5", "ln(2)/1e6", "sqrt(5)/1e12"].into_iter().enumerate() {
        let (count, nearest) = (200_000, epsilon(decay).to_f64());
        let noise = draws(decay, 50 + seed as u64, count);
        let root = (count as f64).sqrt();
        let mean = noise.iter().map(|&z| radius(z) * nearest).sum::<f64>() / count as f64;
        assert!((mean - 2.0).abs() < 4.9 * 2f64.sqrt() / root, "{decay}: {mean}");
        for (within, quantile) in [(0.5, 1.6783), (0.95, 4.7439), (0.99, 6.6384)] {
            let seen = noise.iter().filter(|&&z| radius(z) * nearest <= quantile).count() as f64 / count as f64;
            let deviation = f64::sqrt(within * (1.0 - within)) / root;
            assert!((seen - within).abs() < 4.9 * deviation + 2e-5, "{decay}: {seen} within {quantile}");
        }
        // Both coordinates have mean 0 and variance 3, and are uncorrelated. E z₁⁴ = 45, E z₁²z₂² = 15.
        let moment = |f: &dyn Fn(f64, f64) -> f64| {
            noise.iter().map(|&[x, y]| f(x as f64 * nearest, y as f64 * nearest)).sum::<f64>() / count as f64
        };
        for (name, found, expected, variance) in [
            ("x", moment(&|x, _| x), 0.0, 3f64),
            ("y", moment(&|_, y| y), 0.0, 3.0),
            ("xx", moment(&|x, _| x * x), 3.0, 36.0),
            ("yy", moment(&|_, y| y * y), 3.0, 36.0),
            ("xy", moment(&|x, y| x * y), 0.0, 15.0),
        ] {
            assert!((found - expected).abs() < 4.9 * variance.sqrt() / root + 1e-5, "{decay} {name}: {found}");
        }
        // The eight parts alike, in each of ten rings of equal probability by radius.
        let mut seen = [[0u32; 8]; 10];
        for &z in &noise {
            let r = radius(z) * nearest;
            let ring = (10.0 * (1.0 - (1.0 + r) * (-r).exp())).min(9.0) as usize;
            seen[ring][octant(z)] += 1;
        }
        let expected = count as f64 / 80.0;
        let statistic: f64 = seen.as_flattened().iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
        assert!(statistic < 79.0 + 2.0 * (79.0 * 13.8f64).sqrt() + 27.7, "{decay}: {statistic}");
    }
}

#[test]
fn the_low_bits_are_even_where_the_scale_is_large() {
    // Remainders of both coordinates by 8, where the law is even to 1e-4: a false alarm in a million seeds each.
    for (decay, words) in [("1/100000", 4), ("1e-8", 6), ("1e-12", 6)] {
        assert_eq!(PlanarLaw::new(&epsilon(decay)).words(), words);
        let mut seen = [0u32; 64];
        draws(decay, 21, 64_000).into_iter().for_each(|[x, y]| seen[(x & 7 | (y & 7) << 3) as usize] += 1);
        let statistic: f64 = seen.iter().map(|&n| (f64::from(n) - 1000.0).powi(2) / 1000.0).sum();
        assert!(statistic < 63.0 + 2.0 * (63.0 * 13.8f64).sqrt() + 27.7, "{decay}: {statistic}");
    }
}

#[test]
fn every_point_of_the_core_is_proposed_in_one_way() {
    for (decay, side) in [("1", 1), ("1/20", 2)] {
        let law = PlanarLaw::new(&epsilon(decay));
        assert_eq!(1 << law.blocks.side_bits(), side);
        let mut seen = BTreeSet::new();
        for number in (0..TAIL).filter(|&number| law.blocks.weights()[number as usize] > 0) {
            for choice in 0..4 * side * side {
                let (signs, x, y) = (choice & 3, choice / 4 % side, choice / 4 / side);
                let second = x | y << SECOND_OFFSET;
                assert!(seen.insert(law.point(PlanarBlocks::block(number), [signs, second, second])));
            }
        }
        let reach = 127 * side as i128;
        assert_eq!(seen.len() as i128, 4 * reach * reach);
        assert!(seen.iter().flatten().all(|coordinate| (-reach..reach).contains(coordinate)));
    }
}

#[test]
fn the_table_draws_the_weights_exactly() {
    for decay in ["1", "1/1000"] {
        let law = PlanarLaw::new(&epsilon(decay));
        let weights = law.blocks.weights();
        assert_eq!(enumerated(Layout::new(weights.len()), weights.len(), |word| law.table.draw(word)), weights);
    }
}

#[test]
fn words_decide_alike_both_ways() {
    for decay in ["1/3", "1/20", "1/1000", "1e-9"] {
        let law = PlanarLaw::new(&epsilon(decay));
        let mut words = RandomKey::from_seed(11).words_from(0);
        let mut seen = 0;
        for _ in 0..2_000 {
            let row: Vec<[u8; 8]> = (0..law.words()).map(|_| words.next().to_le_bytes()).collect();
            if let Some(noise) = law.look(&row) {
                assert_eq!(noise, law.decide_with(&row, &mut || unreachable!("enough")), "{decay}");
                seen += 1;
            }
        }
        assert!(seen > 1_500, "{decay}: {seen}");
    }
}

#[test]
fn a_coin_that_begins_as_its_chance_does_is_open_and_goes_on() {
    for decay in ["1/3", "1/20", "1/1000"] {
        let law = PlanarLaw::new(&epsilon(decay));
        for first in [0, 5 << 50, 1000 << 50 | 3, 9000 << 50 | 1] {
            let number = law.table.draw(first);
            let point = law.point(PlanarBlocks::block(number), [first, 0, 0]);
            let chance = law.coin.chance(point, &law.blocks.odds(number), 100);
            let bits = chance.lower().to_fixed(u64::from(COIN_BITS), false).to_u64().unwrap();
            // The row's second proposal is accepted, but it is not its turn before the first is rejected.
            let row = [first, bits << 40, 0, 0].map(u64::to_le_bytes);
            assert_eq!(law.look(&row), None, "{decay} {number}");
            let second = law.point(PlanarBlocks::block(law.table.draw(0)), [0; 3]);
            for (word, expected) in [(0, point), (u64::MAX, second)] {
                let mut more = [word].into_iter();
                let found = law.decide_with(&row, &mut || more.next().unwrap()).map(i128::from);
                assert_eq!((found, more.next()), (expected, None), "{decay} {number}");
            }
        }
    }
}

/// A first word that draws the tail.
fn tail_word(law: &PlanarLaw) -> u64 {
    let ends = (0..1u64 << 14).flat_map(|column| [column << 50, ((column + 1) << 50).wrapping_sub(1) & !3]);
    ends.into_iter().find(|&word| law.table.draw(word) == TAIL).expect("the tail has a weight")
}

#[test]
fn the_tail_by_itself_follows_the_law() {
    // Scales of 16 and 31 steps, where the tail is largest: by distance in the larger coordinate, by octant and by whether
    // it is nearer to an axis or to a diagonal. Four tests: a false alarm in 200,000 seeds.
    for (seed, (decay, side)) in [("1/16", 1), ("1/31", 2)].into_iter().enumerate() {
        let law = PlanarLaw::new(&epsilon(decay));
        let mut words = RandomKey::from_seed(70 + seed as u64).words_from(0);
        let (first, proposals, nearest) = (tail_word(&law), 40_000, epsilon(decay).to_f64());
        let mut noise = Vec::new();
        for _ in 0..proposals {
            let second = words.next();
            let proposal = [first | words.next() & 3, second, second];
            noise.extend(law.propose(proposal, &mut || words.next()).map(|z| z.map(|coordinate| coordinate as i64)));
        }
        let magnitude = |coordinate: i64| coordinate.max(-1 - coordinate);
        let cell = |z: [i64; 2]| {
            let [a, b] = z.map(magnitude);
            let (larger, smaller) = (a.max(b), a.min(b));
            let beyond = larger - 127 * side;
            let slope = usize::from(2 * smaller > larger);
            (beyond >= 0).then(|| octant(z) + 8 * slope + 16 * (beyond / (5 * side)).min(20) as usize)
        };
        assert!(noise.iter().all(|&z| cell(z).is_some()), "none of the core");
        let reach = 127 * side + (12.0 / nearest) as i64;
        let (statistic, limit) = chi_square(noise.iter().copied(), nearest, reach, cell);
        assert!(statistic < limit, "{decay}: {statistic} of {limit}");
        // How often: κ/(4m²·W) times the sum over the tail.
        let sum: f64 = (-reach..=reach)
            .flat_map(|x| (-reach..=reach).map(move |y| [x, y]))
            .filter(|&z| cell(z).is_some())
            .map(|z| (-nearest * radius(z)).exp())
            .sum();
        let [unit, _] = law.blocks.ratio(0);
        let chance = unit * sum / (4.0 * (side * side) as f64 * law.blocks.weights()[TAIL as usize] as f64);
        let (seen, deviation) =
            (noise.len() as f64 / proposals as f64, (chance * (1.0 - chance) / proposals as f64).sqrt());
        assert!((seen - chance).abs() < 4.9 * deviation, "{decay}: {seen} of {chance}");
    }
}

#[test]
fn a_far_ring_is_decided_by_enclosures() {
    // Ring 70 with its first block on the axis, and the lowest place in it: the coin needs to begin with zeros.
    let law = PlanarLaw::new(&epsilon("1/16"));
    let expected = [127 + 16 * 70, 0i128];
    let mut ring = [0, 1 << 57, 0].into_iter();
    let (block, odds) = law.blocks.draw_tail(&mut || ring.next().unwrap());
    assert_eq!(block.map(i128::from), expected);
    let chance: Interval = law.coin.chance(expected, &odds, 100);
    let chance = chance.lower().to_rational().to_f64().unwrap();
    assert!(chance > 0.0 && chance < 2f64.powi(-24), "{chance}");
    let coin = (chance * 2f64.powi(24 + 64)) as u64;
    for (word, accepted) in [(coin - (coin >> 40), true), (coin + (coin >> 40), false)] {
        let mut more = [0, 1 << 57, 0, word].into_iter();
        let point = law.propose([tail_word(&law), 0, 0], &mut || more.next().unwrap());
        assert_eq!(point, accepted.then_some(expected), "{word}");
    }
}

#[test]
fn batches_do_not_matter() {
    for decay in ["1/2", "1/1000", "1e-9"] {
        let (law, key) = (PlanarLaw::new(&epsilon(decay)), RandomKey::from_seed(3));
        let whole = draws(decay, 3, 40_000);
        for batch in [1, 7, 255, 16_384, 39_999] {
            let mut parts = vec![[0; 2]; if batch == 1 { 50 } else { whole.len() }];
            for (at, part) in parts.chunks_mut(batch).enumerate() {
                fill(&law, &key, (at * batch) as u64, part);
            }
            assert_eq!(parts, whole[..parts.len()], "{decay} {batch}");
        }
    }
}

#[test]
fn noise_is_pinned() {
    // Changing these would change every seeded run. Computed independently, from the definitions of ChaCha12 and of the
    // weights, with chances in decimals of 60 digits.
    assert_eq!(draws("1/2", 7, 16).as_flattened(), PINNED_NARROW);
    assert_eq!(draws("ln(2)/1000", 7, 4), PINNED_WIDE);
    assert_eq!(draws("1e-10", 7, 3), PINNED_WIDEST);
    // Rows that propose points of the tail: one is accepted.
    let noise = draws("1/31", 7, 958);
    assert_eq!([47, 61, 269, 957].map(|row| noise[row]), PINNED_TAIL);
}

const PINNED_NARROW: [i64; 32] =
    [-1, 0, 3, -1, 2, 2, -6, 9, 0, 0, 1, 1, 1, 0, -1, 1, 1, 0, -1, 2, -2, 0, 5, -7, 6, 0, -3, -1, 3, 4, -9, -17];
const PINNED_WIDE: [[i64; 2]; 4] = [[-939, 2031], [-1591, -109], [1369, 1022], [-3292, 120]];
const PINNED_WIDEST: [[i64; 2]; 3] = [[7344997007, -23373111533], [-8089336427, 2265498791], [-24419554908, 366502261]];
const PINNED_TAIL: [[i64; 2]; 4] = [[-56, 4], [88, 23], [-1, -11], [117, 268]];
