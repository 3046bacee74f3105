//! What rows weigh.

use arrow_array::{Array, ArrayRef, OffsetSizeTrait, cast::AsArray, types::*};
use arrow_schema::DataType;

/// About how many bytes the rows of a column take when each is written out. A sum over rows: however these are cut, the
/// parts weigh the same.
///
/// So what is decided by weight, the way in which rows are put in order, does not depend on how they came. A row of a
/// dictionary, a view or a run weighs as much as what it stands for, though many may share it.
pub(crate) fn weight(column: &ArrayRef) -> u64 {
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
        DataType::Utf8View => column.as_string_view().lengths().map(u64::from).sum(),
        DataType::BinaryView => column.as_binary_view().lengths().map(u64::from).sum(),
        DataType::ListView(_) => spans(
            column.as_list_view::<i32>().value_offsets(),
            column.as_list_view::<i32>().value_sizes(),
            column.as_list_view::<i32>().values(),
        ),
        DataType::LargeListView(_) => spans(
            column.as_list_view::<i64>().value_offsets(),
            column.as_list_view::<i64>().value_sizes(),
            column.as_list_view::<i64>().values(),
        ),
        DataType::Dictionary(..) => entries(column),
        DataType::RunEndEncoded(ends, _) => match ends.data_type() {
            DataType::Int16 => runs::<Int16Type>(column),
            DataType::Int32 => runs::<Int32Type>(column),
            _ => runs::<Int64Type>(column),
        },
        other => rows * other.primitive_width().unwrap_or(1) as u64,
    };
    within + 4 * rows
}

/// What the entries of a dictionary weigh that the rows stand for.
fn entries(column: &ArrayRef) -> u64 {
    let dictionary = column.as_any_dictionary();
    let (keys, values) = (dictionary.keys(), dictionary.values());
    if values.is_empty() {
        return 0;
    }
    // Keys of null rows may be anything.
    let valid = dictionary.normalized_keys().into_iter().enumerate().filter(|(row, _)| keys.is_valid(*row));
    let places = valid.map(|(_, key)| key);
    match values.data_type() {
        DataType::Utf8 => lengths(values.as_string::<i32>().value_offsets(), places),
        DataType::LargeUtf8 => lengths(values.as_string::<i64>().value_offsets(), places),
        DataType::Binary => lengths(values.as_binary::<i32>().value_offsets(), places),
        DataType::LargeBinary => lengths(values.as_binary::<i64>().value_offsets(), places),
        other => match other.primitive_width() {
            Some(width) => places.count() as u64 * width as u64,
            None => places.map(|place| weight(&values.slice(place, 1))).sum(),
        },
    }
}

fn lengths<O: OffsetSizeTrait>(offsets: &[O], places: impl Iterator<Item = usize>) -> u64 {
    places.map(|place| between(&offsets[place..place + 2])).sum()
}

/// What the values of runs weigh, each as often as there are rows in its run.
fn runs<R: RunEndIndexType>(column: &ArrayRef) -> u64 {
    let (runs, mut total) = (column.as_run::<R>(), 0);
    let mut last = (usize::MAX, 0);
    for row in 0..runs.len() {
        let place = runs.get_physical_index(row);
        if place != last.0 {
            last = (place, weight(&runs.values().slice(place, 1)));
        }
        total += last.1;
    }
    total
}

/// What lists weigh that may share items.
fn spans<O: OffsetSizeTrait>(offsets: &[O], sizes: &[O], items: &ArrayRef) -> u64 {
    let spans = offsets.iter().zip(sizes);
    spans.map(|(offset, size)| weight(&items.slice(offset.as_usize(), size.as_usize()))).sum()
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
    use arrow_array::{
        BooleanArray, DictionaryArray, Int8Array, Int32Array, Int64Array, ListArray, ListViewArray, RunArray,
        StringArray, StringViewArray, StructArray,
    };
    use arrow_buffer::ScalarBuffer;
    use arrow_schema::Field;
    use std::sync::Arc;

    #[test]
    fn what_rows_share_weighs_as_often_as_they_share_it() {
        let long = "x".repeat(1_000);
        let texts = Arc::new(StringArray::from(vec![Some(&long[..]), Some("ab")]));
        let keys = Int8Array::from(vec![Some(0), Some(1), None, Some(0), Some(0)]);
        let nested: ArrayRef = Arc::new(DictionaryArray::new(keys.clone(), Arc::new(Int64Array::from(vec![7, 8]))));
        let field = Arc::new(Field::new("item", DataType::Utf8, true));
        let (offsets, sizes) = (ScalarBuffer::from(vec![0, 1, 0, 0, 0]), ScalarBuffer::from(vec![1, 1, 0, 2, 1]));
        let lists = ListViewArray::new(field, offsets, sizes, texts.clone(), None);
        let runs = RunArray::<Int32Type>::try_new(&Int32Array::from(vec![4, 5]), &*texts).unwrap();
        let columns: [(ArrayRef, u64); 5] = [
            (Arc::new(DictionaryArray::new(keys, texts.clone())), 3 * 1_000 + 2 + 20),
            (nested, 4 * 8 + 20),
            (Arc::new(StringViewArray::from(vec![Some(&long[..]), None, Some("ab")])), 1_002 + 12),
            (Arc::new(lists), 3 * 1_004 + 2 * 6 + 20),
            (Arc::new(runs), 4 * 1_004 + 6 + 20),
        ];
        for (column, expected) in columns {
            assert_eq!(weight(&column), expected, "{}", column.data_type());
            for cut in 0..=column.len() {
                let parts = weight(&column.slice(0, cut)) + weight(&column.slice(cut, column.len() - cut));
                assert_eq!(parts, expected, "{} cut at {cut}", column.data_type());
            }
        }
    }

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
