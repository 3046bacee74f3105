//! Pictures of places.

use super::finite::places;
use super::grid::cell_of_name;
use super::planar::PlanarNoise;
use crate::error::Answer;
use crate::mechanism::Mechanism;
use lookalike::exact::{Direction, to_f64};
use lookalike::sample::{PlaceRows, RandomKey, ReleasePlaces};
use lookalike_report::plot::{CellMap, Style, Track, TrackMap, standalone};
use pyo3::prelude::*;

/// What is released for a cell, as an SVG file.
#[pyfunction]
pub fn geo_cell_map(mechanism: &Mechanism, cell: &str, title: String) -> Answer<String> {
    let (cells, channel) = (places(mechanism)?.cells(), &mechanism.inner().channels()[0]);
    let truth = cell_of_name(mechanism.inner().inputs().names(), cell)? as usize;
    let scale = channel.scale() as f64;
    let mut values = vec![0.0; cells.len()];
    let inputs = mechanism.inner().inputs().names();
    for (output, name) in mechanism.inner().outputs().names().iter().enumerate() {
        if let Some(cell) = inputs.place(name) {
            values[cell as usize] = channel.weight(truth, output) as f64 / scale;
        }
    }
    let step = to_f64(cells.step(), Direction::Nearest);
    let map = CellMap { title, columns: cells.columns() as usize, step, values, truth: Some(truth) };
    Ok(standalone(&map.svg()))
}

/// So many releases of the origin, as points in metres to the east and north of it.
#[pyfunction]
pub fn geo_draws(noise: &PlanarNoise, count: usize, seed: u64) -> Answer<Vec<(f64, f64)>> {
    let sampler = noise.sampler()?;
    let plane = sampler.plane();
    let [latitude, longitude] = plane.place([0.0, 0.0]);
    let (here, mut released) = ((vec![latitude; count], vec![longitude; count]), (vec![0.0; count], vec![0.0; count]));
    let key = &RandomKey::from_seed(seed);
    let rows = PlaceRows { key, first_row: 0, latitudes: &here.0, longitudes: &here.1 };
    sampler.release(&rows, [&mut released.0, &mut released.1])?;
    let point = |(&latitude, &longitude)| plane.point(latitude, longitude).map(|[x, y]| (x, y));
    Ok(released.0.iter().zip(&released.1).filter_map(point).collect())
}

/// The origin and releases of it, as an SVG file.
#[pyfunction]
pub fn geo_noise_map(noise: &PlanarNoise, title: String, count: usize, seed: u64) -> Answer<String> {
    let points = geo_draws(noise, count, seed)?;
    let track = |name: &str, points, style| Track { name: name.to_owned(), points, style, joined: false };
    let tracks =
        vec![track("released", points, Style::Ours), track("the true place", vec![(0.0, 0.0)], Style::Baseline)];
    Ok(standalone(&TrackMap { title, tracks }.svg()))
}
