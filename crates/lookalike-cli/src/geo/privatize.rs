//! `lookalike geo privatize`.

use super::data::PlaceColumns;
use super::file::read_mechanism;
use super::planar::shown;
use super::promise::of_cells;
use crate::Answer;
use crate::formats::Formats;
use crate::outcome::warn;
use crate::privatize::{closed, fresh_key, rows_out};
use crate::streams::{Stdout, check_stdout_before, is_closed_pipe, is_stdout, length};
use crate::terminal::{Terminal, count};
use indicatif::ProgressBar;
use lookalike::sample::RandomKey;
use lookalike_engine::geo::{
    self as engine, GeoJson, GeoJsonForm, PlaceMechanism, PlacesOutcome, ReleasePlaces, ReleasedPlaces,
};
use lookalike_engine::records::{Columns, Format, RecordFile, Records};
use lookalike_engine::{AtomicFile, Facts, OutputFile, ReleaseOptions, ReleaseRequest, RowsOut, Written};
use lookalike_formats::{Error, Result};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Release the places of a file through a certified mechanism
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike geo privatize m.json places.csv -o private.csv
  lookalike geo privatize m.json places.parquet --latitude y --longitude x --keep day -o private.parquet
  lookalike geo privatize m.json tracks.geojson -o private.geojson
  producer | lookalike geo privatize m.json - --geojson lines -o - > private.geojsonl

The formats are told by the ends of names: .csv, .tsv, .csv.gz, .parquet, .arrow, .arrows, and for GeoJSON .geojson, .json,
.geojsonl. Tables are released as tables and GeoJSON as GeoJSON of the same form.
Only places are written. Columns or properties named with --keep are released in clear, outside epsilon.
Each place is a release of its own: n places of one person cost n times epsilon.")]
pub struct Privatize {
    /// The mechanism file
    mechanism: PathBuf,
    /// The places: CSV, Parquet, Arrow or GeoJSON; - for standard input
    data: PathBuf,
    /// Where to write; - for standard output
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    columns: PlaceColumns,
    /// Columns or properties to release in clear beside the places
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    keep: Vec<String>,
    /// Release the rows, or features, in a random order; what does not fit in memory waits encrypted on disk
    #[arg(long)]
    shuffle: bool,
    /// Draw reproducibly, for tests and experiments only: whoever knows the seed can undo the noise
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The data are GeoJSON whatever the name says: a document, or a feature in each line
    #[arg(long, value_name = "FORM", value_parser = ["document", "lines"])]
    geojson: Option<String>,
    #[command(flatten)]
    formats: Formats,
}

