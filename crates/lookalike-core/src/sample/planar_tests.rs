//! Tests of [`super::PlanarSampler`]: the law as it is on the ground.

use super::*;
use crate::certify::certify;
use crate::exact::parse_rational;
use crate::model::Region;
use crate::sample::grid::{from_steps, to_steps};
use geographiclib_rs::{Geodesic, InverseGeodesic};

fn sampler(latitude: &str, longitude: &str, epsilon: &str, exponent: i32) -> PlanarSampler {
    let [latitude, longitude, half_width] = [latitude, longitude, "50000"].map(|text| parse_rational(text).unwrap());
    let region = Region::new(latitude, longitude, half_width).unwrap();
    let noise = PlanarNoise::for_epsilon(epsilon.parse().unwrap(), region, exponent).unwrap();
    PlanarSampler::new(&certify(noise).unwrap())
}

fn released(sampler: &PlanarSampler, first_row: u64, latitudes: &[f64], longitudes: &[f64]) -> Vec<[f64; 2]> {
    let (mut a, mut b) = (vec![0.0; latitudes.len()], vec![0.0; latitudes.len()]);
    let rows = PlaceRows { key: &RandomKey::from_seed(11), first_row, latitudes, longitudes };
    sampler.release(&rows, [&mut a, &mut b]).unwrap();
    a.into_iter().zip(b).map(|(a, b)| [a, b]).collect()
}

fn error(sampler: &PlanarSampler, places: &[[f64; 2]]) -> String {
    let columns = [0, 1].map(|axis| places.iter().map(|place| place[axis]).collect::<Vec<_>>());
    let (mut a, mut b) = (vec![7.5; places.len()], vec![7.5; places.len()]);
    let key = &RandomKey::from_seed(1);
    let rows = PlaceRows { key, first_row: 10, latitudes: &columns[0], longitudes: &columns[1] };
    let error = sampler.release(&rows, [&mut a, &mut b]).unwrap_err();
    assert!(a.iter().chain(&b).all(|released| *released == 7.5), "nothing is written");
    error.to_string()
}

#[test]
fn the_spread_on_the_ground_is_that_of_the_law_at_any_latitude() {
    // 100,000 draws at ε = 1/100 a metre. Of the continuous law: variance 3/ε² to the north and to the east, kurtosis 5, so
    // a standard error of 0.63 %; mean radius 2/ε with 0.22 %; quantiles with less than 0.5 %. Six of them each, and 0.1 %
    // for the grid and the projection: less than one false alarm in 10^6 runs.
    let count = 100_000;
    for (latitude, longitude) in [("0", "10"), ("45", "7.5"), ("-45", "179.999"), ("80", "-30"), ("-80", "0.5")] {
        let sampler = sampler(latitude, longitude, "1/100", -2);
        // A place away from the origin and, near the date line, beyond it.
        let place = sampler.plane().place([2_300.0, -1_700.0]);
        let places = released(&sampler, 0, &vec![place[0]; count], &vec![place[1]; count]);
        let (mut north, mut east, mut radii) = (0.0, 0.0, Vec::new());
        for [latitude, longitude] in places {
            let (metres, azimuth, _, _): (f64, f64, f64, f64) =
                Geodesic::wgs84().inverse(place[0], place[1], latitude, longitude);
            north += (metres * azimuth.to_radians().cos()).powi(2);
            east += (metres * azimuth.to_radians().sin()).powi(2);
            radii.push(metres);
        }
        for (direction, sum) in [("north", north), ("east", east)] {
            let ratio = sum / count as f64 / 3e4;
            assert!((ratio - 1.0).abs() < 6.0 * 0.0063 + 0.001, "latitude {latitude}, {direction}: {ratio}");
        }
        let mean = radii.iter().sum::<f64>() / count as f64;
        assert!((mean / 200.0 - 1.0).abs() < 6.0 * 0.0022 + 0.001, "latitude {latitude}: mean {mean}");
        radii.sort_by(f64::total_cmp);
        for (share, expected) in [(0.5, 167.83), (0.95, 474.39), (0.99, 663.84)] {
            let quantile = radii[(share * count as f64) as usize];
            assert!((quantile / expected - 1.0).abs() < 6.0 * 0.005, "latitude {latitude}: {share}: {quantile}");
        }
    }
}

