//! A bounded number of records, as codes.

use std::{borrow::Cow, fmt};

use arrow_array::{ArrayRef, BooleanArray};
use arrow_select::filter::filter;

use super::json_members::Token;
use super::record_id::RecordId;
use lookalike_formats::{Error, Result};

/// Some records in a row: the codes of their profiles and values, and the columns to keep, as text or
/// as Arrow arrays; where a column was drawn it is an array in front of the kept texts.
#[derive(Default, Clone)]
pub struct Batch {
    /// The index of the first record among all data rows, from 0.
    pub first_row: u64,
    /// One profile code per record; empty when the records have no profiles.
    pub profiles: Vec<u32>,
    /// One value code per record.
    pub values: Vec<u32>,
    /// The name of each record in a ledger, where there is one.
    pub ids: Vec<RecordId>,
    /// The kept fields of all records, one after the other without separators.
    kept: Vec<u8>,
    /// Whether the kept fields are JSON values as they were read, so that they can be written so again.
    is_json: bool,
    /// Where each kept field ends in `kept`.
    ends: Vec<usize>,
    /// The kept fields per record.
    width: usize,
    /// The kept columns of records that come as arrays, which have no text, and those that were drawn.
    arrays: Vec<ArrayRef>,
    /// How the records lie in the row groups of the input, which an output may want to have as well.
    pub(crate) group: Group,
}

/// Whether the input has row groups, and one of them ends with the records of a batch.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group {
    /// The input has none.
    #[default]
    None,
    /// More records of the group follow.
    Open,
    /// The next record begins another.
    Ends,
}

impl Batch {
    /// The most records in a batch.
    pub const MAX_ROWS: usize = 65_536;

    /// The kept text at which a batch counts as full, since that many rows of long texts would not fit in memory.
    const MAX_KEPT: usize = 1 << 23;

    /// About how many bytes the kept columns of a batch may have, each row written out.
    pub(crate) const MAX_BYTES: u64 = 1 << 24;

    /// The number of records.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Removes all records; the buffers stay for the next ones.
    pub fn clear(&mut self) {
        self.profiles.clear();
        self.values.clear();
        self.ids.clear();
        self.kept.clear();
        self.is_json = false;
        self.ends.clear();
        self.arrays.clear();
        self.group = Group::None;
    }

