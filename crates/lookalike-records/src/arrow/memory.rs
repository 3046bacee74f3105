//! Records that are in memory already.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, new_empty_array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};

use super::array_codes::Integers;
use super::arrow_records::ArrowRecords;
use crate::columns::{Batch, Encoder, RecordSchema, RecordSource};
use lookalike_formats::records::Columns;
use lookalike_formats::{Error, Result};

/// A column in memory, which gives its rows as Arrow arrays.
pub trait MemoryColumn: Send + Sync {
    /// The type of all its arrays.
    fn data_type(&self) -> DataType;

    /// The number of rows.
    fn rows(&self) -> usize;

    /// Rows from `first` on: at most `most` of them, and at least one while there are any.
    fn read(&self, first: usize, most: usize) -> ArrayRef;

    /// The same rows as numbers where they are, for a column of integers that can give them: all rows up to `most`.
    fn integers(&self, first: usize, most: usize) -> Option<Integers<'_>> {
        let _ = (first, most);
        None
    }
}

/// Arrow arrays, one after the other, as one column.
#[derive(Debug, Clone)]
pub struct Chunks {
    data_type: DataType,
    chunks: Vec<ArrayRef>,
    /// The number of rows up to the end of each chunk.
    ends: Vec<usize>,
}

impl Chunks {
    /// The column of these arrays, which have this type.
    pub fn new(data_type: DataType, chunks: Vec<ArrayRef>) -> Self {
        let mut rows = 0;
        let end = |chunk: &ArrayRef| {
            rows += chunk.len();
            rows
        };
        Chunks { ends: chunks.iter().map(end).collect(), data_type, chunks }
    }

    /// The number of rows up to the end of each array.
    pub fn ends(&self) -> &[usize] {
        &self.ends
    }
}

impl MemoryColumn for Chunks {
    fn data_type(&self) -> DataType {
        self.data_type.clone()
    }

    fn rows(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    fn read(&self, first: usize, most: usize) -> ArrayRef {
        let at = self.ends.partition_point(|&end| end <= first);
        let Some(chunk) = self.chunks.get(at) else { return new_empty_array(&self.data_type) };
        let start = first - (self.ends[at] - chunk.len());
        chunk.slice(start, most.min(chunk.len() - start))
    }
}

/// A source of the records of named columns in memory.
///
/// Rows are counted in place of bytes. Nothing is copied but what a [`MemoryColumn`] copies to make its arrays.
///
/// # Example
/// ```
/// use std::sync::Arc;
/// use arrow_array::{ArrayRef, Int64Array};
/// use lookalike_records::{Batch, Chunks, Labels, MemoryColumn, MemorySource, RecordSource};
/// use lookalike_formats::records::Columns;
/// let array: ArrayRef = Arc::new(Int64Array::from(vec![7, 8, 7]));
/// let column = Chunks::new(array.data_type().clone(), vec![array]);
/// let wanted = Columns { profile: None, values: vec!["load".into()], keep: vec![] };
/// let value = Labels::new(["7".to_owned(), "8".to_owned()])?;
/// let mut source = MemorySource::open(vec![("load", Box::new(column))], &wanted, None, Some(Box::new(value)), None)?;
/// let mut batch = Batch::default();
/// assert!(source.read_batch(&mut batch)?);
/// assert_eq!(batch.values, [0, 1, 0]);
/// # Ok::<(), lookalike_formats::Error>(())
/// ```
pub struct MemorySource<'a> {
    columns: Vec<Box<dyn MemoryColumn + 'a>>,
    schema: SchemaRef,
    records: ArrowRecords,
    rows: usize,
    next: usize,
}

