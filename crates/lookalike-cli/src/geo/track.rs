//! Places before and after a release, as a picture.

use super::data;
use lookalike_engine::geo::{PlaceNames, Places};
use lookalike_formats::{Error, Result};
use lookalike_report::plot::{Style, Track, TrackMap, standalone};
use std::path::Path;

/// Metres in a degree of latitude, near enough for a picture.
const DEGREE: f64 = 111_195.0;

/// Both files on one plane around the first place.
pub fn svg([before, after]: [&Path; 2], columns: &PlaceNames) -> Result<String> {
    let [first, second] = [data::read(before, columns)?, data::read(after, columns)?];
    if first.is_empty() || second.is_empty() {
        let empty = if first.is_empty() { before } else { after };
        return Err(Error::input("no places, expected at least one").in_file(empty));
    }
    let origin = [first.latitudes[0], first.longitudes[0]];
    let track = |name: &str, places: &Places, style, joined| {
        let points = places.latitudes.iter().zip(&places.longitudes);
        let points = points.map(|(&latitude, &longitude)| flat(origin, [latitude, longitude])).collect();
        Track { name: name.into(), points, style, joined }
    };
    let tracks = vec![track("before", &first, Style::Baseline, true), track("after", &second, Style::Ours, false)];
    Ok(standalone(&TrackMap { title: "Places before and after their release".into(), tracks }.svg()))
}

/// Metres east and north of the origin, for the eye.
fn flat(origin: [f64; 2], place: [f64; 2]) -> (f64, f64) {
    let east = (place[1] - origin[1] + 540.0).rem_euclid(360.0) - 180.0;
    (east * DEGREE * origin[0].to_radians().cos(), (place[0] - origin[0]) * DEGREE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_date_line_is_no_border() {
        let (east, north) = flat([0.0, 179.5], [0.5, -179.5]);
        assert!((east - DEGREE).abs() < 1e-6 && (north - DEGREE / 2.0).abs() < 1e-6, "{east} {north}");
    }
}
