//! GeoJSON in and out.

use super::collection::{TakeFeatures, explain, read_document};
use super::feature::{Feature, Positions};
use super::geojson_input::{FeatureInput, Meter};
use super::geojson_release::{Release, Sink};
use super::names::refuse_places;
use super::places::Places;
use crate::release::{RowsOut, kept};
use lookalike::sample::{RandomKey, ReleasePlaces};
use lookalike_formats::{Error, Result};
use lookalike_records::{Shuffle, at_input, at_output, open_stream};
use serde_json::Value;
use std::io::{BufRead, Read, Write};
use std::path::Path;

/// How GeoJSON is read and written: RFC 7946, in which the longitude comes first.
///
/// A document is a FeatureCollection, a Feature or a geometry; lines have one Feature or geometry each. Geometries are
/// Point, MultiPoint, LineString and MultiLineString, which stand for tracks, and GeometryCollections of these. The
/// released geometries are of the same types with as many positions, each drawn by itself. Everything else is dropped:
/// ids, properties, bounding boxes, altitudes and foreign members, but for the properties that are kept by name; `id`
/// keeps the ids of features, and `altitude` the altitudes of positions. Gzip is recognized.
///
/// # Complexity
/// One pass; in memory for some tens of thousands of positions. Features that are shuffled wait in memory and, where they do
/// not fit, on disk; see [`Shuffle`].
///
/// # Example
/// ```
/// use lookalike_engine::geo::{GeoJson, GeoJsonForm};
/// let text = r#"{"type": "LineString", "coordinates": [[13.4, 52.5], [13.5, 52.6]]}"#;
/// let geojson = GeoJson { form: GeoJsonForm::Document, keep: vec![], shuffle: false };
/// assert_eq!(geojson.places(text.as_bytes())?.latitudes, [52.5, 52.6]);
/// # Ok::<(), lookalike_formats::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeoJson {
    /// One document, or one in each line.
    pub form: GeoJsonForm,
    /// The names of the properties to release in clear.
    pub keep: Vec<String>,
    /// Whether features are released in a random order.
    pub shuffle: bool,
}

/// How features lie in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GeoJsonForm {
    /// One document: `.geojson` or `.json`.
    Document,
    /// A feature a line: `.geojsonl`, `.ndjson`, `.geojsons`, `.geojsonseq`.
    Lines,
}

impl GeoJsonForm {
    /// The form that the name of a file ends in, perhaps with `.gz`, if it is one of GeoJSON.
    pub fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        match name.strip_suffix(".gz").unwrap_or(&name).rsplit_once('.')?.1 {
            "geojson" | "json" => Some(GeoJsonForm::Document),
            "geojsonl" | "ndjson" | "geojsons" | "geojsonseq" | "jsonl" => Some(GeoJsonForm::Lines),
            _ => None,
        }
    }
}

/// What a release of GeoJSON did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReleasedFeatures {
    /// How many features were released.
    pub features: u64,
    /// How many positions they have.
    pub positions: u64,
    /// The most positions of one feature: so many times ε is what a track of one person costs.
    pub longest: u64,
}

impl GeoJson {
    /// Releases the positions of a file; `-` is standard input. The writer is that of `output`, which is for errors.
    ///
    /// `progress` is told the bytes read so far, and the work ends with an error once `stop` says so.
    ///
    /// # Errors
    /// What is no GeoJSON, or a place that cannot be released, by its feature; a name to keep that no feature has, or
    /// that stands for the place itself. Errors name their files, and then nothing in the output is of use.
    #[allow(clippy::too_many_arguments, reason = "both ends, the mechanism, and who listens")]
    #[allow(clippy::too_many_arguments)]
    pub fn release_file(
        &self,
        [input, output]: [&Path; 2],
        writer: &mut dyn Write,
        mechanism: &dyn ReleasePlaces,
        key: &RandomKey,
        progress: &mut dyn FnMut(u64),
        stop: &dyn Fn() -> bool,
        out: Option<&RowsOut>,
    ) -> Result<ReleasedFeatures> {
        let mut sink = Sink::new(writer, out);
        let scratch = Shuffle::directory(output);
        let released = open(input)
            .and_then(|reader| Release::new(self, &mut sink, mechanism, key, scratch).run(reader, progress, stop));
        let released = match sink.refused {
            Some(error) => Err(at_output(error, output)),
            None => released.map_err(|error| at_input(error, input)),
        };
        released.map_err(|error| match out.and_then(RowsOut::said) {
            Some(said) => error.and(said),
            None => error,
        })
    }

