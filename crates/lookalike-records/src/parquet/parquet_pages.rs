//! A column of labels as Parquet pages, written from codes.
//!
//! A dictionary page has the labels and the data pages have the codes as they are, packed to as few bits as the number
//! of labels needs. An encoder of texts would look up the label of each row to find the code that we have already.

use arrow_array::{Array, ArrayRef, cast::AsArray, types::*};
use arrow_schema::DataType;
use bytes::Bytes;
use parquet::{
    basic::{Encoding, PageType},
    column::{
        page::{CompressedPage, Page, PageWriter},
        writer::ColumnCloseResult,
    },
    errors::ParquetError,
    file::{
        metadata::{ColumnChunkMetaData, PageEncodingStats},
        writer::{SerializedPageWriter, TrackedWrite},
    },
    schema::types::ColumnDescPtr,
};

use super::parquet_codec::{compress, parquet_compression};
use lookalike_formats::records::Compression;

/// Rows in a page.
const PAGE_ROWS: usize = 1 << 16;

/// The chunk of one column in one row group, being written.
pub(crate) struct LabelPages {
    compression: Compression,
    /// All labels in Parquet's plain encoding, and how many.
    dictionary: Vec<u8>,
    labels: usize,
    /// Bits of a code.
    width: u8,
    /// Codes for the next page.
    pending: Vec<u32>,
    chunk: TrackedWrite<Vec<u8>>,
    /// Where data pages begin, and their number.
    data_start: u64,
    pages: i32,
    rows: u64,
    uncompressed: u64,
}

impl LabelPages {
    /// Pages for labels of this type, if it is one that dictionaries are for: texts and whole numbers.
    pub fn new(labels: &ArrayRef, compression: Compression) -> Option<Self> {
        let mut dictionary = Vec::new();
        plain(labels, &mut dictionary)?;
        let width = (u32::BITS - (labels.len() as u32).saturating_sub(1).leading_zeros()) as u8;
        Some(LabelPages {
            compression,
            dictionary,
            labels: labels.len(),
            width,
            pending: Vec::new(),
            chunk: TrackedWrite::new(Vec::new()),
            data_start: 0,
            pages: 0,
            rows: 0,
            uncompressed: 0,
        })
    }

    /// How much of the chunk is in memory.
    pub fn len(&self) -> usize {
        self.chunk.bytes_written() + 4 * self.pending.len()
    }

    /// Adds rows with these codes.
    ///
    /// # Panics
    /// When a code has no label.
    pub fn write(&mut self, codes: &[u32]) -> Result<(), ParquetError> {
        let largest = codes.iter().max().map_or(0, |&code| code as usize);
        assert!(codes.is_empty() || largest < self.labels, "an output has no label");
        self.rows += codes.len() as u64;
        self.pending.extend_from_slice(codes);
        let pending = std::mem::take(&mut self.pending);
        let pages = pending.chunks_exact(PAGE_ROWS);
        let rest = pages.remainder().to_vec();
        pages.into_iter().try_for_each(|codes| self.write_page(codes))?;
        self.pending = rest;
        Ok(())
    }

    /// The bytes of the chunk and their description, as the column `column`; the next chunk can begin.
    pub fn finish(&mut self, column: ColumnDescPtr) -> Result<(Bytes, ColumnCloseResult), ParquetError> {
        let pending = std::mem::take(&mut self.pending);
        if !pending.is_empty() {
            self.write_page(&pending)?;
        }
        let chunk = std::mem::replace(&mut self.chunk, TrackedWrite::new(Vec::new())).into_inner()?;
        let size = chunk.len() as u64;
        let stats = |page_type, encoding, count| PageEncodingStats { page_type, encoding, count };
        let metadata = ColumnChunkMetaData::builder(column)
            .set_compression(parquet_compression(self.compression))
            .set_encodings(vec![Encoding::PLAIN, Encoding::RLE, Encoding::RLE_DICTIONARY])
            .set_page_encoding_stats(vec![
                stats(PageType::DICTIONARY_PAGE, Encoding::PLAIN, 1),
                stats(PageType::DATA_PAGE, Encoding::RLE_DICTIONARY, self.pages),
            ])
            .set_num_values(self.rows as i64)
            .set_total_compressed_size(size as i64)
            .set_total_uncompressed_size(self.uncompressed as i64)
            .set_dictionary_page_offset(Some(0))
            .set_data_page_offset(self.data_start as i64)
            .build()?;
        let close = ColumnCloseResult {
            bytes_written: size,
            rows_written: self.rows,
            metadata,
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        };
        (self.data_start, self.pages, self.rows, self.uncompressed) = (0, 0, 0, 0);
        Ok((Bytes::from(chunk), close))
    }

