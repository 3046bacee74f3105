//! Tests of [`super::PlacesColumn`] and its neighbours, through files.

use super::super::places::tests::BERLIN;
use super::*;
use crate::release::{OutputFile, ReleaseOptions, ReleaseRequest, Written};
use lookalike_formats::records::{Columns, CsvOptions, Format};
use lookalike_records::{RecordFile, Records};
use std::path::{Path, PathBuf};

const TABLE: &str = "time,LAT,note,lng\n8:00,52.5,\"a, b\",13.25\n9:00, 52.123456789 ,,13.5\n";

struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Self {
        Files(tempfile::tempdir().unwrap())
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Releases a file, with one of its columns in clear, into another.
    fn release(&self, from: &Path, to: &str, keep: &[&str], shuffle: bool) -> Result<PathBuf> {
        self.release_of(&PlaceNames::default(), from, to, keep, shuffle)
    }

    fn release_of(&self, names: &PlaceNames, from: &Path, to: &str, keep: &[&str], shuffle: bool) -> Result<PathBuf> {
        let (csv, output) = (CsvOptions::default(), self.0.path().join(to));
        let columns = Columns { keep: keep.iter().map(ToString::to_string).collect(), ..Columns::default() };
        let request = ReleaseRequest {
            mechanism: Box::new(PlaceColumns { mechanism: Arc::new(BERLIN), names: Some(names.clone()) }),
            records: Records::File(RecordFile { path: from, format: Format::of(from).unwrap(), csv: &csv }),
            options: ReleaseOptions { columns, seed: Some(1), shuffle, ..ReleaseOptions::default() },
            charging: None,
        };
        let release = request.open()?;
        let file = OutputFile {
            escape_formulas: false,
            path: &output,
            format: Format::of(&output).unwrap(),
            header: true,
            delimiter: b',',
            compression: None,
            rows_out: None,
        };
        let writer = Written::Stream(Box::new(std::fs::File::create(&output).unwrap()));
        release.write(&file, writer, None, &mut |_| {}, &|| false)?;
        Ok(output)
    }

    fn error(&self, text: &str, keep: &[&str]) -> String {
        let path = self.write("wrong.csv", text);
        let error = self.release(&path, "out.csv", keep, false).unwrap_err().to_string();
        error.strip_prefix(&format!("{}: ", path.display())).expect("errors name the file").to_owned()
    }
}

#[test]
fn places_go_through_every_format_with_the_kept_columns_behind_them() {
    let (files, expected) = (Files::new(), "LAT,lng,note\n52.501,13.25,\"a, b\"\n52.1244568,14.5,\n");
    let table = files.write("a.csv", TABLE);
    let released = files.release(&table, "b.csv", &["note"], false).unwrap();
    assert_eq!(std::fs::read_to_string(released).unwrap(), expected);
    // Clear places as other formats: the released ones of a release are in the box if they are moved back.
    for name in ["c.parquet", "c.arrow", "c.arrows"] {
        let columns = files.release(&table, name, &["note"], false).unwrap();
        let csv = CsvOptions::default();
        let (none, format) = (Columns::default(), Format::of(&columns).unwrap());
        let input = Input { path: &columns, format, csv: &csv, columns: &none, charging: None };
        let places = read_places(&input, &PlaceNames::default()).unwrap();
        assert_eq!(places.latitudes, [52.501, 52.124_456_8], "{name}");
        assert_eq!(places.longitudes, [13.25, 14.5], "{name}");
        let message = files.release(&columns, "d.csv", &["note"], false).unwrap_err().to_string();
        assert!(message.ends_with("row 2, columns \"LAT\" and \"lng\": outside the region"), "{message}");
    }
}

