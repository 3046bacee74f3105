//! Arrow arrays as text: canonical for what is matched, readable for what is kept.

use std::fmt::Write;

use arrow_array::{Array, ArrayRef, cast::AsArray};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::DataType;

use lookalike_formats::{Error, Result};

/// The texts of an array whose type is text, a whole number, a boolean, a number with a fraction, or a dictionary of
/// such.
///
/// Whole numbers and booleans have one text (`7`, `true`); a float is written in its own shortest decimal form.
pub struct Texts<'a> {
    array: &'a dyn Array,
    /// Where a row's value stands in the array, for dictionaries.
    keys: Option<Vec<Option<usize>>>,
    other: Option<ArrayFormatter<'a>>,
}

impl<'a> Texts<'a> {
    /// The texts of an array.
    pub fn of(array: &'a ArrayRef) -> Self {
        let Some(dictionary) = array.as_any_dictionary_opt() else {
            return Texts { array: &**array, keys: None, other: formatter(&**array) };
        };
        let (keys, values) = (dictionary.keys(), &**dictionary.values());
        // Keys of null rows may be anything, also beyond the dictionary.
        let normalized = if values.is_empty() { vec![0; keys.len()] } else { dictionary.normalized_keys() };
        let keys = normalized.into_iter().enumerate().map(|(row, key)| keys.is_valid(row).then_some(key));
        Texts { array: values, keys: Some(keys.collect()), other: formatter(values) }
    }

    /// Appends the text of a row; `false` when it is null.
    pub fn append(&self, row: usize, text: &mut String) -> bool {
        let row = match &self.keys {
            Some(keys) => keys[row],
            None => Some(row),
        };
        let Some(row) = row.filter(|&row| self.array.is_valid(row)) else {
            return false;
        };
        match self.array.data_type() {
            DataType::Null => return false,
            DataType::Utf8 => text.push_str(self.array.as_string::<i32>().value(row)),
            DataType::LargeUtf8 => text.push_str(self.array.as_string::<i64>().value(row)),
            DataType::Utf8View => text.push_str(self.array.as_string_view().value(row)),
            // Writing to a string cannot fail.
            DataType::Float32 => {
                let _ = write!(text, "{}", self.array.as_primitive::<arrow_array::types::Float32Type>().value(row));
            }
            DataType::Float64 => {
                let _ = write!(text, "{}", self.array.as_primitive::<arrow_array::types::Float64Type>().value(row));
            }
            _ => {
                if let Some(other) = &self.other {
                    let _ = other.value(row).write(text);
                }
            }
        }
        true
    }
}

/// A writer of integers, booleans and decimals; the other types are written as they are.
fn formatter(array: &dyn Array) -> Option<ArrayFormatter<'_>> {
    ArrayFormatter::try_new(array, &READABLE).ok()
}

/// Nulls are empty, and what cannot be written is an error rather than a text about it.
const READABLE: FormatOptions<'static> = FormatOptions::new().with_display_error(false).with_null("");

/// Kept columns as text.
pub(crate) struct KeptTexts<'a>(Vec<ArrayFormatter<'a>>);

impl<'a> KeptTexts<'a> {
    /// Errors name the column, from 1, that no text can be made of.
    pub fn of(arrays: &'a [ArrayRef]) -> Result<Self> {
        let formatter = |(at, array): (usize, &'a ArrayRef)| {
            ArrayFormatter::try_new(&**array, &READABLE).map_err(|_| {
                let name = super::array_types::name(array.data_type());
                Error::input(format!("kept column {}: no text can be made of the type {name}", at + 1))
            })
        };
        Ok(KeptTexts(arrays.iter().enumerate().map(formatter).collect::<Result<_>>()?))
    }

    /// Writes the texts of a row one by one.
    pub fn each(&self, row: usize, text: &mut String, mut write: impl FnMut(&str)) -> Result<()> {
        for (at, formatter) in self.0.iter().enumerate() {
            text.clear();
            let written = formatter.value(row).write(text);
            written.map_err(|_| Error::input(format!("kept column {}: a value that has no text", at + 1)))?;
            write(text);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::*;

    use super::*;

    fn texts(array: ArrayRef) -> Vec<Option<String>> {
        let texts = Texts::of(&array);
        let row = |row| {
            let mut text = String::new();
            texts.append(row, &mut text).then_some(text)
        };
        (0..array.len()).map(row).collect()
    }

    fn some(expected: &[&str]) -> Vec<Option<String>> {
        expected.iter().map(|text| Some(text.to_string())).collect()
    }

    #[test]
    fn every_type_has_one_text() {
        assert_eq!(texts(Arc::new(Int8Array::from(vec![-7, 0]))), some(&["-7", "0"]));
        assert_eq!(texts(Arc::new(UInt64Array::from(vec![u64::MAX]))), some(&["18446744073709551615"]));
        assert_eq!(texts(Arc::new(BooleanArray::from(vec![true, false]))), some(&["true", "false"]));
        assert_eq!(texts(Arc::new(Float64Array::from(vec![0.1, 1e21]))), some(&["0.1", "1000000000000000000000"]));
        assert_eq!(texts(Arc::new(Float32Array::from(vec![0.1, 0.3]))), some(&["0.1", "0.3"]));
        let decimal = Decimal128Array::from(vec![-105]).with_precision_and_scale(5, 2).unwrap();
        assert_eq!(texts(Arc::new(decimal)), some(&["-1.05"]));
        assert_eq!(texts(Arc::new(StringViewArray::from(vec!["a", ""]))), some(&["a", ""]));
    }

    #[test]
    fn nulls_are_told_from_empty_texts_in_rows_keys_and_dictionaries() {
        let none = None::<String>;
        assert_eq!(texts(Arc::new(StringArray::from(vec![Some(""), None]))), [Some(String::new()), none.clone()]);
        let keys = Int8Array::from(vec![Some(1), None, Some(0)]);
        let values = StringArray::from(vec![None, Some("x")]);
        let dictionary = DictionaryArray::new(keys, Arc::new(values));
        assert_eq!(texts(Arc::new(dictionary)), [Some("x".to_owned()), none.clone(), none.clone()]);
        assert_eq!(texts(Arc::new(NullArray::new(1))), [none]);
    }

    #[test]
    fn kept_columns_are_readable() {
        let dates: ArrayRef = Arc::new(Date32Array::from(vec![Some(0), None]));
        let arrays = [dates, Arc::new(Float64Array::from(vec![0.25, 1.0])) as ArrayRef];
        let kept = KeptTexts::of(&arrays).unwrap();
        let (mut rows, mut text) = (Vec::new(), String::new());
        (0..2).for_each(|row| kept.each(row, &mut text, |field| rows.push(field.to_owned())).unwrap());
        assert_eq!(rows, ["1970-01-01", "0.25", "", "1.0"]);
    }
}
