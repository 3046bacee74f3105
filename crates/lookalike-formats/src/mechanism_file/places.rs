//! The grid of places in the file of a finite mechanism.

use super::kinds::origin;
use super::stream::Stream;
use crate::error::{Error, Result};
use crate::text::{Fields, Tree};
use lookalike::geo::{Cells, PlaceGrid};
use lookalike::model::Categories;
use std::io::Write;

/// The key of the grid.
pub(super) const KEY: &str = "places";

/// The grid, whose cells are the categories of the file.
pub(super) fn read(tree: &Tree, categories: &Categories) -> Result<PlaceGrid> {
    let fields = Fields::of(tree)?;
    fields.only(&["origin", "columns", "rows", "step"])?;
    let count = |key: &str| {
        let count = fields.required(key, Tree::integer)?;
        u32::try_from(count).map_err(|_| Error::input(format!("{key}: {count}, expected a smaller number")))
    };
    let cells = Cells::new(count("columns")?, count("rows")?, fields.required("step", Tree::rational)?)?;
    if cells.categories()? != *categories {
        return Err(Error::input(format!(
            "the categories are not the {}x{} cells, expected \"0,0\", \"1,0\" and so on, row after row",
            cells.columns(),
            cells.rows()
        )));
    }
    let [latitude, longitude] = fields.required("origin", origin)?;
    Ok(PlaceGrid::new(latitude, longitude, cells)?)
}

/// Writes the grid.
pub(super) fn write(places: &PlaceGrid, stream: &mut Stream<&mut dyn Write>) -> std::io::Result<()> {
    let (cells, region) = (places.cells(), places.region());
    stream.key(KEY)?;
    stream.open('{')?;
    stream.key("origin")?;
    stream.list([region.latitude(), region.longitude()], |stream, degrees| stream.quoted(degrees))?;
    stream.key("columns")?;
    stream.value(&cells.columns().into())?;
    stream.key("rows")?;
    stream.value(&cells.rows().into())?;
    stream.key("step")?;
    stream.text(&cells.step().to_string())?;
    stream.close('}')
}