    fn write_page(&mut self, codes: &[u32]) -> Result<(), ParquetError> {
        if self.pages == 0 {
            let page = compress(self.compression, self.dictionary.clone())?;
            let num_values = self.labels as u32;
            let page =
                Page::DictionaryPage { buf: page.into(), num_values, encoding: Encoding::PLAIN, is_sorted: false };
            self.append(page, self.dictionary.len())?;
            self.data_start = self.chunk.bytes_written() as u64;
        }
        let page = packed(codes, self.width);
        let size = page.len();
        let page = Page::DataPage {
            buf: compress(self.compression, page)?.into(),
            num_values: codes.len() as u32,
            encoding: Encoding::RLE_DICTIONARY,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        self.pages += 1;
        self.append(page, size)
    }

    fn append(&mut self, page: Page, uncompressed: usize) -> Result<(), ParquetError> {
        let written = SerializedPageWriter::new(&mut self.chunk).write_page(CompressedPage::new(page, uncompressed))?;
        self.uncompressed += written.uncompressed_size as u64;
        Ok(())
    }
}

/// The values of a dictionary page, or `None` for types that have none.
fn plain(labels: &ArrayRef, page: &mut Vec<u8>) -> Option<()> {
    fn texts<'a>(texts: impl Iterator<Item = Option<&'a str>>, page: &mut Vec<u8>) {
        for text in texts.map(Option::unwrap_or_default) {
            page.extend_from_slice(&(text.len() as u32).to_le_bytes());
            page.extend_from_slice(text.as_bytes());
        }
    }
    macro_rules! numbers {
        ($type:ty, $stored:ty) => {
            labels.as_primitive::<$type>().values().iter().for_each(|&n| page.extend((n as $stored).to_le_bytes()))
        };
    }
    match labels.data_type() {
        DataType::Utf8 => texts(labels.as_string::<i32>().iter(), page),
        DataType::LargeUtf8 => texts(labels.as_string::<i64>().iter(), page),
        DataType::Utf8View => texts(labels.as_string_view().iter(), page),
        // Parquet has whole numbers of 32 and of 64 bits; those without a sign keep their bits.
        DataType::Int8 => numbers!(Int8Type, i32),
        DataType::Int16 => numbers!(Int16Type, i32),
        DataType::Int32 => numbers!(Int32Type, i32),
        DataType::UInt8 => numbers!(UInt8Type, i32),
        DataType::UInt16 => numbers!(UInt16Type, i32),
        DataType::UInt32 => numbers!(UInt32Type, u32),
        DataType::Int64 => numbers!(Int64Type, i64),
        DataType::UInt64 => numbers!(UInt64Type, u64),
        _ => return None,
    }
    Some(())
}

/// A data page: the width, then one run, of equal codes or of packed ones, eight at a time.
fn packed(codes: &[u32], width: u8) -> Vec<u8> {
    let groups = codes.len().div_ceil(8);
    let mut page = Vec::with_capacity(groups * usize::from(width) + 16);
    page.push(width);
    if codes.iter().all(|code| *code == codes[0]) {
        push_number((codes.len() as u64) << 1, &mut page);
        let bytes = usize::from(width.div_ceil(8));
        page.extend_from_slice(&codes.first().copied().unwrap_or(0).to_le_bytes()[..bytes]);
        return page;
    }
    push_number((groups as u64) << 1 | 1, &mut page);
    let (eights, rest) = codes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    eights.iter().chain((!rest.is_empty()).then_some(&last)).for_each(|codes| pack(codes, width, &mut page));
    page
}

#[inline]
fn pack(codes: &[u32; 8], width: u8, page: &mut Vec<u8>) {
    if width <= 8 {
        let place = |(at, &code): (usize, &u32)| u64::from(code) << (at * usize::from(width));
        let word = codes.iter().enumerate().map(place).fold(0, |word, code| word | code);
        page.extend_from_slice(&word.to_le_bytes()[..usize::from(width)]);
        return;
    }
    let (mut word, mut bits) = (0u64, 0u8);
    for &code in codes {
        word |= u64::from(code) << bits;
        bits += width;
        while bits >= 8 {
            page.push(word as u8);
            word >>= 8;
            bits -= 8;
        }
    }
}

/// A number seven bits at a time, the low ones first.
fn push_number(mut number: u64, page: &mut Vec<u8>) {
    while number >= 0x80 {
        page.push(number as u8 | 0x80);
        number >>= 7;
    }
    page.push(number as u8);
}