#[test]
fn rows_can_be_shuffled_and_places_stay_together() {
    let files = Files::new();
    let rows: String = (0..100).map(|row| format!("{}e-3,{}e-4,{row}\n", 52_000 + row, 131_000)).collect();
    let text = format!("lat,lon,row\n{rows}");
    // Each row moves the longitude by itself.
    let path = files.write("a.csv", &text);
    let released = std::fs::read_to_string(files.release(&path, "b.csv", &["row"], true).unwrap()).unwrap();
    let rows: Vec<Vec<f64>> =
        released.lines().skip(1).map(|line| line.split(',').map(|field| field.parse().unwrap()).collect()).collect();
    assert_eq!(rows.len(), 100);
    assert!(rows.windows(2).any(|pair| pair[0][2] > pair[1][2]), "in another order");
    for row in rows {
        assert!((row[0] - 52.001 - row[2] / 1e3).abs() < 1e-9 && (row[1] - 13.1 - row[2]).abs() < 1e-9, "{row:?}");
    }
}

#[test]
fn errors_name_row_and_column_and_never_the_place() {
    let files = Files::new();
    assert_eq!(
        files.error("lat,lon\n52.5,13.5\n52.77777,abc\n", &[]),
        "row 2, column \"lon\": not a number, expected degrees like 52.5163"
    );
    assert!(
        files.error("lat,lon\n52.5,13.5\n,13.5\n", &[]).starts_with("row 2, column \"lat\": empty, expected degrees")
    );
    assert_eq!(
        files.error("lat,lon\n13.77777,52.77777\n", &[]),
        "row 1, columns \"lat\" and \"lon\": outside the region (1 of the first 1 places do not fit: latitude and \
         longitude seem to be swapped)"
    );
    assert_eq!(
        files.error("lat,lon\n525277777,135277777\n", &[]),
        "row 1, column \"lat\": beyond 90 degrees, expected a latitude (1 of the first 1 places do not fit: the numbers \
         seem to be degrees times 10^7, as in exports of Google: divide them by 10000000)"
    );
    assert_eq!(
        files.error("lat,lon\nNaN,13.5\n", &[]),
        "row 1, column \"lat\": not a number, expected degrees like 52.5163"
    );
    assert_eq!(
        files.error("lat,lon\n52.5,13.5\n", &["lon"]),
        "`keep lon`: this is the private column, it cannot be released in clear"
    );
    assert!(files.error("52.77777,13.77777\n", &[]).contains("the first record has 2 fields (`columns` names"));
    assert!(files.error("", &[]).starts_with("empty, expected a header"));
    assert!(
        files
            .error("lat,lon\n52.5,13.5\n", &["x"])
            .starts_with("column \"x\": not found among the 2 columns of the first record")
    );
}

#[test]
fn a_copy_of_the_place_by_a_usual_name_is_kept_in_no_format() {
    let files = Files::new();
    let names = |latitude: &str| PlaceNames { latitude: Some(latitude.into()), longitude: Some("x".into()) };
    let table = files.write("a.csv", "Latitude,x,y,note\n52.25,13.25,52.25,a\n");
    for name in ["b.csv", "b.parquet", "b.arrow", "b.arrows"] {
        let both = files.release_of(&names("Latitude"), &table, name, &["y", "note"], false).unwrap();
        let refused = files.release_of(&names("y"), &both, "c.csv", &["note", "Latitude"], false);
        assert_eq!(
            refused.unwrap_err().to_string(),
            format!(
                "{}: `keep Latitude`: this is the place, it cannot be released in clear (rename it if it is something else)",
                both.display()
            )
        );
        let released = files.release_of(&names("y"), &both, "c.csv", &["note"], false).unwrap();
        assert_eq!(std::fs::read_to_string(released).unwrap(), "y,x,note\n52.251,13.25,a\n", "{name}");
    }
}

#[test]
fn columns_that_hold_no_numbers_are_refused_by_their_type() {
    let field = |data_type| Arc::new(Field::new("lat", data_type, true));
    let refused = PlacesColumn::new(Arc::new(BERLIN), &[field(DataType::Float64), field(DataType::Boolean)]);
    let message = refused.err().unwrap().to_string();
    assert!(message.starts_with("column \"lat\": the type is Boolean, expected whole numbers"), "{message}");
}
