//! Kept columns on their way between text and arrays.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, builder::StringBuilder, make_array};
use arrow_cast::cast;
use arrow_data::ArrayData;
use arrow_schema::FieldRef;

use super::array_types::name;
use crate::columns::{Batch, plain_type};
use lookalike_formats::{Error, Result};

/// The array without the metadata of fields within it, which its type carries.
pub(crate) fn without_metadata(array: &ArrayRef) -> Result<ArrayRef> {
    if *array.data_type() == plain_type(array.data_type()) {
        return Ok(array.clone());
    }
    let plain = plain_data(array.to_data());
    plain.map(make_array).ok_or_else(|| Error::input(format!("cannot pass on the type {}", name(array.data_type()))))
}

fn plain_data(data: ArrayData) -> Option<ArrayData> {
    let children = data.child_data().iter().cloned().map(plain_data).collect::<Option<Vec<_>>>()?;
    let plain = plain_type(data.data_type());
    data.into_builder().data_type(plain).child_data(children).build().ok()
}

/// The columns of a batch as arrays: those it has, perhaps still as dictionaries, and behind them its texts, with null for
/// that of JSON where the field may be null.
///
/// # Errors
/// Text that is not UTF-8, by row and column.
pub fn arrays(batch: &Batch, fields: &[FieldRef]) -> Result<Vec<ArrayRef>> {
    let mut all = batch.arrays().to_vec();
    let texts = fields.get(all.len()..).unwrap_or_default();
    for (column, field) in texts.iter().enumerate().take(batch.kept_width()) {
        let mut array = StringBuilder::with_capacity(batch.len(), 8 * batch.len());
        for row in 0..batch.len() {
            let text = batch.kept_text(row, column);
            if text.is_none() && field.is_nullable() {
                array.append_null();
                continue;
            }
            array.append_value(std::str::from_utf8(&text.unwrap_or_default()).map_err(|_| {
                let (row, name) = (batch.first_row + row as u64 + 1, field.name());
                Error::input(format!("row {row}, column {name:?}: not UTF-8 text"))
            })?);
        }
        all.push(Arc::new(array.finish()));
    }
    Ok(all)
}

/// [`arrays`] with exactly the types of the fields.
pub(crate) fn typed_arrays(batch: &Batch, fields: &[FieldRef]) -> Result<Vec<ArrayRef>> {
    let typed = |(array, field): (ArrayRef, &FieldRef)| match array.data_type() == field.data_type() {
        true => Ok(array),
        false => cast(&array, field.data_type()).map_err(|_| {
            let (from, to) = (name(array.data_type()), name(field.data_type()));
            Error::input(format!("column {:?}: cannot turn the type {from} into {to}", field.name()))
        }),
    };
    arrays(batch, fields)?.into_iter().zip(fields).map(typed).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use arrow_array::{Int32Array, StructArray};
    use arrow_schema::{DataType, Field};

    use super::*;

    #[test]
    fn metadata_within_an_array_goes_and_its_values_stay() {
        let metadata = HashMap::from([("k".to_owned(), "SECRETMARKER".to_owned())]);
        let field = Arc::new(Field::new("x", DataType::Int32, false).with_metadata(metadata));
        let values: ArrayRef = Arc::new(Int32Array::from(vec![1, 2, 3]));
        let array: ArrayRef = Arc::new(StructArray::from(vec![(field, values.clone())]));
        let plain = without_metadata(&array.slice(1, 2)).unwrap();
        assert!(!format!("{:?}", plain.data_type()).contains("SECRETMARKER"));
        let column = plain.as_any().downcast_ref::<StructArray>().unwrap().column(0).clone();
        assert_eq!(column.to_data(), values.slice(1, 2).to_data());
    }

    #[test]
    fn text_becomes_columns_and_other_bytes_are_refused_by_place() {
        let fields = ["a", "b"].map(|name| Arc::new(Field::new(name, DataType::Utf8, false)));
        let mut batch = Batch::default();
        batch.restart(10, 2);
        for field in [&b"x"[..], b"", b"y", b"\xff"] {
            batch.keep(field);
        }
        batch.values.extend([0, 0]);
        let error = arrays(&batch, &fields).unwrap_err().to_string();
        assert_eq!(error, "row 12, column \"b\": not UTF-8 text");
    }
}
