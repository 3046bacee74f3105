//! numpy arrays as columns, and columns as numpy arrays.

use crate::error::{Answer, Failure};
use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, BooleanArray, DictionaryArray, PrimitiveArray, StringArray};
use arrow_schema::DataType;
use lookalike_engine::records::{Integers, MemoryColumn};
use numpy::{Element, IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArrayDyn, PyReadwriteArray1};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::sync::Arc;

/// Makes the enum of the types of numbers, and what goes through all of them.
macro_rules! number_types {
    ($($kind:ident $native:ty, $arrow:ty, $integers:expr;)*) => {
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
                    $(NumpyArray::$kind(array) => Box::new(Numbers::<$arrow>(slice(array), $integers)),)*
                }
            }
        }

        /// An array of numpy for what is released: numpy asks the system for large pages, which are faster to fill.
        pub enum Spare<'py> {
            $(
                #[allow(missing_docs)]
                $kind(PyReadwriteArray1<'py, $native>),
            )*
        }

        impl<'py> Spare<'py> {
            /// As many numbers of the same type; none for booleans and texts.
            pub fn like(py: Python<'py>, array: &NumpyArray<'py>) -> Option<Self> {
                match array {
                    $(NumpyArray::$kind(array) => {
                        Some(Spare::$kind(PyArray1::zeros(py, slice(array).len(), false).readwrite()))
                    })*
                    NumpyArray::Bool(_) | NumpyArray::Text(..) => None,
                }
            }

            /// Its memory.
            pub fn memory(&mut self) -> SpareMemory<'_> {
                match self {
                    $(Spare::$kind(array) => SpareMemory::$kind(array.as_slice_mut().expect("a new array")),)*
                }
            }

            /// The array.
            pub fn into_array(self) -> Py<PyAny> {
                match self {
                    $(Spare::$kind(array) => array.as_any().clone().unbind(),)*
                }
            }
        }

        /// The memory of a [`Spare`] array, which any thread may fill.
        pub enum SpareMemory<'a> {
            $(
                #[allow(missing_docs)]
                $kind(&'a mut [$native]),
            )*
        }

        impl<'a> SpareMemory<'a> {
            /// What fills it with labels; none for labels of another type.
            pub fn filling(self, labels: &ArrayRef) -> Option<Box<dyn Fill + 'a>> {
                match self {
                    $(SpareMemory::$kind(rest) => {
                        let labels = labels.as_primitive_opt::<$arrow>()?.values().to_vec();
                        Some(Box::new(Filling { labels, rest }))
                    })*
                }
            }
        }

        /// The numpy array of an array, whose memory it takes over if nothing else has it.
        pub fn numpy(py: Python<'_>, array: ArrayRef) -> PyResult<Py<PyAny>> {
            Ok(match array.data_type() {
                DataType::Boolean => array.as_boolean().values().iter().collect::<Vec<_>>().into_pyarray(py).into_any(),
                $(kind if *kind == <$arrow>::DATA_TYPE => {
                    let numbers = array.as_primitive::<$arrow>().values().clone().into_inner();
                    drop(array);
                    let owned = numbers.into_vec::<$native>();
                    owned.unwrap_or_else(|shared| shared.typed_data().to_vec()).into_pyarray(py).into_any()
                })*
                _ => {
                    let texts: Vec<&str> = array.as_string::<i32>().iter().flatten().collect();
                    let numpy = py.import("numpy")?;
                    numpy.call_method1("array", (texts, numpy.getattr("str_")?))?
                }
            }
            .unbind())
        }
    };
}

number_types! {
    Int64 i64, Int64Type, Some(Integers::Int64);
    Int32 i32, Int32Type, Some(Integers::Int32);
    Int16 i16, Int16Type, Some(Integers::Int16);
    Int8 i8, Int8Type, Some(Integers::Int8);
    UInt64 u64, UInt64Type, Some(Integers::UInt64);
    UInt32 u32, UInt32Type, Some(Integers::UInt32);
    UInt16 u16, UInt16Type, Some(Integers::UInt16);
    UInt8 u8, UInt8Type, Some(Integers::UInt8);
    Float64 f64, Float64Type, None;
    Float32 f32, Float32Type, None;
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

/// Takes codes and puts what they stand for into an array.
pub trait Fill: Send {
    /// Takes the codes of the next rows.
    fn push(&mut self, codes: &[u32]);
}

struct Filling<'a, T> {
    labels: Vec<T>,
    rest: &'a mut [T],
}

impl<T: Copy + Send> Fill for Filling<'_, T> {
    fn push(&mut self, codes: &[u32]) {
        let (now, rest) = std::mem::take(&mut self.rest).split_at_mut(codes.len());
        fill(now, codes, &self.labels);
        self.rest = rest;
    }
}

/// The label of each code. Codes come from a sampler, which has as many outputs as there are labels.
fn fill<T: Copy>(values: &mut [T], codes: &[u32], labels: &[T]) {
    debug_assert!(codes.iter().all(|&code| (code as usize) < labels.len()));
    match labels.first().filter(|_| labels.len() <= 256) {
        // Labels that are as many as bytes can tell apart need no look at the bounds.
        Some(&first) => {
            let mut table = [first; 256];
            table[..labels.len()].copy_from_slice(labels);
            values.iter_mut().zip(codes).for_each(|(value, &code)| *value = table[usize::from(code as u8)]);
        }
        None => values.iter_mut().zip(codes).for_each(|(value, &code)| *value = labels[code as usize]),
    }
}

/// Bytes that are copied at a time: few enough that they are still near when they are read.
const COPIED: usize = 1 << 15;

/// How integers are given where they are.
type AsIntegers<'a, T> = fn(&'a [T]) -> Integers<'a>;

/// Numbers, and how to give them where they are if they are integers.
struct Numbers<'a, T: ArrowPrimitiveType>(&'a [T::Native], Option<AsIntegers<'a, T::Native>>);

impl<T: ArrowPrimitiveType> MemoryColumn for Numbers<'_, T> {
    fn data_type(&self) -> DataType {
        T::DATA_TYPE
    }

    fn rows(&self) -> usize {
        self.0.len()
    }

    fn read(&self, first: usize, most: usize) -> ArrayRef {
        let most = most.min(COPIED / size_of::<T::Native>());
        let numbers = &self.0[first..self.0.len().min(first + most)];
        Arc::new(PrimitiveArray::<T>::new(numbers.to_vec().into(), None))
    }

    fn integers(&self, first: usize, most: usize) -> Option<Integers<'_>> {
        self.1.map(|integers| integers(&self.0[first..self.0.len().min(first + most)]))
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
