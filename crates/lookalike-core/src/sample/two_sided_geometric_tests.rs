//! Tests of [`super::TwoSidedGeometric`]: the law exactly, the law by draws, and an independent sampler of it.

use super::*;
use crate::sample::random::Words;
use num_traits::Pow;
use std::collections::BTreeMap;

fn epsilon(text: &str) -> Epsilon {
    text.parse().unwrap()
}

fn draws(decay: &str, seed: u64, count: usize) -> Vec<i128> {
    let mut noise = vec![0; count];
    TwoSidedGeometric::new(&epsilon(decay)).release(&RandomKey::from_seed(seed), 0, &mut noise, |_, z| z);
    noise
}

/// Pearson's statistic against P(z) ∝ α^|z|, with cells of `width` numbers from −cells·width to cells·width and two
/// tails, and what it exceeds by chance with probability below 10^-6 (Laurent and Massart 2000, Lemma 1).
fn chi_square(noise: &[i128], alpha: f64, width: i128, cells: i128) -> (f64, f64) {
    let mut counts = BTreeMap::new();
    for z in noise {
        *counts.entry(z.div_euclid(width).clamp(-cells - 1, cells)).or_insert(0u64) += 1;
    }
    // P(Z ≥ a) for a ≥ 0, and by symmetry for the others.
    let at_least = |a: i128| match a {
        0.. => alpha.powf(a as f64) / (1.0 + alpha),
        _ => 1.0 - alpha.powf((1 - a) as f64) / (1.0 + alpha),
    };
    let mut statistic = 0.0;
    for cell in -cells - 1..=cells {
        let from = if cell == -cells - 1 { 1.0 } else { at_least(cell * width) };
        let to = if cell == cells { 0.0 } else { at_least((cell + 1) * width) };
        let expected = (from - to) * noise.len() as f64;
        assert!(expected >= 5.0, "cells are large enough for the test: {expected}");
        let seen = counts.get(&cell).copied().unwrap_or(0) as f64;
        statistic += (seen - expected).powi(2) / expected;
    }
    let (freedom, x) = ((2 * cells + 1) as f64, 1e6f64.ln());
    (statistic, freedom + 2.0 * (freedom * x).sqrt() + 2.0 * x)
}

#[test]
fn draws_follow_the_law_at_every_scale() {
    // Rational and irrational ratios; no digit, one, two and four split off. Seven tests: a false alarm in 100,000 seeds.
    for (seed, (decay, words, width, cells)) in [
        ("ln(3)", 2, 1, 8),
        ("1", 2, 1, 9),
        ("1/10", 2, 3, 20),
        ("1/64", 2, 20, 20),
        ("sqrt(2)/1000", 3, 200, 20),
        ("1/100000", 4, 30_000, 20),
        ("1e-12", 6, 300_000_000_000, 20),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(TwoSidedGeometric::new(&epsilon(decay)).words(), words, "{decay}");
        let noise = draws(decay, seed as u64, 200_000);
        let (statistic, limit) = chi_square(&noise, (-epsilon(decay).to_f64()).exp(), width, cells);
        assert!(statistic < limit, "{decay}: {statistic} of {limit}");
        // The low digits by themselves: whole numbers by their remainder, where the law is even to 1e-4.
        if words > 2 {
            let mut remainders = [0u32; 16];
            noise.iter().for_each(|z| remainders[z.rem_euclid(16) as usize] += 1);
            let statistic: f64 = remainders.iter().map(|&seen| (f64::from(seen) - 12_500.0).powi(2) / 12_500.0).sum();
            assert!(statistic < 15.0 + 2.0 * (15.0 * 13.8f64).sqrt() + 27.7, "{decay}: {statistic}");
        }
    }
}

#[test]
fn digits_multiply_to_the_law_exactly() {
    // α = 100/101: one digit of 16 split off, the top one of ratio α^16.
    let alpha = Rational::new(100.into(), 101.into());
    let law = TwoSidedGeometric::new(&epsilon("ln(101/100)"));
    let place = law.top.0;
    assert_eq!((law.low.len(), law.low[0].0), (1, 0));
    let power = |base: &Rational, n: u32| Pow::pow(base, n);
    let one = Rational::one();
    // P(u) of a digit: its weight over the sum of weights.
    let of_period =
        |ratio: &Rational, period: u32, u: u32| power(ratio, u) * (&one - ratio) / (&one - power(ratio, period));
    let top_ratio = power(&alpha, 1 << place);
    for z in -300i64..300 {
        let (sign, magnitude) = if z < 0 { (1, (-1 - z) as u32) } else { (0, z as u32) };
        let (low, high) = (magnitude % (1 << place), magnitude >> place);
        let high = power(&top_ratio, high) * (&one - &top_ratio);
        let drawn = of_period(&alpha, 2, sign) * of_period(&alpha, 1 << place, low) * high;
        assert_eq!(drawn, power(&alpha, z.unsigned_abs() as u32) * (&one - &alpha) / (&one + &alpha), "{z}");
    }
}

