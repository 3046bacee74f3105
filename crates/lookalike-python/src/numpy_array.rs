//! numpy arrays as columns, and columns as numpy arrays.

use crate::error::{Answer, Failure};
use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, BooleanArray, PrimitiveArray, StringArray};
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

        /// The labels of these codes.
        ///
        /// # Errors
        /// Those of numpy.
        pub fn labelled(py: Python<'_>, labels: &LabelArrays, codes: &[u32]) -> Answer<Py<PyAny>> {
            let labels = labels.labels();
            match labels.data_type() {
                DataType::Boolean => {
                    let labels: Vec<bool> = labels.as_boolean().values().iter().collect();
                    Ok(looked_up(py, &labels, codes))
                }
                $(kind if *kind == <$arrow>::DATA_TYPE => {
                    Ok(looked_up(py, labels.as_primitive::<$arrow>().values(), codes))
                })*
                _ => {
                    let labels: Vec<&str> = labels.as_string::<i32>().iter().flatten().collect();
                    let labels = py.import("numpy")?.call_method1("array", (labels,))?;
                    let codes: Vec<i64> = codes.iter().map(|&code| code.into()).collect();
                    Ok(labels.call_method1("take", (codes.into_pyarray(py),))?.unbind())
                }
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

fn looked_up<T: Element + Copy>(py: Python<'_>, labels: &[T], codes: &[u32]) -> Py<PyAny> {
    let values: Vec<T> = codes.iter().map(|&code| labels[code as usize]).collect();
    values.into_pyarray(py).into_any().unbind()
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

impl MemoryColumn for Texts<'_> {
    fn data_type(&self) -> DataType {
        DataType::Utf8
    }

    fn rows(&self) -> usize {
        self.0.len() / self.1.max(1)
    }

    fn read(&self, first: usize, most: usize) -> ArrayRef {
        let (points, width) = (self.0, self.1.max(1));
        let points = &points[first * width..points.len().min((first + most) * width)];
        let text = |points: &[u32]| -> String {
            let end = points.iter().rposition(|&point| point != 0).map_or(0, |last| last + 1);
            // A surrogate has no text; what stands for it is no category.
            points[..end].iter().map(|&point| char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
        };
        Arc::new(StringArray::from_iter_values(points.chunks_exact(width).map(text)))
    }
}
