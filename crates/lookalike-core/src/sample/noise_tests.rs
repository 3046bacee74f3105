//! Tests of [`super::NoiseSampler`].

use super::*;
use crate::certify::certify;
use crate::exact::parse_rational;

fn noise(epsilon: &str, sensitivity: &str, exponent: i32) -> Noise {
    Noise::for_epsilon(epsilon.parse().unwrap(), parse_rational(sensitivity).unwrap(), exponent).unwrap()
}

fn sampler(noise: Noise) -> NoiseSampler {
    NoiseSampler::new(&certify(noise).unwrap())
}

fn clamped(noise: Noise, lower: &str, upper: &str) -> NoiseSampler {
    sampler(noise.clamped(parse_rational(lower).unwrap(), parse_rational(upper).unwrap()).unwrap())
}

fn added(sampler: &NoiseSampler, first_row: u64, values: &[i64]) -> Vec<i64> {
    let mut outputs = vec![0; values.len()];
    sampler.add(&RandomKey::from_seed(3), first_row, values, &mut outputs).unwrap();
    outputs
}

fn added_to_reals(sampler: &NoiseSampler, first_row: u64, values: &[f64]) -> Vec<f64> {
    let mut outputs = vec![0.0; values.len()];
    sampler.add_reals(&RandomKey::from_seed(3), first_row, values, &mut outputs).unwrap();
    outputs
}

#[test]
fn results_depend_on_no_batch_and_no_thread() {
    for epsilon in ["1", "1/100000"] {
        let sampler = sampler(noise(epsilon, "1", 0));
        let values: Vec<i64> = (0..40_000).collect();
        let all = added(&sampler, 1_000, &values);
        for cut in [1, 255, 16_383, 16_385, 39_999] {
            let (head, tail) = values.split_at(cut);
            let parts = [added(&sampler, 1_000, head), added(&sampler, 1_000 + cut as u64, tail)].concat();
            assert!(parts == all, "cut at {cut}");
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        assert!(pool.install(|| added(&sampler, 1_000, &values)) == all);
    }
}

#[test]
fn the_noise_of_a_row_does_not_look_at_its_value() {
    let sampler = sampler(noise("1/3", "1", 0));
    let zeros = added(&sampler, 0, &[0; 1_000]);
    let values: Vec<i64> = (0..1_000).map(|i| i * 7 - 300).collect();
    let expected: Vec<i64> = zeros.iter().zip(&values).map(|(z, value)| z + value).collect();
    assert_eq!(added(&sampler, 0, &values), expected);
    // Whole numbers and reals on the grid of 1 are the same thing.
    let reals: Vec<f64> = values.iter().map(|&value| value as f64 + 0.25).collect();
    assert_eq!(added_to_reals(&sampler, 0, &reals), expected.iter().map(|&sum| sum as f64).collect::<Vec<_>>());
}

#[test]
fn sums_are_cut_off_at_the_ends_and_never_wrap() {
    let sampler = sampler(noise("1/100000000", "1", 0));
    for (end, sign) in [(i64::MAX, -1), (i64::MIN, 1)] {
        let released = added(&sampler, 0, &[end; 1_000]);
        assert!(released.iter().all(|&sum| (sum < 0) == (end < 0)), "no sum comes out at the other end");
        let inward = released.iter().filter(|&&sum| sum != end).count();
        assert!((400..600).contains(&inward), "half of the noise goes {sign}: {inward}");
    }
    let ends = added_to_reals(&sampler, 0, &[f64::MAX; 1_000]);
    assert!(ends.iter().all(|&sum| sum <= (1u64 << 53) as f64 && sum > 8e15));
    assert!(ends.contains(&9007199254740992.0));
}

#[test]
fn values_are_clamped_before_anything_else() {
    let whole = clamped(noise("1", "10", 0), "-1.5", "8.5");
    let bounds = [added(&whole, 0, &[-1; 50]), added(&whole, 0, &[9; 50])];
    assert_eq!([added(&whole, 0, &[i64::MIN; 50]), added(&whole, 0, &[i64::MAX; 50])], bounds);
    let shares = clamped(noise("1", "1", -4), "0", "1");
    let bounds = [added_to_reals(&shares, 0, &[0.0; 50]), added_to_reals(&shares, 0, &[1.0; 50])];
    assert_eq!([added_to_reals(&shares, 0, &[-1e300; 50]), added_to_reals(&shares, 0, &[f64::MAX; 50])], bounds);
}

#[test]
fn reals_that_round_to_one_point_are_released_alike() {
    let sampler = sampler(noise("1", "1", -3));
    let [a, b] = [0.1f64, 0.1f64.next_up()].map(|value| added_to_reals(&sampler, 0, &[value; 1_000]));
    assert_eq!(a, b);
    assert!(a.iter().all(|real| (real * 8.0).fract() == 0.0));
    assert_eq!(added_to_reals(&sampler, 0, &[0.125; 1_000]), a, "0.1 is nearest to 1/8");
}

#[test]
fn what_is_no_number_is_named_by_its_row_alone() {
    let sampler = sampler(noise("1", "1", -3));
    for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut outputs = [0.0; 3];
        let error = sampler.add_reals(&RandomKey::from_seed(1), 10, &[0.5, wrong, wrong], &mut outputs).unwrap_err();
        assert_eq!((error.to_string().as_str(), outputs), ("row 12: not a finite number, expected one", [0.0; 3]));
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let key = RandomKey::from_seed(1);
    let text = |result: Result<()>| result.unwrap_err().to_string();
    let whole = sampler(noise("1", "1", 0));
    assert_eq!(text(whole.add(&key, 0, &[1, 2], &mut [0])), "2 values and 1 outputs, expected equally many");
    assert_eq!(text(whole.add(&key, 1 << 63, &[1], &mut [0])), "more than 2^63 rows");
    assert!(whole.add(&key, (1 << 63) - 1, &[1], &mut [0]).is_ok());
    let quarters = sampler(noise("1", "1", -2));
    assert_eq!(
        text(quarters.add(&key, 0, &[1], &mut [0])),
        "whole numbers and a grid of 2^-2, expected a grid of 1 or real numbers"
    );
}

#[test]
fn intervals_cover_as_often_as_they_say() {
    // 100,000 draws at 95 %: P(|Z| ≤ m) is at least 0.95, and at m − 1 it is less; six standard errors.
    for epsilon in ["1", "1/7", "1/5000"] {
        let noise = noise(epsilon, "1", 0);
        let m = noise.interval(&parse_rational("0.95").unwrap()).unwrap();
        let released = added(&sampler(noise), 0, &vec![0; 100_000]);
        let within = |m: u64| released.iter().filter(|z| z.unsigned_abs() <= m).count() as f64 / 1e5;
        let room = 6.0 * (0.95f64 * 0.05 / 1e5).sqrt();
        assert!(within(m) > 0.95 - room && within(m - 1) < 0.95 + room, "{epsilon}: {m} {}", within(m));
    }
}
