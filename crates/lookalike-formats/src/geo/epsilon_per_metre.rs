//! ε per metre.

use super::length::{metres_of, split_unit};
use crate::error::{Error, Result};
use crate::spec::Budgets;
use crate::text::read_rational;
use lookalike::exact::{Epsilon, Rational};
use num_traits::{One, Signed};
use std::{fmt, str::FromStr};

/// ε for a metre between two places: places d metres apart are ε·d-alike.
///
/// Read from text: `ln(4)/200` is per metre; with a unit `0.005/m`, `5/km`, `ln(4)/200m`, `ln(4)/0.2km`.
///
/// # Errors
/// What [`Epsilon`] refuses, another unit than m and km, and without a unit an ε above 1, which is most likely meant for
/// a kilometre or for a whole radius.
///
/// # Example
/// ```
/// use lookalike_formats::geo::EpsilonPerMetre;
/// let epsilon = |text: &str| text.parse::<EpsilonPerMetre>();
/// assert_eq!(epsilon("5/km")?, epsilon("0.005")?);
/// assert_eq!(epsilon("ln(4)/200m")?, epsilon("ln(4)/200")?);
/// assert_eq!(epsilon("ln(4)/0.2km")?.epsilon().to_string(), "1/100*ln(2)");
/// assert!(epsilon("4").is_err() && epsilon("4/m").is_ok());
/// # Ok::<(), lookalike_formats::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct EpsilonPerMetre(Epsilon);

impl EpsilonPerMetre {
    /// This ε for a metre.
    pub fn new(epsilon: Epsilon) -> Self {
        EpsilonPerMetre(epsilon)
    }

    /// The ε of two places a metre apart.
    pub fn epsilon(&self) -> &Epsilon {
        &self.0
    }

    /// The same, to keep.
    pub fn into_epsilon(self) -> Epsilon {
        self.0
    }
}

impl FromStr for EpsilonPerMetre {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let Some((numerator, length)) = per_length(text)? else {
            return bare(text).map(EpsilonPerMetre);
        };
        let epsilon = Budgets::default().parse(numerator)?;
        let scaled = epsilon.scale(&length.recip())?;
        // Reading it back checks its length, too.
        Budgets::default().parse(&scaled.to_string()).map(EpsilonPerMetre)
    }
}

impl fmt::Display for EpsilonPerMetre {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} per metre", self.0)
    }
}

/// The parts of `ε/length`, where the length has a unit.
fn per_length(text: &str) -> Result<Option<(&str, Rational)>> {
    let (before, unit) = split_unit(text);
    if unit.is_empty() || before.is_empty() {
        return Ok(None);
    }
    let at = |error: Error| error.at(format!("epsilon = {text:?}"));
    // The unit may stand alone behind the slash: then the slash is taken for a part of it.
    let (unit, alone) = match unit.strip_prefix('/') {
        Some(unit) => (unit.trim(), true),
        None => (unit, false),
    };
    let unit = metres_of(unit).map_err(at)?;
    if alone {
        return Ok(Some((before, unit)));
    }
    let wrong = || at(Error::input("expected an epsilon over a length, like 5/km or ln(4)/200m"));
    let (numerator, number) = before.rsplit_once('/').ok_or_else(wrong)?;
    let number = read_rational(number).ok().filter(Signed::is_positive).ok_or_else(wrong)?;
    Ok(Some((numerator, number * unit)))
}

/// An ε without a unit.
fn bare(text: &str) -> Result<Epsilon> {
    let epsilon = Budgets::default().parse(text)?;
    let one = Epsilon::rational(Rational::one())?;
    if epsilon <= one {
        return Ok(epsilon);
    }
    let text = text.trim();
    // The mean length of planar noise is 2/ε.
    let radius = 2.0 / epsilon.to_f64();
    let reach = if epsilon.to_string() == "4" { "half a metre".to_owned() } else { format!("{radius:.2} m") };
    Err(Error::input(format!(
        "epsilon = {text} per metre protects nothing beyond {reach}: is it per kilometre? write {text}/km, or {text}/m \
         if it is meant; {text}/200m is for a radius of 200 m"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str) -> String {
        text.parse::<EpsilonPerMetre>().map_or_else(|error| error.to_string(), |epsilon| epsilon.0.to_string())
    }

    #[test]
    fn every_spelling_is_per_metre_and_exact() {
        for (text, expected) in [
            ("ln(4)/200", "1/100*ln(2)"),
            ("ln(4)/200m", "1/100*ln(2)"),
            ("ln(4) / 0.2 km", "1/100*ln(2)"),
            ("0.005/m", "1/200"),
            ("5/km", "1/200"),
            ("5 / km", "1/200"),
            ("1/2/km", "1/2000"),
            ("2*ln(4)/400m", "1/100*ln(2)"),
            ("sqrt(2)/1e3m", "1/1000*sqrt(2)"),
            ("1", "1"),
            ("4/m", "4"),
            ("ln(4)/m", "2*ln(2)"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn a_mix_up_of_units_is_noticed() {
        assert_eq!(
            shown("4"),
            "epsilon = 4 per metre protects nothing beyond half a metre: is it per kilometre? write 4/km, or 4/m if it is \
             meant; 4/200m is for a radius of 200 m"
        );
        assert!(shown("ln(4)").starts_with("epsilon = ln(4) per metre protects nothing beyond 1.44 m: "));
        assert!(shown("1.0000001").contains("is it per kilometre?"), "barely above");
        assert_eq!(
            shown("5/mi"),
            "epsilon = \"5/mi\": the unit \"mi\" is not known, expected m or km (1 mi is 1609.344 m)"
        );
        assert!(shown("ln(4)/0.01deg").contains("degrees are no length"));
        for text in ["5km", "200m", "km", "/km", "5/0km", "5/-2km", "0/km", "-5/km", "5/ln(2)km", "", "nan", "5/km/m"] {
            let found = text.parse::<EpsilonPerMetre>();
            assert!(found.is_err(), "{text}: {found:?}");
        }
        assert!(shown("5km").ends_with("expected an epsilon over a length, like 5/km or ln(4)/200m"));
    }

    proptest! {
        #[test]
        fn metres_and_kilometres_agree(n in 1u32..100_000, d in 1u32..100_000) {
            let epsilon = |text: String| text.parse::<EpsilonPerMetre>().unwrap();
            prop_assert_eq!(epsilon(format!("ln(1{n})/{d}km")), epsilon(format!("ln(1{n})/{d}000m")));
            prop_assert_eq!(epsilon(format!("{n}/{d}km")), epsilon(format!("{n}/{d}/km")));
            let metres = epsilon(format!("{n}/{d}m"));
            prop_assert_eq!(metres.epsilon(), &format!("{n}/{d}").parse::<Epsilon>().unwrap());
            let bare = format!("{n}/{d}").parse::<EpsilonPerMetre>();
            prop_assert_eq!(bare.is_ok(), n <= d);
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "[0-9a-z()/.*km ]{0,20}") {
            let _ = text.parse::<EpsilonPerMetre>();
        }
    }
}
