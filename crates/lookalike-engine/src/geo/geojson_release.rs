//! A release of GeoJSON under way.

use super::collection::TakeFeatures;
use super::feature::{Feature, Positions};
use super::geojson::{GeoJson, GeoJsonForm, ReleasedFeatures};
use super::geojson_input::Meter;
use crate::release::{RowsOut, kept, stopped};
use lookalike::sample::{RandomKey, ReleasePlaces};
use lookalike_formats::{Error, Result};
use lookalike_records::ShuffledTexts;
use serde_json::Value;
use std::io::{Read, Write};
use std::path::PathBuf;

/// So many positions are released at once.
const BATCH: usize = 1 << 16;
/// About so many bytes are written at once.
const CHUNK: usize = 1 << 16;

/// An output, and why it refused: such an error is not about the input.
pub(super) struct Sink<'a> {
    writer: &'a mut dyn Write,
    buffer: String,
    pub refused: Option<Error>,
    /// Where features are counted that have left and cannot be called back.
    out: Option<&'a RowsOut>,
}

impl<'a> Sink<'a> {
    pub fn new(writer: &'a mut dyn Write, out: Option<&'a RowsOut>) -> Self {
        Sink { writer, buffer: String::new(), refused: None, out }
    }

    /// A feature is in what is written next.
    fn feature(&self) {
        if let Some(out) = self.out {
            out.handing_on(1);
        }
    }

