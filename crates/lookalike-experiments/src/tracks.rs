//! Where trips went: places with the number of their track.

use lookalike::exact::parse_rational;
use lookalike::model::Region;
use lookalike::sample::Plane;
use lookalike_formats::{Error, Result};

const COLUMNS: [&str; 4] = ["latitude", "longitude", "track_id", "time"];
/// The middle of every region of the experiments: a place in Aracaju, chosen without a look at any one track.
pub(crate) const ORIGIN: [&str; 2] = ["-10.95", "-37.06"];
/// The data are to be named wherever they are used.
pub(crate) const ATTRIBUTION: &str = "The data are \"GPS Trajectories\", UCI data set 354 (M. O. Cruz, H. Macedo and A. \
                                      Guimarães), CC BY 4.0: trips by car and bus in Aracaju, Brazil.";

/// The fixes of all tracks, in the order of the file.
#[derive(Clone)]
pub(crate) struct Tracks(Vec<Fix>);

/// One place of a track.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Fix {
    pub track: u64,
    pub latitude: f64,
    pub longitude: f64,
}

impl Tracks {
    /// The fixes of a text under the header latitude, longitude, track_id, time.
    ///
    /// # Errors
    /// Another header, or a field that is not what its column says; the error names row and column, and no content.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let header = reader.headers().map_err(|_| Error::input("no header"))?;
        if header != COLUMNS.as_slice() {
            return Err(Error::input(format!("another header, expected {}", COLUMNS.join(","))));
        }
        let mut fixes = Vec::new();
        for (row, record) in (1..).zip(reader.records()) {
            let record = record
                .map_err(|_| Error::input("another number of fields, expected 4").at(format_args!("row {row}")))?;
            let wrong = |column: usize, expected: &str| {
                Error::input(format!("not {expected}")).at(format_args!("row {row}, column {:?}", COLUMNS[column]))
            };
            let degrees = |column: usize, most: f64| {
                let degrees = record[column].parse().ok().filter(|degrees: &f64| degrees.abs() <= most);
                degrees.ok_or_else(|| wrong(column, &format!("degrees from -{most} to {most}")))
            };
            let (latitude, longitude) = (degrees(0, 90.0)?, degrees(1, 180.0)?);
            let track = record[2].parse().map_err(|_| wrong(2, "a whole number"))?;
            fixes.push(Fix { track, latitude, longitude });
        }
        if fixes.is_empty() {
            return Err(Error::input("no fixes"));
        }
        Ok(Tracks(fixes))
    }

    /// How many fixes there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The fixes within a region.
    ///
    /// # Errors
    /// None of them are.
    pub(crate) fn inside(&self, region: &Region) -> Result<Vec<Fix>> {
        let plane = Plane::new(region);
        let is_inside = |fix: &&Fix| plane.point(fix.latitude, fix.longitude).is_some();
        let inside: Vec<Fix> = self.0.iter().filter(is_inside).copied().collect();
        if inside.is_empty() {
            return Err(Error::input(format!("no fixes within the region of the experiment, about {}", origin_text())));
        }
        Ok(inside)
    }
}

/// The square about [`ORIGIN`].
///
/// # Errors
/// A half-width that does not fit on the earth.
pub(crate) fn region(half_width: i64) -> Result<Region> {
    let [latitude, longitude] = ORIGIN;
    Ok(Region::new(
        parse_rational(latitude)?,
        parse_rational(longitude)?,
        lookalike::exact::Rational::from_integer(half_width.into()),
    )?)
}

/// `latitude -10.95 and longitude -37.06`.
pub(crate) fn origin_text() -> String {
    format!("latitude {} and longitude {}", ORIGIN[0], ORIGIN[1])
}

/// Shows how much there is and nothing of it.
impl std::fmt::Debug for Tracks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tracks").field("fixes", &self.0.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "latitude,longitude,track_id,time\n";

    #[test]
    fn fixes_outside_of_the_region_are_left_out() {
        let rows = "-10.95,-37.06,7,2014-09-13 07:24:32\n-27.6,-48.6,8,x\n-10.9405,-37.06,7,x\n-10.96,-37.0695,9,x\n";
        let tracks = Tracks::parse(&format!("{HEADER}{rows}")).unwrap();
        let kept = |half_width| {
            tracks.inside(&region(half_width).unwrap()).unwrap().iter().map(|fix| fix.track).collect::<Vec<_>>()
        };
        assert_eq!(kept(1_000), [7]);
        assert_eq!(kept(1_060), [7, 7], "a degree of latitude is 110.6 km there");
        assert_eq!(kept(20_000), [7, 7, 9]);
        assert_eq!(format!("{tracks:?}"), "Tracks { fixes: 4, .. }");
        let far = Tracks::parse(&format!("{HEADER}45,7,1,x\n")).unwrap().inside(&region(9_000).unwrap()).unwrap_err();
        assert_eq!(
            far.to_string(),
            "no fixes within the region of the experiment, about latitude -10.95 and longitude -37.06"
        );
    }

    #[test]
    fn what_is_not_the_file_is_refused_by_row_and_column_and_not_shown() {
        for (rows, expected) in [
            ("1,2,3,x\nSECRET,2,3,x\n", "row 2, column \"latitude\": not degrees from -90 to 90"),
            ("90.5,2,3,x\n", "row 1, column \"latitude\": not degrees from -90 to 90"),
            ("1,NaN,3,x\n", "row 1, column \"longitude\": not degrees from -180 to 180"),
            ("1,2,SECRET,x\n", "row 1, column \"track_id\": not a whole number"),
            ("1,2,3\n", "row 1: another number of fields, expected 4"),
            ("", "no fixes"),
        ] {
            assert_eq!(Tracks::parse(&format!("{HEADER}{rows}")).unwrap_err().to_string(), expected);
        }
        assert_eq!(
            Tracks::parse("a,b\n").unwrap_err().to_string(),
            format!("another header, expected {}", HEADER.trim_end())
        );
    }
}
