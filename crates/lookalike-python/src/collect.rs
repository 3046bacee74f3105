//! The labels of codes, collected in the array that goes back.

use crate::error::Answer;
use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef, ArrowNativeTypeOp, ArrowPrimitiveType, DictionaryArray, PrimitiveArray};
use arrow_schema::DataType;
use lookalike_engine::records::LabelArrays;
use numpy::IntoPyArray;
use pyo3::prelude::*;
use std::sync::Arc;

/// Takes codes and gives an array of what they stand for.
pub trait Collect: Send {
    /// Takes the codes of some rows.
    fn push(&mut self, codes: &[u32]);

    /// All rows.
    ///
    /// # Errors
    /// More text than a column of its type can hold, or those of numpy.
    fn finish(self: Box<Self>, py: Python<'_>, labels: &LabelArrays) -> Answer<Collected>;
}

/// What was collected.
pub enum Collected {
    Arrow(ArrayRef),
    /// An array of numpy's own texts.
    Numpy(Py<PyAny>),
}

/// Makes a collector that has a type of integers as its parameter.
macro_rules! by_integer {
    ($data_type:expr, $make:ident($($given:expr),*)) => {
        match $data_type {
            DataType::Int8 => Some($make::<Int8Type>($($given),*)),
            DataType::Int16 => Some($make::<Int16Type>($($given),*)),
            DataType::Int32 => Some($make::<Int32Type>($($given),*)),
            DataType::Int64 => Some($make::<Int64Type>($($given),*)),
            DataType::UInt8 => Some($make::<UInt8Type>($($given),*)),
            DataType::UInt16 => Some($make::<UInt16Type>($($given),*)),
            DataType::UInt32 => Some($make::<UInt32Type>($($given),*)),
            DataType::UInt64 => Some($make::<UInt64Type>($($given),*)),
            _ => None,
        }
    };
}

/// What collects labels for a column of their type; for numpy, texts are code points.
pub fn collector(labels: &LabelArrays, numpy: bool, rows: usize) -> Box<dyn Collect> {
    let all = labels.labels();
    let collector = match labels.data_type() {
        DataType::Dictionary(key, _) => by_integer!(*key, keys(all.len(), rows)),
        plain => by_integer!(plain, integers(all, rows)),
    };
    match all.data_type() {
        DataType::Utf8 if numpy => Box::new(Points::new(all.as_string::<i32>().iter().flatten(), rows)),
        _ => collector.unwrap_or_else(|| Box::new(Codes(Vec::with_capacity(rows)))),
    }
}

fn integers<T: ArrowPrimitiveType>(labels: &ArrayRef, rows: usize) -> Box<dyn Collect> {
    let integers = Values::<T>::new(labels.as_primitive::<T>().values().to_vec(), rows);
    Box::new(Finished(integers, |integers, _| Arc::new(integers)))
}

/// Keys of a dictionary of all labels, which [`LabelArrays`] has made sure that the type has.
fn keys<K: ArrowDictionaryKeyType>(labels: usize, rows: usize) -> Box<dyn Collect> {
    let after = |key: &K::Native| Some(key.add_wrapping(K::Native::ONE));
    let places = std::iter::successors(Some(K::Native::ZERO), after).take(labels);
    let keys = Values::<K>::new(places.collect(), rows);
    Box::new(Finished(keys, |keys, labels| Arc::new(DictionaryArray::new(keys, labels.labels().clone()))))
}

/// What codes stand for, and what stands for those that came.
struct Values<T: ArrowPrimitiveType> {
    labels: Vec<T::Native>,
    values: Vec<T::Native>,
}

impl<T: ArrowPrimitiveType> Values<T> {
    fn new(labels: Vec<T::Native>, rows: usize) -> Self {
        Values { labels, values: Vec::with_capacity(rows) }
    }
}

/// Values, and how they become a column.
struct Finished<T: ArrowPrimitiveType>(Values<T>, fn(PrimitiveArray<T>, &LabelArrays) -> ArrayRef);

impl<T: ArrowPrimitiveType> Collect for Finished<T> {
    fn push(&mut self, codes: &[u32]) {
        let Values { labels, values } = &mut self.0;
        values.extend(codes.iter().map(|&code| labels[code as usize]));
    }

    fn finish(self: Box<Self>, py: Python<'_>, labels: &LabelArrays) -> Answer<Collected> {
        let Finished(Values { values, .. }, column) = *self;
        // The keys of a dictionary are looked at once more.
        Ok(Collected::Arrow(py.detach(|| column(PrimitiveArray::new(values.into(), None), labels))))
    }
}

/// Codes, whose labels are found at the end.
struct Codes(Vec<u32>);

impl Collect for Codes {
    fn push(&mut self, codes: &[u32]) {
        self.0.extend_from_slice(codes);
    }

    fn finish(self: Box<Self>, py: Python<'_>, labels: &LabelArrays) -> Answer<Collected> {
        Ok(Collected::Arrow(py.detach(|| labels.array(&self.0))?))
    }
}

/// Collects texts as code points, as many for each as the longest has.
struct Points {
    width: usize,
    labels: Vec<u32>,
    points: Vec<u32>,
}

impl Points {
    fn new<'a>(labels: impl Iterator<Item = &'a str>, rows: usize) -> Self {
        let labels: Vec<Vec<u32>> = labels.map(|label| label.chars().map(u32::from).collect()).collect();
        let width = labels.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let padded = |label: Vec<u32>| label.into_iter().chain(std::iter::repeat(0)).take(width);
        Points {
            width,
            labels: labels.into_iter().flat_map(padded).collect(),
            points: Vec::with_capacity(rows * width),
        }
    }
}

impl Collect for Points {
    fn push(&mut self, codes: &[u32]) {
        for &code in codes {
            let start = code as usize * self.width;
            self.points.extend_from_slice(&self.labels[start..start + self.width]);
        }
    }

    fn finish(self: Box<Self>, py: Python<'_>, _labels: &LabelArrays) -> Answer<Collected> {
        Ok(Collected::Numpy(
            self.points.into_pyarray(py).call_method1("view", (format!("=U{}", self.width),))?.unbind(),
        ))
    }
}
