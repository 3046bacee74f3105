//! Places, and what they go through.

use super::fault::{Fault, Part};
use super::suspicion::suspicion;
use lookalike::sample::{PlaceRows, RandomKey, ReleasePlaces};
use lookalike_formats::Result;
use std::fmt;

/// Places in degrees, in the order in which they were read.
#[derive(Clone, Default, PartialEq)]
pub struct Places {
    /// Degrees northward.
    pub latitudes: Vec<f64>,
    /// Degrees eastward.
    pub longitudes: Vec<f64>,
}

impl Places {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.latitudes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.latitudes.is_empty()
    }

    /// What a mechanism releases for these places, in degrees with at most seven decimals. Place i uses the words of row
    /// `first_row + i` of the key.
    ///
    /// # Errors
    /// The first place that cannot be released, by its row and by the names of the columns, and what may be behind it.
    pub fn release(
        &self,
        mechanism: &dyn ReleasePlaces,
        key: &RandomKey,
        first_row: u64,
        columns: [&str; 2],
    ) -> Result<Places> {
        self.released(mechanism, key, first_row).map_err(|fault| fault.in_row(first_row, columns))
    }

    pub(super) fn push(&mut self, latitude: f64, longitude: f64) {
        self.latitudes.push(latitude);
        self.longitudes.push(longitude);
    }

    /// The first place that is none on Earth, if there is one.
    pub(super) fn check(&self) -> std::result::Result<(), Fault> {
        first_fault(&self.latitudes, &self.longitudes).map_or(Ok(()), |fault| {
            Err(fault.with_hint(suspicion(&on_earth, false, &self.latitudes, &self.longitudes)))
        })
    }

    /// What is released for these places, in degrees with at most seven decimals.
    pub(super) fn released(
        &self,
        mechanism: &dyn ReleasePlaces,
        key: &RandomKey,
        first_row: u64,
    ) -> std::result::Result<Places, Fault> {
        let (latitudes, longitudes) = (&self.latitudes[..], &self.longitudes[..]);
        let fits = |latitude: f64, longitude: f64| {
            on_earth(latitude, longitude) && rehearse(mechanism, latitude, longitude).is_ok()
        };
        let explained = |fault: Fault| fault.with_hint(suspicion(&fits, true, latitudes, longitudes));
        if let Some(fault) = first_fault(latitudes, longitudes) {
            return Err(explained(fault));
        }
        let mut places = Places { latitudes: vec![0.0; self.len()], longitudes: vec![0.0; self.len()] };
        mechanism
            .release(
                &PlaceRows { key, first_row, latitudes, longitudes },
                [&mut places.latitudes, &mut places.longitudes],
            )
            .map_err(|error| {
                let refused = (0..self.len())
                    .find_map(|at| rehearse(mechanism, latitudes[at], longitudes[at]).err().map(|error| (at, error)));
                match refused {
                    Some((at, error)) => explained(Fault { at, part: Part::Both, message: reason(&error) }),
                    // A refusal that is about no single place is passed on as it is.
                    None => Fault { at: 0, part: Part::None, message: error.to_string() },
                }
            })?;
        places.latitudes.iter_mut().chain(&mut places.longitudes).for_each(|degrees| *degrees = rounded(*degrees));
        Ok(places)
    }
}

/// Shows how many places there are and none of them, since a message of a panic may end in a log.
impl fmt::Debug for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Places").field("len", &self.len()).finish_non_exhaustive()
    }
}

/// Whether the mechanism takes a place. What it draws is thrown away.
fn rehearse(mechanism: &dyn ReleasePlaces, latitude: f64, longitude: f64) -> lookalike::Result<()> {
    let key = &RandomKey::from_seed(0);
    let place = PlaceRows { key, first_row: 0, latitudes: &[latitude], longitudes: &[longitude] };
    mechanism.release(&place, [&mut [0.0], &mut [0.0]])
}

/// What a mechanism says of the only place of a rehearsal, without its row.
fn reason(error: &lookalike::Error) -> String {
    let text = error.to_string();
    text.strip_prefix("row 1: ").or(text.strip_prefix("row 0: ")).unwrap_or(&text).to_owned()
}

fn on_earth(latitude: f64, longitude: f64) -> bool {
    latitude.abs() <= 90.0 && (-180.0..=360.0).contains(&longitude)
}

