//! Distances on the ground, apart from the projections that the mechanisms use.

/// The radius at the equator and the flattening of WGS 84.
const RADIUS: f64 = 6_378_137.0;
const FLATTENING: f64 = 1.0 / 298.257_223_563;

/// The metres between two places in degrees that are at most some ten kilometres apart, to a millionth of it: the latitude in
/// their middle tells how long a degree is along the meridian and along the parallel.
pub(crate) fn metres([from_latitude, from_longitude]: [f64; 2], [latitude, longitude]: [f64; 2]) -> f64 {
    let squared_eccentricity = FLATTENING * (2.0 - FLATTENING);
    let middle = (0.5 * (from_latitude + latitude)).to_radians();
    let w_squared = 1.0 - squared_eccentricity * middle.sin().powi(2);
    let across = RADIUS / w_squared.sqrt();
    let along = across * (1.0 - squared_eccentricity) / w_squared;
    let north = along * (latitude - from_latitude).to_radians();
    let east = across * middle.cos() * (longitude - from_longitude).to_radians();
    north.hypot(east)
}

#[cfg(test)]
mod tests {
    use super::*;
    use geographiclib_rs::{Geodesic, InverseGeodesic};

    #[test]
    fn distances_are_those_of_geodesics() {
        for from in [[-10.95, -37.06], [0.0, 10.0], [60.0, -100.0]] {
            for by in [[0.0001, 0.0], [0.0, -0.0001], [0.03, 0.05], [-0.08, 0.02]] {
                let to: [f64; 2] = std::array::from_fn(|axis| from[axis] + by[axis]);
                let expected: f64 = Geodesic::wgs84().inverse(from[0], from[1], to[0], to[1]);
                assert!((metres(from, to) / expected - 1.0).abs() < 1e-6, "{from:?} {by:?}");
            }
        }
        assert_eq!(metres([1.0, 2.0], [1.0, 2.0]), 0.0);
    }
}