    /// The texts of the kept fields of one record, in the order they were asked for.
    ///
    /// # Panics
    /// When `row` is not below [`Batch::len`].
    #[inline]
    pub fn kept(&self, row: usize) -> impl ExactSizeIterator<Item = Cow<'_, [u8]>> {
        let is_json = self.is_json;
        self.kept_raw(row).map(move |field| if is_json { text_of_json(field) } else { Cow::Borrowed(field) })
    }

    /// The kept fields of one record as they stand in the batch.
    #[inline]
    pub(crate) fn kept_raw(&self, row: usize) -> impl ExactSizeIterator<Item = &[u8]> {
        let first = row * self.width;
        let mut start = if first == 0 { 0 } else { self.ends[first - 1] };
        self.ends[first..first + self.width].iter().map(move |&end| {
            let field = &self.kept[start..end];
            start = end;
            field
        })
    }

    /// Whether the kept fields are JSON values as they were read.
    pub(crate) fn is_json(&self) -> bool {
        self.is_json
    }

    /// Says that the kept fields are JSON values.
    pub(crate) fn keep_json(&mut self, is_json: bool) {
        self.is_json = is_json;
    }

    /// The number of kept columns that are text.
    pub(crate) fn kept_width(&self) -> usize {
        self.width
    }

    /// The text of one kept field of one record; `None` for null, which only JSON has.
    #[inline]
    pub(crate) fn kept_text(&self, row: usize, column: usize) -> Option<Cow<'_, [u8]>> {
        let field = self.kept_field(row, column);
        match self.is_json {
            true if field == b"null" => None,
            true => Some(text_of_json(field)),
            false => Some(Cow::Borrowed(field)),
        }
    }

    /// One kept field of one record, as it stands in the batch.
    pub(crate) fn kept_field(&self, row: usize, column: usize) -> &[u8] {
        let at = row * self.width + column;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.kept[start..self.ends[at]]
    }

    /// The columns that are arrays, each as long as the batch; none when all are text.
    pub fn arrays(&self) -> &[ArrayRef] {
        &self.arrays
    }

    /// Some of the records: the first of them, and how many.
    pub(crate) fn part(&self, first: usize, count: usize) -> Batch {
        let range = first..first + count;
        let fields = first * self.width..range.end * self.width;
        let start = fields.start.checked_sub(1).map_or(0, |before| self.ends[before]);
        let end = fields.end.checked_sub(1).map_or(0, |last| self.ends[last]);
        let of = |codes: &[u32]| codes.get(range.clone()).unwrap_or_default().to_vec();
        Batch {
            first_row: self.first_row + first as u64,
            profiles: of(&self.profiles),
            values: of(&self.values),
            ids: self.ids.get(range.clone()).unwrap_or_default().to_vec(),
            kept: self.kept[start..end].to_vec(),
            ends: self.ends[fields].iter().map(|end| end - start).collect(),
            width: self.width,
            is_json: self.is_json,
            arrays: self.arrays.iter().map(|array| array.slice(first, count)).collect(),
            group: if self.group == Group::Ends && range.end < self.len() { Group::Open } else { self.group },
        }
    }

    /// Forgets all kept columns but the first ones.
    pub fn keep_only(&mut self, columns: usize) {
        self.arrays.truncate(columns);
        if self.width <= columns {
            return;
        }
        let (mut kept, mut ends) = (Vec::with_capacity(self.kept.len()), Vec::with_capacity(self.len() * columns));
        for row in 0..self.len() {
            for field in self.kept_raw(row).take(columns) {
                kept.extend_from_slice(field);
                ends.push(kept.len());
            }
        }
        (self.kept, self.ends, self.width) = (kept, ends, columns);
    }

    /// Removes the records of rows that are not to be released.
    ///
    /// # Errors
    /// None for columns that a file can hold.
    pub fn withhold(&mut self, withheld: &[bool]) -> Result<()> {
        let (mut kept, mut ends) = (Vec::new(), Vec::new());
        for row in (0..self.len()).filter(|&row| self.width > 0 && !withheld[row]) {
            for field in self.kept_raw(row) {
                kept.extend_from_slice(field);
                ends.push(kept.len());
            }
        }
        (self.kept, self.ends) = (kept, ends);
        let released = BooleanArray::from_iter(withheld.iter().map(|&withheld| Some(!withheld)));
        for array in &mut self.arrays {
            let kept = filter(array, &released);
            *array = kept.map_err(|_| Error::input("a kept column of a type that rows cannot be left out of"))?;
        }
        let retain = |codes: &mut Vec<u32>| {
            let mut rows = withheld.iter();
            codes.retain(|_| rows.next().is_some_and(|withheld| !withheld));
        };
        retain(&mut self.profiles);
        retain(&mut self.values);
        Ok(())
    }

    /// Puts columns that were drawn in front, in the place of so many of the first ones. Kept texts stay what they are.
    pub fn draw_first(&mut self, drawn: Vec<ArrayRef>, replaced: usize) {
        if self.width == 0 || !self.arrays.is_empty() {
            self.arrays.splice(..replaced, drawn);
            return;
        }
        if replaced > 0 {
            let (mut kept, mut ends) = (Vec::with_capacity(self.kept.len()), Vec::with_capacity(self.ends.len()));
            for row in 0..self.len() {
                for field in self.kept_raw(row).skip(replaced) {
                    kept.extend_from_slice(field);
                    ends.push(kept.len());
                }
            }
            (self.kept, self.ends, self.width) = (kept, ends, self.width - replaced);
        }
        self.arrays = drawn;
    }

    /// Puts columns in place of all kept ones.
    pub fn replace_kept(&mut self, arrays: Vec<ArrayRef>) {
        (self.width, self.arrays) = (0, arrays);
        self.kept.clear();
        self.ends.clear();
    }

    /// Adds the next kept column.
    pub(crate) fn keep_array(&mut self, array: ArrayRef) {
        self.arrays.push(array);
    }

    /// Empties the batch for records from `first_row` on with `width` kept fields each.
    pub(crate) fn restart(&mut self, first_row: u64, width: usize) {
        self.clear();
        self.first_row = first_row;
        self.width = width;
    }

    /// Adds the next kept field of the record being read.
    pub(crate) fn keep(&mut self, field: &[u8]) {
        self.kept.extend_from_slice(field);
        self.ends.push(self.kept.len());
    }

    pub(crate) fn is_full(&self) -> bool {
        self.len() >= Self::MAX_ROWS || self.kept.len() + size_of_val(&self.ends[..]) >= Self::MAX_KEPT
    }
}