impl<'a> MemorySource<'a> {
    /// The wanted columns among these; see [`CsvSource::open`](crate::csv::CsvSource::open) for the encoders.
    ///
    /// # Errors
    /// Columns of different length, a column that is missing or occurs twice, or has a type without categories.
    pub fn open(
        columns: Vec<(&str, Box<dyn MemoryColumn + 'a>)>,
        wanted: &Columns,
        profile: Option<Encoder>,
        value: Option<Encoder>,
        unknown: Option<u32>,
    ) -> Result<Self> {
        let rows = columns.first().map_or(0, |(_, column)| column.rows());
        if let Some((name, other)) = columns.iter().find(|(_, column)| column.rows() != rows) {
            let (first, found) = (columns[0].0, other.rows());
            return Err(Error::input(format!(
                "column {first:?} has {rows} rows and column {name:?} has {found}, expected equally many"
            )));
        }
        let field = |(name, column): &(&str, Box<dyn MemoryColumn + 'a>)| Field::new(*name, column.data_type(), true);
        let schema = Schema::new(columns.iter().map(field).collect::<Vec<_>>());
        let records = ArrowRecords::new(&schema, wanted, profile, value, unknown)?;
        let schema = schema.project(records.projection()).map_err(|_| Error::input("columns that cannot be read"))?;
        let mut columns: Vec<_> = columns.into_iter().map(|(_, column)| Some(column)).collect();
        let columns = records.projection().iter().filter_map(|&place| columns[place].take()).collect();
        Ok(MemorySource { columns, schema: Arc::new(schema), records, rows, next: 0 })
    }

    /// The next rows, at most so many: columns have chunks of their own, and all go as far as the shortest.
    fn read(&self, most: usize) -> Result<RecordBatch> {
        let most = most.min(self.rows - self.next);
        let mut arrays: Vec<ArrayRef> = self.columns.iter().map(|column| column.read(self.next, most)).collect();
        let count = arrays.iter().map(|array| array.len()).min().unwrap_or(most);
        arrays.iter_mut().filter(|array| array.len() > count).for_each(|array| *array = array.slice(0, count));
        let records = RecordBatch::try_new(self.schema.clone(), arrays);
        records.map_err(|_| Error::input("a column whose chunks differ in type, expected one type"))
    }
}

impl RecordSource for MemorySource<'_> {
    fn read_batch(&mut self, batch: &mut Batch) -> Result<bool> {
        batch.restart(self.next as u64, 0);
        while self.next < self.rows && batch.len() < Batch::MAX_ROWS {
            let most = Batch::MAX_ROWS - batch.len();
            let numbers = self.columns.iter().map(|column| column.integers(self.next, most));
            let columns = self.records.takes_integers().then(|| numbers.collect::<Option<Vec<_>>>()).flatten();
            if let Some(columns) = columns {
                self.records.append_integers(&columns, batch)?;
                self.next = batch.first_row as usize + batch.len();
                continue;
            }
            let records = self.read(most)?;
            self.records.append(&records, batch)?;
            self.next += records.num_rows();
            if !self.records.can_append() {
                break;
            }
        }
        Ok(!batch.is_empty())
    }

    fn schema(&self) -> RecordSchema {
        self.records.schema().clone()
    }

    fn bytes_read(&self) -> u64 {
        self.next as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Labels;
    use arrow_array::StringArray;

    fn chunks(chunks: &[&[&str]]) -> Box<Chunks> {
        let array = |texts: &&[&str]| Arc::new(StringArray::from(texts.to_vec())) as ArrayRef;
        Box::new(Chunks::new(DataType::Utf8, chunks.iter().map(array).collect()))
    }

    fn labels(names: &[&str]) -> Option<Encoder> {
        Some(Box::new(Labels::new(names.iter().map(ToString::to_string)).unwrap()))
    }

    fn wanted() -> Columns {
        Columns { profile: Some("p".into()), values: vec!["v".into()], keep: vec![] }
    }

    #[test]
    fn columns_with_other_chunks_are_read_row_by_row() {
        let values = chunks(&[&["x", "y"], &[], &["y", "x", "x"]]);
        let profiles = chunks(&[&["a"], &["b", "a", "b"], &["a"]]);
        let columns: Vec<(&str, Box<dyn MemoryColumn>)> = vec![("v", values), ("p", profiles)];
        let (profile, value) = (labels(&["a", "b"]), labels(&["x", "y"]));
        let mut source = MemorySource::open(columns, &wanted(), profile, value, None).unwrap();
        let (mut batch, mut found) = (Batch::default(), Vec::new());
        while source.read_batch(&mut batch).unwrap() {
            assert_eq!(batch.first_row as usize, found.len());
            found.extend(batch.profiles.iter().copied().zip(batch.values.iter().copied()));
        }
        assert_eq!(found, [(0, 0), (1, 1), (0, 1), (1, 0), (0, 0)]);
        assert_eq!(source.bytes_read(), 5);
    }

    #[test]
    fn errors_name_the_row_of_the_whole_column() {
        let columns: Vec<(&str, Box<dyn MemoryColumn>)> =
            vec![("v", chunks(&[&["x"], &["SECRETMARKER"]])), ("p", chunks(&[&["a", "a"]]))];
        let mut source = MemorySource::open(columns, &wanted(), labels(&["a"]), labels(&["x"]), None).unwrap();
        let error = source.read_batch(&mut Batch::default()).unwrap_err().to_string();
        assert!(error.starts_with("row 2, column \"v\": not one of the 1 categories"), "{error}");
    }

    /// Numbers that are given where they are.
    struct Slice(Vec<i32>);

    impl MemoryColumn for Slice {
        fn data_type(&self) -> DataType {
            DataType::Int32
        }

        fn rows(&self) -> usize {
            self.0.len()
        }

        fn read(&self, first: usize, most: usize) -> ArrayRef {
            Arc::new(arrow_array::Int32Array::from(self.0[first..self.0.len().min(first + most)].to_vec()))
        }

        fn integers(&self, first: usize, most: usize) -> Option<Integers<'_>> {
            Some(Integers::Int32(&self.0[first..self.0.len().min(first + most)]))
        }
    }

    #[test]
    fn numbers_where_they_are_give_the_same_codes_beside_texts_and_alone() {
        let rows = Batch::MAX_ROWS + 3;
        let numbers = || Box::new(Slice((0..rows as i32).map(|row| row % 3).collect()));
        let profiles: Vec<&str> = (0..rows).map(|row| if row % 2 == 0 { "a" } else { "b" }).collect();
        let beside: Vec<(&str, Box<dyn MemoryColumn>)> = vec![("v", numbers()), ("p", chunks(&[&profiles]))];
        let alone: Vec<(&str, Box<dyn MemoryColumn>)> = vec![("v", numbers()), ("p", numbers())];
        let mut sources = [(beside, labels(&["a", "b"])), (alone, labels(&["2", "1", "0"]))]
            .map(|(columns, profile)| MemorySource::open(columns, &wanted(), profile, labels(&["1", "2", "0"]), None));
        for (place, source) in sources.iter_mut().enumerate() {
            let (source, mut batch, mut row) = (source.as_mut().unwrap(), Batch::default(), 0);
            while source.read_batch(&mut batch).unwrap() {
                assert_eq!(batch.first_row, row as u64);
                for (&profile, &value) in batch.profiles.iter().zip(&batch.values) {
                    assert_eq!(value, [2, 0, 1][row % 3]);
                    assert_eq!(profile, if place == 0 { row % 2 } else { 2 - row % 3 } as u32);
                    row += 1;
                }
            }
            assert_eq!(row, rows);
        }
    }

    #[test]
    fn columns_must_be_equally_long() {
        let columns: Vec<(&str, Box<dyn MemoryColumn>)> = vec![("v", chunks(&[&["x"]])), ("p", chunks(&[&["a", "a"]]))];
        let error = MemorySource::open(columns, &wanted(), labels(&["a"]), labels(&["x"]), None).err().unwrap();
        assert_eq!(error.to_string(), "column \"v\" has 1 rows and column \"p\" has 2, expected equally many");
    }
}
