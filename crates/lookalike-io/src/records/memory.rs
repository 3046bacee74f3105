//! Records that are in memory already.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, new_empty_array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};

use super::{Batch, Columns, Encoder, RecordSchema, RecordSource, arrow_records::ArrowRecords};
use crate::{Error, Result};

/// A column in memory, which gives its rows as Arrow arrays.
pub trait MemoryColumn: Send + Sync {
    /// The type of all its arrays.
    fn data_type(&self) -> DataType;

    /// The number of rows.
    fn rows(&self) -> usize;

    /// Rows from `first` on: at most `most` of them, and at least one while there are any.
    fn read(&self, first: usize, most: usize) -> ArrayRef;
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
/// use lookalike_io::records::{Batch, Chunks, Columns, Labels, MemoryColumn, MemorySource, RecordSource};
/// let array: ArrayRef = Arc::new(Int64Array::from(vec![7, 8, 7]));
/// let column = Chunks::new(array.data_type().clone(), vec![array]);
/// let wanted = Columns { profile: None, values: vec!["load".into()], keep: vec![] };
/// let value = Labels::new(["7".to_owned(), "8".to_owned()])?;
/// let mut source = MemorySource::open(vec![("load", Box::new(column))], &wanted, None, Some(Box::new(value)), None)?;
/// let mut batch = Batch::default();
/// assert!(source.read_batch(&mut batch)?);
/// assert_eq!(batch.values, [0, 1, 0]);
/// # Ok::<(), lookalike_io::Error>(())
/// ```
pub struct MemorySource<'a> {
    columns: Vec<Box<dyn MemoryColumn + 'a>>,
    schema: SchemaRef,
    records: ArrowRecords,
    rows: usize,
    next: usize,
}

impl<'a> MemorySource<'a> {
    /// The wanted columns among these; see [`CsvSource::open`](super::CsvSource::open) for the encoders.
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
}

impl RecordSource for MemorySource<'_> {
    fn read_batch(&mut self, batch: &mut Batch) -> Result<bool> {
        batch.clear();
        let (first, most) = (self.next, Batch::MAX_ROWS.min(self.rows - self.next));
        if most == 0 {
            return Ok(false);
        }
        let mut arrays: Vec<ArrayRef> = self.columns.iter().map(|column| column.read(first, most)).collect();
        // Columns have chunks of their own: all go as far as the shortest.
        let count = arrays.iter().map(|array| array.len()).min().unwrap_or(most);
        arrays.iter_mut().filter(|array| array.len() > count).for_each(|array| *array = array.slice(0, count));
        let records = RecordBatch::try_new(self.schema.clone(), arrays);
        let records = records.map_err(|_| Error::input("a column whose chunks differ in type, expected one type"))?;
        self.records.fill(&records, first as u64, batch)?;
        self.next += count;
        Ok(true)
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
    use crate::records::Labels;
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
        let mut batch = Batch::default();
        assert!(source.read_batch(&mut batch).unwrap());
        let error = source.read_batch(&mut batch).unwrap_err().to_string();
        assert!(error.starts_with("row 2, column \"v\": not one of the 1 categories"), "{error}");
    }

    #[test]
    fn columns_must_be_equally_long() {
        let columns: Vec<(&str, Box<dyn MemoryColumn>)> = vec![("v", chunks(&[&["x"]])), ("p", chunks(&[&["a", "a"]]))];
        let error = MemorySource::open(columns, &wanted(), labels(&["a"]), labels(&["x"]), None).err().unwrap();
        assert_eq!(error.to_string(), "column \"v\" has 1 rows and column \"p\" has 2, expected equally many");
    }
}
