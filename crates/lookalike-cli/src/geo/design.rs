//! `lookalike geo design`.

use super::cells::{CellsQuestion, Designer};
use super::loss::LossName;
use super::planar::Planar;
use super::prior::PriorFile;
use super::promise::{Asked, Promise};
use crate::Answer;
use crate::design::check_output;
use crate::noise::exponent;
use crate::streams::is_stdout;
use crate::terminal::Terminal;
use lookalike::exact::{Rational, parse_rational};
use lookalike_formats::geo::{Length, Origin};
use lookalike_formats::{Error, Result};
use serde_json::Value;
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
    mechanism: Option<Designer>,
    #[command(flatten)]
    prior: PriorFile,
    /// Cells: what a wrong cell costs: euclidean, squared, or within:200m for 1 beyond that distance
    #[arg(long, value_name = "NAME", default_value = "euclidean")]
    loss: LossName,
    /// Cells: design the optimum with a spanner of this dilation, from 1 for all pairs; larger is faster and a little worse
    #[arg(long, value_name = "D", default_value = "1", value_parser = parse_rational, requires = "cells")]
    spanner: Rational,
    /// The mechanism file to write; - for standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// What a design says of itself.
pub struct Designed {
    pub text: String,
    pub json: Value,
}

impl Design {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        check_output(self.output.as_deref(), terminal)?;
        let promise = self.asked.promise()?;
        let output = self.output.as_deref();
        let designed = match (&self.cells, &self.extent) {
            (Some(size), _) => self.question(*size, promise).run(output, terminal)?,
            (None, Some(extent)) => {
                self.refuse_for_noise()?;
                Planar { origin: &self.origin, extent, promise, grid: self.grid }.run(output, terminal)?
            }
            (None, None) => unreachable!("clap asks for one"),
        };
        let Some(Designed { mut text, mut json }) = designed else { return Ok(Answer::No) };
        json["output"] = self.output.as_ref().map(|path| path.display().to_string()).into();
        match &self.output {
            Some(path) if is_stdout(path) => {
                terminal.note(text.trim_end());
                return Ok(Answer::Yes);
            }
            Some(path) => text += &format!("Wrote {}.\n", path.display()),
            None => text += "Nothing written: give -o FILE to keep the mechanism.\n",
        }
        terminal.answer(json, || text)?;
        Ok(Answer::Yes)
    }

    fn question(&self, size: [u32; 2], promise: Promise) -> CellsQuestion<'_> {
        CellsQuestion {
            origin: &self.origin,
            size,
            step: self.step.as_ref().expect("clap asks for it"),
            promise,
            designer: self.mechanism,
            prior: &self.prior,
            loss: &self.loss,
            dilation: &self.spanner,
        }
    }

    /// Options with a default are not for clap to refuse.
    fn refuse_for_noise(&self) -> Result<()> {
        let given = [("--prior", !self.prior.is_uniform()), ("--loss", self.loss != LossName::Euclidean)];
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