#[test]
fn beyond_the_listed_cells_the_draw_goes_on() {
    let law = TwoSidedGeometric::new(&epsilon("ln(2)"));
    let listed = law.top.1.last_cell();
    assert_eq!(listed, 24, "16/ln 2 = 23.08");
    let mut more = [u64::MAX - 1, 1u64 << 63, 7, 0].into_iter();
    // Twice beyond the last listed number, the second time on the bound 1/2: a word more tells that it is above.
    let bytes = [0, u64::MAX - 1].map(u64::to_le_bytes);
    assert_eq!(law.look(&bytes), (i64::from(listed), false));
    let noise = law.decide_with(&[0, u64::MAX - 1], &mut || more.next().unwrap());
    assert_eq!((noise, more.next()), (i128::from(2 * listed + 1), Some(0)));
    let mut more = [0u64].into_iter();
    assert_eq!(law.decide_with(&[u64::MAX, u64::MAX - 1], &mut || more.next().unwrap()), -1 - i128::from(listed));
}

#[test]
fn rows_that_words_decide_are_decided_alike_both_ways() {
    for decay in ["1", "1/5000", "1e-9"] {
        let law = TwoSidedGeometric::new(&epsilon(decay));
        let mut words = RandomKey::from_seed(11).words_from(0);
        for _ in 0..2_000 {
            let row: Vec<u64> = (0..law.words()).map(|_| words.next()).collect();
            let bytes: Vec<[u8; 8]> = row.iter().map(|word| word.to_le_bytes()).collect();
            let (noise, is_sure) = law.look(&bytes);
            assert!(is_sure, "{decay}");
            assert_eq!(i128::from(noise), law.decide_with(&row, &mut || unreachable!("sure")), "{decay}");
        }
    }
}

#[test]
fn noise_is_pinned() {
    // Changing these would change every seeded run. Computed independently, from the definitions of ChaCha12 and of the
    // bounds in decimals.
    assert_eq!(draws("1/2", 7, 8), PINNED_NARROW);
    assert_eq!(draws("1/100000", 7, 4), PINNED_WIDE);
}

const PINNED_NARROW: [i128; 8] = [-6, 1, -3, 2, -2, 0, -2, 3];
const PINNED_WIDE: [i128; 4] = [-252962, -120338, -84077, -61028];

/// The sampler of Canonne, Kamath and Steinke (2020), section 5: coins only. Independent of all that is tested here but
/// for the random words.
struct Coins(Words);

impl Coins {
    fn below(&mut self, bound: u64) -> u64 {
        loop {
            let word = self.0.next();
            if word < u64::MAX - u64::MAX % bound {
                return word % bound;
            }
        }
    }

    /// Bernoulli(e^(−n/d)) for n ≤ d: the first k at which Bernoulli(n/(d·k)) fails is odd.
    fn exp(&mut self, n: u64, d: u64) -> bool {
        let mut k = 1;
        while self.below(d * k) < n {
            k += 1;
        }
        k % 2 == 1
    }

    /// P(z) ∝ e^(−|z|·s/t).
    fn laplace(&mut self, s: u64, t: u64) -> i128 {
        loop {
            let u = self.below(t);
            if !self.exp(u, t) {
                continue;
            }
            let mut v = 0;
            while self.exp(1, 1) {
                v += 1;
            }
            let magnitude = i128::from((u + t * v) / s);
            match (self.below(2) == 1, magnitude) {
                (true, 0) => {}
                (true, _) => return -magnitude,
                (false, _) => return magnitude,
            }
        }
    }
}

#[test]
fn an_independent_sampler_agrees() {
    for (seed, (s, t, width, cells)) in [(1, 1, 1, 7), (2, 5, 1, 17), (1, 40, 10, 15)].into_iter().enumerate() {
        let mut coins = Coins(RandomKey::from_seed(100 + seed as u64).words_from(0));
        let theirs: Vec<i128> = (0..50_000).map(|_| coins.laplace(s, t)).collect();
        let ours = draws(&format!("{s}/{t}"), 200 + seed as u64, 50_000);
        let alpha = (-(s as f64) / t as f64).exp();
        for noise in [&ours, &theirs] {
            let (statistic, limit) = chi_square(noise, alpha, width, cells);
            assert!(statistic < limit, "{s}/{t}: {statistic} of {limit}");
        }
        // Side by side: the difference of two counts over their sum is a chi-square too.
        let counts = |noise: &[i128]| {
            let mut counts = vec![0.0f64; 2 * cells as usize + 2];
            noise
                .iter()
                .for_each(|z| counts[(z.div_euclid(width).clamp(-cells - 1, cells) + cells + 1) as usize] += 1.0);
            counts
        };
        let pairs = counts(&ours).into_iter().zip(counts(&theirs));
        let statistic: f64 = pairs.map(|(a, b)| (a - b).powi(2) / (a + b).max(1.0)).sum();
        let freedom = (2 * cells + 1) as f64;
        assert!(statistic < freedom + 2.0 * (freedom * 13.8).sqrt() + 27.7, "{s}/{t}: {statistic}");
    }
}

#[test]
fn a_wrong_law_is_noticed() {
    // The chi-square tells 1 % in the decay from none at these sizes, so that it passing says something.
    let noise = draws("101/1000", 1, 200_000);
    let (statistic, limit) = chi_square(&noise, (-0.1f64).exp(), 3, 20);
    let (right, _) = chi_square(&noise, (-0.101f64).exp(), 3, 20);
    assert!(right < limit && statistic > right + 10.0, "{statistic} {right}");
    let noise = draws("105/1000", 1, 200_000);
    assert!(chi_square(&noise, (-0.1f64).exp(), 3, 20).0 > limit);
}
