//! Which columns hold the places.

use crate::release::{check_kept, kept};
use lookalike::Sentence;
use lookalike_formats::records::Columns;
use lookalike_formats::{Error, Result};
use lookalike_records::ColumnNames;

/// The columns of latitudes and longitudes, where they are named.
///
/// Without a name the columns are found by the usual ones, in capitals or not: `latitude` or `lat`, and `longitude`,
/// `lon`, `lng` or `long`.
///
/// # Example
/// ```
/// use lookalike_engine::geo::PlaceNames;
/// use lookalike_records::{ColumnNames, NamesOf};
/// let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
/// let columns = ColumnNames { names: names(&["time", "Lat", "LNG"]), are: NamesOf::Record };
/// assert_eq!(PlaceNames::default().find(&columns)?, ["Lat", "LNG"]);
/// # Ok::<(), lookalike_formats::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlaceNames {
    /// The column of latitudes.
    pub latitude: Option<String>,
    /// The column of longitudes.
    pub longitude: Option<String>,
}

const LATITUDES: [&str; 2] = ["latitude", "lat"];
const LONGITUDES: [&str; 4] = ["longitude", "lon", "lng", "long"];

impl PlaceNames {
    /// The columns of latitudes and longitudes among those of a file. A column that is named is not looked for.
    ///
    /// # Errors
    /// No such column, several of them, or one for both.
    pub fn find(&self, columns: &ColumnNames) -> Result<[String; 2]> {
        let latitude = find(self.latitude.as_ref(), "latitude", &LATITUDES, columns)?;
        let longitude = find(self.longitude.as_ref(), "longitude", &LONGITUDES, columns)?;
        if latitude == longitude {
            return Err(Error::input(format!("column {latitude:?}: named for both the latitude and the longitude")));
        }
        Ok([latitude, longitude])
    }

    /// The same, where the columns of `keep` are released in clear beside them.
    ///
    /// # Errors
    /// Those of [`PlaceNames::find`]; a column to keep that is one of the places, has a usual name of one, or is named
    /// twice.
    pub fn find_beside(&self, keep: &[String], columns: &ColumnNames) -> Result<[String; 2]> {
        let found = self.find(columns)?;
        check_kept(&Columns { profile: None, values: found.to_vec(), keep: keep.to_vec() })?;
        refuse_places(keep)?;
        Ok(found)
    }
}

/// Refuses to release in clear what has a usual name of a place: where the places are elsewhere it is likely a copy.
pub(super) fn refuse_places(keep: &[String]) -> Result<()> {
    match keep.iter().find(|name| is_among(name, &LATITUDES) || is_among(name, &LONGITUDES)) {
        Some(name) => {
            Err(Error::input("this is the place, it cannot be released in clear (rename it if it is something else)")
                .at_option(kept(name)))
        }
        None => Ok(()),
    }
}

fn is_among(name: &str, usual: &[&str]) -> bool {
    usual.iter().any(|usual| name.trim().eq_ignore_ascii_case(usual))
}

fn find(named: Option<&String>, what: &'static str, usual: &[&str], columns: &ColumnNames) -> Result<String> {
    if let Some(name) = named {
        return Ok(name.clone());
    }
    let named = Sentence::new().option(what).text(" names it");
    let found: Vec<&String> = columns.names.iter().filter(|name| is_among(name, usual)).collect();
    match &found[..] {
        [one] => Ok((*one).clone()),
        [] => {
            let missing = format!("no column for the {what}, expected one of {}", usual.join(", "));
            Err(Error::input(Sentence::from(missing).hint(named).text("; ").then(columns.told())))
        }
        [one, other, ..] => {
            Err(Error::input(format!("columns {one:?} and {other:?}: both look like the {what}, expected one"))
                .hint(named))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::NamesOf;

    fn columns(names: &[&str], are: NamesOf) -> ColumnNames {
        ColumnNames { names: names.iter().map(ToString::to_string).collect(), are }
    }

    fn error(names: &[&str], are: NamesOf) -> String {
        PlaceNames::default().find(&columns(names, are)).unwrap_err().to_string()
    }

    #[test]
    fn usual_names_are_found_and_given_ones_taken() {
        let find = |names: &PlaceNames, found: &[&str]| names.find(&columns(found, NamesOf::Record)).unwrap();
        assert_eq!(find(&PlaceNames::default(), &["LATITUDE", "x", "Longitude"]), ["LATITUDE", "Longitude"]);
        assert_eq!(find(&PlaceNames::default(), &["long", "lat"]), ["lat", "long"]);
        let given = PlaceNames { latitude: Some("y".into()), longitude: None };
        assert_eq!(find(&given, &["y", "lat", "lon"]), ["y", "lon"]);
    }

    #[test]
    fn missing_and_doubtful_columns_are_told_with_the_way_out() {
        assert_eq!(
            error(&["time", "place2", "lat"], NamesOf::Schema),
            "no column for the longitude, expected one of longitude, lon, lng, long (`longitude` names it); the columns are \
             \"time\", \"place2\", \"lat\""
        );
        assert_eq!(
            error(&["lat", "Latitude", "lon"], NamesOf::Record),
            "columns \"lat\" and \"Latitude\": both look like the latitude, expected one (`latitude` names it)"
        );
        let same = PlaceNames { latitude: Some("x".into()), longitude: Some("x".into()) };
        let both = same.find(&columns(&["x"], NamesOf::Record)).unwrap_err().to_string();
        assert_eq!(both, "column \"x\": named for both the latitude and the longitude");
    }

    #[test]
    fn no_copy_of_the_place_is_kept() {
        let find = |keep: &[&str]| {
            let keep: Vec<String> = keep.iter().map(ToString::to_string).collect();
            let names = PlaceNames { latitude: Some("lat".into()), longitude: Some("x".into()) };
            names.find_beside(&keep, &columns(&["lat", "x", "Latitude", " LNG", "longest"], NamesOf::Record))
        };
        let error = |keep: &[&str]| find(keep).unwrap_err().to_string();
        for name in ["Latitude", " LNG"] {
            let message = "this is the place, it cannot be released in clear (rename it if it is something else)";
            assert_eq!(error(&["longest", name]), format!("`keep {name}`: {message}"));
        }
        assert_eq!(error(&["lat"]), "`keep lat`: this is the private column, it cannot be released in clear");
        assert_eq!(error(&["longest", "longest"]), "`keep longest`: named twice, expected once");
        assert_eq!(find(&["longest"]).unwrap(), ["lat", "x"]);
    }

    #[test]
    fn a_first_record_of_data_is_never_shown() {
        for record in [["ana", "52.5163"], ["ana", "bo"], ["N 52 31", "E 13 24"], ["lat", "MARKER"], ["", "ana"]] {
            let message = error(&record, NamesOf::Record);
            assert!(message.contains("the first record has 2 fields") && message.contains("`columns`"), "{message}");
            assert!(record.iter().filter(|field| field.len() > 3).all(|field| !message.contains(field)), "{message}");
            assert!(!message.contains("\"bo\"") && !message.contains("\"ana\""), "{message}");
        }
        assert!(error(&["2020", "x"], NamesOf::Schema).contains("\"2020\""), "a schema has names only");
    }
}
