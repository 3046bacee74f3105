//! Lengths with a unit.

use crate::error::{Error, Result};
use crate::text::read_rational;
use lookalike::exact::{Direction, Rational, decimal};
use num_traits::Signed;
use std::{fmt, str::FromStr};

/// A length above 0 in metres, exact.
///
/// Read from text: `200m`, `0.2km`, and `200` for metres.
///
/// # Errors
/// Another unit, a length that is not above 0, and what is no number.
///
/// # Example
/// ```
/// use lookalike_formats::geo::Length;
/// assert_eq!("0.2km".parse::<Length>()?, "200".parse()?);
/// assert_eq!("1500m".parse::<Length>()?.to_string(), "1.5 km");
/// let error = "3mi".parse::<Length>().unwrap_err().to_string();
/// assert_eq!(error, "\"3mi\": the unit \"mi\" is not known, expected m or km (1 mi is 1609.344 m)");
/// # Ok::<(), lookalike_formats::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Length(Rational);

impl Length {
    /// A length of so many metres.
    ///
    /// # Errors
    /// One that is not above 0.
    pub fn new(metres: Rational) -> Result<Self> {
        if metres.is_positive() {
            return Ok(Length(metres));
        }
        Err(Error::input(format!("a length of {metres} m, expected one above 0")))
    }

    /// How many metres.
    pub fn metres(&self) -> &Rational {
        &self.0
    }
}

impl FromStr for Length {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let at = |error: Error| error.at(format!("{text:?}"));
        let (number, unit) = split_unit(text);
        if number.is_empty() {
            return Err(at(Error::input("no number, expected a length like 200m or 0.2km")));
        }
        let unit = metres_of(unit).map_err(at)?;
        let number = read_rational(number)
            .map_err(|_| at(Error::input("not a length, expected one like 200m, 0.2km or 200 for metres")))?;
        Length::new(number * unit).map_err(at)
    }
}

/// Metres, and kilometres from 1 km on; at most three decimals.
impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kilometre = Rational::from_integer(1000.into());
        let (number, unit) = if self.0 < kilometre { (self.0.clone(), "m") } else { (&self.0 / &kilometre, "km") };
        let text = decimal(&number, 3, Direction::Nearest);
        let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
        write!(f, "{text} {unit}")
    }
}

/// A text without the letters that it ends with, and these.
pub(super) fn split_unit(text: &str) -> (&str, &str) {
    let text = text.trim();
    let number = text.trim_end_matches(|character: char| !(character.is_ascii_digit() || ".)".contains(character)));
    (number.trim(), text[number.len()..].trim())
}

/// How many metres a unit has; no unit is metres.
pub(super) fn metres_of(unit: &str) -> Result<Rational> {
    let others =
        [("mi", "1609.344"), ("ft", "0.3048"), ("yd", "0.9144"), ("nmi", "1852"), ("cm", "0.01"), ("mm", "0.001")];
    match unit {
        "" | "m" => Ok(Rational::from_integer(1.into())),
        "km" => Ok(Rational::from_integer(1000.into())),
        "deg" | "°" | "degree" | "degrees" => Err(Error::input(
            "degrees are no length (a degree of longitude shrinks towards the poles), expected m or km",
        )),
        _ => {
            let known = others.iter().find(|(name, _)| *name == unit.to_ascii_lowercase());
            let hint = known.map_or_else(String::new, |(name, metres)| format!(" (1 {name} is {metres} m)"));
            Err(Error::input(format!("the unit {unit:?} is not known, expected m or km{hint}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str) -> String {
        text.parse::<Length>().map_or_else(|error| error.to_string(), |length| length.metres().to_string())
    }

    #[test]
    fn lengths_are_exact_in_metres() {
        for (text, metres) in [
            ("200", "200"),
            ("200m", "200"),
            (" 200 m ", "200"),
            ("0.2km", "200"),
            ("1/3km", "1000/3"),
            ("1e3", "1000"),
            ("2e-1 km", "200"),
            (".5m", "1/2"),
            ("0.1", "1/10"),
        ] {
            assert_eq!(shown(text), metres, "{text}");
        }
    }

    #[test]
    fn other_units_and_other_texts_are_refused_with_the_way_out() {
        assert_eq!(shown("6ft"), "\"6ft\": the unit \"ft\" is not known, expected m or km (1 ft is 0.3048 m)");
        assert_eq!(shown("6parsec"), "\"6parsec\": the unit \"parsec\" is not known, expected m or km");
        assert_eq!(shown("2M"), "\"2M\": the unit \"M\" is not known, expected m or km");
        assert!(shown("0.01deg").contains("degrees are no length") && shown("0.01°").contains("expected m or km"));
        assert_eq!(shown("0"), "\"0\": a length of 0 m, expected one above 0");
        assert_eq!(shown("-2km"), "\"-2km\": a length of -2000 m, expected one above 0");
        assert_eq!(shown("km"), "\"km\": no number, expected a length like 200m or 0.2km");
        for text in ["", "m m", "1,5km", "ln(2)m", "1 2", "nan", "inf"] {
            assert!(text.parse::<Length>().is_err(), "{text}");
        }
        assert!(shown("1e-1000m").contains("not a length"), "it could not be written to a file");
    }

    #[test]
    fn lengths_are_shown_short() {
        let shown = |text: &str| text.parse::<Length>().unwrap().to_string();
        assert_eq!(
            ["200", "999.9996", "1000", "12345", "1/3"].map(shown),
            ["200 m", "1000 m", "1 km", "12.345 km", "0.333 m"]
        );
    }

    proptest! {
        #[test]
        fn a_kilometre_is_a_thousand_metres_in_every_spelling(n in 1u64.., d in 1u64.., decimals in 0u32..9) {
            let text = format!("{n}/{d}");
            let length = |text: String| text.parse::<Length>().unwrap();
            let thousand = Rational::from_integer(1000.into());
            prop_assert_eq!(length(format!("{text}km")).0, length(text.clone()).0 * thousand);
            prop_assert_eq!(length(format!("{text} m")), length(text));
            prop_assert_eq!(length(format!("{n}e-{decimals}km")), length(format!("{n}000e-{decimals}")));
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in ".{0,40}") {
            if let Ok(length) = text.parse::<Length>() {
                prop_assert!(length.metres().is_positive());
            }
        }
    }
}