    fn write(&mut self, text: &str) -> Result<()> {
        self.buffer += text;
        if self.buffer.len() < CHUNK { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> Result<()> {
        let written = self.writer.write_all(self.buffer.as_bytes()).and_then(|()| self.writer.flush());
        self.buffer.clear();
        if let Some(out) = self.out.filter(|_| written.is_ok()) {
            out.flushed();
        }
        written.map_err(|error| {
            self.refused = Some(Error::system("cannot write", error));
            Error::input("the output refuses")
        })
    }
}

/// Features on their way from a reader to a writer.
pub(super) struct Release<'a, 'w> {
    geojson: &'a GeoJson,
    sink: &'a mut Sink<'w>,
    mechanism: &'a dyn ReleasePlaces,
    key: &'a RandomKey,
    is_collection: bool,
    /// Features that wait to be released, and how many positions each has.
    waiting: Vec<(Feature, usize)>,
    positions: Positions,
    /// Released features that wait for their turn in a random order.
    held: Option<ShuffledTexts>,
    /// Whether each name to keep was found.
    found: Vec<bool>,
    is_first: bool,
    done: ReleasedFeatures,
}

impl<'a, 'w> Release<'a, 'w> {
    /// Features that are shuffled wait in `scratch` where they do not fit in memory.
    pub fn new(
        geojson: &'a GeoJson,
        sink: &'a mut Sink<'w>,
        mechanism: &'a dyn ReleasePlaces,
        key: &'a RandomKey,
        scratch: PathBuf,
    ) -> Self {
        Release {
            geojson,
            sink,
            mechanism,
            key,
            is_collection: false,
            waiting: Vec::new(),
            positions: Positions::default(),
            held: geojson.shuffle.then(|| ShuffledTexts::new(key, scratch)),
            found: vec![false; geojson.keep.len()],
            is_first: true,
            done: ReleasedFeatures::default(),
        }
    }

    /// Reads, draws and writes everything.
    pub fn run(
        mut self,
        reader: impl Read,
        progress: &mut dyn FnMut(u64),
        stop: &dyn Fn() -> bool,
    ) -> Result<ReleasedFeatures> {
        self.geojson.check_kept()?;
        let (geojson, meter) = (self.geojson, Meter::default());
        geojson.read(reader, &meter, &mut Heard { release: &mut self, meter: &meter, progress, stop })?;
        self.draw()?;
        self.check_found()?;
        self.write_held()?;
        if self.is_collection {
            self.sink.write("\n]}\n")?;
        } else if geojson.form == GeoJsonForm::Document {
            self.sink.write("\n")?;
        }
        self.sink.flush()?;
        Ok(self.done)
    }

    fn take(&mut self, feature: Value) -> Result<()> {
        let number = self.done.features + self.waiting.len() as u64 + 1;
        let mut positions = Positions::default();
        let feature = Feature::read(feature, &self.geojson.keep, &mut positions)
            .map_err(|error| error.at(format!("feature {number}")))?;
        for (name, found) in self.geojson.keep.iter().zip(&mut self.found) {
            let is_altitude = || name == "altitude" && positions.altitudes.iter().any(Option::is_some);
            *found = *found || feature.has(name) || is_altitude();
        }
        self.waiting.push((feature, positions.places.len()));
        self.positions.append(positions);
        if self.positions.places.len() < BATCH { Ok(()) } else { self.draw() }
    }

    /// Releases the features that wait.
    fn draw(&mut self) -> Result<()> {
        let (waiting, positions) = (std::mem::take(&mut self.waiting), std::mem::take(&mut self.positions));
        let released = positions.places.released(self.mechanism, self.key, self.done.positions).map_err(|fault| {
            let (mut before, mut feature) = (0, 0);
            while before + waiting[feature].1 <= fault.at {
                before += waiting[feature].1;
                feature += 1;
            }
            let position = (fault.at - before) as u64 + 1;
            fault.in_feature(self.done.features + feature as u64 + 1, position)
        })?;
        let has_altitudes = self.geojson.keep.iter().any(|name| name == "altitude");
        let mut at = 0;
        let mut next = || {
            let altitude = positions.altitudes[at].as_ref().filter(|_| has_altitudes);
            let altitude = altitude.map_or_else(String::new, |altitude| format!(",{altitude}"));
            at += 1;
            format!("[{},{}{altitude}]", released.longitudes[at - 1], released.latitudes[at - 1])
        };
        for (feature, count) in &waiting {
            let text = feature.text(&mut next);
            self.done.features += 1;
            self.done.positions += *count as u64;
            self.done.longest = self.done.longest.max(*count as u64);
            match &mut self.held {
                Some(held) => held.push(&text)?,
                None => self.write(&text)?,
            }
        }
        Ok(())
    }

    fn write(&mut self, text: &str) -> Result<()> {
        if self.is_collection {
            self.sink.write(if self.is_first { "\n" } else { ",\n" })?;
        }
        self.is_first = false;
        self.sink.feature();
        self.sink.write(text)?;
        if self.geojson.form == GeoJsonForm::Lines { self.sink.write("\n") } else { Ok(()) }
    }

    fn write_held(&mut self) -> Result<()> {
        match self.held.take() {
            Some(held) => held.finish(|text| self.write(text)),
            None => Ok(()),
        }
    }

    /// A misspelt name must not be silently without effect.
    fn check_found(&self) -> Result<()> {
        let missing = self.geojson.keep.iter().zip(&self.found).find(|(_, found)| !**found);
        match missing.filter(|_| self.done.features > 0) {
            Some((name, _)) => Err(Error::input("no feature has a property of this name").at_option(kept(name))),
            None => Ok(()),
        }
    }
}

/// A release that tells how far it is.
struct Heard<'a, 'r, 'w> {
    release: &'a mut Release<'r, 'w>,
    meter: &'a Meter,
    progress: &'a mut dyn FnMut(u64),
    stop: &'a dyn Fn() -> bool,
}

impl TakeFeatures for Heard<'_, '_, '_> {
    fn begin_collection(&mut self) -> Result<()> {
        self.release.is_collection = true;
        self.release.sink.write("{\"type\":\"FeatureCollection\",\"features\":[")
    }

    fn feature(&mut self, feature: Value) -> Result<()> {
        if (self.stop)() {
            return Err(stopped());
        }
        self.meter.feature_is_complete();
        (self.progress)(self.meter.bytes_read());
        self.release.take(feature)
    }
}
