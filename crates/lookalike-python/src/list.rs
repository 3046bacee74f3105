//! Python lists as Arrow arrays, and back.

use crate::error::{Answer, Failure};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, BooleanArray, Float64Array, Int64Array, NullArray, StringArray};
use arrow_schema::DataType;
use lookalike_engine::records::Chunks;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyList, PyString};
use std::sync::Arc;

/// One item.
enum Item {
    Null,
    Text(String),
    Bool(bool),
    Int(i64),
    /// A whole number beyond 64 bits, by its digits.
    Long(String),
    Float(f64),
}

/// The column of a list whose items are texts, booleans, or numbers; `None` and NaN among texts are null.
///
/// # Errors
/// Items of other types, or of types that do not go together, by row and never by content.
pub fn column(list: &Bound<'_, PyList>, name: &str) -> Answer<Chunks> {
    let items: Vec<Item> = list.iter().enumerate().map(|(row, item)| read(&item, row, name)).collect::<Answer<_>>()?;
    let array = array(&items, name)?;
    Ok(Chunks::new(array.data_type().clone(), vec![array]))
}

fn read(item: &Bound<'_, PyAny>, row: usize, name: &str) -> Answer<Item> {
    if item.is_none() {
        return Ok(Item::Null);
    }
    if let Ok(text) = item.cast::<PyString>() {
        return Ok(Item::Text(text.to_cow()?.into_owned()));
    }
    if let Ok(truth) = item.cast::<PyBool>() {
        return Ok(Item::Bool(truth.is_true()));
    }
    if let Ok(number) = item.cast::<PyFloat>() {
        return Ok(Item::Float(number.value()));
    }
    if let Ok(number) = item.extract::<i64>() {
        return Ok(Item::Int(number));
    }
    // Those of numpy are no whole numbers.
    if let Ok(truth) = item.extract::<bool>() {
        return Ok(Item::Bool(truth));
    }
    if item.hasattr("__index__")? {
        return Ok(Item::Long(item.call_method0("__index__")?.str()?.to_cow()?.into_owned()));
    }
    let found = item.get_type().name()?;
    let message = format!("{name}: row {} is of the type {found}, expected text, numbers or booleans", row + 1);
    Err(PyTypeError::new_err(message).into())
}

fn array(items: &[Item], name: &str) -> Answer<ArrayRef> {
    let has = |kind: fn(&Item) -> bool| items.iter().any(kind);
    let (text, truth) = (has(|item| matches!(item, Item::Text(_))), has(|item| matches!(item, Item::Bool(_))));
    let (long, whole) = (has(|item| matches!(item, Item::Long(_))), has(|item| matches!(item, Item::Int(_))));
    // NaN is how some libraries spell a missing text.
    let float = has(|item| matches!(item, Item::Float(number) if !number.is_nan()));
    let nan = has(|item| matches!(item, Item::Float(_)));
    let numbers = long || whole || float;
    if [text, truth, numbers].into_iter().filter(|found| *found).count() > 1 {
        let message = format!("{name}: items of several types, expected only text, only numbers or only booleans");
        return Err(PyTypeError::new_err(message).into());
    }
    Ok(match (text, truth, long, float || (nan && !text && !truth)) {
        (true, ..) => Arc::new(StringArray::from_iter(items.iter().map(|item| match item {
            Item::Text(text) => Some(text.as_str()),
            _ => None,
        }))),
        (_, true, ..) => Arc::new(BooleanArray::from_iter(items.iter().map(|item| match item {
            Item::Bool(truth) => Some(*truth),
            _ => None,
        }))),
        (_, _, _, true) => Arc::new(Float64Array::from_iter(items.iter().map(|item| match item {
            Item::Float(number) => Some(*number),
            Item::Int(number) => Some(*number as f64),
            Item::Long(digits) => digits.parse().ok(),
            _ => None,
        }))),
        (_, _, true, _) => Arc::new(StringArray::from_iter(items.iter().map(|item| match item {
            Item::Long(digits) => Some(digits.clone()),
            Item::Int(number) => Some(number.to_string()),
            _ => None,
        }))),
        _ if whole => Arc::new(Int64Array::from_iter(items.iter().map(|item| match item {
            Item::Int(number) => Some(*number),
            _ => None,
        }))),
        _ => Arc::new(NullArray::new(items.len())),
    })
}

/// The values of an array as Python objects.
///
/// # Errors
/// A type that no list has.
pub fn objects(py: Python<'_>, array: &dyn Array) -> Answer<Vec<Py<PyAny>>> {
    let made: PyResult<Vec<Py<PyAny>>> = match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().iter().map(|text| text.into_py_any(py)).collect(),
        DataType::Int64 => array.as_primitive::<Int64Type>().iter().map(|number| number.into_py_any(py)).collect(),
        DataType::Float64 => array.as_primitive::<Float64Type>().iter().map(|number| number.into_py_any(py)).collect(),
        DataType::Boolean => array.as_boolean().iter().map(|truth| truth.into_py_any(py)).collect(),
        other => return Err(Failure::input(format!("no list can be made of the type {other}"))),
    };
    Ok(made?)
}
