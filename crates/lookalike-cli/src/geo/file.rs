//! Mechanism files of places.

use crate::certify::proved;
use crate::terminal::Terminal;
use lookalike::certify::Certified;
use lookalike::geo::PlaceGrid;
use lookalike::model::{Mechanism, PlanarNoise};
use lookalike_engine::ReadFile;
use lookalike_formats::{AnyMechanism, Error, MechanismFile, Result};
use std::path::Path;

/// A mechanism of places that was proved.
pub enum PlacesFile {
    /// Noise on places.
    Planar(Box<Certified<PlanarNoise>>),
    /// Channels between the cells of a grid.
    Cells { file: Box<MechanismFile>, certified: Box<Certified<Mechanism>>, grid: Box<PlaceGrid> },
}

impl PlacesFile {
    /// Reads and proves a file; `None` with a warning when it is not private.
    pub fn read(path: &Path, refusal: &str, terminal: &Terminal) -> Result<Option<PlacesFile>> {
        match AnyMechanism::read(path)? {
            AnyMechanism::Planar(file) => {
                Ok(proved(file.mechanism, refusal, terminal)?.map(|certified| PlacesFile::Planar(Box::new(certified))))
            }
            AnyMechanism::Finite(file) if file.places.is_some() => {
                let grid = Box::new(file.places.clone().expect("it is some"));
                let certified = proved(file.mechanism.clone(), refusal, terminal)?.map(Box::new);
                Ok(certified.map(|certified| PlacesFile::Cells { file, certified, grid }))
            }
            other => Err(Error::input(format!(
                "this is a mechanism of the kind {} and not of places, expected a file that `lookalike geo design` wrote",
                other.kind_name()
            ))
            .in_file(path)),
        }
    }

    /// The cells of a file, where only these will do; `what` says why.
    pub fn read_cells(
        path: &Path,
        (what, refusal): (&str, &str),
        terminal: &Terminal,
    ) -> Result<Option<(MechanismFile, PlaceGrid)>> {
        match PlacesFile::read(path, refusal, terminal)? {
            None => Ok(None),
            Some(PlacesFile::Cells { file, grid, .. }) => Ok(Some((*file, *grid))),
            Some(PlacesFile::Planar(_)) => Err(Error::input(format!(
                "{what} is for mechanisms between cells, and this is noise on all places (geo design --cells makes cells)"
            ))
            .in_file(path)),
        }
    }
}
