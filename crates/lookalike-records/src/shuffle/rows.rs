//! Released rows on their way to another order.

use std::sync::Arc;

use arrow_array::{ArrayRef, BinaryArray, RecordBatch, UInt32Array, cast::AsArray};
use arrow_cast::cast;
use arrow_ipc::{reader::StreamReader, writer::StreamWriter};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema};
use arrow_select::{concat::concat, take::take};
use lookalike::sample::RowOrder;

use crate::columns::{Batch, weight};
use lookalike_formats::{Error, Result};

/// Rows that are to be released: the codes of their outputs, each in as many bytes as the largest needs, and the kept
/// columns. There is nothing else in them: no profile, and no value as it was.
#[derive(Clone)]
pub struct Rows {
    len: usize,
    /// Bytes of a code: 1, 2 or 4.
    width: usize,
    codes: Vec<u8>,
    columns: Vec<ArrayRef>,
}

/// Some of the rows: the first one, and how many.
pub type Part<'a> = (&'a Rows, usize, usize);

impl Rows {
    /// The rows of a batch with these outputs. Texts become columns of bytes, dictionaries the texts that they stand for.
    ///
    /// # Errors
    /// A kept column that cannot be without its dictionary.
    pub fn new(batch: &Batch, outputs: &[u32]) -> Result<Self> {
        let stored = batch.arrays().iter().map(stored).collect::<std::result::Result<_, _>>();
        let mut columns: Vec<ArrayRef> = stored.map_err(immovable)?;
        columns.extend(texts(batch, batch.kept_width()));
        let largest = outputs.iter().fold(0, |all, code| all | code);
        let width = if largest < 1 << 8 {
            1
        } else if largest < 1 << 16 {
            2
        } else {
            4
        };
        let mut codes = Vec::with_capacity(width * outputs.len());
        match width {
            1 => codes.extend(outputs.iter().map(|&code| code as u8)),
            _ => outputs.iter().for_each(|code| codes.extend_from_slice(&code.to_le_bytes()[..width])),
        }
        Ok(Rows { len: outputs.len(), width, codes, columns })
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// The kept columns, as they are stored.
    pub fn columns(&self) -> &[ArrayRef] {
        &self.columns
    }

    /// The codes of the outputs.
    pub fn outputs(&self) -> Vec<u32> {
        let code = |bytes: &[u8]| bytes.iter().rev().fold(0, |code, &byte| code << 8 | u32::from(byte));
        match self.width {
            1 => self.codes.iter().map(|&code| code.into()).collect(),
            width => self.codes.chunks_exact(width).map(code).collect(),
        }
    }

    /// What the rows weigh, in bytes: the same for the same rows, however they are cut.
    pub fn weight(&self) -> u64 {
        4 * self.len as u64 + self.columns.iter().map(weight).sum::<u64>()
    }

    /// How many bytes of memory these rows have taken.
    pub fn memory(&self) -> usize {
        self.codes.len() + self.columns.iter().map(|column| column.get_array_memory_size()).sum::<usize>()
    }

    /// All these rows, one part after the other.
    pub fn concat(parts: &[Part<'_>]) -> Result<Self> {
        let len = parts.iter().map(|part| part.2).sum();
        let width = parts.iter().map(|part| part.0.width).max().unwrap_or(1);
        let mut codes = Vec::with_capacity(width * len);
        for &(rows, first, count) in parts {
            let these = &rows.codes[first * rows.width..][..count * rows.width];
            if rows.width == width {
                codes.extend_from_slice(these);
            } else {
                for code in these.chunks_exact(rows.width) {
                    codes.extend_from_slice(code);
                    codes.resize(codes.len() + width - rows.width, 0);
                }
            }
        }
        let column = |at: usize| {
            let slices: Vec<ArrayRef> = parts.iter().map(|part| part.0.columns[at].slice(part.1, part.2)).collect();
            match &slices[..] {
                [one] => Ok(one.clone()),
                several => concat(&several.iter().map(|slice| &**slice).collect::<Vec<_>>()),
            }
        };
        let columns = (0..parts.first().map_or(0, |part| part.0.columns.len())).map(column);
        Ok(Rows { len, width, codes, columns: columns.collect::<std::result::Result<_, _>>().map_err(immovable)? })
    }

    /// The rows sorted by their buckets, stably, and where each bucket ends.
    pub fn by_bucket(&self, buckets: &[u8]) -> Result<(Self, [u32; RowOrder::BUCKETS])> {
        let mut ends = [0u32; RowOrder::BUCKETS];
        buckets.iter().for_each(|&bucket| ends[usize::from(bucket)] += 1);
        let mut before = 0;
        for end in &mut ends {
            (*end, before) = (before, before + *end);
        }
        // From here on the next free place of each bucket, and so in the end where it ends.
        let mut place = |bucket: u8| {
            let end = &mut ends[usize::from(bucket)];
            *end += 1;
            *end as usize - 1
        };
        if self.columns.is_empty() && self.width == 1 {
            let mut codes = vec![0; self.len];
            buckets.iter().zip(&self.codes).for_each(|(&bucket, &code)| codes[place(bucket)] = code);
            return Ok((Rows { codes, ..self.clone_without_codes() }, ends));
        }
        let mut order = vec![0u32; self.len];
        (0u32..).zip(buckets).for_each(|(row, &bucket)| order[place(bucket)] = row);
        Ok((self.gather(order)?, ends))
    }

    /// These rows, all of the bucket, in the order that chance gives them.
    pub fn permuted(mut self, order: &RowOrder, bucket: u8) -> Result<Self> {
        if self.columns.is_empty() {
            match self.width {
                1 => order.permute(bucket, &mut self.codes),
                2 => order.permute(bucket, self.codes.as_chunks_mut::<2>().0),
                _ => order.permute(bucket, self.codes.as_chunks_mut::<4>().0),
            }
            return Ok(self);
        }
        let mut rows: Vec<u32> = (0..self.len as u32).collect();
        order.permute(bucket, &mut rows);
        self.gather(rows)
    }

    fn gather(&self, order: Vec<u32>) -> Result<Self> {
        let mut codes = Vec::with_capacity(self.codes.len());
        match self.width {
            1 => codes.extend(order.iter().map(|&row| self.codes[row as usize])),
            width => {
                order.iter().for_each(|&row| codes.extend_from_slice(&self.codes[row as usize * width..][..width]));
            }
        }
        let order = UInt32Array::from(order);
        let columns = self.columns.iter().map(|column| take(column, &order, None));
        let columns = columns.collect::<std::result::Result<_, _>>().map_err(immovable)?;
        Ok(Rows { codes, columns, ..*self })
    }

    fn clone_without_codes(&self) -> Self {
        Rows { codes: Vec::new(), columns: self.columns.clone(), ..*self }
    }

    /// Appends the rows to a block of bytes.
    pub fn write(&self, block: &mut Vec<u8>) -> Result<()> {
        block.extend_from_slice(&(self.len as u64).to_le_bytes());
        block.push(self.width as u8);
        block.extend_from_slice(&self.codes);
        if self.columns.is_empty() {
            return Ok(());
        }
        let field = |column: &ArrayRef| Field::new("", column.data_type().clone(), true);
        let schema = Arc::new(Schema::new(self.columns.iter().map(field).collect::<Vec<_>>()));
        let records = RecordBatch::try_new(schema.clone(), self.columns.clone()).map_err(immovable)?;
        let written = StreamWriter::try_new(block, &schema)
            .and_then(|mut writer| writer.write(&records).and_then(|()| writer.finish()));
        written.map_err(immovable)
    }

    /// The rows that were written to a block.
    pub fn read(block: &[u8]) -> Result<Self> {
        let damaged = || Error::input("a temporary file of the shuffle has changed on disk");
        let (len, rest) = block.split_first_chunk().ok_or_else(damaged)?;
        let (&width, rest) = rest.split_first().ok_or_else(damaged)?;
        let (len, width) = (u64::from_le_bytes(*len) as usize, usize::from(width));
        let size = len.checked_mul(width).filter(|_| [1, 2, 4].contains(&width)).ok_or_else(damaged)?;
        let (codes, rest) = rest.split_at_checked(size).ok_or_else(damaged)?;
        let columns = match rest.is_empty() {
            true => Vec::new(),
            false => {
                let records = StreamReader::try_new(rest, None).ok().and_then(|mut reader| reader.next());
                let records = records.and_then(std::result::Result::ok).filter(|records| records.num_rows() == len);
                records.ok_or_else(damaged)?.columns().to_vec()
            }
        };
        Ok(Rows { len, width, codes: codes.to_vec(), columns })
    }
}

/// The kept texts of a batch as columns.
fn texts(batch: &Batch, width: usize) -> Vec<ArrayRef> {
    let column = |at: usize| {
        let texts = (0..batch.len()).map(|row| batch.kept_field(row, at));
        Arc::new(BinaryArray::from_iter_values(texts)) as ArrayRef
    };
    (0..width).map(column).collect()
}

fn stored(column: &ArrayRef) -> std::result::Result<ArrayRef, ArrowError> {
    let data_type = stored_type(column.data_type());
    if data_type == *column.data_type() { Ok(column.clone()) } else { cast(column, &data_type) }
}

/// The type in which a column waits: dictionaries and views would drag along what other rows have.
fn stored_type(data_type: &DataType) -> DataType {
    match data_type {
        DataType::Utf8View => DataType::LargeUtf8,
        DataType::BinaryView => DataType::LargeBinary,
        other => with_types(other, &stored_type),
    }
}

/// The type of a column that is released in another order: without dictionaries, whose entries stand in the order in
/// which the input had them.
pub fn shuffled_type(data_type: &DataType) -> DataType {
    with_types(data_type, &shuffled_type)
}

/// The type with those within it changed, and the values of a dictionary in its place.
fn with_types(data_type: &DataType, change: &dyn Fn(&DataType) -> DataType) -> DataType {
    let field = |field: &Arc<Field>| Arc::new(field.as_ref().clone().with_data_type(change(field.data_type())));
    match data_type {
        DataType::Dictionary(_, value) => change(value),
        DataType::List(item) => DataType::List(field(item)),
        DataType::LargeList(item) => DataType::LargeList(field(item)),
        DataType::FixedSizeList(item, size) => DataType::FixedSizeList(field(item), *size),
        DataType::Map(entries, sorted) => DataType::Map(field(entries), *sorted),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(field).collect::<Fields>()),
        other => other.clone(),
    }
}

/// A stored column as one of this type.
pub fn restored(column: &ArrayRef, data_type: &DataType) -> Result<ArrayRef> {
    if column.data_type() == data_type { Ok(column.clone()) } else { cast(column, data_type).map_err(immovable) }
}

/// The texts of a stored column of texts.
pub fn stored_texts(column: &ArrayRef) -> &BinaryArray {
    column.as_binary::<i32>()
}

fn immovable(_: ArrowError) -> Error {
    Error::input("the kept columns cannot be brought into another order (their type cannot be shuffled: leave it out)")
}
