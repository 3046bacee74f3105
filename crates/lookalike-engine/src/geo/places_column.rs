//! Places in the columns of a table.

use super::degrees::degrees;
use super::names::PlaceNames;
use super::places::Places;
use crate::release::{Drawn, NamedDraw, Reading, Releasable, ReleasePromise, Way, check_numbers};
use arrow_array::{ArrayRef, Float64Array};
use arrow_schema::{DataType, Field, FieldRef};
use lookalike::sample::{RandomKey, ReleasePlaces};
use lookalike_formats::records::Columns;
use lookalike_formats::{Error, Result};
use lookalike_records::{Batch, BatchMechanism, Input, RecordSource, at_input, kept_arrays, open_chosen};
use std::sync::Arc;

/// Releases the places in the first two kept columns of the records, latitudes and longitudes.
///
/// They are numbers or texts of numbers. What is released are two columns of doubles with at most seven decimals, under
/// the names that the columns had.
pub struct PlacesColumn {
    mechanism: Arc<dyn ReleasePlaces>,
    kept: Vec<FieldRef>,
}

impl PlacesColumn {
    /// For records whose kept columns are these, the latitudes first and the longitudes second.
    ///
    /// # Errors
    /// A column of places that cannot hold numbers.
    ///
    /// # Panics
    /// If there are fewer than two columns.
    pub fn new(mechanism: Arc<dyn ReleasePlaces>, kept: &[FieldRef]) -> Result<Self> {
        kept[..2].iter().try_for_each(|field| check_numbers(field))?;
        Ok(PlacesColumn { mechanism, kept: kept.to_vec() })
    }

    /// The columns that are written: the released places, and the other kept ones.
    pub fn fields(&self) -> Vec<FieldRef> {
        let released = self.kept[..2].iter().map(|field| Arc::new(Field::new(field.name(), DataType::Float64, false)));
        released.chain(self.kept[2..].iter().cloned()).collect()
    }

    /// The columns of the released places, and a key of each true place, as [`place_key`] has it.
    fn released(&self, key: &RandomKey, batch: &Batch) -> Result<(Vec<ArrayRef>, Vec<u32>)> {
        let columns = kept_arrays(batch, &self.kept[..2])?;
        let (places, names) = places(&columns, &self.kept, batch.first_row)?;
        let keys = places.latitudes.iter().zip(&places.longitudes).map(|(&y, &x)| place_key(y, x)).collect();
        let released = places.release(&*self.mechanism, key, batch.first_row, names)?;
        let columns =
            [released.latitudes, released.longitudes].map(|degrees| Arc::new(Float64Array::from(degrees)) as ArrayRef);
        Ok((columns.to_vec(), keys))
    }
}

impl BatchMechanism for PlacesColumn {
    fn draw(&self, key: &RandomKey, batch: &mut Batch, _: &mut Vec<u32>) -> Result<()> {
        let (columns, keys) = self.released(key, batch)?;
        batch.draw_first(columns, 2);
        // Places have no codes. These stand in their place, so that whether rows are sorted is looked at for all kinds.
        batch.values = keys;
        Ok(())
    }
}

/// A code for a place: the bits of both degrees by turns, so that near places mostly have near codes.
fn place_key(latitude: f64, longitude: f64) -> u32 {
    let part = |degrees: f64, turn: f64| ((degrees / turn + 0.5).clamp(0.0, 1.0) * 65_535.0) as u32;
    let (y, x) = (part(latitude, 180.0), part(longitude, 360.0));
    (0..16).fold(0, |code, bit| code | (x >> bit & 1) << (2 * bit) | (y >> bit & 1) << (2 * bit + 1))
}

/// The places of the first two columns, and the names of these.
fn places<'a>(columns: &[ArrayRef], kept: &'a [FieldRef], first_row: u64) -> Result<(Places, [&'a str; 2])> {
    let names = [kept[0].name().as_str(), kept[1].name().as_str()];
    let latitudes = degrees(first_row, names[0], &columns[0])?;
    let longitudes = degrees(first_row, names[1], &columns[1])?;
    Ok((Places { latitudes, longitudes }, names))
}

/// A mechanism on places, to release those of a table by.
pub struct PlaceColumns {
    /// The mechanism.
    pub mechanism: Arc<dyn ReleasePlaces>,
    /// How the columns of places are found in a file; those in memory are the first two columns of values.
    pub names: Option<PlaceNames>,
}

impl Releasable for PlaceColumns {
    fn reading(&self, columns: &Columns, _: Option<&str>) -> Result<Reading> {
        let Some(names) = self.names.clone() else { return Ok(Reading::AsTheyAre) };
        let keep = columns.keep.clone();
        Ok(Reading::Chosen(Box::new(move |columns| Ok(names.find_beside(&keep, columns)?.to_vec()))))
    }

    fn drawn<'a>(self: Box<Self>, way: Way<'_>) -> Result<Drawn<'a>>
    where
        Self: 'a,
    {
        if way.charging.is_some() {
            return Err(Error::input("this mechanism cannot be charged to a ledger"));
        }
        let column = PlacesColumn::new(self.mechanism, &way.schema.kept).map_err(|error| way.named(error))?;
        let kept = column.fields();
        let mechanism = Box::new(NamedDraw { mechanism: column, path: way.path });
        Ok(Drawn { mechanism, labels: Vec::new(), kept })
    }

    fn promise<'a>(&self) -> Option<ReleasePromise<'a>>
    where
        Self: 'a,
    {
        None
    }
}

/// The places of a table, all of them in memory: 16 bytes each.
///
/// # Errors
/// A file that cannot be opened; columns of places that are missing, in doubt, or no numbers; a column of places, or with
/// a usual name of one, among those to keep; and the first place that is none. Errors name the file.
pub fn read_places(input: &Input<'_>, names: &PlaceNames) -> Result<Places> {
    let read = || -> Result<Places> {
        let mut source = open_places(input, names)?;
        let kept = source.schema().kept;
        kept[..2].iter().try_for_each(|field| check_numbers(field))?;
        let (mut all, mut batch) = (Places::default(), Batch::default());
        while source.read_batch(&mut batch)? {
            let (some, names) = places(&kept_arrays(&batch, &kept)?, &kept, batch.first_row)?;
            some.check().map_err(|fault| fault.in_row(batch.first_row, names))?;
            all.latitudes.extend(some.latitudes);
            all.longitudes.extend(some.longitudes);
        }
        Ok(all)
    };
    read().map_err(|error| at_input(error, input.path))
}

fn open_places(input: &Input<'_>, names: &PlaceNames) -> Result<Box<dyn RecordSource>> {
    open_chosen(input, &mut |columns| Ok(names.find_beside(&input.columns.keep, columns)?.to_vec()))
}

#[cfg(test)]
#[path = "places_column_tests.rs"]
mod tests;
