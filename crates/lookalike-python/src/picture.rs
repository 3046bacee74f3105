//! The picture of a channel.

use crate::error::Answer;
use crate::mechanism::Mechanism;
use lookalike_report::plot::{HeatMap, standalone};
use pyo3::prelude::*;

/// A heat map as an SVG file, light and dark.
#[pyfunction]
pub fn heat_map(mechanism: &Mechanism, title: String, values: Vec<Vec<f64>>) -> Answer<String> {
    let names = |categories: &lookalike::model::Categories| categories.names().iter().map(str::to_owned).collect();
    let map = HeatMap {
        title,
        row_label: "value".to_owned(),
        column_label: "released".to_owned(),
        rows: names(mechanism.inner().inputs()),
        columns: names(mechanism.inner().outputs()),
        values,
    };
    Ok(standalone(&map.svg()))
}
