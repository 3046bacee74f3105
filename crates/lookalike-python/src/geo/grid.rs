//! Cells on the ground.

use super::places::{Asked, release};
use super::{length, origin};
use crate::error::{Answer, Failure};
use lookalike::exact::{Direction, Rational, to_f64};
use lookalike::geo::Cells;
use lookalike::model::{Names, Prior};
use lookalike::sample::{PlaceRows, ReleasePlaces};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// A grid of cells about a public origin.
#[pyclass(module = "lookalike._lookalike", frozen)]
pub struct PlaceGrid {
    pub places: lookalike::geo::PlaceGrid,
}

impl PlaceGrid {
    pub fn cells(&self) -> &Cells {
        self.places.cells()
    }

    fn cell(&self, name: &str) -> Answer<u32> {
        let cells = self.cells();
        cell_of_name(cells.categories()?.names(), name)
    }
}

/// The number of a cell.
pub fn cell_of_name(names: &Names, name: &str) -> Answer<u32> {
    names.place(name).ok_or_else(|| {
        let last = names.name(names.len() as u32 - 1);
        Failure::input(format!("cell: {name:?} is none of the cells \"0,0\" to {last:?} (column, row)"))
    })
}

#[pymethods]
impl PlaceGrid {
    #[new]
    fn new(columns: u32, rows: u32, step: &str, about: &str) -> Answer<Self> {
        let ([latitude, longitude], step) = (origin(about)?, length(step, "step")?);
        let cells = Cells::new(columns, rows, step)?;
        Ok(PlaceGrid { places: lookalike::geo::PlaceGrid::new(latitude, longitude, cells)? })
    }

    /// Columns and rows.
    #[getter]
    fn shape(&self) -> (u32, u32) {
        (self.cells().columns(), self.cells().rows())
    }

    /// Latitude and longitude of the origin, half the width of the region and the step, as fractions.
    #[getter]
    fn parameters(&self) -> [String; 4] {
        let region = self.places.region();
        [region.latitude(), region.longitude(), region.half_width(), self.cells().step()].map(Rational::to_string)
    }

    /// The stretch of the projection, rounded up.
    #[getter]
    fn stretch(&self) -> f64 {
        to_f64(self.places.region().stretch(), Direction::Up)
    }

    #[getter]
    fn names(&self) -> Answer<Vec<String>> {
        Ok(self.cells().categories()?.names().iter().map(str::to_owned).collect())
    }

    /// The name of the cell of a place.
    fn cell_of(&self, latitude: f64, longitude: f64) -> Answer<Option<String>> {
        let cell = self.places.cell_of(latitude, longitude);
        let names = self.cells().categories()?;
        Ok(cell.map(|cell| names.names().name(cell).to_owned()))
    }

    /// Latitude and longitude of the middle of a cell.
    fn place_of(&self, name: &str) -> Answer<[f64; 2]> {
        Ok(self.places.place_of(self.cell(name)?))
    }

    /// How many places are in each cell, and how many in none where these are skipped.
    fn counts(
        &self,
        py: Python<'_>,
        latitudes: &Bound<'_, PyAny>,
        longitudes: &Bound<'_, PyAny>,
        names: [String; 2],
        skip: bool,
        progress: Option<Py<PyAny>>,
    ) -> Answer<(Vec<u64>, u64)> {
        let tally = Tally { places: self.places.clone(), skip, counts: Mutex::new((vec![0; self.cells().len()], 0)) };
        let tally = Arc::new(tally);
        release(
            py,
            tally.clone(),
            &Asked { latitudes, longitudes, names, seed: Some(0), shuffle: false, progress, is_release: false },
        )?;
        let counts = tally.counts.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(counts.clone())
    }
}

/// Takes places as mechanisms do, with all their checks, and counts them. Nothing is released.
struct Tally {
    places: lookalike::geo::PlaceGrid,
    skip: bool,
    counts: Mutex<(Vec<u64>, u64)>,
}

impl ReleasePlaces for Tally {
    fn release(&self, rows: &PlaceRows<'_>, _: [&mut [f64]; 2]) -> lookalike::Result<()> {
        let &PlaceRows { first_row, latitudes, longitudes, .. } = rows;
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.skip {
            let cells = self.places.cells_of(first_row, latitudes, longitudes)?;
            cells.into_iter().for_each(|cell| counts.0[cell as usize] += 1);
            return Ok(());
        }
        for (&latitude, &longitude) in latitudes.iter().zip(longitudes) {
            match self.places.cell_of(latitude, longitude) {
                Some(cell) => counts.0[cell as usize] += 1,
                None => counts.1 += 1,
            }
        }
        Ok(())
    }
}

/// The prior with these weights, one for each cell; all cells equally often without.
pub fn prior(weights: Option<&Vec<String>>, cells: &Cells) -> Answer<Prior> {
    let size = cells.len();
    let Some(weights) = weights else { return Ok(Prior::uniform(size)?) };
    let found = weights.len();
    if found != size {
        return Err(Failure::input(format!("prior: {found} weights, expected {size}, one for each cell")));
    }
    let weights = weights.iter().map(|weight| crate::numbers::rational(weight, "prior")).collect::<Answer<Vec<_>>>()?;
    Ok(Prior::new(&weights).map_err(|error| lookalike_formats::Error::from(error).at("prior"))?)
}
