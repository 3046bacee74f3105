//! How many rows of a Parquet file to read at once.

use std::sync::Arc;

use parquet::{
    basic::{Encoding, Type},
    column::page::{Page, PageReader},
    file::{
        metadata::{ColumnChunkMetaData, RowGroupMetaData},
        serialized_reader::SerializedPageReader,
    },
};

use super::ending_input::EndingInput;
use crate::arrow::decoded;
use crate::columns::Batch;
use crate::files::WholeInput;
use lookalike_formats::{Error, Result};

/// Rows of a column in which a value may repeat the beginning of the last one, and nothing says how long they are.
const FEW: u64 = 64;

/// What a reader and a writer of lists keep for each item beside it: where it stands, and in which list.
const ITEM: u64 = 12;

/// How many rows of a row group make a batch of about 16 MiB when the leaf columns at these places are written out.
///
/// A page says how long it is and not what it stands for: a dictionary has a value once that a million rows may have.
/// So each value is taken to be as long as the longest of its dictionary, which is looked at.
///
/// # Errors
/// A dictionary that cannot be read.
pub(crate) fn rows_at_once(input: &WholeInput, group: &RowGroupMetaData, leaves: &[usize]) -> Result<usize> {
    let rows = group.num_rows().unsigned_abs().max(1);
    let (mut bytes, mut most) = (0u64, Batch::MAX_ROWS as u64);
    for chunk in leaves.iter().filter_map(|&leaf| group.columns().get(leaf)) {
        let stated = chunk.unencoded_byte_array_data_bytes().unwrap_or(0).max(chunk.uncompressed_size()).unsigned_abs();
        let values = chunk.num_values().unsigned_abs();
        let within_lists = if chunk.column_descr().max_rep_level() > 0 { ITEM } else { 0 };
        let written_out = values.saturating_mul(longest_value(input, chunk, rows)? + within_lists);
        bytes = bytes.saturating_add(stated.max(written_out));
        if chunk.unencoded_byte_array_data_bytes().is_none()
            && chunk.encodings().any(|e| e == Encoding::DELTA_BYTE_ARRAY)
        {
            most = most.min((Batch::MAX_BYTES / stated.max(1)).max(FEW));
        }
    }
    let fitting = u128::from(Batch::MAX_BYTES) * u128::from(rows) / u128::from(bytes.max(1));
    Ok(u64::try_from(fitting).unwrap_or(most).clamp(1, most) as usize)
}

/// The bytes of a value of a fixed size, or of the longest one in the dictionary; 0 for texts that are written out.
fn longest_value(input: &WholeInput, chunk: &ColumnChunkMetaData, rows: u64) -> Result<u64> {
    Ok(match chunk.column_type() {
        Type::BOOLEAN => 1,
        Type::INT32 | Type::FLOAT => 4,
        Type::INT64 | Type::INT96 | Type::DOUBLE => 8,
        Type::FIXED_LEN_BYTE_ARRAY => chunk.column_descr().type_length().unsigned_abs().into(),
        Type::BYTE_ARRAY if chunk.dictionary_page_offset().is_none() => 0,
        Type::BYTE_ARRAY => {
            let input = input.try_clone().map_err(|error| Error::system("cannot read", error))?;
            let page = decoded("Parquet", || {
                SerializedPageReader::new(Arc::new(EndingInput(input)), chunk, rows as usize, None)?.get_next_page()
            })?;
            match page {
                Some(Page::DictionaryPage { buf, .. }) => longest_entry(&buf),
                _ => 0,
            }
        }
    })
}

/// The longest entry of a dictionary: each stands behind its length.
fn longest_entry(mut page: &[u8]) -> u64 {
    let mut longest = 0;
    while let Some((length, rest)) = page.split_first_chunk() {
        let length = u32::from_le_bytes(*length);
        longest = longest.max(u64::from(length));
        page = rest.get(length as usize..).unwrap_or_default();
    }
    longest
}

#[cfg(test)]
mod tests {
    use arrow_array::types::Int32Type;
    use arrow_array::{ArrayRef, BinaryArray, FixedSizeBinaryArray, Int64Array, ListArray, RecordBatch, StringArray};
    use parquet::{
        arrow::{ArrowWriter, arrow_reader::ArrowReaderMetadata},
        file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder},
    };

    use super::*;

    fn at_once(column: ArrayRef, change: impl FnOnce(WriterPropertiesBuilder) -> WriterPropertiesBuilder) -> usize {
        let records = RecordBatch::try_from_iter([("x", column)]).unwrap();
        let file = tempfile::tempfile().unwrap();
        let properties = WriterProperties::builder().set_statistics_enabled(EnabledStatistics::None);
        let properties = change(properties).build();
        let mut writer = ArrowWriter::try_new(file.try_clone().unwrap(), records.schema(), Some(properties)).unwrap();
        writer.write(&records).unwrap();
        writer.close().unwrap();
        let metadata = ArrowReaderMetadata::load(&file, Default::default()).unwrap();
        rows_at_once(&file.into(), metadata.metadata().row_group(0), &[0]).unwrap()
    }

    #[test]
    fn a_value_that_many_rows_share_counts_for_each_of_them() {
        let long = "x".repeat(1 << 15);
        let texts = StringArray::from(vec![&long[..]; 5_000]);
        assert_eq!(at_once(Arc::new(texts.clone()), |p| p), 512, "16 MiB of texts of 32 KiB");
        let bytes = BinaryArray::from_iter_values(std::iter::repeat_n(&long, 5_000));
        assert_eq!(at_once(Arc::new(bytes), |p| p), 512, "of bytes");
        let sized = FixedSizeBinaryArray::try_from_iter(std::iter::repeat_n(&long, 5_000)).unwrap();
        assert_eq!(at_once(Arc::new(sized), |p| p), 511, "written out, with the heads of pages");
        let rare = std::iter::once(&long[..]).chain(std::iter::repeat_n("short", 4_999));
        assert_eq!(at_once(Arc::new(StringArray::from_iter_values(rare)), |p| p), 512, "any row may have the longest");
        let lists = ListArray::from_iter_primitive::<Int32Type, _, _>(
            (0..2_000).map(|_| Some(std::iter::repeat_n(Some(7), 4_096).collect::<Vec<_>>())),
        );
        assert_eq!(at_once(Arc::new(lists), |p| p), 256, "16 MiB of lists of 4,096 items of 4 + 12 bytes");
    }

    #[test]
    fn prefixes_that_rows_share_make_few_rows() {
        let long = "x".repeat(1 << 15);
        let texts = StringArray::from_iter_values((0..2_000).map(|row| format!("{long}{row}")));
        let delta =
            |p: WriterPropertiesBuilder| p.set_dictionary_enabled(false).set_encoding(Encoding::DELTA_BYTE_ARRAY);
        let rows = at_once(Arc::new(texts), delta);
        assert!(rows <= 512, "{rows}");
    }

    #[test]
    fn short_rows_come_in_full_batches() {
        assert_eq!(at_once(Arc::new(Int64Array::from_iter_values(0..200_000)), |p| p), Batch::MAX_ROWS);
        let names = StringArray::from_iter_values((0..200_000).map(|row| ["idle", "busy"][row % 2]));
        assert_eq!(at_once(Arc::new(names.clone()), |p| p), Batch::MAX_ROWS);
        assert_eq!(at_once(Arc::new(names), |p| p.set_dictionary_enabled(false)), Batch::MAX_ROWS);
    }
}
