//! Attacks on noise on places: nothing is found, and a version whose plane is centred at the private place falls at once.
//!
//! Bounds hold with probability 1 − 10⁻⁶ each; seeds are fixed. A claim here is the exact ε of the pair.

use lookalike::audit::{Options, Pair, Text, audit, draws};
use lookalike::certify::certify;
use lookalike::exact::{Rational, parse_rational};
use lookalike::model::{PlanarNoise, Region};
use lookalike::sample::{PlaceRows, PlanarSampler, RandomKey, ReleasePlaces};

const DRAWS: u64 = 100_000;

fn sampler(latitude: f64, longitude: f64, epsilon: &str, exponent: i32) -> PlanarSampler {
    let [latitude, longitude] = [latitude, longitude].map(|degrees| Rational::from_float(degrees).unwrap());
    let region = Region::new(latitude, longitude, parse_rational("20000").unwrap()).unwrap();
    let noise = PlanarNoise::for_epsilon(epsilon.parse().unwrap(), region, exponent).unwrap();
    PlanarSampler::new(&certify(noise).unwrap())
}

/// What would be written to a file, longitude first.
fn release(sampler: &PlanarSampler, key: &RandomKey, row: u64, [latitude, longitude]: [f64; 2]) -> Text {
    let (mut a, mut b) = ([0.0], [0.0]);
    let place = PlaceRows { key, first_row: row, latitudes: &[latitude], longitudes: &[longitude] };
    sampler.release(&place, [&mut a, &mut b]).unwrap();
    Text::new(&format!("{},{}", b[0], a[0]))
}

fn options() -> Options<'static> {
    Options { draws: DRAWS, confidence: 1.0 - 1e-6, ..Options::default() }
}

#[test]
fn nothing_is_found_and_most_of_the_claim_is_proved() {
    // Grid points 16 steps of 1/16 metre apart at ε = 1 a metre, along both axes: the exact ε is at most 1.
    let sampler = sampler(45.07, 7.69, "1", -4);
    for (seed, apart) in [(1, [1.0, 0.0]), (2, [0.0, 1.0])] {
        let places = [[0.0, 0.0], apart].map(|point| sampler.plane().place(point));
        let source = draws(&[], |run, first, secrets: &[u32], outputs: &mut [Text]| {
            let key = RandomKey::from_seed(2 * seed + run as u64);
            for ((row, output), &secret) in (first..).zip(outputs).zip(secrets) {
                *output = release(&sampler, &key, row, places[secret as usize]);
            }
            Ok(())
        });
        let found = audit(&[Pair { secrets: [0, 1], claimed: Some(1.0) }], &source, &options()).unwrap();
        assert!(found.tests.iter().all(|test| !test.is_evidence()), "{found:?}");
        // To the east the number that comes first shows it; of the law of one coordinate alone ε is smaller.
        assert!(seed == 2 || found.worst().bound > 0.5, "{found:?}");
    }
}

#[test]
fn a_plane_about_the_private_place_gives_it_away() {
    // The usual mistake: metres to degrees with the cosine of the private latitude, noise on a grid about the place itself.
    // Half a metre apart, at ε = 1 a metre on a grid of a metre: what rounding can add is part of the claim.
    let centre = sampler(45.07, 7.69, "1", 0);
    let places = [[0.0, 0.0], [0.4, 0.3]].map(|point| centre.plane().place(point));
    let claimed = 0.5 + 1.4143;
    let own = places.map(|[latitude, longitude]| sampler(latitude, longitude, "1", 0));
    for (is_private, samplers) in [(true, [&centre, &centre]), (false, [&own[0], &own[1]])] {
        let source = draws(&[], |run, first, secrets: &[u32], outputs: &mut [Text]| {
            let key = RandomKey::from_seed(6 + run as u64);
            for ((row, output), &secret) in (first..).zip(outputs).zip(secrets) {
                *output = release(samplers[secret as usize], &key, row, places[secret as usize]);
            }
            Ok(())
        });
        let found = audit(&[Pair { secrets: [0, 1], claimed: Some(claimed) }], &source, &options()).unwrap();
        let is_found = found.tests.iter().any(|test| test.is_evidence());
        assert_eq!(is_found, !is_private, "{found:?}");
        assert!(is_private || found.worst().bound > 4.0, "half a metre is given away: {found:?}");
    }
}
