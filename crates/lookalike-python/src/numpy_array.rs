//! numpy arrays as columns, and columns as numpy arrays.

use crate::error::{Answer, Failure};
use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, BooleanArray, DictionaryArray, PrimitiveArray, StringArray};
use arrow_schema::DataType;
use lookalike_io::records::{LabelArrays, MemoryColumn};
use numpy::{Element, IntoPyArray, PyReadonlyArray1, PyReadonlyArrayDyn};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::sync::Arc;

/// Makes the enum of the types of numbers, and what goes through all of them.
macro_rules! number_types {
    ($($kind:ident $native:ty, $arrow:ty;)*) => {
        /// A contiguous numpy array in the byte order of the machine.
        pub enum NumpyArray<'py> {
            /// Booleans.
            Bool(PyReadonlyArray1<'py, bool>),
            /// Texts of a fixed number of code points, padded with 0.
            Text(PyReadonlyArray1<'py, u32>, usize),
            $(
                #[allow(missing_docs)]
                $kind(PyReadonlyArray1<'py, $native>),
            )*
        }

        impl<'py> NumpyArray<'py> {
            /// An array of numbers or booleans.
            ///
            /// # Errors
            /// Another type, or an array that is not contiguous.
            pub fn numbers(data: &Bound<'py, PyAny>) -> Answer<Self> {
                let array = if let Ok(array) = data.extract() {
                    NumpyArray::Bool(array)
                } $(else if let Ok(array) = data.extract() {
                    NumpyArray::$kind(array)
                })* else {
                    let found = match data.extract::<PyReadonlyArrayDyn<'py, u8>>() {
                        Ok(_) => "an array of several dimensions".to_owned(),
                        Err(_) => data.get_type().name()?.to_cow()?.into_owned(),
                    };
                    let message = format!("{found}, expected a list, a numpy array or an Arrow column");
                    return Err(PyTypeError::new_err(message).into());
                };
                Ok(array)
            }

            /// The column for a source.
            pub fn memory(&self) -> Box<dyn MemoryColumn + '_> {
                match self {
                    NumpyArray::Bool(array) => Box::new(Booleans(slice(array))),
                    NumpyArray::Text(array, width) => Box::new(Texts(slice(array), *width)),
                    $(NumpyArray::$kind(array) => Box::new(Numbers::<$arrow>(slice(array))),)*
                }
            }
        }

        /// What collects the labels of codes in an array of their type.
        pub fn collector(labels: &LabelArrays, rows: usize) -> Box<dyn Collect> {
            let labels = labels.labels();
            match labels.data_type() {
                DataType::Boolean => Values::boxed(labels.as_boolean().values().iter().collect(), rows),
                $(kind if *kind == <$arrow>::DATA_TYPE => {
                    Values::boxed(labels.as_primitive::<$arrow>().values().to_vec(), rows)
                })*
                _ => Box::new(Points::new(labels.as_string::<i32>().iter().flatten(), rows)),
            }
        }
    };
}

number_types! {
    Int64 i64, Int64Type;
    Int32 i32, Int32Type;
    Int16 i16, Int16Type;
    Int8 i8, Int8Type;
    UInt64 u64, UInt64Type;
    UInt32 u32, UInt32Type;
    UInt16 u16, UInt16Type;
    UInt8 u8, UInt8Type;
    Float64 f64, Float64Type;
    Float32 f32, Float32Type;
}

impl<'py> NumpyArray<'py> {
    /// Texts of `width` code points each.
    ///
    /// # Errors
    /// An array of something else.
    pub fn texts(points: &Bound<'py, PyAny>, width: usize) -> Answer<Self> {
        let points = points.extract().map_err(|_| Failure::input("code points, expected an array of 32 bits"))?;
        Ok(NumpyArray::Text(points, width))
    }
}

/// The memory of an array; `lookalike._data` has made it contiguous.
fn slice<'a, T: Element>(array: &'a PyReadonlyArray1<'_, T>) -> &'a [T] {
    array.as_slice().expect("the array was made contiguous")
}

