//! A public place in degrees.

use crate::error::{Error, Result};
use crate::text::read_rational;
use lookalike::exact::Rational;
use num_traits::Signed;
use std::{fmt, str::FromStr};

/// A public place, exact, in degrees of WGS 84: the latitude first, northward, and then the longitude, eastward.
///
/// Read from text: `52.52,13.405`. A longitude from 180 to 360 is the same place west of Greenwich.
///
/// # Errors
/// What is no two numbers; a latitude beyond ±90, which is most likely a longitude; a longitude beyond −180 or 360. It is
/// public, so errors show it.
///
/// # Example
/// ```
/// use lookalike_formats::geo::Origin;
/// let sydney: Origin = "-33.86,151.21".parse()?;
/// assert_eq!(sydney.longitude().to_string(), "15121/100");
/// assert_eq!(
///     "151.21,-33.86".parse::<Origin>().unwrap_err().to_string(),
///     "latitude 151.21 is beyond 90: expected LATITUDE,LONGITUDE"
/// );
/// # Ok::<(), lookalike_formats::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    latitude: Rational,
    longitude: Rational,
}

impl Origin {
    /// Degrees northward, from −90 to 90.
    pub fn latitude(&self) -> &Rational {
        &self.latitude
    }

    /// Degrees eastward, above −180 up to 180.
    pub fn longitude(&self) -> &Rational {
        &self.longitude
    }
}

impl FromStr for Origin {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let degrees = |number: i32| Rational::from_integer(number.into());
        let wrong = || {
            Error::input(format!(
                "{text:?} is no place, expected LATITUDE,LONGITUDE in decimal degrees like 52.52,13.405 (south and west \
                 have a minus sign)"
            ))
        };
        let [north, east] = text.split(',').map(str::trim).collect::<Vec<_>>()[..] else {
            return Err(wrong());
        };
        let number = |text: &str| read_rational(text).map_err(|_| wrong());
        let (latitude, mut longitude) = (number(north)?, number(east)?);
        if latitude.abs() > degrees(90) {
            return Err(Error::input(format!("latitude {north} is beyond 90: expected LATITUDE,LONGITUDE")));
        }
        if longitude < degrees(-180) || longitude > degrees(360) {
            return Err(Error::input(format!(
                "longitude {east} is beyond 180: expected LATITUDE,LONGITUDE in degrees, the longitude from -180 to 360"
            )));
        }
        if longitude > degrees(180) {
            longitude -= degrees(360);
        } else if longitude == degrees(-180) {
            longitude = degrees(180);
        }
        Ok(Origin { latitude, longitude })
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.latitude, self.longitude)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str) -> String {
        text.parse::<Origin>().map_or_else(|error| error.to_string(), |origin| origin.to_string())
    }

    #[test]
    fn places_are_exact_and_wrapped() {
        for (text, expected) in [
            ("52.52,13.405", "1313/25,2681/200"),
            (" -10.9 , -37.06 ", "-109/10,-1853/50"),
            ("0,190", "0,-170"),
            ("0,360", "0,0"),
            ("0,-180", "0,180"),
            ("0,180", "0,180"),
            ("90,0", "90,0"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn swapped_numbers_and_other_texts_are_refused() {
        assert_eq!(shown("151,-33"), "latitude 151 is beyond 90: expected LATITUDE,LONGITUDE");
        assert_eq!(shown("90.0000001,0"), "latitude 90.0000001 is beyond 90: expected LATITUDE,LONGITUDE");
        assert!(shown("10,360.1").starts_with("longitude 360.1 is beyond 180"));
        assert!(shown("10,-180.1").starts_with("longitude -180.1 is beyond 180"));
        for text in ["", "52.52", "52,52,13,4", "52.5N,13.4E", "52.5;13.4", "nan,0", "a,b", "52.52 13.4"] {
            assert!(shown(text).ends_with("(south and west have a minus sign)"), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_place_reads_back(latitude in -90_000_000i64..=90_000_000, longitude in -179_999_999i64..=180_000_000) {
            let origin: Origin = format!("{latitude}e-6,{longitude}e-6").parse().unwrap();
            prop_assert_eq!(&origin.to_string().parse::<Origin>().unwrap(), &origin);
            let turned: Origin = format!("{latitude}e-6,{}e-6", longitude.rem_euclid(360_000_000)).parse().unwrap();
            prop_assert_eq!(turned, origin);
        }
    }
}
