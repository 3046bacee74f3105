//! Privatize through every oracle, read the shares back, compare with the truth.
//!
//! Seeds are fixed. With intervals that cover with probability 0.95 exactly, 300 repetitions fall below 0.91 with probability
//! below 0.2 % a figure, and 2,000 below 0.93 with less than 0.01 %; limits that are proved cover a little more often.
//! `make soak` sets LOOKALIKE_REPETITIONS=2000.

use lookalike::certify::certify;
use lookalike::estimate::{Confidence, SupportEstimator, SupportTally};
use lookalike::local::{Protocol, oracle};
use lookalike::model::Categories;
use lookalike::sample::{OracleSampler, RandomKey};

const REPORTS: usize = 1_000;
/// Shares in the population: one that is common, some that are not, and ten that never occur.
const SHARES: [f64; 6] = [0.5, 0.25, 0.125, 0.0625, 0.03125, 0.03125];
const CATEGORIES: u32 = 16;

fn repetitions() -> u64 {
    std::env::var("LOOKALIKE_REPETITIONS").map_or(300, |text| text.parse().expect("a number of repetitions"))
}

/// The least coverage that passes.
fn allowed() -> f64 {
    if repetitions() >= 2_000 { 0.93 } else { 0.91 }
}

/// Values drawn from the shares, which are halves of halves: the zeros in front of a word say which (SplitMix64).
fn values(repetition: u64) -> Vec<u32> {
    let word = |at: u64| {
        let mut z = (repetition * REPORTS as u64 + at + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    (0..REPORTS as u64).map(|at| word(at).leading_zeros().min(5)).collect()
}

#[test]
fn every_oracle_is_unbiased_and_its_intervals_cover() {
    let categories = Categories::new((0..CATEGORIES).map(|x| format!("c{x}"))).unwrap();
    let truth: Vec<f64> = (0..CATEGORIES as usize).map(|x| SHARES.get(x).copied().unwrap_or(0.0)).collect();
    for (number, protocol) in (0..).zip(Protocol::ALL) {
        let made = oracle(protocol, categories.clone(), "3/2".parse().unwrap()).unwrap();
        let certified = certify(made).unwrap();
        let (sampler, estimator) = (OracleSampler::new(&certified), SupportEstimator::new(certified.mechanism()));
        let predicted = estimator.predict(REPORTS as u64, Some(&truth), Confidence::default()).unwrap();
        let (mut sums, mut squares, mut widths, mut covered) = ([0.0; 16], [0.0; 16], [0.0; 16], [0u64; 16]);
        for repetition in 0..repetitions() {
            let key = RandomKey::from_seed(repetition << 8 | number);
            let reports = sampler.privatize(&key, 0, &values(repetition)).unwrap();
            let mut tally = SupportTally::new(certified.mechanism());
            tally.add(&reports).unwrap();
            let estimate = estimator.estimate(&tally.counts(), tally.reports(), 0, Confidence::default()).unwrap();
            for (x, figure) in estimate.histogram.iter().enumerate() {
                let off = figure.unbiased.unwrap() - truth[x];
                sums[x] += off;
                squares[x] += off * off;
                widths[x] += figure.width();
                covered[x] += u64::from(figure.lower <= truth[x] && truth[x] <= figure.upper);
            }
        }
        let count = repetitions() as f64;
        let mut expected = 0.0;
        for x in 0..truth.len() {
            let variance = estimator.variance(truth[x]) + truth[x] * (1.0 - truth[x]);
            let deviation = (variance / REPORTS as f64).sqrt();
            expected += deviation * deviation;
            // Five standard errors of a mean in 96 cells: a false alarm in about 18,000 seeds.
            let off = sums[x] / count / (deviation / count.sqrt());
            assert!(off.abs() < 5.0, "{protocol} {x}: the mean is {off} standard errors off");
            let share = covered[x] as f64 / count;
            assert!(share >= allowed(), "{protocol} {x}: covered in {share}");
            // At a share of 0 the interval is cut, at other places by chance.
            let ratio = widths[x] / count / predicted.histogram[x].width;
            assert!((ratio - 1.0).abs() < 0.15, "{protocol} {x}: {ratio} of the width that was predicted");
            assert!(truth[x] < 3.0 * deviation || ratio * predicted.histogram[x].width < 2.0 * 1.96 * 1.1 * deviation);
        }
        let ratio = (squares.iter().sum::<f64>() / count / expected).sqrt();
        let tolerance = if repetitions() >= 2_000 { 0.05 } else { 0.12 };
        assert!((ratio - 1.0).abs() < tolerance, "{protocol}: error {ratio} of what was predicted");
    }
}