    /// The same for a reader and a writer that have no name, in one go.
    ///
    /// # Errors
    /// As [`GeoJson::release_file`], without names.
    pub fn release(
        &self,
        reader: impl Read,
        writer: &mut dyn Write,
        mechanism: &dyn ReleasePlaces,
        key: &RandomKey,
    ) -> Result<ReleasedFeatures> {
        let mut sink = Sink::new(writer, None);
        let scratch = Shuffle::directory(Path::new("-"));
        let released = Release::new(self, &mut sink, mechanism, key, scratch).run(reader, &mut |_| {}, &|| false);
        sink.refused.map_or(released, Err)
    }

    /// All positions, in the order of the file: 16 bytes each.
    ///
    /// # Errors
    /// What is no GeoJSON, and the first place that is none.
    pub fn places(&self, reader: impl Read) -> Result<Places> {
        let mut collect = Collect::default();
        self.read(reader, &Meter::default(), &mut collect)?;
        Ok(collect.places)
    }

    /// [`GeoJson::places`] of a file; `-` is standard input.
    ///
    /// # Errors
    /// As [`GeoJson::places`], naming the file.
    pub fn read_places(&self, path: &Path) -> Result<Places> {
        open(path).and_then(|reader| self.places(reader)).map_err(|error| at_input(error, path))
    }

    /// Hands the features of an input to a taker.
    pub(super) fn read(&self, reader: impl Read, meter: &Meter, taker: &mut dyn TakeFeatures) -> Result<()> {
        let mut input = FeatureInput::open(reader, meter)?;
        if self.form == GeoJsonForm::Document {
            return read_document(input, taker);
        }
        let (mut line, mut number) = (Vec::new(), 0u64);
        loop {
            line.clear();
            number += 1;
            let at = |error: Error| error.at(format!("line {number}"));
            let read = input.read_until(b'\n', &mut line);
            if read.map_err(|error| at(explain(serde_json::Error::io(error))))? == 0 {
                return Ok(());
            }
            // A sequence by RFC 8142 has a record separator before each text.
            let text = line.strip_prefix(b"\x1e").unwrap_or(&line).trim_ascii();
            if !text.is_empty() {
                taker.feature(serde_json::from_slice(text).map_err(|error| at(explain(error)))?)?;
            }
        }
    }

    /// Refuses names that stand for the place itself, and names that occur twice.
    pub(super) fn check_kept(&self) -> Result<()> {
        refuse_places(&self.keep)?;
        let twice = |name: &&String| self.keep.iter().filter(|other| other == name).count() > 1;
        match self.keep.iter().find(twice) {
            Some(name) => Err(Error::input("named twice, expected once").at_option(kept(name))),
            None => Ok(()),
        }
    }
}

fn open(path: &Path) -> Result<Box<dyn Read + Send>> {
    open_stream(path).map_err(|error| Error::system("cannot read", error))
}

/// Positions on their way to a list.
#[derive(Default)]
struct Collect {
    places: Places,
    features: u64,
}

impl TakeFeatures for Collect {
    fn begin_collection(&mut self) -> Result<()> {
        Ok(())
    }

    fn feature(&mut self, feature: Value) -> Result<()> {
        self.features += 1;
        let mut positions = Positions::default();
        Feature::read(feature, &[], &mut positions).map_err(|error| error.at(format!("feature {}", self.features)))?;
        positions.places.check().map_err(|fault| {
            let position = fault.at as u64 + 1;
            fault.in_feature(self.features, position)
        })?;
        self.places.latitudes.extend(positions.places.latitudes);
        self.places.longitudes.extend(positions.places.longitudes);
        Ok(())
    }
}

#[cfg(test)]
#[path = "geojson_tests.rs"]
mod tests;
