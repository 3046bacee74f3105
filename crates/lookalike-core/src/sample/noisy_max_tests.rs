//! Tests of [`super::NoisyMaxSampler`], and brute force over the law behind it.

use super::*;
use crate::certify::certify;
use crate::model::Movement;

/// Noise of α = 1/2 cut to −FAR..=FAR, in weights out of the weight of all.
const FAR: i64 = 14;

fn weight(z: i64) -> u128 {
    1 << (FAR - z.abs())
}

/// For each count the weight of noise with which it is reported, enumerated; and the weight of all noise within ±FAR.
fn law(counts: &[i64]) -> (Vec<u128>, u128) {
    let mut law = vec![0; counts.len()];
    let mut noise = vec![-FAR; counts.len()];
    loop {
        let sums: Vec<i64> = counts.iter().zip(&noise).map(|(count, z)| count + z).collect();
        law[first_largest(&sums.iter().map(|&sum| sum.into()).collect::<Vec<i128>>()).unwrap()] +=
            noise.iter().map(|&z| weight(z)).product::<u128>();
        match noise.iter().position(|&z| z < FAR) {
            None => break,
            Some(place) => {
                noise[place] += 1;
                noise[..place].fill(-FAR);
            }
        }
    }
    let all = law.iter().sum();
    (law, all)
}

/// All vectors near `counts` that are neighbours with Δ = 1.
fn neighbours(counts: &[i64], moves: Movement) -> Vec<Vec<i64>> {
    let steps: &[std::ops::RangeInclusive<i64>] = if moves == Movement::Anyhow { &[-1..=1] } else { &[0..=1, -1..=0] };
    let all = steps.iter().flat_map(|range| {
        (0..range.clone().count().pow(counts.len() as u32)).map(move |mut code| {
            counts
                .iter()
                .map(|count| {
                    let digit = code % range.clone().count();
                    code /= range.clone().count();
                    count + range.start() + digit as i64
                })
                .collect()
        })
    });
    all.collect()
}

#[test]
fn no_neighbour_is_further_than_the_proof_allows_and_some_come_near() {
    // e^decay = 2, so that the claim is P(i) ≤ 2^steps·P'(i). The noise beyond ±14 has a share of 2·2^-15/1.5 a count, or
    // less than 2^-12 with three: that much may be added to any enumerated probability.
    for (moves, most) in [(Movement::Together, 2.0), (Movement::Anyhow, 4.0)] {
        let mut largest = 0.0f64;
        for counts in [vec![0, 0], vec![0, 1], vec![5, 0], vec![0, 6], vec![0, 0, 0], vec![3, 0, 1], vec![0, 2, 4]] {
            let (ours, all) = law(&counts);
            for other in neighbours(&counts, moves) {
                let (theirs, _) = law(&other);
                for (p, q) in ours.iter().zip(&theirs) {
                    let [p, q] = [*p, *q].map(|weight| weight as f64 / all as f64);
                    let missing = 1.0 / 4096.0;
                    assert!(p * (1.0 - missing) <= most * (q + missing), "{counts:?} {other:?}: {p} {q}");
                    if q > 0.01 {
                        largest = largest.max(p / q);
                    }
                }
            }
        }
        // The factor is nearly reached: half of the noise would not do.
        assert!(largest > 0.97 * most, "{moves:?}: {largest} of {most}");
    }
}

#[test]
fn draws_follow_the_enumerated_law() {
    let max = NoisyMax::for_epsilon("ln(2)".parse().unwrap(), 1, Movement::Together).unwrap();
    let sampler = NoisyMaxSampler::new(&certify(max).unwrap());
    let counts = [4, 5, 5];
    let (law, all) = law(&counts);
    let mut seen = [0u32; 3];
    for question in 0..30_000 {
        seen[sampler.select(&RandomKey::from_seed(5), 3 * question, &counts).unwrap()] += 1;
    }
    for (place, weight) in law.iter().enumerate() {
        let expected = *weight as f64 / all as f64;
        // Five standard errors and the share that was cut off; the tie goes to the earlier of the two fives.
        let off = (f64::from(seen[place]) / 30_000.0 - expected).abs();
        assert!(off < 5.0 * (0.25f64 / 30_000.0).sqrt() + 1.0 / 4096.0, "{place}: {seen:?}");
    }
    assert!(law[1] > law[2]);
}

#[test]
fn ends_and_empty_lists_are_handled() {
    let max = NoisyMax::for_epsilon("1".parse().unwrap(), 1, Movement::Anyhow).unwrap();
    let sampler = NoisyMaxSampler::new(&certify(max).unwrap());
    let key = RandomKey::from_seed(1);
    assert_eq!(sampler.select(&key, 0, &[]).unwrap_err().to_string(), "no counts, expected at least one");
    assert_eq!(sampler.select(&key, 0, &[i64::MIN]).unwrap(), 0);
    assert_eq!(sampler.select(&key, 0, &[i64::MIN, i64::MAX, 0]).unwrap(), 1);
    assert_eq!(sampler.select(&key, 1 << 63, &[1]).unwrap_err().to_string(), "more than 2^63 rows");
    assert_eq!(first_largest(&[1, 3, 3, 2]), Some(1));
}

/// Counts that are all shifted alike choose alike: no bound is felt, however near it is. At a common bound sums would
/// become equal that are not, and the first of them would be taken.
#[test]
fn choices_do_not_feel_the_ends_of_the_range() {
    let max = NoisyMax::for_epsilon("1".parse().unwrap(), 1, Movement::Together).unwrap();
    let sampler = NoisyMaxSampler::new(&certify(max).unwrap());
    for row in 0..2_000 {
        let key = RandomKey::from_seed(row);
        let expected = sampler.select(&key, 0, &[-1, -1, -1, -1, 0]).unwrap();
        for top in [i64::MAX, i64::MIN + 1, 77i64] {
            assert_eq!(sampler.select(&key, 0, &[top - 1, top - 1, top - 1, top - 1, top]).unwrap(), expected);
        }
    }
}
