//! Bulk release of places with certified noise.

use super::grid::step;
use super::noise::check_rows;
use super::places::{PlaceRows, ReleasePlaces};
use super::planar_law::{MOST_AT_ONCE, PlanarLaw};
use super::plane::Plane;
use super::random::RandomKey;
use crate::certify::Certified;
use crate::error::{Error, Result};
use crate::exact::{Direction, decimal};
use crate::model::PlanarNoise;
use rayon::prelude::*;

/// Certified noise on places, ready to draw.
///
/// # Guarantee
/// For a uniform key, row i is released as its place, mapped to the plane and rounded to the grid, plus noise of exactly
/// the certified law, brought to the nearest grid point of the region, and written in degrees. The plane, the grid and the
/// region are public and the same for all rows; so what is released depends on a place through its grid point alone.
///
/// Row i's noise depends on the key and its number alone: not on other rows, threads or batches. Two runs must not share
/// a key. Places of one person at several times are several releases: their losses add up.
///
/// # Complexity
/// Some tens of nanoseconds per row.
///
/// # Example
/// ```
/// use lookalike_core::{certify::certify, exact::parse_rational, model::{PlanarNoise, Region}};
/// use lookalike_core::sample::{PlaceRows, PlanarSampler, RandomKey, ReleasePlaces};
/// let region = Region::new(parse_rational("45.07")?, parse_rational("7.69")?, parse_rational("20000")?)?;
/// let noise = PlanarNoise::for_epsilon("ln(4)/200".parse()?, region, -3)?;
/// let sampler = PlanarSampler::new(&certify(noise)?);
/// let (mut latitudes, mut longitudes) = ([0.0; 2], [0.0; 2]);
/// let key = RandomKey::from_seed(1);
/// let places = PlaceRows { key: &key, first_row: 0, latitudes: &[45.0703, 45.0621], longitudes: &[7.6869, 7.6785] };
/// sampler.release(&places, [&mut latitudes, &mut longitudes])?;
/// assert!(latitudes.iter().all(|latitude| (latitude - 45.07).abs() < 0.1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct PlanarSampler {
    law: PlanarLaw,
    plane: Plane,
    exponent: i32,
    half_steps: i64,
    /// How errors name the region.
    region: String,
}

/// Rows that one task releases at a time.
const CHUNK: usize = 1 << 14;

impl PlanarSampler {
    /// The sampler of certified noise.
    pub fn new(certified: &Certified<PlanarNoise>) -> Self {
        let noise = certified.mechanism();
        let region = noise.region();
        let [latitude, longitude] =
            [region.latitude(), region.longitude()].map(|degrees| decimal(degrees, 4, Direction::Nearest));
        let metres = decimal(region.half_width(), 0, Direction::Nearest);
        PlanarSampler {
            law: PlanarLaw::new(noise.decay()),
            plane: Plane::new(region),
            exponent: noise.exponent(),
            half_steps: noise.half_steps(),
            region: format!("within {metres} m north, south, east or west of {latitude},{longitude}"),
        }
    }

    /// The plane of the region.
    pub fn plane(&self) -> &Plane {
        &self.plane
    }

    /// Releases places of the region, a few at a time so that what is on the way stays in the nearest cache.
    fn release_chunk(
        &self,
        key: &RandomKey,
        first_row: u64,
        (latitudes, longitudes): (&[f64], &[f64]),
        (released_latitudes, released_longitudes): (&mut [f64], &mut [f64]),
    ) {
        let (mut draws, grid) = (self.law.draws(key, first_row), step(self.exponent));
        let (inverse, most) = (1.0 / grid, self.half_steps as f64);
        let (mut noise, mut points) = ([[0; 2]; MOST_AT_ONCE], [[0.0; 2]; MOST_AT_ONCE]);
        let places = latitudes.chunks(MOST_AT_ONCE).zip(longitudes.chunks(MOST_AT_ONCE));
        let released = released_latitudes.chunks_mut(MOST_AT_ONCE).zip(released_longitudes.chunks_mut(MOST_AT_ONCE));
        for ((latitudes, longitudes), (released_latitudes, released_longitudes)) in places.zip(released) {
            let (noise, points) = (&mut noise[..latitudes.len()], &mut points[..latitudes.len()]);
            draws.fill(noise);
            self.plane.points(latitudes, longitudes, points);
            for (point, noise) in points.iter_mut().zip(&*noise) {
                // Whole numbers below 2^52 and noise that is cut off: doubles hold the sum, or what is cut off of it.
                *point = [0, 1].map(|axis| {
                    let steps = nearest_whole(point[axis] * inverse) + noise[axis] as f64;
                    steps.clamp(-most, most) * grid
                });
            }
            self.plane.places(points, released_latitudes, released_longitudes);
        }
    }

