//! Columns of places through a mechanism.

use crate::data::{Column, Form};
use crate::error::Answer;
use crate::numpy_array::NumpyArray;
use crate::release::{drawn, warn};
use crate::released::{self, Kept};
use arrow_array::{ArrayRef, Float64Array, Int64Array};
use arrow_schema::DataType;
use lookalike_engine::geo::{PlaceColumns, PlaceNames, PlacesOutcome, ReleasePlaces, ReleasedPlaces};
use lookalike_engine::records::{ColumnNames, Columns, MemoryColumn, NamesOf, Records};
use lookalike_engine::{ReleaseOptions, ReleaseRequest};
use pyo3::prelude::*;
use std::sync::Arc;

/// What is released, and how.
pub struct Asked<'a, 'py> {
    pub latitudes: &'a Bound<'py, PyAny>,
    pub longitudes: &'a Bound<'py, PyAny>,
    /// How errors name the columns.
    pub names: [String; 2],
    pub seed: Option<u64>,
    pub shuffle: bool,
    pub progress: Option<Py<PyAny>>,
    /// Whether anything is released; places that are only counted are seen by nobody.
    pub is_release: bool,
}

/// The released latitudes and longitudes, each in the form in which it came; and of shuffled rows which row each was, in
/// the form of the latitudes.
pub fn release(py: Python<'_>, mechanism: Arc<dyn ReleasePlaces>, asked: &Asked<'_, '_>) -> Answer<Vec<Py<PyAny>>> {
    let [north, east] = &asked.names;
    let (latitudes, longitudes) = (Column::of(asked.latitudes, north)?, Column::of(asked.longitudes, east)?);
    let rows = latitudes.memory().rows();
    let mut columns = vec![(north.as_str(), doubles(&latitudes)), (east.as_str(), doubles(&longitudes))];
    let mut forms = vec![(latitudes.form(), DataType::Float64), (longitudes.form(), DataType::Float64)];
    // A name that no other column has.
    let order = format!("{north}{east} row");
    if asked.shuffle {
        columns.push((&order, Box::new(Rows(rows))));
        forms.push((plain(latitudes.form()), DataType::Int64));
    }
    let values = columns.iter().map(|(name, _)| (*name).to_owned()).collect();
    let options = ReleaseOptions {
        columns: Columns { values, ..Columns::default() },
        seed: asked.seed,
        shuffle: asked.shuffle,
        ..ReleaseOptions::default()
    };
    let request = ReleaseRequest {
        mechanism: Box::new(PlaceColumns { mechanism, names: None }),
        records: Records::Memory(columns),
        options,
        charging: None,
    };
    let (kept, (), done) = drawn(py, request, rows, asked.progress.as_ref(), |_, _| ((), Kept::Columns(Vec::new())))?;
    if asked.is_release {
        // A seed is seen where it is given, and columns to keep are the caller's.
        let (done, in_clear, seed) = (ReleasedPlaces::Rows(done), Vec::new(), None);
        let outcome = PlacesOutcome { done, epsilon_per_metre: None, in_clear, seed, shuffle: asked.shuffle };
        warn(py, &outcome.warnings(), 5)?;
    }
    released::columns(py, &forms, kept)
}

/// Rows in another order have no chunks of the input's.
fn plain(form: Form) -> Form {
    match form {
        Form::Arrow(ends, _) => Form::Arrow(ends.last().copied().into_iter().collect(), Default::default()),
        form => form,
    }
}

/// The columns of latitudes and longitudes of a table: those that are named, or else those with the usual names.
#[pyfunction]
pub fn geo_names(
    columns: Vec<String>,
    latitude: Option<String>,
    longitude: Option<String>,
    keep: Vec<String>,
) -> Answer<[String; 2]> {
    let columns = ColumnNames { names: columns, are: NamesOf::Schema };
    Ok(PlaceNames { latitude, longitude }.find_beside(&keep, &columns)?)
}

/// The column for a source; doubles of numpy come in whole batches, of which threads each take a part.
fn doubles<'a>(column: &'a Column<'_>) -> Box<dyn MemoryColumn + 'a> {
    match column {
        Column::Numpy(NumpyArray::Float64(array)) => match array.as_slice() {
            Ok(numbers) => Box::new(Doubles(numbers)),
            Err(_) => column.memory(),
        },
        _ => column.memory(),
    }
}

struct Doubles<'a>(&'a [f64]);

impl MemoryColumn for Doubles<'_> {
    fn data_type(&self) -> DataType {
        DataType::Float64
    }

    fn rows(&self) -> usize {
        self.0.len()
    }

    fn read(&self, first: usize, most: usize) -> ArrayRef {
        let numbers = &self.0[first..self.0.len().min(first + most)];
        Arc::new(Float64Array::from(numbers.to_vec()))
    }
}

/// The number of each row, from 0.
struct Rows(usize);

impl MemoryColumn for Rows {
    fn data_type(&self) -> DataType {
        DataType::Int64
    }

    fn rows(&self) -> usize {
        self.0
    }

    fn read(&self, first: usize, most: usize) -> ArrayRef {
        let rows = first as i64..self.0.min(first + most) as i64;
        Arc::new(Int64Array::from_iter_values(rows))
    }
}
