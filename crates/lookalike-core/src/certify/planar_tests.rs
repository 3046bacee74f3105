//! Tests of [`super::certify`].

use super::*;
use crate::certify::certify;
use crate::exact::parse_rational;
use crate::model::Region;

fn region(latitude: &str) -> Region {
    let [latitude, longitude, half_width] = [latitude, "-180", "30000"].map(|text| parse_rational(text).unwrap());
    Region::new(latitude, longitude, half_width).unwrap()
}

#[test]
fn a_claim_holds_to_the_last_bit() {
    for latitude in ["0", "45", "-80"] {
        let noise = PlanarNoise::for_epsilon("ln(4)/200".parse().unwrap(), region(latitude), -3).unwrap();
        let certified = certify(noise.clone()).unwrap();
        assert_eq!(certified.certificate().achieved(), Some(noise.epsilon()));
        // The same noise with a claim that is smaller by one part in 10^30.
        let less = Rational::new((10u64.pow(18) - 1).into(), 10u64.pow(18).into());
        let claim = noise.epsilon().scale(&less).unwrap();
        let smaller = PlanarNoise::new(claim, noise.decay().clone(), noise.region().clone(), -3).unwrap();
        let text = certify(smaller).unwrap_err().to_string();
        assert!(text.contains("exceeds epsilon"), "{text}");
    }
}

#[test]
fn a_decay_without_the_stretch_is_refused() {
    let region = region("60");
    assert!(*region.stretch() > parse_rational("1.00001").unwrap());
    let [epsilon, decay] = ["1/100", "1/800"].map(|text| text.parse().unwrap());
    assert!(certify(PlanarNoise::new(epsilon, decay, region, -3).unwrap()).is_err());
}

/// The law of all points within so many steps, not divided by its sum.
fn weight(decay: f64, z: [i64; 2]) -> f64 {
    (-decay * ((z[0] * z[0] + z[1] * z[1]) as f64).sqrt()).exp()
}

#[test]
fn brute_force_over_the_grid_reaches_the_bound_and_never_exceeds_it() {
    let (decay, reach) = (0.25, 60);
    for [dx, dy] in [[1, 0], [1, 1], [3, 2], [0, 5]] {
        let distance = ((dx * dx + dy * dy) as f64).sqrt();
        let points = (-reach..=reach).flat_map(|x| (-reach..=reach).map(move |y| [x, y]));
        let largest = points.map(|[x, y]| (weight(decay, [x, y]) / weight(decay, [x - dx, y - dy])).ln());
        let largest = largest.fold(0.0, f64::max);
        assert!(largest <= decay * distance * (1.0 + 1e-12), "never more than the decay of the distance");
        assert!(largest >= decay * distance * 0.99, "and at the place itself as much");
    }
}

#[test]
fn noise_on_each_coordinate_by_itself_costs_more() {
    // P(z) ∝ e^(−decay·(|x| + |y|)): along the diagonal it gives away √2 times as much for each step.
    let (decay, by) = (0.25, 3i64);
    let weight = |[x, y]: [i64; 2]| (-decay * (x.abs() + y.abs()) as f64).exp();
    let points = (-20..=20).flat_map(|x| (-20..=20).map(move |y| [x, y]));
    let largest = points.map(|[x, y]| (weight([x, y]) / weight([x - by, y - by])).ln()).fold(0.0, f64::max);
    let distance = (2.0 * (by * by) as f64).sqrt();
    assert!((largest / (decay * distance) - 2f64.sqrt()).abs() < 1e-12, "{largest}");
}

#[test]
fn a_finite_grid_would_cost_more() {
    // The trap: with the law cut off and divided by its own sum, the sum depends on the place. 5 × 5, ε = 1: 1.321 a unit.
    let points: Vec<[i64; 2]> = (0..25).map(|at| [at % 5, at / 5]).collect();
    let row = |x: &[i64; 2]| {
        let weights: Vec<f64> = points.iter().map(|z| weight(1.0, [z[0] - x[0], z[1] - x[1]])).collect();
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(move |weight| weight / sum).collect::<Vec<_>>()
    };
    let mut worst = 0.0f64;
    for a in &points {
        for b in points.iter().filter(|b| *b != a) {
            let distance = weight(-1.0, [a[0] - b[0], a[1] - b[1]]).ln();
            let loss = row(a).iter().zip(row(b)).map(|(p, q)| (p / q).ln()).fold(0.0, f64::max);
            worst = worst.max(loss / distance);
        }
    }
    assert!((worst - 1.321).abs() < 5e-4, "{worst}");
}