impl Privatize {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        if terminal.json() && is_stdout(&self.output) {
            return Err(Error::input("--json and -o -: both would go to standard output, expected -o FILE"));
        }
        self.check()?;
        let Some(file) = read_mechanism(&self.mechanism, "nothing released", terminal)? else {
            return Ok(Answer::No);
        };
        let mechanism = file.sampler().map_err(|error| error.in_file(&self.mechanism))?;
        let key = self.seed.map_or_else(|| fresh_key("nothing is released"), |seed| Ok(RandomKey::from_seed(seed)))?;
        let bar = terminal.bytes(length(&self.data));
        let rows_out = rows_out(&self.output, &bar, if self.form().is_some() { "feature" } else { "row" });
        let released = if is_stdout(&self.output) {
            check_stdout_before(&self.data)?;
            match self.release(mechanism, Box::new(Stdout::new()), &key, &bar, rows_out.as_deref()) {
                // A reader that has seen enough, such as head, is not an error.
                Err(error) if is_closed_pipe(&error) => {
                    closed(terminal, rows_out.as_deref());
                    return Ok(Answer::Yes);
                }
                released => released?,
            }
        } else {
            let mut output = AtomicFile::create(&self.output, terminal.force())?;
            let released = self.release(mechanism, Box::new(&mut output), &key, &bar, rows_out.as_deref())?;
            output.commit()?;
            released
        };
        bar.finish_and_clear();
        self.report(&file, released, terminal)?;
        Ok(Answer::Yes)
    }

    /// The form of the data, if they are GeoJSON.
    fn form(&self) -> Option<GeoJsonForm> {
        match self.geojson.as_deref() {
            Some("lines") => Some(GeoJsonForm::Lines),
            Some(_) => Some(GeoJsonForm::Document),
            None if self.formats.is_told() => None,
            None => GeoJsonForm::of(&self.data),
        }
    }

    /// Refuses formats that do not fit, before anything is read.
    fn check(&self) -> Result<()> {
        let output = GeoJsonForm::of(&self.output);
        let wrong = |found: &str, expected: &str| {
            Err(Error::input(format!("{}: the output is named as {found}, expected {expected}", self.output.display())))
        };
        match (self.form(), output) {
            (None, Some(_)) if !self.formats.is_told() => {
                wrong("GeoJSON and the data are a table", "a name of a table, like .csv or .parquet")
            }
            (None, _) => self.formats.check(&self.data, &self.output),
            (Some(_), None) if Format::of(&self.output).is_some() => {
                wrong("a table and the data are GeoJSON", "a name like .geojson")
            }
            (Some(form), Some(other)) if form != other => {
                wrong("another form of GeoJSON than the data", "the same: a document, or a feature a line")
            }
            (Some(_), _) if self.output.extension().is_some_and(|extension| extension == "gz") => {
                wrong("compressed", "plain GeoJSON")
            }
            (Some(_), _) => {
                self.columns.check_unused()?;
                self.formats.check_unused("GeoJSON")
            }
        }
    }

    /// Reads, draws and writes everything.
    fn release(
        &self,
        mechanism: Arc<dyn ReleasePlaces>,
        mut writer: Box<dyn Write + Send + '_>,
        key: &RandomKey,
        bar: &ProgressBar,
        rows_out: Option<&RowsOut>,
    ) -> Result<ReleasedPlaces> {
        let (input, output): (&Path, &Path) = (&self.data, &self.output);
        let mut progress = |bytes| bar.set_position(bytes);
        if let Some(form) = self.form() {
            let geojson = GeoJson { form, keep: self.keep.clone(), shuffle: self.shuffle };
            let ends = [input, output];
            let done = geojson.release_file(ends, &mut writer, &*mechanism, key, &mut progress, &|| false, rows_out)?;
            return Ok(ReleasedPlaces::Features(done));
        }
        let csv = self.formats.csv_options(input);
        let columns = Columns { keep: self.keep.clone(), ..Columns::default() };
        let format = self.formats.input(input);
        let request = ReleaseRequest {
            mechanism: Box::new(engine::PlaceColumns { mechanism, names: Some(self.columns.names()) }),
            records: Records::File(RecordFile { path: input, format, csv: &csv }),
            options: ReleaseOptions { columns, seed: self.seed, shuffle: self.shuffle, ..ReleaseOptions::default() },
            charging: None,
        };
        let release = request.open()?;
        let file = OutputFile {
            path: output,
            format: self.formats.output(input, output),
            header: self.formats.has_header(),
            delimiter: self.formats.output_delimiter(input, output),
            escape_formulas: self.formats.escape_formulas(),
            compression: self.formats.compression(output),
            rows_out,
        };
        Ok(ReleasedPlaces::Rows(release.write(&file, Written::Stream(writer), None, &mut progress, &|| false)?.done))
    }

    fn report(&self, mechanism: &PlaceMechanism, done: ReleasedPlaces, terminal: &Terminal) -> Result<()> {
        let what = match &done {
            ReleasedPlaces::Rows(done) => count(done.rows, "row"),
            ReleasedPlaces::Features(done) => {
                format!("{} with {}", count(done.features, "feature"), count(done.positions, "position"))
            }
        };
        let outcome = PlacesOutcome {
            done,
            epsilon_per_metre: mechanism.epsilon_per_metre(),
            in_clear: self.keep.clone(),
            seed: self.seed,
            shuffle: self.shuffle,
        };
        warn(&outcome.warnings(), terminal);
        if terminal.json() {
            return terminal.answer(outcome.facts().json(), String::new);
        }
        // The output may be on standard output, so this goes beside it.
        terminal.note(&format!("Released {what}, each at {}.", at(mechanism)?));
        if !self.keep.is_empty() {
            terminal.note(&format!("Released in clear, outside epsilon: {}.", self.keep.join(", ")));
        }
        Ok(())
    }
}

/// The promise of one release, in a few words.
fn at(file: &PlaceMechanism) -> Result<String> {
    Ok(match file {
        PlaceMechanism::Planar(certified) => {
            let epsilon = certified.mechanism().epsilon();
            format!("epsilon {} for each metre", shown(&epsilon.to_string(), epsilon.to_f64()))
        }
        PlaceMechanism::Cells { certified, grid, .. } => of_cells(grid, certified.mechanism().graph())?,
    })
}
