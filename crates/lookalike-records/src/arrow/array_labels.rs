//! From codes to Arrow arrays of the input's type.

use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, DictionaryArray, PrimitiveArray, StringArray, UInt32Array, types::*,
};
use arrow_cast::cast;
use arrow_schema::DataType;
use arrow_select::take::take;

use super::array_types::is_text;
use lookalike_formats::{Error, Result};

/// The labels of all codes as an array of one type, and whether the column is a dictionary of them.
#[derive(Debug, Clone)]
pub struct LabelArrays {
    labels: ArrayRef,
    key: Option<DataType>,
}

impl LabelArrays {
    /// Labels for a column that had the type `wanted`.
    ///
    /// The type stays if every label is the canonical text of a value of it; otherwise, as with bins, it becomes text.
    /// A dictionary stays one, with all labels in their order whether they occur or not.
    pub fn new(labels: &[String], wanted: &DataType) -> Self {
        let text: ArrayRef = Arc::new(StringArray::from_iter_values(labels));
        match wanted {
            DataType::Dictionary(key, value) => {
                let key = if fits(labels.len(), key) { (**key).clone() } else { DataType::UInt32 };
                LabelArrays { labels: typed(&text, value).unwrap_or(text), key: Some(key) }
            }
            plain => LabelArrays { labels: typed(&text, plain).unwrap_or(text), key: None },
        }
    }

    /// The type of the column.
    pub fn data_type(&self) -> DataType {
        let value = self.labels.data_type().clone();
        match &self.key {
            Some(key) => DataType::Dictionary(Box::new(key.clone()), Box::new(value)),
            None => value,
        }
    }

    /// One label for each code.
    pub fn labels(&self) -> &ArrayRef {
        &self.labels
    }

    /// The column of these codes.
    ///
    /// # Errors
    /// A column too long for its type.
    ///
    /// # Panics
    /// When a code has no label.
    pub fn array(&self, codes: &[u32]) -> Result<ArrayRef> {
        let too_long = |_| Error::input("more text in a batch than a column of its type can hold");
        Ok(match &self.key {
            None => take(&self.labels, &UInt32Array::from(codes.to_vec()), None).map_err(too_long)?,
            Some(DataType::Int8) => self.dictionary::<Int8Type>(codes, |code| code as i8),
            Some(DataType::Int16) => self.dictionary::<Int16Type>(codes, |code| code as i16),
            Some(DataType::Int32) => self.dictionary::<Int32Type>(codes, |code| code as i32),
            Some(DataType::Int64) => self.dictionary::<Int64Type>(codes, i64::from),
            Some(DataType::UInt8) => self.dictionary::<UInt8Type>(codes, |code| code as u8),
            Some(DataType::UInt16) => self.dictionary::<UInt16Type>(codes, |code| code as u16),
            Some(DataType::UInt64) => self.dictionary::<UInt64Type>(codes, u64::from),
            Some(_) => self.dictionary::<UInt32Type>(codes, |code| code),
        })
    }

    fn dictionary<K: ArrowPrimitiveType + ArrowDictionaryKeyType>(
        &self,
        codes: &[u32],
        key: impl Fn(u32) -> K::Native,
    ) -> ArrayRef {
        let keys = PrimitiveArray::<K>::from_iter_values(codes.iter().map(|&code| key(code)));
        Arc::new(DictionaryArray::new(keys, self.labels.clone()))
    }
}

/// Whether so many entries have keys of this type.
fn fits(count: usize, key: &DataType) -> bool {
    let most = match key {
        DataType::Int8 => i8::MAX as usize,
        DataType::Int16 => i16::MAX as usize,
        DataType::UInt8 => u8::MAX.into(),
        DataType::UInt16 => u16::MAX.into(),
        DataType::Int32 => i32::MAX as usize,
        _ => usize::MAX,
    };
    count.saturating_sub(1) <= most
}

/// The texts as values of a type, if each is the one text of its value.
fn typed(text: &ArrayRef, wanted: &DataType) -> Option<ArrayRef> {
    if !(is_text(wanted) || wanted.is_integer() || *wanted == DataType::Boolean) {
        return None;
    }
    let values = cast(text, wanted).ok()?;
    let back = cast(&values, &DataType::Utf8).ok()?;
    (back.to_data() == text.to_data()).then_some(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::cast::AsArray;

    fn labels(texts: &[&str], wanted: DataType) -> LabelArrays {
        LabelArrays::new(&texts.iter().map(ToString::to_string).collect::<Vec<_>>(), &wanted)
    }

    fn dictionary(key: DataType, value: DataType) -> DataType {
        DataType::Dictionary(Box::new(key), Box::new(value))
    }

    #[test]
    fn the_type_stays_where_the_labels_allow_it() {
        for (texts, wanted, found) in [
            (&["7", "-1"][..], DataType::Int32, DataType::Int32),
            (&["7", "-1"], DataType::UInt8, DataType::Utf8),
            (&["7", "07"], DataType::Int32, DataType::Utf8),
            (&["7", "300"], DataType::UInt8, DataType::Utf8),
            (&["false", "true"], DataType::Boolean, DataType::Boolean),
            (&["no", "yes"], DataType::Boolean, DataType::Utf8),
            (&["1", "0"], DataType::Boolean, DataType::Utf8),
            (&["0..10", "10.."], DataType::Float64, DataType::Utf8),
            (&["1", "2"], DataType::Float64, DataType::Utf8),
            (&["a"], DataType::LargeUtf8, DataType::LargeUtf8),
            (&["a"], DataType::Utf8View, DataType::Utf8View),
            (&["a"], DataType::Null, DataType::Utf8),
            (&["1"], dictionary(DataType::Int8, DataType::Int64), dictionary(DataType::Int8, DataType::Int64)),
            (&["a"], dictionary(DataType::Int8, DataType::Int64), dictionary(DataType::Int8, DataType::Utf8)),
        ] {
            assert_eq!(labels(texts, wanted.clone()).data_type(), found, "{texts:?} as {wanted}");
        }
    }

    #[test]
    fn dictionaries_have_all_labels_in_order_for_keys_of_every_width() {
        use DataType::*;
        for key in [Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64] {
            let labels = labels(&["x", "y", "z"], dictionary(key.clone(), LargeUtf8));
            let array = labels.array(&[2, 0, 2]).unwrap();
            assert_eq!(*array.data_type(), dictionary(key, LargeUtf8));
            let found = array.as_any_dictionary();
            assert_eq!(found.normalized_keys(), [2, 0, 2]);
            assert_eq!(found.values().as_string::<i64>().iter().flatten().collect::<Vec<_>>(), ["x", "y", "z"]);
        }
        let many: Vec<String> = (0..200).map(|at| at.to_string()).collect();
        let wide = LabelArrays::new(&many, &dictionary(Int8, Utf8));
        assert_eq!(wide.data_type(), dictionary(UInt32, Utf8), "200 labels have no keys of 8 bits with a sign");
    }

    #[test]
    fn plain_columns_have_the_label_of_each_code() {
        let array = labels(&["7", "-1"], DataType::Int32).array(&[1, 1, 0]).unwrap();
        assert_eq!(array.as_primitive::<Int32Type>().values()[..], [-1, -1, 7]);
        assert_eq!(labels(&["7"], DataType::Utf8).array(&[]).unwrap().len(), 0);
    }
}
