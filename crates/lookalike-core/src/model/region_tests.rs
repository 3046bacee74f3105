//! Tests of [`super::Region`], against geodesics of another program.

use super::*;
use crate::exact::{parse_rational, to_f64};
use geographiclib_rs::{Geodesic, InverseGeodesic};
use proptest::prelude::*;

fn rational(text: &str) -> Rational {
    parse_rational(text).unwrap()
}

fn region(latitude: &str, half_width: &str) -> Region {
    Region::new(rational(latitude), rational("7"), rational(half_width)).unwrap()
}

fn float(value: &Rational) -> f64 {
    to_f64(value, Direction::Nearest)
}

/// The point of a place that is given by parts of the reach, and the place.
fn point(region: &Region, [north, east]: [f64; 2]) -> ([f64; 2], [f64; 2]) {
    let part = |share: f64, reach: &Rational| Rational::from_float(share).unwrap() * reach;
    let [north, east] = [part(north, &region.reach()[0]), part(east, &region.reach()[1])];
    let point = region.projection().enclose(&north, &east).map(|x| float(&x.lower().to_rational()));
    (point, [float(&(region.latitude() + north)), float(&(region.longitude() + east))])
}

fn is_inside(region: &Region, point: [f64; 2]) -> bool {
    point.iter().all(|x| x.abs() <= float(region.half_width()))
}

/// By how much the projection stretches the distance of two places of the region.
fn ratio(region: &Region, a: [f64; 2], b: [f64; 2]) -> Option<f64> {
    let [(p, a), (q, b)] = [a, b].map(|place| point(region, place));
    let metres: f64 = Geodesic::wgs84().inverse(a[0], a[1], b[0], b[1]);
    (is_inside(region, p) && is_inside(region, q) && metres > 1.0).then(|| (p[0] - q[0]).hypot(p[1] - q[1]) / metres)
}

#[test]
fn the_stretch_is_little_more_than_the_earth_asks_for() {
    // A plane cannot be truer than about (h/earth's radius)²/2 at the border; ways that rise cost a part more.
    for (latitude, half_width, most) in [
        ("0", "50000", "1.000032"),
        ("45.07", "50000", "1.000034"),
        ("-60", "50000", "1.000036"),
        ("80", "50000", "1.00005"),
        ("0", "1000000", "1.0135"),
        ("45", "1000000", "1.018"),
        ("57.2", "1000000", "1.023"),
        ("33.3", "2000000", "1.09"),
        ("-7", "3000000", "1.18"),
        ("45", "1", "1.000000002"),
    ] {
        let stretch = region(latitude, half_width).stretch().clone();
        assert!(stretch >= Rational::one() && stretch < rational(most), "{latitude} {half_width}: {}", float(&stretch));
    }
}

#[test]
fn some_places_are_stretched_nearly_so_much() {
    for (latitude, half_width) in [("0", "100000"), ("45", "100000"), ("-70", "200000")] {
        let region = region(latitude, half_width);
        let edges = [-0.98, -0.9, 0.9, 0.98];
        let along = edges.iter().filter_map(|&north| ratio(&region, [north, -0.02], [north, 0.02]));
        let largest = along.fold(0.0, f64::max) - 1.0;
        let bound = float(region.stretch()) - 1.0;
        assert!(largest > 0.7 * bound, "{latitude}: {largest:e} of {bound:e}");
    }
}

#[test]
fn regions_that_reach_too_far_are_refused() {
    let refused = |latitude: &str, longitude: &str, half_width: &str| {
        Region::new(rational(latitude), rational(longitude), rational(half_width)).unwrap_err().to_string()
    };
    assert_eq!(
        refused("90", "0", "1000"),
        "a region of 1.000 km to each side of latitude 90.000000 comes too near a pole or around the earth, expected a \
         smaller one or another origin"
    );
    assert!(refused("-89.5", "0", "10").contains("too near a pole"));
    assert!(refused("80", "0", "600000").contains("too near a pole"));
    assert!(refused("0", "0", "9000000").contains("around the earth"));
    assert_eq!(
        refused("151.2", "-33.9", "1000"),
        "origin: latitude 151.200000 degrees, expected -90 to 90; the latitude comes first"
    );
    assert!(refused("0", "180.5", "1000").contains("longitude 180.500000 degrees"));
    assert!(refused("0", "0", "0.5").contains("expected at least 1"));
    assert!(region("88", "10000").stretch() < &rational("1.001"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn no_two_places_are_stretched_more(latitude in -84i32..=84, kilometres in prop_oneof![1u32..200, 200u32..4000],
                                        pairs in prop::collection::vec([[-1.0..1.0f64, -1.0..1.0], [-1.0..1.0, -1.0..1.0]], 60),
                                        near in any::<bool>()) {
        let Ok(region) = Region::new(Rational::from_integer(latitude.into()), rational("-179"),
                                     Rational::from_integer((1000 * kilometres).into())) else { return Ok(()) };
        for [a, mut b] in pairs {
            if near {
                b = [a[0] + 0.01 * b[0], a[1] + 0.01 * b[1]];
            }
            if let Some(ratio) = ratio(&region, a, b) {
                // Geodesics are good to nanometres, of at least a metre.
                prop_assert!(ratio <= float(region.stretch()) + 1e-8, "{} at {}, {} km", ratio, latitude, kilometres);
                prop_assert!(ratio >= 0.7, "no two places are brought together: {}", ratio);
            }
        }
    }
}
