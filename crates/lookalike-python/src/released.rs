//! What was released, on its way back to Python.

use crate::data::Form;
use crate::error::{Answer, Failure};
use crate::list;
use crate::numpy_array::{Collect, collector};
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

/// What a sink keeps.
pub enum Kept {
    /// Codes.
    Codes(Vec<u32>),
    /// What the codes stand for, in a numpy array.
    Array(Box<dyn Collect>),
    /// The first column of each batch, where a mechanism draws whole columns.
    Columns(Vec<ArrayRef>),
}

impl Kept {
    /// What is kept of the codes of so many rows for an answer in this form.
    pub fn labels(form: &Form, labels: &LabelArrays, rows: usize) -> Self {
        match form {
            Form::Numpy => Kept::Array(collector(labels, rows)),
            _ => Kept::Codes(Vec::with_capacity(rows)),
        }
    }
}

/// A sink in memory.
pub struct Memory<'a> {
    pub kept: Kept,
    pub link: &'a Link,
    pub rows: u64,
}

impl RecordSink for Memory<'_> {
    fn write_batch(&mut self, batch: &Batch, outputs: &[u32]) -> Result<()> {
        if self.link.is_stopped() {
            return Err(Error::input("stopped before it was done"));
        }
        match &mut self.kept {
            Kept::Codes(codes) => codes.extend_from_slice(outputs),
            Kept::Array(array) => array.push(outputs),
            Kept::Columns(columns) => columns.extend(batch.arrays().first().cloned()),
        }
        let done = batch.first_row + batch.len() as u64;
        self.link.report(Progress { stage: "privatizing", done, total: Some(self.rows) });
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}

/// For a sink in front of this one, which then outlives it.
impl RecordSink for &mut Memory<'_> {
    fn write_batch(&mut self, batch: &Batch, outputs: &[u32]) -> Result<()> {
        (**self).write_batch(batch, outputs)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}

/// The labels of codes in the form of the input.
pub fn labels(py: Python<'_>, form: &Form, labels: &LabelArrays, kept: Kept) -> Answer<Py<PyAny>> {
    let codes = match kept {
        Kept::Codes(codes) => codes,
        Kept::Array(array) => return Ok(array.array(py)?),
        Kept::Columns(_) => Vec::new(),
    };
    match form {
        Form::List | Form::Numpy => {
            let objects = list::objects(py, labels.labels())?;
            let items = codes.iter().map(|&code| objects[code as usize].clone_ref(py));
            Ok(PyList::new(py, items)?.into_py_any(py)?)
        }
        Form::Arrow(ends) => {
            let chunk = |(start, end): (usize, usize)| labels.array(&codes[start..end]);
            let chunks = py.detach(|| spans(ends).map(chunk).collect::<Result<Vec<_>>>())?;
            chunked(py, labels.data_type(), chunks)
        }
    }
}

/// A whole column, of text, whole numbers or doubles, in the form of the input.
pub fn column(py: Python<'_>, form: &Form, data_type: &DataType, kept: Kept) -> Answer<Py<PyAny>> {
    let Kept::Columns(columns) = kept else { return Err(Failure::input("no column was drawn")) };
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