fn first_fault(latitudes: &[f64], longitudes: &[f64]) -> Option<Fault> {
    let at = latitudes.iter().zip(longitudes).position(|(&latitude, &longitude)| !on_earth(latitude, longitude))?;
    let (part, message) = match (latitudes[at], longitudes[at]) {
        (latitude, _) if !latitude.is_finite() => (Part::Latitude, "not a finite number, expected degrees"),
        (_, longitude) if !longitude.is_finite() => (Part::Longitude, "not a finite number, expected degrees"),
        (latitude, _) if latitude.abs() > 90.0 => (Part::Latitude, "beyond 90 degrees, expected a latitude"),
        _ => (Part::Longitude, "beyond 180 degrees, expected a longitude from -180 to 360"),
    };
    Some(Fault { at, part, message: message.to_owned() })
}

/// Degrees with seven decimals.
fn rounded(degrees: f64) -> f64 {
    // Adding 0 turns the negative zero into the other one.
    (degrees * 1e7).round() / 1e7 + 0.0
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Takes places in a box of latitudes and longitudes, and moves them by a thousandth of a degree and their row.
    pub struct Box([f64; 4]);

    impl ReleasePlaces for Box {
        fn release(&self, rows: &PlaceRows<'_>, released: [&mut [f64]; 2]) -> lookalike::Result<()> {
            let &PlaceRows { first_row, latitudes, longitudes, .. } = rows;
            let [south, north, west, east] = self.0;
            for at in 0..latitudes.len() {
                let row = first_row + at as u64;
                if !(south..=north).contains(&latitudes[at]) || !(west..=east).contains(&longitudes[at]) {
                    return Err(lookalike::Error::failed("outside the region").at(format!("row {}", row + 1)));
                }
                released[0][at] = latitudes[at] + 0.001;
                released[1][at] = longitudes[at] + row as f64;
            }
            Ok(())
        }
    }

    /// Around Berlin.
    pub const BERLIN: Box = Box([52.0, 53.0, 13.0, 14.0]);

    #[test]
    fn a_refusal_that_is_about_no_place_names_none() {
        struct Never;
        impl ReleasePlaces for Never {
            fn release(&self, rows: &PlaceRows<'_>, _: [&mut [f64]; 2]) -> lookalike::Result<()> {
                if rows.latitudes.len() > 1 { Err(lookalike::Error::failed("no time")) } else { Ok(()) }
            }
        }
        let places = Places { latitudes: vec![1.0; 2], longitudes: vec![1.0; 2] };
        let error = places.release(&Never, &RandomKey::from_seed(1), 0, ["a", "b"]).unwrap_err();
        assert_eq!(error.to_string(), "no time");
    }

    fn refused(latitudes: &[f64], longitudes: &[f64]) -> (usize, String) {
        let places = Places { latitudes: latitudes.to_vec(), longitudes: longitudes.to_vec() };
        let fault = places.released(&BERLIN, &RandomKey::from_seed(1), 5).unwrap_err();
        (fault.at, fault.message)
    }

    #[test]
    fn places_are_released_in_order_with_seven_decimals() {
        let places = Places { latitudes: vec![52.123_456_789, 52.5], longitudes: vec![13.5, 13.25] };
        let released = places.released(&BERLIN, &RandomKey::from_seed(1), 5).unwrap();
        assert_eq!(released.latitudes, [52.124_456_8, 52.501]);
        assert_eq!(released.longitudes, [18.5, 19.25]);
        assert_eq!(format!("{places:?}"), "Places { len: 2, .. }");
    }

    #[test]
    fn the_first_wrong_place_is_named_and_the_cause_where_it_is_clear() {
        let (at, message) = refused(&[52.5, f64::NAN, 52.5], &[13.5; 3]);
        assert_eq!((at, &message[..]), (1, "not a finite number, expected degrees"));
        let (at, message) = refused(&[52.5, 52.5, 48.1], &[13.5, 13.5, 11.6]);
        assert_eq!((at, &message[..]), (2, "outside the region"));
        let (at, message) = refused(&[13.5, 13.4], &[52.5, 52.4]);
        assert_eq!(at, 0);
        assert_eq!(
            message,
            "outside the region (2 of the first 2 places do not fit: latitude and longitude seem to be swapped)"
        );
        assert!(refused(&[90.000_001], &[13.5]).1.starts_with("beyond 90 degrees, expected a latitude"));
        assert!(refused(&[52.5], &[360.1]).1.starts_with("beyond 180 degrees"));
        assert_eq!(refused(&[90.0], &[13.5]).1, "outside the region", "a pole");
    }

    proptest! {
        #[test]
        fn rounding_moves_nothing_by_more_than_half_a_centimetre(degrees in -360.0..360.0f64) {
            let text = rounded(degrees).to_string();
            let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
            prop_assert!(decimals <= 7 || text.contains('e'), "{}", text);
            prop_assert!((rounded(degrees) - degrees).abs() <= 0.500_001e-7);
        }
    }
}
