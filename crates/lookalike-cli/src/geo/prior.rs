//! How often places are asked about: public knowledge, which touches utility only.

use super::data;
use crate::terminal::{Terminal, count};
use lookalike::exact::Rational;
use lookalike::geo::PlaceGrid;
use lookalike::model::Prior;
use lookalike_engine::geo::{PlaceNames, Places};
use lookalike_formats::{Error, Result};
use std::path::{Path, PathBuf};

/// A file of that name is ./uniform.
pub const UNIFORM: &str = "uniform";

/// All cells equally often, or as often as the places of a file, and once more each.
#[derive(clap::Args)]
pub struct PriorFile {
    /// Cells: how often each is the true one: uniform, or a file of public places, which are counted by cell, and each
    /// cell once more
    #[arg(long, value_name = "FILE", default_value = UNIFORM)]
    prior: PathBuf,
}

impl PriorFile {
    pub fn is_uniform(&self) -> bool {
        self.prior == Path::new(UNIFORM)
    }

    /// The prior over the cells of a grid; says how many places are left out.
    pub fn over(&self, grid: &PlaceGrid, terminal: &Terminal) -> Result<Prior> {
        if self.is_uniform() {
            return Ok(Prior::uniform(grid.cells().len())?);
        }
        let path = &self.prior;
        let places = data::read(path, &PlaceNames::default())?;
        let counted = Counted::of(&places, grid);
        if counted.outside == places.len() {
            let message = "no place is inside the grid, expected public places from which to count the cells";
            return Err(Error::input(message).in_file(path));
        }
        if counted.outside > 0 {
            let of = count(places.len() as u64, "place");
            terminal.note(&format!(
                "{}: {} of {of} are outside the grid and not counted",
                path.display(),
                counted.outside
            ));
        }
        // No cell is impossible: one that nobody was seen in may be asked about all the same.
        counted.prior(1)
    }

    /// `all cells alike`, or which places.
    pub fn words(&self) -> String {
        if self.is_uniform() {
            "all cells equally often".to_owned()
        } else {
            format!("cells as in {}", self.prior.display())
        }
    }

    pub fn text(&self) -> String {
        self.prior.display().to_string()
    }
}

/// Places counted by cell.
pub struct Counted {
    counts: Vec<u64>,
    /// How many are outside the grid.
    pub outside: usize,
}

impl Counted {
    pub fn of(places: &Places, grid: &PlaceGrid) -> Self {
        let mut counted = Counted { counts: vec![0; grid.cells().len()], outside: 0 };
        for (&latitude, &longitude) in places.latitudes.iter().zip(&places.longitudes) {
            match grid.cell_of(latitude, longitude) {
                Some(cell) => counted.counts[cell as usize] += 1,
                None => counted.outside += 1,
            }
        }
        counted
    }

    /// Cells in proportion to their counts, with so many more each.
    pub fn prior(&self, more: u64) -> Result<Prior> {
        let weights: Vec<Rational> =
            self.counts.iter().map(|count| Rational::from_integer((count + more).into())).collect();
        Ok(Prior::new(&weights)?)
    }
}