/// Takes codes and gives an array of what they stand for.
pub trait Collect: Send {
    /// Takes the codes of some rows.
    fn push(&mut self, codes: &[u32]);

    /// The array of all rows.
    ///
    /// # Errors
    /// Those of numpy.
    fn array(self: Box<Self>, py: Python<'_>) -> PyResult<Py<PyAny>>;
}

/// Collects numbers or booleans.
struct Values<T> {
    labels: Vec<T>,
    values: Vec<T>,
}

impl<T: Element + Copy + Send + 'static> Values<T> {
    fn boxed(labels: Vec<T>, rows: usize) -> Box<dyn Collect> {
        Box::new(Values { labels, values: Vec::with_capacity(rows) })
    }
}

impl<T: Element + Copy + Send> Collect for Values<T> {
    fn push(&mut self, codes: &[u32]) {
        self.values.extend(codes.iter().map(|&code| self.labels[code as usize]));
    }

    fn array(self: Box<Self>, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(self.values.into_pyarray(py).into_any().unbind())
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

    fn array(self: Box<Self>, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(self.points.into_pyarray(py).call_method1("view", (format!("=U{}", self.width),))?.unbind())
    }
}

struct Numbers<'a, T: ArrowPrimitiveType>(&'a [T::Native]);

impl<T: ArrowPrimitiveType> MemoryColumn for Numbers<'_, T> {
    fn data_type(&self) -> DataType {
        T::DATA_TYPE
    }

    fn rows(&self) -> usize {
        self.0.len()
    }

    fn read(&self, first: usize, most: usize) -> ArrayRef {
        let numbers = &self.0[first..self.0.len().min(first + most)];
        Arc::new(PrimitiveArray::<T>::new(numbers.to_vec().into(), None))
    }
}

struct Booleans<'a>(&'a [bool]);

impl MemoryColumn for Booleans<'_> {
    fn data_type(&self) -> DataType {
        DataType::Boolean
    }

    fn rows(&self) -> usize {
        self.0.len()
    }

    fn read(&self, first: usize, most: usize) -> ArrayRef {
        Arc::new(BooleanArray::from(self.0[first..self.0.len().min(first + most)].to_vec()))
    }
}

struct Texts<'a>(&'a [u32], usize);

/// Places of texts in a part of a column; those that share one are looked up more than once.
const PLACES: usize = 1 << 12;

impl MemoryColumn for Texts<'_> {
    /// A dictionary, so that a text that occurs often is decoded and looked up once a part.
    fn data_type(&self) -> DataType {
        DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
    }

    fn rows(&self) -> usize {
        self.0.len() / self.1.max(1)
    }

    fn read(&self, first: usize, most: usize) -> ArrayRef {
        let (points, width) = (self.0, self.1.max(1));
        let points = &points[first * width..points.len().min((first + most) * width)];
        let (mut slots, mut entries) = (vec![None::<(&[u32], i32)>; PLACES], Vec::new());
        let mut keys = Vec::with_capacity(points.len() / width);
        for text in points.chunks_exact(width) {
            let hash =
                text.iter().fold(0u64, |hash, &point| (hash ^ u64::from(point)).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let slot = &mut slots[(hash >> 52) as usize];
            let known = slot.filter(|(known, _)| *known == text);
            keys.push(match known {
                Some((_, key)) => key,
                None => {
                    entries.push(decoded(text));
                    let key = entries.len() as i32 - 1;
                    *slot = Some((text, key));
                    key
                }
            });
        }
        let entries = Arc::new(StringArray::from_iter_values(entries));
        Arc::new(DictionaryArray::<Int32Type>::new(keys.into(), entries))
    }
}

/// The text of code points, which end with the last that is not 0.
fn decoded(points: &[u32]) -> String {
    let end = points.iter().rposition(|&point| point != 0).map_or(0, |last| last + 1);
    // A surrogate has no text; what stands for it is no category.
    points[..end].iter().map(|&point| char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}
