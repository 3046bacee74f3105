//! Columns that come from Python: lists, numpy arrays, and whatever speaks the Arrow PyCapsule interface.

use crate::error::{Answer, Failure};
use crate::list;
use crate::numpy_array::NumpyArray;
use arrow_array::{Array, cast::AsArray};
use arrow_schema::DataType;
use lookalike_io::records::{Chunks, MemoryColumn};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use pyo3_arrow::input::AnyArray;

/// A column as it came.
pub enum Column<'py> {
    /// A list.
    List(Chunks),
    /// A numpy array; its memory is read where it is.
    Numpy(NumpyArray<'py>),
    /// Arrow arrays, which are not copied.
    Arrow(Chunks),
}

/// The kind of a column, in which the answer goes back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    List,
    Numpy,
    /// With the number of rows up to the end of each chunk.
    Arrow(Vec<usize>),
}

impl<'py> Column<'py> {
    /// The column of a parameter of this name.
    ///
    /// `lookalike._data` has made it a list, a numpy array (of numbers, or of code points with their number in a text)
    /// or something that exports Arrow.
    pub fn of(data: &Bound<'py, PyAny>, name: &str) -> Answer<Self> {
        if let Ok(list) = data.cast::<PyList>() {
            return Ok(Column::List(list::column(list, name)?));
        }
        if let Ok(pair) = data.cast::<PyTuple>() {
            return Ok(Column::Numpy(NumpyArray::texts(&pair.get_item(0)?, pair.get_item(1)?.extract()?)?));
        }
        if data.hasattr("__arrow_c_stream__")? || data.hasattr("__arrow_c_array__")? {
            return Ok(Column::Arrow(arrow(data, name)?));
        }
        Ok(Column::Numpy(NumpyArray::numbers(data)?))
    }

    /// The column for a source.
    pub fn memory(&self) -> Box<dyn MemoryColumn + '_> {
        match self {
            Column::List(chunks) | Column::Arrow(chunks) => Box::new(chunks.clone()),
            Column::Numpy(array) => array.memory(),
        }
    }

    pub fn form(&self) -> Form {
        match self {
            Column::List(_) => Form::List,
            Column::Numpy(_) => Form::Numpy,
            Column::Arrow(chunks) => Form::Arrow(chunks.ends().to_vec()),
        }
    }
}

/// The chunks of an Arrow array or stream; a table of one column is that column.
fn arrow(data: &Bound<'_, PyAny>, name: &str) -> Answer<Chunks> {
    let (chunks, field) = data.extract::<AnyArray>()?.into_chunked_array().map_err(PyErr::from)?.into_inner();
    match field.data_type() {
        DataType::Struct(fields) if fields.len() == 1 => {
            let column = |chunk: &arrow_array::ArrayRef| chunk.as_struct().column(0).clone();
            Ok(Chunks::new(fields[0].data_type().clone(), chunks.iter().map(column).collect()))
        }
        DataType::Struct(fields) if chunks.iter().all(|chunk| chunk.null_count() == 0) => {
            Err(Failure::input(format!("{name}: a table of {} columns, expected one column", fields.len())))
        }
        data_type => Ok(Chunks::new(data_type.clone(), chunks)),
    }
}