#[test]
fn places_a_metre_apart_are_released_on_one_grid() {
    // Grid, plane and border are public: every release is a point of the one grid, to the last bit, from wherever it came.
    let sampler = sampler("45", "7.5", "1/100", 1);
    let here = sampler.plane().place([812.3, 400.9]);
    let places: Vec<[f64; 2]> = (0..40).map(|k| sampler.plane().place([812.3 + f64::from(k), 400.9])).collect();
    for place in places.iter().chain([&here]) {
        for out in released(&sampler, 0, &[place[0]; 2_000], &[place[1]; 2_000]) {
            let point = sampler.plane().point(out[0], out[1]).unwrap();
            let steps = point.map(|metres| to_steps(metres, 1));
            let again = sampler.plane().place(steps.map(|steps| from_steps(steps, 2.0)));
            assert_eq!(again, out, "a release is the place of a grid point and nothing else");
        }
    }
    // Places in one cell of the grid are released alike, whatever their last digits.
    let [a, b] = [[812.3, 400.9], [812.9, 400.2]].map(|point| sampler.plane().place(point));
    let [a, b] = [a, b].map(|place| released(&sampler, 0, &[place[0]; 500], &[place[1]; 500]));
    assert!(a == b);
}

#[test]
fn what_falls_outside_is_brought_to_the_border() {
    let sampler = sampler("45", "7.5", "1/100000", 3);
    let places = released(&sampler, 0, &[45.0; 5_000], &[7.5; 5_000]);
    let points: Vec<[f64; 2]> = places.iter().map(|[a, b]| sampler.plane().point(*a, *b).unwrap()).collect();
    let at_border = points.iter().filter(|point| point.iter().any(|metres| metres.abs() > 49_999.0)).count();
    assert!(at_border > 3_000, "noise of 200 km in a region of 50 km: {at_border}");
    let inside = points.iter().filter(|point| point.iter().all(|metres| metres.abs() < 49_990.0)).count();
    assert!(inside > 100, "and yet some inside: {inside}");
}

#[test]
fn results_depend_on_no_batch_and_no_thread() {
    let sampler = sampler("-33.9", "151.2", "ln(4)/200", -3);
    let latitudes: Vec<f64> = (0..40_000).map(|i| -33.9 + f64::from(i) * 1e-6).collect();
    let longitudes: Vec<f64> = (0..40_000).map(|i| 151.2 - f64::from(i) * 1e-6).collect();
    let all = released(&sampler, 5, &latitudes, &longitudes);
    for cut in [1, 16_384, 39_999] {
        let head = released(&sampler, 5, &latitudes[..cut], &longitudes[..cut]);
        let tail = released(&sampler, 5 + cut as u64, &latitudes[cut..], &longitudes[cut..]);
        assert!([head, tail].concat() == all, "cut at {cut}");
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    assert!(pool.install(|| released(&sampler, 5, &latitudes, &longitudes)) == all);
}

#[test]
fn what_is_no_place_is_named_by_its_row_alone() {
    let sampler = sampler("45", "7.5", "1/100", 0);
    let right = [45.0, 7.5];
    let outside = "a place outside the region, expected one within 50000 m north, south, east or west of 45.0000,7.5000; are \
                   latitude and longitude exchanged, or not in degrees?";
    for (wrong, message) in [
        ([f64::NAN, 7.5], "not a finite number, expected degrees"),
        ([45.0, f64::INFINITY], "not a finite number, expected degrees"),
        ([7.5, 45.0], outside),
        ([45f64.to_radians(), 7.5f64.to_radians()], outside),
        ([90.0, 7.5], "a pole, which has no longitude and lies in no region"),
        ([-90.0, 7.5], "a pole, which has no longitude and lies in no region"),
        (
            [450_000_000.0, 75_000_000.0],
            "a latitude beyond 90 degrees: are latitude and longitude exchanged, or not in degrees?",
        ),
        ([45.0, 400.0], "a longitude beyond 360 degrees: are latitude and longitude exchanged, or not in degrees?"),
        ([46.0, 7.5], outside),
    ] {
        assert_eq!(error(&sampler, &[right, wrong, wrong]), format!("row 12: {message}"));
    }
    let mut out = [0.0; 2];
    let key = &RandomKey::from_seed(1);
    let rows = PlaceRows { key, first_row: 0, latitudes: &[45.0; 2], longitudes: &[7.5] };
    let lengths = sampler.release(&rows, [&mut out, &mut [0.0; 2]]);
    assert_eq!(lengths.unwrap_err().to_string(), "2 values and 1 longitudes, expected equally many");
    for released in [[2, 1], [1, 2]] {
        let rows = PlaceRows { longitudes: &[7.5; 2], ..rows };
        let [mut a, mut b] = released.map(|count| vec![0.0; count]);
        let lengths = sampler.release(&rows, [&mut a, &mut b]).unwrap_err().to_string();
        assert_eq!(lengths, "2 values and 1 outputs, expected equally many");
    }
}
