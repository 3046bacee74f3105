//! What was released, on its way back to Python.

use crate::data::Form;
use crate::error::{Answer, Failure};
use crate::list;
use crate::numpy_array;
use crate::progress::Link;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, new_empty_array};
use arrow_schema::{DataType, Field};
use arrow_select::concat::concat;
use lookalike::design::Progress;
use lookalike_io::records::{Batch, LabelArrays, RecordSink};
use lookalike_io::{Error, Result};
use numpy::IntoPyArray;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyList;
use pyo3_arrow::PyChunkedArray;
use std::sync::Arc;

/// A sink that keeps codes, or the first column where a mechanism draws whole columns.
pub struct Memory<'a> {
    pub codes: Vec<u32>,
    pub columns: Vec<ArrayRef>,
    /// Whether the mechanism draws columns.
    pub draws_columns: bool,
    pub link: &'a Link,
    pub rows: u64,
}

impl RecordSink for Memory<'_> {
    fn write_batch(&mut self, batch: &Batch, outputs: &[u32]) -> Result<()> {
        if self.link.is_stopped() {
            return Err(Error::input("stopped before it was done"));
        }
        match (self.draws_columns, batch.arrays().first()) {
            (true, Some(column)) => self.columns.push(column.clone()),
            _ => self.codes.extend_from_slice(outputs),
        }
        let done = batch.first_row + batch.len() as u64;
        self.link.report(Progress { stage: "privatizing", done, total: Some(self.rows) });
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}

/// The labels of codes in the form of the input.
pub fn labels(py: Python<'_>, form: &Form, labels: &LabelArrays, codes: &[u32]) -> Answer<Py<PyAny>> {
    match form {
        Form::List => {
            let objects = list::objects(py, labels.labels())?;
            let items = codes.iter().map(|&code| objects[code as usize].clone_ref(py));
            Ok(PyList::new(py, items)?.into_py_any(py)?)
        }
        Form::Numpy => numpy_array::labelled(py, labels, codes),
        Form::Arrow(ends) => {
            let chunk = |(start, end): (usize, usize)| labels.array(&codes[start..end]);
            let chunks = py.detach(|| spans(ends).map(chunk).collect::<Result<Vec<_>>>())?;
            chunked(py, labels.data_type(), chunks)
        }
    }
}

/// A whole column, of text, whole numbers or doubles, in the form of the input.
pub fn column(py: Python<'_>, form: &Form, data_type: &DataType, columns: &[ArrayRef]) -> Answer<Py<PyAny>> {
    let arrays: Vec<&dyn Array> = columns.iter().map(|column| &**column).collect();
    let too_long = |_| Failure::input("more text than a column of its type can hold");
    let whole = match arrays.is_empty() {
        true => new_empty_array(data_type),
        false => concat(&arrays).map_err(too_long)?,
    };
    match (form, data_type) {
        (Form::List, _) => Ok(PyList::new(py, list::objects(py, &whole)?)?.into_py_any(py)?),
        (Form::Numpy, DataType::Int64) => {
            Ok(whole.as_primitive::<Int64Type>().values().to_vec().into_pyarray(py).into_py_any(py)?)
        }
        (Form::Numpy, DataType::Float64) => {
            Ok(whole.as_primitive::<Float64Type>().values().to_vec().into_pyarray(py).into_py_any(py)?)
        }
        (Form::Numpy, _) => {
            let texts: Vec<&str> = whole.as_string::<i32>().iter().flatten().collect();
            let numpy = py.import("numpy")?;
            Ok(numpy.call_method1("array", (texts, numpy.getattr("str_")?))?.unbind())
        }
        (Form::Arrow(ends), _) => {
            let chunk = |(start, end): (usize, usize)| whole.slice(start, end - start);
            chunked(py, data_type.clone(), spans(ends).map(chunk).collect())
        }
    }
}

/// From where to where each chunk goes.
fn spans(ends: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    std::iter::once(0).chain(ends.iter().copied()).zip(ends.iter().copied())
}

fn chunked(py: Python<'_>, data_type: DataType, chunks: Vec<ArrayRef>) -> Answer<Py<PyAny>> {
    let field = Arc::new(Field::new("", data_type, false));
    Ok(Py::new(py, PyChunkedArray::try_new(chunks, field)?)?.into_any())
}
