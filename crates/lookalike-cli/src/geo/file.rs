//! Mechanism files of places.

use crate::certify::accepted;
use crate::terminal::Terminal;
use lookalike::geo::PlaceGrid;
use lookalike_engine::ReadFile;
use lookalike_engine::geo::PlaceMechanism;
use lookalike_formats::{AnyMechanism, Error, MechanismFile, Result};
use std::path::Path;

/// Reads and proves a file; `None` with a warning when it is not private.
pub fn read_mechanism(path: &Path, refusal: &str, terminal: &Terminal) -> Result<Option<PlaceMechanism>> {
    let mechanism = AnyMechanism::read(path)?;
    accepted(PlaceMechanism::of(mechanism).map_err(|error| error.in_file(path))?, refusal, terminal)
}

/// The cells of a file, where only these will do; `what` says why.
pub fn read_cells(
    path: &Path,
    (what, refusal): (&str, &str),
    terminal: &Terminal,
) -> Result<Option<(MechanismFile, PlaceGrid)>> {
    match read_mechanism(path, refusal, terminal)? {
        None => Ok(None),
        Some(PlaceMechanism::Cells { file, grid, .. }) => Ok(Some((*file, *grid))),
        Some(PlaceMechanism::Planar(_)) => Err(Error::input(format!(
            "{what} is for mechanisms between cells, and this is noise on all places (geo design --cells makes cells)"
        ))
        .in_file(path)),
    }
}
