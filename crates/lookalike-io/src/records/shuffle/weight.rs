//! What rows weigh.

use arrow_array::{Array, ArrayRef, OffsetSizeTrait, cast::AsArray};
use arrow_schema::DataType;

/// About how many bytes the rows of a column take. A sum over rows: however these are cut, the parts weigh the same.
///
/// So what is decided by weight, the way in which rows are put in order, does not depend on how they came.
pub fn weight(column: &ArrayRef) -> u64 {
    let rows = column.len() as u64;
    let within = match column.data_type() {
        DataType::Utf8 => between(column.as_string::<i32>().value_offsets()),
        DataType::LargeUtf8 => between(column.as_string::<i64>().value_offsets()),
        DataType::Binary => between(column.as_binary::<i32>().value_offsets()),
        DataType::LargeBinary => between(column.as_binary::<i64>().value_offsets()),
        DataType::List(_) => items(column.as_list::<i32>().value_offsets(), column.as_list::<i32>().values()),
        DataType::LargeList(_) => items(column.as_list::<i64>().value_offsets(), column.as_list::<i64>().values()),
        DataType::Map(..) => {
            let map = column.as_map();
            let entries = map.entries().columns().iter();
            entries.map(|entries| items(map.value_offsets(), entries)).sum()
        }
        DataType::FixedSizeList(..) => weight(column.as_fixed_size_list().values()),
        DataType::Struct(_) => column.as_struct().columns().iter().map(weight).sum(),
        DataType::FixedSizeBinary(size) => rows * *size as u64,
        other => rows * other.primitive_width().unwrap_or(1) as u64,
    };
    within + 4 * rows
}

fn between<O: OffsetSizeTrait>(offsets: &[O]) -> u64 {
    (offsets[offsets.len() - 1] - offsets[0]).as_usize() as u64
}

fn items<O: OffsetSizeTrait>(offsets: &[O], items: &ArrayRef) -> u64 {
    weight(&items.slice(offsets[0].as_usize(), between(offsets) as usize))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{BooleanArray, Int64Array, ListArray, StringArray, StructArray, types::Int32Type};
    use arrow_schema::Field;
    use std::sync::Arc;

    #[test]
    fn parts_weigh_as_much_as_the_whole() {
        let texts = Arc::new(StringArray::from(vec![Some("a"), None, Some("longer"), Some(""), Some("xyz")]));
        let lists = ListArray::from_iter_primitive::<Int32Type, _, _>([
            Some(vec![Some(1), Some(2)]),
            None,
            Some(vec![]),
            Some(vec![Some(3)]),
            Some(vec![None, Some(4), Some(5)]),
        ]);
        let field = Arc::new(Field::new("x", DataType::Int64, true));
        let numbers: ArrayRef = Arc::new(Int64Array::from_iter(0..5));
        let columns: [ArrayRef; 5] = [
            texts,
            Arc::new(lists),
            numbers.clone(),
            Arc::new(BooleanArray::from(vec![true; 5])),
            Arc::new(StructArray::from(vec![(field, numbers)])),
        ];
        for (column, expected) in columns.iter().zip([10 + 20, 6 * 8 + 20, 40 + 20, 5 + 20, 60 + 20]) {
            assert_eq!(weight(column), expected, "{}", column.data_type());
            for cut in 0..=5 {
                let parts = weight(&column.slice(0, cut)) + weight(&column.slice(cut, 5 - cut));
                assert_eq!(parts, expected, "{} cut at {cut}", column.data_type());
            }
        }
    }
}