/// The text of a JSON value that was checked when it was read.
#[inline]
fn text_of_json(field: &[u8]) -> Cow<'_, [u8]> {
    let text = std::str::from_utf8(field).ok().and_then(|text| Token::known(text).text());
    match text {
        Some(Cow::Borrowed(text)) => Cow::Borrowed(text.as_bytes()),
        Some(Cow::Owned(text)) => Cow::Owned(text.into_bytes()),
        None => Cow::Borrowed(field),
    }
}

/// Shows how many records there are and nothing of them, since a message of a panic may end in a log.
impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut batch = f.debug_struct("Batch");
        batch.field("first_row", &self.first_row).field("len", &self.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_fields_come_back_by_row_in_order() {
        let mut batch = Batch::default();
        batch.restart(7, 2);
        for field in ["a", "", "", "long text"] {
            batch.keep(field.as_bytes());
        }
        batch.values.extend([0, 1]);
        let row = |row| batch.kept(row).map(|field| String::from_utf8(field.into_owned()).unwrap()).collect::<Vec<_>>();
        assert_eq!((row(0), row(1)), (vec!["a".into(), String::new()], vec![String::new(), "long text".into()]));
        assert_eq!((batch.len(), batch.first_row), (2, 7));
    }

    #[test]
    fn what_is_drawn_stands_in_front_of_kept_texts_or_arrays() {
        use arrow_array::{Int64Array, cast::AsArray, types::Int64Type};
        use std::sync::Arc;
        let column = |numbers: [i64; 2]| Arc::new(Int64Array::from(numbers.to_vec())) as ArrayRef;
        let numbers = |batch: &Batch| {
            let column = |array: &ArrayRef| array.as_primitive::<Int64Type>().values().to_vec();
            batch.arrays().iter().map(column).collect::<Vec<_>>()
        };
        let mut batch = Batch::default();
        batch.restart(0, 3);
        batch.keep_json(true);
        batch.values.extend([0, 0]);
        for field in ["1", "\"x\"", "null", "2", "\"\\u0041\"", "true"] {
            batch.keep(field.as_bytes());
        }
        let texts = |batch: &Batch, row| {
            batch.kept(row).map(|text| String::from_utf8(text.into()).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(
            (texts(&batch, 0), texts(&batch, 1)),
            (vec!["1".into(), "x".into(), String::new()], ["2", "A", "true"].map(String::from).to_vec())
        );
        batch.draw_first(vec![column([7, 8])], 1);
        assert_eq!((numbers(&batch), batch.kept_width()), (vec![vec![7, 8]], 2));
        batch.draw_first(vec![column([9, 10])], 1);
        assert_eq!((numbers(&batch), texts(&batch, 1)), (vec![vec![9, 10]], ["A", "true"].map(String::from).to_vec()));
        assert_eq!(batch.kept_raw(0).collect::<Vec<_>>(), [&b"\"x\""[..], b"null"]);

        batch.restart(0, 0);
        batch.values.extend([0, 0]);
        batch.keep_array(column([1, 2]));
        batch.keep_array(column([3, 4]));
        batch.draw_first(vec![column([5, 6])], 1);
        assert_eq!(numbers(&batch), [[5, 6], [3, 4]]);
        batch.draw_first(vec![column([7, 8])], 0);
        assert_eq!(numbers(&batch), [[7, 8], [5, 6], [3, 4]]);
    }

    #[test]
    fn debugging_output_shows_no_record() {
        let mut batch = Batch::default();
        batch.values.push(41);
        batch.keep(b"SECRETMARKER");
        assert_eq!(format!("{batch:?}"), "Batch { first_row: 0, len: 1, .. }");
    }

    #[test]
    fn a_batch_without_kept_columns_has_empty_rows() {
        let mut batch = Batch::default();
        batch.restart(0, 0);
        batch.values.extend([0, 1]);
        assert_eq!((batch.kept(0).len(), batch.kept(1).len()), (0, 0));
    }

    #[test]
    fn a_batch_is_full_by_rows_or_by_kept_text() {
        let mut batch = Batch::default();
        batch.values.resize(Batch::MAX_ROWS - 1, 0);
        assert!(!batch.is_full());
        batch.values.push(0);
        assert!(batch.is_full());

        batch.clear();
        assert!(batch.is_empty() && !batch.is_full());
        batch.keep(&vec![b'x'; Batch::MAX_KEPT]);
        assert!(batch.is_full());
    }
}
