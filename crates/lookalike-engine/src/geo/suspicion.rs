//! What numbers look like that are taken for degrees and are none.

/// So many places are looked at.
const LOOKED_AT: usize = 1_000;

/// Web Mercator, the widest of the usual projections, ends at 20,037,508 m.
const BEYOND_PROJECTIONS: f64 = 2.1e7;

/// Ways in which numbers come to be no latitudes and longitudes, how they are undone, and what is said of them. The first
/// shows by itself; whether the others explain anything is only seen where places are in a region.
type Undo = fn(f64, f64) -> (f64, f64);
const CAUSES: [(Undo, &str); 6] = [
    (|latitude, longitude| (longitude, latitude), "latitude and longitude seem to be swapped"),
    (
        |latitude, longitude| (latitude.to_degrees(), longitude.to_degrees()),
        "the numbers seem to be radians, expected degrees: multiply them by 180/pi",
    ),
    (
        |latitude, longitude| (latitude / 1e7, longitude / 1e7),
        "the numbers seem to be degrees times 10^7, as in exports of Google: divide them by 10000000",
    ),
    (
        |latitude, longitude| (latitude / 1e6, longitude / 1e6),
        "the numbers seem to be degrees times 10^6: divide them by 1000000",
    ),
    (
        |latitude, longitude| (latitude, -longitude),
        "the longitudes seem to have the wrong sign: west of Greenwich is negative",
    ),
    (
        |latitude, longitude| (-latitude, longitude),
        "the latitudes seem to have the wrong sign: south of the equator is negative",
    ),
];

/// What is behind places that do not fit, where one cause explains nearly all of them and they are at least half.
/// `is_region` says that what fits is a small part of the Earth.
pub(super) fn suspicion(
    fits: &dyn Fn(f64, f64) -> bool,
    is_region: bool,
    latitudes: &[f64],
    longitudes: &[f64],
) -> Option<String> {
    let looked_at = latitudes.len().min(LOOKED_AT);
    let places = latitudes.iter().copied().zip(longitudes.iter().copied()).take(looked_at);
    let wrong: Vec<(f64, f64)> =
        places.filter(|place| !fits(place.0, place.1) && place.0.is_finite() && place.1.is_finite()).collect();
    if wrong.is_empty() || 2 * wrong.len() < looked_at {
        return None;
    }
    let nearly_all = |fitting: usize| 10 * fitting >= 9 * wrong.len();
    let explains = |undo: &Undo| {
        let fitting = wrong.iter().filter(|place| {
            let (latitude, longitude) = undo(place.0, place.1);
            fits(latitude, longitude)
        });
        nearly_all(fitting.count())
    };
    let causes = if is_region { &CAUSES[..] } else { &CAUSES[..1] };
    let beyond = |least: f64| nearly_all(wrong.iter().filter(|place| place.0.abs().max(place.1.abs()) > least).count());
    let cause = match causes.iter().find(|(undo, _)| explains(undo)) {
        Some((_, words)) => *words,
        None if beyond(BEYOND_PROJECTIONS) => {
            "the numbers seem to be degrees times 10^7 or 10^6, as in exports of Google, expected degrees: divide them first"
        }
        None if beyond(1_000.0) => {
            "the numbers seem to be metres of a projection such as UTM or Web Mercator, expected degrees of WGS 84: \
             convert them first"
        }
        None => return None,
    };
    Some(format!("{} of the first {looked_at} places do not fit: {cause}", wrong.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// New York and around.
    fn fits(latitude: f64, longitude: f64) -> bool {
        (40.0..41.0).contains(&latitude) && (-75.0..-73.0).contains(&longitude)
    }

    fn suspect(change: impl Fn(f64, f64) -> (f64, f64)) -> Option<String> {
        let places = (0..200).map(|at| change(40.5 + f64::from(at) / 1e3, -74.0 + f64::from(at) / 1e3));
        let (latitudes, longitudes): (Vec<f64>, Vec<f64>) = places.unzip();
        suspicion(&fits, true, &latitudes, &longitudes)
    }

    #[test]
    fn each_cause_is_recognized_and_nothing_else() {
        let cause = |change: fn(f64, f64) -> (f64, f64)| suspect(change).unwrap();
        assert_eq!(
            cause(|latitude, longitude| (longitude, latitude)),
            "200 of the first 200 places do not fit: latitude and longitude seem to be swapped"
        );
        assert!(cause(|latitude, longitude| (latitude.to_radians(), longitude.to_radians())).contains("radians"));
        assert!(cause(|latitude, longitude| ((latitude * 1e7).round(), longitude * 1e7)).contains("10^7"));
        assert!(cause(|latitude, longitude| (latitude * 1e6, longitude * 1e6)).contains("10^6"));
        assert!(cause(|latitude, longitude| (latitude, -longitude)).contains("west of Greenwich"));
        assert!(cause(|latitude, longitude| (-latitude, longitude)).contains("south of the equator"));
        assert!(cause(|latitude, longitude| (latitude * 111_000.0, longitude * 85_000.0)).contains("projection"));
        assert_eq!(suspect(|latitude, longitude| (latitude + 9.0, longitude)), None, "elsewhere");
    }

    #[test]
    fn without_a_region_only_what_is_plain_is_said() {
        let earth = |latitude: f64, longitude: f64| latitude.abs() <= 90.0 && longitude.abs() <= 180.0;
        let cause = |latitude: f64, longitude: f64| suspicion(&earth, false, &[latitude], &[longitude]);
        assert!(cause(151.2, -33.9).unwrap().contains("swapped"));
        assert!(cause(525_200_000.0, 134_050_000.0).unwrap().contains("10^7 or 10^6"));
        assert!(cause(52_520_000.0, 13_405_000.0).unwrap().contains("10^7 or 10^6"));
        assert!(cause(391_779.0, 5_820_072.0).unwrap().contains("UTM"));
        assert_eq!(cause(95.0, 95.0), None);
    }

    #[test]
    fn a_few_wrong_places_are_no_pattern() {
        let (mut latitudes, mut longitudes) = (vec![40.5; 10], vec![-74.0; 10]);
        (latitudes[3], longitudes[3]) = (-74.0, 40.5);
        assert_eq!(suspicion(&fits, true, &latitudes, &longitudes), None);
        assert!(suspicion(&fits, true, &latitudes[3..5], &longitudes[3..5]).is_some());
        assert_eq!(suspicion(&fits, true, &[f64::NAN], &[0.0]), None);
        assert_eq!(suspicion(&fits, true, &[], &[]), None);
    }
}
