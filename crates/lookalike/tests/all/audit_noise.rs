//! Attacks on certified noise: nothing is found at the exact ε, and the textbook's float noise falls to the same attack.
//!
//! Bounds hold with probability 1 − 10⁻⁶ each; seeds are fixed. A claim here is the exact ε of the pair, with nothing to
//! spare, so that a sampler that were off by little would be noticed.

use crate::gallery;

use lookalike::audit::{Audit, Family, Options, Output, Pair, Source, audit, draws};
use lookalike::certify::certify;
use lookalike::design::exponential;
use lookalike::exact::{Rational, parse_rational};
use lookalike::model::{Categories, Movement, Noise, NoisyMax, SecretGraph};
use lookalike::sample::{NoiseSampler, NoisyMaxSampler, RandomKey, Rehearsal};

const DRAWS: u64 = 200_000;

fn noise(epsilon: &str, sensitivity: &str, exponent: i32) -> Noise {
    Noise::for_epsilon(epsilon.parse().unwrap(), parse_rational(sensitivity).unwrap(), exponent).unwrap()
}

fn options(draws: u64) -> Options<'static> {
    Options { draws, confidence: 1.0 - 1e-6, ..Options::default() }
}

fn alike(secrets: [u32; 2], claimed: f64) -> Pair {
    Pair { secrets, claimed: Some(claimed) }
}

/// Nothing against any claim, and at least this share of the worst one proved.
fn assert_honest(words: &str, audit: &Audit, share: f64) {
    let worst = audit.worst();
    println!("{words}: at least {:.4} of {:.4}; {}", worst.bound, worst.claimed.unwrap(), worst.event);
    assert!(audit.tests.iter().all(|test| !test.is_evidence()), "{words}: {audit:?}");
    assert!(worst.bound > share * worst.claimed.unwrap(), "{words}: {audit:?}");
}

fn reals(noise: Noise, values: &[f64], seed: u64) -> impl Source<Output = f64> {
    let sampler = NoiseSampler::new(&certify(noise).unwrap());
    draws(&[], move |run, first, secrets: &[u32], outputs: &mut [f64]| {
        let values: Vec<f64> = secrets.iter().map(|&secret| values[secret as usize]).collect();
        sampler.add_reals(&RandomKey::from_seed(2 * seed + run as u64), first, &values, outputs)
    })
}

fn whole(noise: Noise, values: &[i64], seed: u64) -> impl Source<Output = i64> {
    let sampler = NoiseSampler::new(&certify(noise).unwrap());
    draws(&[], move |run, first, secrets: &[u32], outputs: &mut [i64]| {
        let values: Vec<i64> = secrets.iter().map(|&secret| values[secret as usize]).collect();
        sampler.add(&RandomKey::from_seed(2 * seed + run as u64), first, &values, outputs)
    })
}

#[test]
fn low_bits_betray_float_noise_and_not_noise_on_a_grid() {
    // The textbook: 0 and 1 plus a float Laplace of scale 1, with 40,000 draws.
    let textbook = gallery::broken::float_laplace();
    let found = textbook.audit(1);
    assert!(found.worst().is_evidence() && found.worst().family == Family::LowBits, "{found:?}");
    // The same question on a grid of 2^-20, with five times as many draws: the low bits of the sum are looked at alone,
    // then everything is.
    let only_low_bits = Options { families: vec![Family::LowBits], ..options(DRAWS) };
    for (seed, values) in [[0.0, 1.0], [1.0 / 3.0, 4.0 / 3.0], [0.1, 0.3 - 0.2]].into_iter().enumerate() {
        let source = reals(noise("1", "1", -20), &values, seed as u64);
        let pairs = [alike([0, 1], 1.0)];
        let low = audit(&pairs, &source, &only_low_bits).unwrap();
        assert!(!low.tests.iter().any(|test| test.is_evidence()), "{values:?}: {low:?}");
        assert!(low.worst().bound < 0.1, "low bits tell nothing at all: {low:?}");
        let all = audit(&pairs, &source, &options(DRAWS)).unwrap();
        assert_honest(&format!("reals {values:?}"), &all, if seed == 2 { -1.0 } else { 0.9 });
    }
}

#[test]
fn reals_on_a_coarse_grid_keep_the_exact_claim_of_what_rounding_makes_of_them() {
    // 0.3 apart and two quarters after rounding: decay 1/2 a step, and the whole ε is used.
    let source = reals(noise("1", "0.3", -2), &[0.1, 0.4], 11);
    assert_honest("quarters", &audit(&[alike([0, 1], 1.0)], &source, &options(DRAWS)).unwrap(), 0.9);
    // 0 and 0.3 are one quarter apart: half of ε, exactly.
    let source = reals(noise("1", "0.3", -2), &[0.0, 0.3], 12);
    assert_honest("one step", &audit(&[alike([0, 1], 0.5)], &source, &options(DRAWS)).unwrap(), 0.85);
}

