//! What places are released through.

use super::random::RandomKey;
use super::sampler::check_lengths;
use crate::error::Result;

/// Places to release, in degrees: the i-th is row `first_row + i` of the run of the key.
#[derive(Clone, Copy)]
pub struct PlaceRows<'a> {
    /// The key of the run. Two runs must not share one.
    pub key: &'a RandomKey,
    /// The row of the first place.
    pub first_row: u64,
    /// Degrees northward.
    pub latitudes: &'a [f64],
    /// Degrees eastward, as many.
    pub longitudes: &'a [f64],
}

/// A certified mechanism that releases places.
pub trait ReleasePlaces: Send + Sync {
    /// Draws a place for each place, in degrees, into columns of latitudes and longitudes. What is drawn for a row depends on the key, its
    /// number and its place, and on no other row.
    ///
    /// # Errors
    /// A place that the mechanism cannot take, by its row and without its value; columns of different lengths. Then nothing is
    /// written.
    fn release(&self, rows: &PlaceRows<'_>, released: [&mut [f64]; 2]) -> Result<()>;
}

impl PlaceRows<'_> {
    /// Refuses columns of different lengths.
    ///
    /// # Errors
    /// Longitudes, or columns of what is released, that are not as many as the latitudes.
    pub fn check_lengths(&self, released: &[&mut [f64]; 2]) -> Result<()> {
        check_lengths(self.latitudes.len(), self.longitudes.len(), "longitudes")?;
        released.iter().try_for_each(|column| check_lengths(self.latitudes.len(), column.len(), "outputs"))
    }
}
