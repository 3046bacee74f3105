//! What was released, on its way back to Python.

use crate::collect::{Collect, Collected, collector};
use crate::data::Form;
use crate::error::{Answer, Failure};
use crate::list;
use crate::numpy_array::{Fill, SpareMemory, numpy};
use crate::progress::Link;
use arrow_array::{Array, ArrayRef, new_empty_array};
use arrow_schema::DataType;
use arrow_select::concat::concat;
use lookalike::design::Progress;
use lookalike_engine::records::{Batch, LabelArrays, RecordSink};
use lookalike_formats::Result;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyList;
use pyo3_arrow::PyChunkedArray;
use std::sync::Arc;

/// What a sink keeps.
pub enum Kept<'a> {
    /// Codes, for a list.
    Codes(Vec<u32>),
    /// What the codes stand for.
    Labels(Box<dyn Collect>),
    /// What the codes stand for, in an array that is there already.
    Filled(Box<dyn Fill + 'a>),
    /// The columns of each batch, where a mechanism draws whole columns.
    Columns(Vec<Vec<ArrayRef>>),
}

impl<'a> Kept<'a> {
    /// What is kept of the codes of so many rows for an answer in this form.
    pub fn labels(form: &Form, labels: &LabelArrays, rows: usize, spare: Option<SpareMemory<'a>>) -> Self {
        if let Some(filling) = spare.and_then(|spare| spare.filling(labels.labels())) {
            return Kept::Filled(filling);
        }
        match form {
            Form::List => Kept::Codes(Vec::with_capacity(rows)),
            Form::Numpy | Form::Arrow(..) => Kept::Labels(collector(labels, *form == Form::Numpy, rows)),
        }
    }
}

/// A sink in memory.
pub struct Memory<'l, 'k> {
    pub kept: Kept<'k>,
    pub link: &'l Link,
    pub rows: u64,
}

impl RecordSink for Memory<'_, '_> {
    fn write_batch(&mut self, batch: &Batch, outputs: &[u32]) -> Result<()> {
        match &mut self.kept {
            Kept::Codes(codes) => codes.extend_from_slice(outputs),
            Kept::Labels(labels) => labels.push(outputs),
            Kept::Filled(array) => array.push(outputs),
            Kept::Columns(batches) => batches.push(batch.arrays().to_vec()),
        }
        let done = batch.first_row + batch.len() as u64;
        self.link.report(Progress { stage: "privatizing", done, total: Some(self.rows) });
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}

/// The labels of codes in the form of the input; none where an array that was there already has them.
pub fn labels(py: Python<'_>, form: &Form, labels: &LabelArrays, kept: Kept<'_>) -> Answer<Option<Py<PyAny>>> {
    Ok(match kept {
        Kept::Codes(codes) => {
            let objects = list::objects(py, labels.labels())?;
            let items = codes.iter().map(|&code| objects[code as usize].clone_ref(py));
            Some(PyList::new(py, items)?.into_py_any(py)?)
        }
        Kept::Labels(collected) => Some(match collected.finish(py, labels)? {
            Collected::Numpy(array) => array,
            Collected::Arrow(array) => in_form(py, form, array)?,
        }),
        Kept::Filled(_) => None,
        Kept::Columns(_) => return Err(Failure::input("columns were drawn, expected codes")),
    })
}

/// The first whole column, of text, whole numbers or doubles, in the form of the input.
pub fn column(py: Python<'_>, form: &Form, data_type: &DataType, kept: Kept<'_>) -> Answer<Py<PyAny>> {
    columns(py, &[(form.clone(), data_type.clone())], kept)?.pop().ok_or_else(|| Failure::input("no column was drawn"))
}

/// The first whole columns, each of its type and in its form.
pub fn columns(py: Python<'_>, forms: &[(Form, DataType)], kept: Kept<'_>) -> Answer<Vec<Py<PyAny>>> {
    let Kept::Columns(batches) = kept else { return Err(Failure::input("no column was drawn")) };
    let too_long = |_| Failure::input("more text than a column of its type can hold");
    let column = |(place, (form, data_type)): (usize, &(Form, DataType))| {
        let arrays: Vec<&dyn Array> = batches.iter().map(|batch| &*batch[place]).collect();
        let whole = match arrays.is_empty() {
            true => new_empty_array(data_type),
            false => concat(&arrays).map_err(too_long)?,
        };
        in_form(py, form, whole)
    };
    forms.iter().enumerate().map(column).collect()
}

fn in_form(py: Python<'_>, form: &Form, whole: ArrayRef) -> Answer<Py<PyAny>> {
    match form {
        Form::List => Ok(PyList::new(py, list::objects(py, &whole)?)?.into_py_any(py)?),
        Form::Numpy => Ok(numpy(py, whole)?),
        Form::Arrow(ends, enumeration) => {
            let chunk = |(start, end): (usize, usize)| whole.slice(start, end - start);
            let (chunks, field) = (spans(ends).map(chunk).collect(), Arc::new(enumeration.field(&whole)));
            Ok(Py::new(py, PyChunkedArray::try_new(chunks, field)?)?.into_any())
        }
    }
}

/// From where to where each chunk goes.
fn spans(ends: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    std::iter::once(0).chain(ends.iter().copied()).zip(ends.iter().copied())
}