#[test]
fn whole_numbers_keep_their_exact_claim_at_the_tightest_neighbours() {
    for (seed, (epsilon, claimed, sensitivity, values)) in [
        ("ln(3)", 3f64.ln(), "1", [0, 1]),
        ("1/2", 0.5, "1", [1_000_000, 999_999]),
        ("2", 2.0, "3", [-1, 2]),
        ("1", 1.0, "5000", [0, 5_000]),
        ("1", 1.0, "100000000", [0, 100_000_000]),
    ]
    .into_iter()
    .enumerate()
    {
        let source = whole(noise(epsilon, sensitivity, 0), &values, 20 + seed as u64);
        let audit = audit(&[alike([0, 1], claimed)], &source, &options(DRAWS)).unwrap();
        assert_honest(&format!("whole numbers, epsilon {epsilon}, {values:?}"), &audit, 0.85);
    }
}

#[test]
fn a_sensitivity_that_is_too_small_is_found() {
    let source = whole(noise("1", "1", 0), &[0, 2], 31);
    assert!(audit(&[alike([0, 1], 1.0)], &source, &options(DRAWS)).unwrap().worst().is_evidence());
}

#[test]
fn clamped_values_are_no_further_apart_than_their_bounds() {
    let noise = noise("1", "10", 0).clamped(parse_rational("0").unwrap(), parse_rational("10").unwrap()).unwrap();
    let source = whole(noise, &[i64::MIN, i64::MAX, 5], 41);
    let pairs = [alike([0, 1], 1.0), alike([0, 2], 0.5), alike([2, 1], 0.5)];
    assert_honest("clamped", &audit(&pairs, &source, &options(DRAWS)).unwrap(), 0.8);
}

fn audited<O: Output>(pairs: &[Pair], source: &impl Source<Output = O>) -> Audit {
    audit(pairs, source, &options(120_000)).unwrap()
}

#[test]
fn noisy_max_keeps_its_claim() {
    for (seed, (movement, counts)) in [
        // The first count is behind, so that its noise must make up for the whole movement.
        (Movement::Together, [[5i64, 8, 0], [5, 7, 0]]),
        (Movement::Anyhow, [[5, 8, 0], [6, 7, 1]]),
    ]
    .into_iter()
    .enumerate()
    {
        let max = NoisyMax::for_epsilon("1".parse().unwrap(), 1, movement).unwrap();
        let sampler = NoisyMaxSampler::new(&certify(max).unwrap());
        let source = draws(&["0", "1", "2"], |run, first, secrets: &[u32], outputs: &mut [u32]| {
            for ((number, output), &secret) in (first..).zip(outputs).zip(secrets) {
                let key = RandomKey::from_seed(50 + 2 * seed as u64 + run as u64);
                *output = sampler.select(&key, 3 * number, &counts[secret as usize])? as u32;
            }
            Ok(())
        });
        assert_honest(&format!("noisy max, {movement:?}"), &audited(&[alike([0, 1], 1.0)], &source), 0.5);
    }
}

#[test]
fn the_exponential_mechanism_keeps_its_claim() {
    // One output against many: nearly all of ε is used.
    let (inputs, outputs) =
        (Categories::new(["a", "b"]).unwrap(), Categories::new((0..32).map(|y| y.to_string())).unwrap());
    let mut builder = SecretGraph::builder(inputs.names().clone());
    builder.complete(&"1".parse().unwrap());
    let score = |better: bool| Rational::from_integer(i64::from(better).into());
    let scores = [vec![score(false); 32], (0..32).map(|y| score(y == 7)).collect()];
    let one = score(true);
    let design =
        exponential(inputs, outputs.clone(), builder.build().unwrap(), &scores, &one, Movement::Together).unwrap();
    let rehearsal = Rehearsal::new(&certify(design.mechanism).unwrap());
    let labels: Vec<&str> = outputs.names().iter().collect();
    let source = draws(&labels, |run, first, secrets: &[u32], outputs: &mut [u32]| {
        rehearsal.draw(&RandomKey::from_seed(70 + run as u64), first, secrets, outputs)
    });
    assert_honest("exponential", &audited(&[alike([0, 1], 1.0)], &source), 0.5);
}
