//! Tests of [`super::PlanarNoise`].

use super::*;
use crate::exact::parse_rational;

fn rational(text: &str) -> Rational {
    parse_rational(text).unwrap()
}

fn region(half_width: &str) -> Region {
    Region::new(rational("45"), rational("7"), rational(half_width)).unwrap()
}

fn refused(epsilon: &str, exponent: i32) -> String {
    PlanarNoise::for_epsilon(epsilon.parse().unwrap(), region("1000"), exponent).unwrap_err().to_string()
}

#[test]
fn the_default_grid_has_a_thousand_steps_in_a_scale() {
    for (epsilon, exponent) in [("ln(4)/200", -3), ("1/1024", 0), ("1/1023", -1), ("1", -10), ("50", -10), ("1e-9", 19)]
    {
        assert_eq!(PlanarNoise::default_exponent(&epsilon.parse().unwrap()), exponent, "{epsilon}");
    }
}

#[test]
fn a_radius_leaves_room_for_rounding() {
    let level: Epsilon = "ln(4)".parse().unwrap();
    for exponent in [-10, -3, 0, 6] {
        let noise = PlanarNoise::for_radius(&level, &rational("200"), region("1000"), exponent).unwrap();
        let spent = noise.epsilon().scale(&(rational("200") + noise.resolution())).unwrap();
        assert_eq!(spent, level);
        let root = noise.resolution() / noise.grid();
        assert!(&root * &root > rational("2") && root < rational("1.42"), "the diagonal of a cell, rounded up: {root}");
    }
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    assert_eq!(
        refused("1", -11),
        "a grid of 2^-11 metres, expected a power of two from 2^-10 to 2^20 that fits into the region"
    );
    assert!(refused("1", 10).contains("fits into the region"), "1,024 metres are more than 1,000");
    assert!(refused("1e-20", 0).contains("more than 2^40 grid steps"));
    assert!(refused("1.1", 0).contains("a grid of 1.000 m is coarser than the noise of this epsilon"));
    let radius = PlanarNoise::for_radius(&"1".parse().unwrap(), &rational("0"), region("1000"), 0);
    assert_eq!(radius.unwrap_err().to_string(), "a radius of 0.000 metres, expected more than 0");
}
