//! Files of places, of any format.

use lookalike_engine::geo::{GeoJson, GeoJsonForm, PlaceNames, Places, read_places};
use lookalike_engine::records::{Columns, CsvOptions, Format, Input};
use lookalike_formats::{Error, Result};
use std::path::Path;

/// Which columns of a table hold the places.
#[derive(clap::Args)]
pub struct PlaceColumns {
    /// Tables: the column of latitudes in degrees; by default latitude or lat
    #[arg(long, value_name = "COLUMN")]
    latitude: Option<String>,
    /// Tables: the column of longitudes in degrees; by default longitude, lon, lng or long
    #[arg(long, value_name = "COLUMN")]
    longitude: Option<String>,
}

impl PlaceColumns {
    pub fn names(&self) -> PlaceNames {
        PlaceNames { latitude: self.latitude.clone(), longitude: self.longitude.clone() }
    }

    /// Refuses columns where there are none.
    pub fn check_unused(&self) -> Result<()> {
        match (&self.latitude, &self.longitude) {
            (None, None) => Ok(()),
            _ => Err(Error::input("--latitude and --longitude name columns of a table, and GeoJSON has none")),
        }
    }
}

/// The places of a file: GeoJSON or a table, as its name says, and a table without one.
pub fn read(path: &Path, columns: &PlaceNames) -> Result<Places> {
    if let Some(form) = GeoJsonForm::of(path) {
        return GeoJson { form, keep: Vec::new(), shuffle: false }.read_places(path);
    }
    let csv = CsvOptions { delimiter: CsvOptions::delimiter_of(path), ..CsvOptions::default() };
    let format = Format::of(path).unwrap_or(Format::Csv);
    read_places(&Input { path, format, csv: &csv, columns: &Columns::default(), charging: None }, columns)
}