    /// Refuses what is no place of the region: the first one, whatever the threads do.
    fn check(&self, first_row: u64, latitudes: &[f64], longitudes: &[f64]) -> Result<()> {
        let is_outside = |(&latitude, &longitude): (&f64, &f64)| !self.plane.holds(latitude, longitude);
        let chunks = latitudes.par_chunks(CHUNK).zip(longitudes.par_chunks(CHUNK));
        let first = |(chunk, (latitudes, longitudes)): (usize, (&[f64], &[f64]))| {
            Some(chunk * CHUNK + latitudes.iter().zip(longitudes).position(is_outside)?)
        };
        let found = match latitudes.len() {
            ..=CHUNK => first((0, (latitudes, longitudes))),
            _ => chunks.enumerate().find_map_first(first),
        };
        match found {
            None => Ok(()),
            Some(at) => {
                let reason = self.reason(latitudes[at], longitudes[at]);
                Err(Error::input(format!("row {}: {reason}", u128::from(first_row) + at as u128 + 1)))
            }
        }
    }

    /// Why this is no place of the region, without its value.
    fn reason(&self, latitude: f64, longitude: f64) -> String {
        const DEGREES: &str = "are latitude and longitude exchanged, or not in degrees?";
        if !latitude.is_finite() || !longitude.is_finite() {
            "not a finite number, expected degrees".into()
        } else if latitude.abs() > 90.0 {
            format!("a latitude beyond 90 degrees: {DEGREES}")
        } else if longitude.abs() > 360.0 {
            format!("a longitude beyond 360 degrees: {DEGREES}")
        } else if latitude.abs() == 90.0 {
            "a pole, which has no longitude and lies in no region".into()
        } else {
            format!("a place outside the region, expected one {}; {DEGREES}", self.region)
        }
    }
}

impl ReleasePlaces for PlanarSampler {
    /// # Errors
    /// What is no place of the region, and a row beyond 2^63 too.
    fn release(&self, rows: &PlaceRows<'_>, released: [&mut [f64]; 2]) -> Result<()> {
        let &PlaceRows { key, first_row, latitudes, longitudes } = rows;
        check_rows(first_row, latitudes.len(), released[0].len())?;
        rows.check_lengths(&released)?;
        self.check(first_row, latitudes, longitudes)?;
        let [released_latitudes, released_longitudes] = released;
        if latitudes.len() <= CHUNK {
            // What one task does needs no pool.
            let released = (released_latitudes, released_longitudes);
            self.release_chunk(key, first_row, (latitudes, longitudes), released);
            return Ok(());
        }
        let chunks = latitudes.par_chunks(CHUNK).zip(longitudes.par_chunks(CHUNK));
        let released = released_latitudes.par_chunks_mut(CHUNK).zip(released_longitudes.par_chunks_mut(CHUNK));
        chunks.zip(released).enumerate().for_each(|(chunk, (places, released))| {
            self.release_chunk(key, first_row + (chunk * CHUNK) as u64, places, released);
        });
        Ok(())
    }
}

/// The nearest whole number to one below 2^51, halves to the even one.
#[inline(always)]
fn nearest_whole(value: f64) -> f64 {
    // Numbers from 2^52 to 2^53 are whole: the sum is rounded to one, and the difference is exact.
    const MAGIC: f64 = 1.5 * (1u64 << 52) as f64;
    (value + MAGIC) - MAGIC
}

#[cfg(test)]
#[path = "planar_tests.rs"]
mod tests;
