//! `lookalike geo map`.

use super::data::PlaceColumns;
use super::file::read_mechanism;
use super::track;
use crate::Answer;
use crate::streams::is_stdout;
use crate::terminal::{Terminal, print};
use lookalike::certify::Certified;
use lookalike::exact::{Direction, to_f64};
use lookalike::geo::PlaceGrid;
use lookalike::model::{Mechanism, PlanarNoise};
use lookalike::sample::Plane;
use lookalike_engine::geo::PlaceMechanism;
use lookalike_engine::{Facts, write_atomically};
use lookalike_formats::geo::Origin;
use lookalike_formats::{Error, Result};
use lookalike_report::plot::{CellMap, standalone};
use lookalike_report::{PageFacts, planar_map};
use std::path::PathBuf;

/// Draw what is released for a place, or places before and after a release, as an SVG
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike geo map m.json -o map.svg
  lookalike geo map cells.json --cell 3,4 -o map.svg
  lookalike geo map cells.json --at 45.0703,7.6869 -o map.svg
  lookalike geo map --track places.csv private.csv -o tracks.svg    # private, as places.csv is

For cells the map has the probability of each; for noise circles that hold half, 95 % and 99 % of all releases.")]
pub struct Map {
    /// The mechanism file
    #[arg(required_unless_present = "track")]
    mechanism: Option<PathBuf>,
    /// Cells: the true cell, column and row from 0, from the south-west; by default one in the middle
    // Text until the command line is read, and so is the place: what is wrong with a private argument is told without it.
    #[arg(long, value_name = "C,R", conflicts_with = "at")]
    cell: Option<String>,
    /// The true place: LATITUDE,LONGITUDE in degrees; by default the middle of the region
    #[arg(long, value_name = "PLACE", allow_hyphen_values = true)]
    at: Option<String>,
    /// Two files of places instead, before and after their release; the picture is as private as the first
    #[arg(long, value_names = ["BEFORE", "AFTER"], num_args = 2, conflicts_with_all = ["mechanism", "cell", "at"])]
    track: Vec<PathBuf>,
    #[command(flatten)]
    columns: PlaceColumns,
    /// The picture to write; - for standard output
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

impl Map {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let to_stdout = is_stdout(&self.output);
        if terminal.json() && to_stdout {
            return Err(Error::input("--json and -o -: both would go to standard output, expected -o FILE"));
        }
        let Some(svg) = self.svg(terminal)? else { return Ok(Answer::No) };
        if to_stdout {
            print(&svg)?;
            return Ok(Answer::Yes);
        }
        write_atomically(&self.output, terminal.force(), svg.as_bytes())?;
        let facts = PageFacts::of(&self.output, &svg);
        terminal.answer(facts.json(), || format!("Wrote {}.\n", self.output.display()))?;
        Ok(Answer::Yes)
    }

    /// The picture; `None` with a warning when the mechanism is not private.
    fn svg(&self, terminal: &Terminal) -> Result<Option<String>> {
        if let [before, after] = &self.track[..] {
            terminal.warn(&format!("{} is private, and so is the picture", before.display()));
            return track::svg([before, after], &self.columns.names()).map(Some);
        }
        let path = self.mechanism.as_ref().expect("clap asks for it");
        let named = |error: Error| error.in_file(path);
        Ok(match read_mechanism(path, "nothing drawn", terminal)? {
            None => None,
            Some(PlaceMechanism::Planar(certified)) => Some(self.noise(&certified).map_err(named)?),
            Some(PlaceMechanism::Cells { certified, grid, .. }) => {
                Some(self.cells(certified.mechanism(), &grid).map_err(named)?)
            }
        })
    }

    /// The true cell, if one is given.
    fn cell(&self) -> Result<Option<[u32; 2]>> {
        let wrong = || Error::input("--cell: no cell, expected column and row like 3,4");
        let number = |text: &str| text.trim().parse().map_err(|_| wrong());
        let cell = |text: &String| {
            let (column, row) = text.split_once(',').ok_or_else(wrong)?;
            Ok([number(column)?, number(row)?])
        };
        self.cell.as_ref().map(cell).transpose()
    }

    /// The true place, if one is given.
    fn at(&self) -> Result<Option<Origin>> {
        let place = |text: &String| {
            text.parse().map_err(|_| {
                Error::input(
                    "--at: no place, expected LATITUDE,LONGITUDE in decimal degrees like 52.52,13.405, the latitude from -90 to \
                     90 and the longitude from -180 to 360",
                )
            })
        };
        self.at.as_ref().map(place).transpose()
    }

    /// The law of one cell.
    fn cells(&self, mechanism: &Mechanism, grid: &PlaceGrid) -> Result<String> {
        let cells = grid.cells();
        let middle = [cells.columns() / 2, cells.rows() / 2];
        let truth = match (self.cell()?, self.at()?) {
            (Some([column, row]), _) if column >= cells.columns() || row >= cells.rows() => {
                let (columns, rows) = (cells.columns(), cells.rows());
                return Err(Error::input(format!(
                    "--cell: not a cell of the grid, expected one of {columns}x{rows}, from 0,0"
                )));
            }
            (Some(cell), _) => cells.cell(cell),
            (None, Some(place)) => {
                let [latitude, longitude] = degrees(&place);
                let outside = || Error::input("--at: a place outside the grid of cells, expected one inside");
                grid.cell_of(latitude, longitude).ok_or_else(outside)?
            }
            (None, None) => cells.cell(middle),
        };
        let channel = &mechanism.channels()[0];
        let value = |z: usize| to_f64(&channel.probability(truth as usize, z), Direction::Nearest);
        let [column, row] = cells.place(truth);
        let map = CellMap {
            title: format!("What is released for cell {column},{row}"),
            columns: cells.columns() as usize,
            step: to_f64(cells.step(), Direction::Nearest),
            values: (0..cells.len()).map(value).collect(),
            truth: Some(truth as usize),
        };
        Ok(standalone(&map.svg()))
    }

    /// Circles around a place.
    fn noise(&self, certified: &Certified<PlanarNoise>) -> Result<String> {
        if self.cell.is_some() {
            return Err(Error::input("--cell is for cells, and this is noise on all places: --at names one"));
        }
        let noise = certified.mechanism();
        let centre = match self.at()? {
            None => [0.0, 0.0],
            Some(place) => {
                let [latitude, longitude] = degrees(&place);
                let outside = || Error::input("--at: a place outside the region, expected one inside");
                Plane::new(noise.region()).point(latitude, longitude).ok_or_else(outside)?
            }
        };
        Ok(standalone(&planar_map(noise, centre).svg()))
    }
}

fn degrees(place: &Origin) -> [f64; 2] {
    [place.latitude(), place.longitude()].map(|degrees| to_f64(degrees, Direction::Nearest))
}
