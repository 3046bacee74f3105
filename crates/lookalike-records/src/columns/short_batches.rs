//! Batches that are cut where what is drawn for them would be too long.

use super::batch::Batch;
use super::schema::RecordSchema;
use super::stream::RecordSource;
use lookalike_formats::Result;

/// A source that hands on the batches of another in parts of at most so many records.
///
/// A report may be a thousand times as long as the value it is drawn from, so that batches of a source, which are short
/// enough by what is in them, may be too long for what comes out. The records, and their order, are the same.
pub struct ShortBatches<'a> {
    source: &'a mut dyn RecordSource,
    most: usize,
    whole: Batch,
    /// The records of `whole` that were handed on.
    done: usize,
}

impl<'a> ShortBatches<'a> {
    /// Parts of at most `most` records, which is at least 1.
    pub fn new(source: &'a mut dyn RecordSource, most: usize) -> Self {
        ShortBatches { source, most: most.max(1), whole: Batch::default(), done: 0 }
    }
}

impl RecordSource for ShortBatches<'_> {
    fn read_batch(&mut self, batch: &mut Batch) -> Result<bool> {
        if self.done == self.whole.len() {
            (self.whole, self.done) = (std::mem::take(batch), 0);
            let more = self.source.read_batch(&mut self.whole)?;
            if !more || self.whole.len() <= self.most {
                // As it is, without a copy.
                *batch = std::mem::take(&mut self.whole);
                return Ok(more);
            }
        }
        let count = self.most.min(self.whole.len() - self.done);
        *batch = self.whole.part(self.done, count);
        self.done += count;
        Ok(true)
    }

    fn schema(&self) -> RecordSchema {
        self.source.schema()
    }

    fn bytes_read(&self) -> u64 {
        self.source.bytes_read()
    }

    fn may_wait(&self) -> bool {
        self.source.may_wait()
    }
}

#[cfg(test)]
mod tests {
    use super::super::batch::Group;
    use super::super::growing::GrowingLabels;
    use super::*;
    use crate::csv::CsvSource;
    use lookalike_formats::records::{Columns, CsvOptions};

    /// Row, profile, value and kept fields of each record, and how many records each batch had.
    fn read(source: &mut dyn RecordSource) -> (Vec<String>, Vec<usize>) {
        let (mut rows, mut lengths, mut batch) = (Vec::new(), Vec::new(), Batch::default());
        while source.read_batch(&mut batch).unwrap() {
            for row in 0..batch.len() {
                let kept: Vec<_> = batch.kept(row).map(|field| String::from_utf8_lossy(&field).into_owned()).collect();
                let (profile, value) = (batch.profiles[row], batch.values[row]);
                rows.push(format!("{} {profile} {value} {kept:?}", batch.first_row + row as u64));
            }
            lengths.push(batch.len());
        }
        assert!(batch.is_empty());
        (rows, lengths)
    }

    fn source(rows: usize) -> CsvSource {
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        let columns = Columns { profile: Some("user".into()), values: names(&["load"]), keep: names(&["a", "b"]) };
        let text: String = std::iter::once("user,load,a,b\n".to_owned())
            .chain((0..rows).map(|row| format!("u{},v{},{},{row}\n", row % 3, row % 5, "x".repeat(row % 4))))
            .collect();
        let labels = || Box::new(GrowingLabels::default());
        let input = Box::new(std::io::Cursor::new(text));
        CsvSource::open(input, &CsvOptions::default(), &columns, Some(labels()), Some(labels()), None).unwrap()
    }

    #[test]
    fn parts_have_the_records_of_the_whole() {
        let rows = Batch::MAX_ROWS + 10;
        let (expected, lengths) = read(&mut source(rows));
        assert_eq!(lengths, [Batch::MAX_ROWS, 10]);
        for most in [1, 7, 1_000, Batch::MAX_ROWS, usize::MAX] {
            let (found, lengths) = read(&mut ShortBatches::new(&mut source(rows), most));
            assert!(found == expected, "{most}");
            assert!(lengths.iter().all(|length| *length <= most));
        }
        assert_eq!(read(&mut ShortBatches::new(&mut source(0), 3)).1, [] as [usize; 0]);
    }

    #[test]
    fn a_row_group_ends_with_the_last_part() {
        let mut batch = Batch::default();
        batch.values.resize(5, 0);
        for (group, first) in [(Group::Ends, Group::Open), (Group::Open, Group::Open), (Group::None, Group::None)] {
            batch.group = group;
            assert_eq!((batch.part(0, 3).group, batch.part(3, 2).group), (first, group));
        }
    }
}
