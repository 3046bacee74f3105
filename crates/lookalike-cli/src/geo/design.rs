//! `lookalike geo design`.

use super::cells::CellsText;
use super::planar::{planar_text, region};
use super::prior::PriorFile;
use super::promise::Asked;
use crate::Answer;
use crate::certify::refuted;
use crate::design::{check_output, stage, write};
use crate::interrupt::Interrupt;
use crate::noise::exponent;
use crate::outcome::{answer, kept_text, warn};
use crate::terminal::Terminal;
use lookalike::design::{Progress, Watch};
use lookalike::exact::{Rational, parse_rational};
use lookalike::geo::{Cells, PlaceGrid};
use lookalike_engine::geo::{CellDesigner, CellLoss, CellsDesign, PlanarDesign, Promise};
use lookalike_formats::geo::{Length, Origin};
use lookalike_formats::{Error, Result};
use std::path::PathBuf;

/// Design noise on places, or a mechanism between the cells of a grid, prove it, and write it to a file
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike geo design --origin 45.07,7.69 --extent 20km --epsilon 'ln(4)/200' -o m.json
  lookalike geo design --origin 45.07,7.69 --extent 20km --level 'ln(4)' --radius 200m -o m.json
  lookalike geo design --origin 45.07,7.69 --cells 8x8 --step 500m --epsilon 'ln(2)/500m' -o cells.json
  lookalike geo design --origin 45.07,7.69 --cells 8x8 --step 500m --level 'ln(2)' --within 1km --prior seen.csv

Origin, extent, cells and step are public, and so is the prior: taken from private places they would tell of them.
With --extent any place of the square is protected; with --cells the secret is the cell. The mechanism between cells is
the optimum for the prior and the loss up to 100 cells, and planar noise brought to the grid beyond.")]
pub struct Design {
    /// The middle of the region, public: LATITUDE,LONGITUDE in degrees
    #[arg(long, value_name = "PLACE", allow_hyphen_values = true)]
    origin: Origin,
    /// How far the region goes to the north, south, east and west, public
    #[arg(
        long,
        value_name = "LENGTH",
        required_unless_present = "cells",
        conflicts_with = "cells",
        allow_hyphen_values = true
    )]
    extent: Option<Length>,
    #[command(flatten)]
    asked: Asked,
    /// Noise: round to multiples of this power of two in metres, like 1/8; by default about a thousandth of the noise
    #[arg(long, value_name = "G", value_parser = exponent, conflicts_with = "cells")]
    grid: Option<i32>,
    /// Cells: how many from west to east and from south to north, like 10x10
    #[arg(long, value_name = "CxR", requires = "step", value_parser = size)]
    cells: Option<[u32; 2]>,
    /// Cells: the side of each
    #[arg(long, value_name = "LENGTH", requires = "cells", allow_hyphen_values = true)]
    step: Option<Length>,
    /// Cells: optimal, planar or truncated; by default optimal up to 100 cells, and planar beyond
    #[arg(long, value_name = "NAME", requires = "cells")]
    mechanism: Option<CellDesigner>,
    #[command(flatten)]
    prior: PriorFile,
    /// Cells: what a wrong cell costs: euclidean, squared, or within:200m for 1 beyond that distance
    #[arg(long, value_name = "NAME", default_value = "euclidean")]
    loss: CellLoss,
    /// Cells: design the optimum with a spanner of this dilation, from 1 for all pairs; larger is faster and a little worse
    #[arg(long, value_name = "D", default_value = "1", value_parser = parse_rational, requires = "cells")]
    spanner: Rational,
    /// The mechanism file to write; - for standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Design {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        check_output(self.output.as_deref(), terminal)?;
        let promise = self.asked.promise()?;
        match (&self.cells, &self.extent) {
            (Some(size), _) => self.cells(*size, promise, terminal),
            (None, Some(extent)) => self.noise(extent, promise, terminal),
            (None, None) => unreachable!("clap asks for one"),
        }
    }

    fn noise(&self, extent: &Length, promise: Promise, terminal: &Terminal) -> Result<Answer> {
        self.refuse_for_noise()?;
        let region = region(&self.origin, extent.metres())?;
        let designed = match (PlanarDesign { region, promise: promise.clone(), grid: self.grid }).run()? {
            Ok(designed) => designed,
            Err(found) => return refuted(&found, "nothing written", terminal),
        };
        if let Some(path) = &self.output {
            write(&designed.file(), path, terminal)?;
        }
        let text = planar_text(&designed, &promise)? + &kept_text(self.output.as_deref());
        answer(&designed.facts(), self.output.as_deref(), || text, terminal)?;
        Ok(Answer::Yes)
    }

    fn cells(&self, [columns, rows]: [u32; 2], promise: Promise, terminal: &Terminal) -> Result<Answer> {
        let step = self.step.as_ref().expect("clap asks for it").metres().clone();
        let cells = Cells::new(columns, rows, step).map_err(|error| Error::from(error).at("--cells and --step"))?;
        let grid = PlaceGrid::new(self.origin.latitude().clone(), self.origin.longitude().clone(), cells)
            .map_err(|error| Error::from(error).at("--origin, --cells and --step"))?;
        let request = CellsDesign {
            prior: self.prior.over(&grid, terminal)?,
            grid,
            promise: promise.clone(),
            designer: self.mechanism,
            prior_from: self.prior.text(),
            loss: self.loss.clone(),
            dilation: self.spanner.clone(),
        };
        let bar = terminal.spinner("designing");
        let interrupt = Interrupt::new(&bar);
        let progress = |progress: Progress| bar.set_message(stage(progress));
        let designed = request.run(&Watch::default().on_progress(&progress))?;
        bar.finish_and_clear();
        interrupt.writing();
        warn(&designed.warnings, terminal);
        if let Some(path) = &self.output {
            write(&designed.file(), path, terminal)?;
        }
        let (loss, prior, dilation) = (&self.loss, self.prior.words(), &self.spanner);
        let text = CellsText { promise: &promise, loss, prior, dilation }.text(&designed)?;
        let text = text + &kept_text(self.output.as_deref());
        answer(&designed.facts(), self.output.as_deref(), || text, terminal)?;
        Ok(Answer::Yes)
    }

    /// Options with a default are not for clap to refuse.
    fn refuse_for_noise(&self) -> Result<()> {
        let given = [("--prior", !self.prior.is_uniform()), ("--loss", self.loss != CellLoss::Euclidean)];
        match given.iter().find(|(_, given)| *given) {
            Some((option, _)) => Err(Error::input(format!(
                "{option} is for cells (--cells 10x10 --step 500m): noise is the same at all places"
            ))),
            None => Ok(()),
        }
    }
}

/// `10x8`: columns and rows.
fn size(text: &str) -> Result<[u32; 2]> {
    let wrong = || Error::input(format!("{text:?} is no size of a grid, expected columns and rows like 10x8"));
    let (columns, rows) = text.split_once(['x', 'X', '×']).ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse().map_err(|_| wrong());
    Ok([number(columns)?, number(rows)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_two_numbers() {
        assert_eq!(["10x8", "1X2", " 3 × 4 "].map(|text| size(text).unwrap()), [[10, 8], [1, 2], [3, 4]]);
        for text in ["", "10", "x", "10x", "axb", "10x-1", "10x8x2"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
