//! `lookalike geo errors`.

use super::data::{self, PlaceColumns};
use super::file::read_mechanism;
use super::moved::{metres, moved_table};
use super::prior::{Counted, PriorFile};
use crate::Answer;
use crate::terminal::Terminal;
use lookalike::exact::{Direction, to_f64};
use lookalike::geo::{Errors, PlaceGrid};
use lookalike::model::Prior;
use lookalike_engine::Facts;
use lookalike_engine::geo::{Moved, PlaceMechanism};
use lookalike_formats::{Error, Result};
use std::path::PathBuf;

/// Say how far a mechanism moves places: the mean and quantiles
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike geo errors m.json
  lookalike geo errors cells.json --prior seen.csv
  lookalike geo errors cells.json --data places.csv

Noise moves all places alike, by the closed form of its law. Between cells it is exact, from middle to middle, with the
cells as often as the prior says, or as in the data: then the answer tells of the data and is as private as they are.")]
pub struct ErrorsVerb {
    /// The mechanism file
    mechanism: PathBuf,
    #[command(flatten)]
    prior: PriorFile,
    /// Cells: as often as in these places, which are private, and so is the answer
    #[arg(long, value_name = "FILE", conflicts_with = "prior")]
    data: Option<PathBuf>,
    #[command(flatten)]
    columns: PlaceColumns,
}

impl ErrorsVerb {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let (moved, words) = match read_mechanism(&self.mechanism, "nothing said", terminal)? {
            None => return Ok(Answer::No),
            Some(PlaceMechanism::Planar(certified)) => {
                self.refuse_for_noise()?;
                let noise = certified.mechanism();
                let (moved, half) = (Moved::of_noise(noise)?, to_f64(noise.region().half_width(), Direction::Nearest));
                let words = format!(
                    "The same at every place, by the closed form of the law; rounding adds less than {}. The region ends {} \
                     from its middle, and what falls outside is brought to its border.\n",
                    metres(to_f64(&noise.resolution(), Direction::Up)),
                    metres(half)
                );
                (moved, words)
            }
            Some(PlaceMechanism::Cells { certified, grid, .. }) => {
                let (prior, words) = self.prior(&grid, terminal)?;
                let moved = Moved::of_cells(&Errors::of(grid.cells(), certified.mechanism(), &prior)?)?;
                (moved, format!("From middle to middle of {} cells, exactly, with {words}.\n", grid.cells().len()))
            }
        };
        terminal.answer(moved.errors_facts().json(), || moved_table(&moved) + &words)?;
        Ok(Answer::Yes)
    }

    fn refuse_for_noise(&self) -> Result<()> {
        let given = [("--prior", !self.prior.is_uniform()), ("--data", self.data.is_some())];
        match given.iter().find(|(_, given)| *given) {
            Some((option, _)) => {
                let message = format!("{option} is for cells: noise moves all places alike");
                Err(Error::input(message).in_file(&self.mechanism))
            }
            None => Ok(()),
        }
    }

    /// How often each cell is the true one, and in words.
    fn prior(&self, grid: &PlaceGrid, terminal: &Terminal) -> Result<(Prior, String)> {
        let Some(path) = &self.data else {
            return Ok((self.prior.over(grid, terminal)?, self.prior.words()));
        };
        let places = data::read(path, &self.columns.names())?;
        let counted = Counted::of(&places, grid);
        if counted.outside > 0 || places.is_empty() {
            let message = "no places, or some outside the grid, which could not be released: expected places inside";
            return Err(Error::input(message).in_file(path));
        }
        terminal.warn(&format!("{}: the answer tells of these places and is as private as they are", path.display()));
        Ok((counted.prior(0)?, format!("cells as in {}", path.display())))
    }
}
