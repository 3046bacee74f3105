//! Tests of [`super::Plane`].

use super::*;
use crate::exact::parse_rational;
use proptest::prelude::*;

fn region(latitude: f64, longitude: f64, half_width: f64) -> Option<Region> {
    let [latitude, longitude, half_width] = [latitude, longitude, half_width].map(|x| Rational::from_float(x).unwrap());
    Region::new(latitude, longitude, half_width).ok()
}

fn exact(value: f64) -> Rational {
    Rational::from_float(value).unwrap()
}

#[test]
fn the_series_are_those_of_sine_and_cosine() {
    for angle in [1e-9, 0.01, 0.5, 1.0f64] {
        assert!((series(&SINE, angle * angle) - angle.sin() / angle).abs() < 3e-16);
        assert!((series(&COSINE, angle * angle) * angle * angle - (1.0 - angle.cos())).abs() < 3e-16);
    }
}

#[test]
fn what_is_no_place_of_the_region_has_no_point() {
    let plane = Plane::new(&region(45.0, 7.0, 1000.0).unwrap());
    for [latitude, longitude] in
        [[46.0, 7.0], [45.0, 8.0], [7.0, 45.0], [f64::NAN, 7.0], [45.0, f64::NAN], [f64::INFINITY, 7.0], [45.0, 727.0]]
    {
        assert_eq!(plane.point(latitude, longitude), None, "{latitude} {longitude}");
    }
    assert_eq!(plane.point(45.0, 7.0), Some([0.0, 0.0]));
    assert!(plane.point(45.0, -353.0).unwrap()[0].abs() < 1e-7, "longitudes up to 360 are common");
}

#[test]
fn the_date_line_is_a_line_like_any_other() {
    let [here, there] = [179.999, -179.999].map(|longitude| {
        let plane = Plane::new(&region(-17.0, longitude, 5000.0).unwrap());
        [-179.99, 179.99, -180.0, 180.0, 180.01, -180.01].map(|at| plane.point(-17.0, at).unwrap()[0])
    });
    // From one origin the metres go on from west to east through the line.
    assert!((here[0] - here[1] - 0.02 * 106_000.0).abs() < 20.0);
    assert!((here[2] - here[3]).abs() < 1e-7, "180 and −180 are one");
    assert!((here[4] - here[0]).abs() < 1e-6 && (here[5] - here[1]).abs() < 1e-6, "as are 180.01 and −179.99");
    assert!(here.iter().zip(there).all(|(a, b)| (b - a + 0.002 * 106_000.0).abs() < 2.0));
}

proptest! {
    #[test]
    fn what_is_well_inside_is_inside(latitude in -88.0..88.0f64, half_width in prop_oneof![1.0..1e5, 1e5..4e6f64],
                                     [x, y] in [-1.0..1.0f64, -1.0..1.0f64], at_corner in any::<bool>()) {
        let Some(region) = region(latitude, 0.0, half_width) else { return Ok(()) };
        let plane = Plane::new(&region);
        let [x, y] = if at_corner { [x.signum(), y.signum()] } else { [x, y] };
        prop_assert!(plane.point(latitude + y * plane.inner[0] * 0.999999, x * plane.inner[1]).is_some());
        let [north, east] = [1.6 * y * plane.inner[0], 1.6 * x * plane.inner[1]];
        prop_assert_eq!(plane.holds(latitude + north, east), plane.point(latitude + north, east).is_some());
    }

    // The bound that the claim of planar noise counts with, and what is far below it.
    #[test]
    fn doubles_come_near_the_exact_projection(latitude in -85.0..85.0f64, longitude in -180.0..180.0f64,
                                              half_width in prop_oneof![1.0..1e5, 1e5..2e6f64],
                                              [x, y] in [-1.0..1.0f64, -1.0..1.0f64]) {
        let Some(region) = region(latitude, longitude, half_width) else { return Ok(()) };
        let plane = Plane::new(&region);
        let [north, east] = plane.reach;
        let [at, along] = [latitude + y * north, longitude + x * east];
        let Some(point) = plane.point(at, along) else { return Ok(()) };
        let around = |degrees: Rational| {
            let turn = Rational::from_integer(360.into());
            if degrees > exact(180.0) { degrees - turn } else if degrees < exact(-180.0) { degrees + turn } else { degrees }
        };
        let truth = region.projection().enclose(&(exact(at) - region.latitude()),
                                                &around(exact(along) - region.longitude()));
        for (coordinate, truth) in point.into_iter().zip(truth) {
            let error = (exact(coordinate) - truth.lower().to_rational()).max(truth.upper().to_rational() - exact(coordinate));
            let micrometre = parse_rational("1/1048576").unwrap();
            prop_assert!(error < &micrometre / num_bigint::BigInt::from(4), "{}", to_f64(&error, Direction::Up));
        }
        let (mut points, mut back) = ([[0.0; 2]; 3], [[0.0; 3]; 2]);
        plane.points(&[at; 3], &[along; 3], &mut points);
        let [latitudes, longitudes] = &mut back;
        plane.places(&points, latitudes, longitudes);
        prop_assert!(plane.holds(at, along) && points == [point; 3]);
        prop_assert_eq!(back, plane.place(point).map(|degrees| [degrees; 3]));
        // And the way back leads back.
        let [back, along_back] = plane.place(point);
        let apart = (along_back - along).rem_euclid(360.0);
        prop_assert!((back - at).abs() < 5e-8 && apart.min(360.0 - apart) < 5e-8 / (at.to_radians().cos()).max(0.01),
                     "{} {} {} {}", at, along, back, along_back);
    }
}
