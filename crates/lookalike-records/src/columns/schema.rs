//! What a source tells a sink about its columns.

use std::sync::Arc;

use arrow_schema::{DataType, Field, FieldRef, Fields};

use lookalike_formats::records::Compression;

/// The types of the columns that are written: no name, no statistic and no metadata beyond that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordSchema {
    /// The type of the value column; text when several make a joint category.
    pub value: DataType,
    /// The kept columns, in order, without the metadata of the input.
    pub kept: Vec<FieldRef>,
    /// How the value column is compressed, where the input has such a thing.
    pub compression: Option<Compression>,
    /// Whether a kept column of a dictionary type has the same dictionary in all batches.
    pub one_dictionary: bool,
}

impl RecordSchema {
    /// The schema of a file of text.
    pub(crate) fn text<'a>(kept: impl IntoIterator<Item = &'a String>) -> Self {
        let kept = kept.into_iter().map(|name| Arc::new(Field::new(name, DataType::Utf8, false)));
        RecordSchema { value: DataType::Utf8, kept: kept.collect(), compression: None, one_dictionary: true }
    }
}

/// The field without metadata, its own or that of a field within: anything may be in there.
pub(crate) fn plain(field: &Field) -> FieldRef {
    Arc::new(Field::new(field.name(), plain_type(field.data_type()), field.is_nullable()))
}

/// The type without the metadata of fields within.
pub(crate) fn plain_type(data_type: &DataType) -> DataType {
    let all = |fields: &Fields| fields.iter().map(|field| plain(field)).collect::<Fields>();
    match data_type {
        DataType::List(field) => DataType::List(plain(field)),
        DataType::LargeList(field) => DataType::LargeList(plain(field)),
        DataType::ListView(field) => DataType::ListView(plain(field)),
        DataType::LargeListView(field) => DataType::LargeListView(plain(field)),
        DataType::FixedSizeList(field, size) => DataType::FixedSizeList(plain(field), *size),
        DataType::Struct(fields) => DataType::Struct(all(fields)),
        DataType::Map(field, sorted) => DataType::Map(plain(field), *sorted),
        DataType::Dictionary(key, value) => DataType::Dictionary(key.clone(), Box::new(plain_type(value))),
        DataType::RunEndEncoded(ends, values) => DataType::RunEndEncoded(plain(ends), plain(values)),
        DataType::Union(fields, mode) => {
            DataType::Union(fields.iter().map(|(id, field)| (id, plain(field))).collect(), *mode)
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_goes_at_every_depth() {
        let marked = |name: &str, data_type| {
            Field::new(name, data_type, true).with_metadata([("k".to_owned(), "SECRETMARKER".to_owned())].into())
        };
        let inner = marked("inner", DataType::Int8);
        let list = marked("list", DataType::List(Arc::new(inner.clone())));
        let map =
            marked("map", DataType::Map(Arc::new(marked("entries", DataType::Struct(vec![inner].into()))), false));
        let whole = marked("whole", DataType::Struct(vec![list, map].into()));
        let text = format!("{:?}", plain(&whole));
        assert!(!text.contains("SECRETMARKER") && text.contains("inner"), "{text}");
    }
}
