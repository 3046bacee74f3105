//! Columns that come from Python: lists, numpy arrays, and whatever speaks the Arrow PyCapsule interface.

use crate::error::{Answer, Failure};
use crate::list;
use crate::numpy_array::{NumpyArray, Spare};
use arrow_array::{Array, ArrayRef, cast::AsArray};
use arrow_schema::{DataType, Field};
use lookalike_engine::records::{Chunks, MemoryColumn};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use pyo3_arrow::input::AnyArray;
use std::collections::{HashMap, HashSet};

/// A column as it came.
pub enum Column<'py> {
    /// A list.
    List(Chunks),
    /// A numpy array; its memory is read where it is.
    Numpy(NumpyArray<'py>),
    /// Arrow arrays, which are not copied.
    Arrow(Chunks, Enumeration),
}

/// What polars notes of a column of a fixed list of texts, so that it reads the same kind back; empty for all others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Enumeration {
    note: HashMap<String, String>,
    texts: HashSet<String>,
}

impl Enumeration {
    /// The key under which polars lists the texts, up to its version.
    const KEY: &str = "_PL_ENUM_VALUES";

    fn of(field: &Field, chunks: &[ArrayRef]) -> Self {
        let note = field.metadata().iter().filter(|(key, _)| key.starts_with(Self::KEY));
        let note: HashMap<String, String> = note.map(|(key, texts)| (key.clone(), texts.clone())).collect();
        let values = chunks.first().filter(|_| !note.is_empty()).and_then(|chunk| chunk.as_any_dictionary_opt());
        match values.and_then(|dictionary| dictionary.values().as_string_view_opt()) {
            Some(texts) => Enumeration { note, texts: texts.iter().flatten().map(str::to_owned).collect() },
            None => Enumeration::default(),
        }
    }

    /// The field of released texts: noted the same if each is in the list.
    pub fn field(&self, released: &dyn Array) -> Field {
        let field = Field::new("", released.data_type().clone(), false);
        let labels = released.as_any_dictionary_opt().map(|dictionary| dictionary.values());
        let known = labels
            .and_then(|labels| labels.as_string_view_opt())
            .is_some_and(|labels| labels.iter().flatten().all(|label| self.texts.contains(label)));
        if known { field.with_metadata(self.note.clone()) } else { field }
    }
}

/// The kind of a column, in which the answer goes back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    List,
    Numpy,
    /// With the number of rows up to the end of each chunk.
    Arrow(Vec<usize>, Enumeration),
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
            let (chunks, enumeration) = arrow(data, name)?;
            return Ok(Column::Arrow(chunks, enumeration));
        }
        Ok(Column::Numpy(NumpyArray::numbers(data)?))
    }

    /// The column for a source.
    pub fn memory(&self) -> Box<dyn MemoryColumn + '_> {
        match self {
            Column::List(chunks) | Column::Arrow(chunks, _) => Box::new(chunks.clone()),
            Column::Numpy(array) => array.memory(),
        }
    }

    /// An array for what is released, where it can be made before that is known.
    pub fn spare(&self, py: Python<'py>) -> Option<Spare<'py>> {
        match self {
            Column::Numpy(array) => Spare::like(py, array),
            Column::List(_) | Column::Arrow(..) => None,
        }
    }

    pub fn form(&self) -> Form {
        match self {
            Column::List(_) => Form::List,
            Column::Numpy(_) => Form::Numpy,
            Column::Arrow(chunks, enumeration) => Form::Arrow(chunks.ends().to_vec(), enumeration.clone()),
        }
    }
}

/// The chunks of an Arrow array or stream; a table of one column is that column.
fn arrow(data: &Bound<'_, PyAny>, name: &str) -> Answer<(Chunks, Enumeration)> {
    let (chunks, field) = data.extract::<AnyArray>()?.into_chunked_array().map_err(PyErr::from)?.into_inner();
    match field.data_type() {
        DataType::Struct(fields) if fields.len() == 1 => {
            let column = |chunk: &ArrayRef| chunk.as_struct().column(0).clone();
            let chunks: Vec<ArrayRef> = chunks.iter().map(column).collect();
            let enumeration = Enumeration::of(&fields[0], &chunks);
            Ok((Chunks::new(fields[0].data_type().clone(), chunks), enumeration))
        }
        DataType::Struct(fields) if chunks.iter().all(|chunk| chunk.null_count() == 0) => {
            Err(Failure::input(format!("{name}: a table of {} columns, expected one column", fields.len())))
        }
        data_type => {
            let enumeration = Enumeration::of(&field, &chunks);
            Ok((Chunks::new(data_type.clone(), chunks), enumeration))
        }
    }
}
