//! What was released for a record, as a ledger keeps it.

use crate::verbs::VERIFY;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, Float64Array, Int64Array, StringArray, cast::AsArray};
use arrow_schema::DataType;
use lookalike::Sentence;
use lookalike_formats::{Error, Result};
use lookalike_records::Batch;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use std::str::FromStr;
use std::sync::Arc;

/// What was released: a code of the mechanism, or the text of a released field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LedgerAnswer {
    /// The code of an output.
    Code(u32),
    /// A released text, or a released number in the shortest form that reads back as the same.
    Text(String),
}

impl LedgerAnswer {
    /// What an entry's digest covers.
    pub(crate) fn digest(answer: Option<&LedgerAnswer>, hasher: &mut blake3::Hasher) {
        match answer {
            None => hasher.update(&[0]),
            Some(LedgerAnswer::Code(code)) => hasher.update(&[1]).update(&code.to_le_bytes()),
            Some(LedgerAnswer::Text(text)) => {
                hasher.update(&[2]).update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes())
            }
        };
    }

    /// What was drawn for a row: the code, or the field of the released column where the mechanism draws one.
    pub(crate) fn drawn(batch: &Batch, outputs: &[u32], draws_column: bool, row: usize) -> Result<LedgerAnswer> {
        if !draws_column {
            return Ok(LedgerAnswer::Code(outputs[row]));
        }
        let column = &batch.arrays()[0];
        Ok(LedgerAnswer::Text(match column.data_type() {
            DataType::Utf8 => column.as_string::<i32>().value(row).to_owned(),
            DataType::Int64 => column.as_primitive::<Int64Type>().value(row).to_string(),
            DataType::Float64 => column.as_primitive::<Float64Type>().value(row).to_string(),
            _ => return Err(Error::input("a ledger cannot keep what this mechanism releases")),
        }))
    }
}

/// Puts answers in the place of what was drawn for some rows, by a mechanism with so many codes or with a column.
pub(crate) fn replace(
    batch: &mut Batch,
    outputs: &mut [u32],
    codes: Option<u32>,
    answers: Vec<(usize, LedgerAnswer)>,
) -> Result<()> {
    if answers.is_empty() {
        return Ok(());
    }
    if let Some(codes) = codes {
        for (row, answer) in answers {
            outputs[row] = match answer {
                LedgerAnswer::Code(code) if code < codes => code,
                _ => return Err(unreadable()),
            };
        }
        return Ok(());
    }
    let columns = batch.arrays();
    let column: ArrayRef = match columns[0].data_type() {
        DataType::Utf8 => {
            let mut texts: Vec<String> =
                columns[0].as_string::<i32>().iter().map(|text| text.unwrap_or_default().to_owned()).collect();
            replace_parsed(&mut texts, answers)?;
            Arc::new(StringArray::from(texts))
        }
        DataType::Int64 => {
            let mut numbers = columns[0].as_primitive::<Int64Type>().values().to_vec();
            replace_parsed(&mut numbers, answers)?;
            Arc::new(Int64Array::from(numbers))
        }
        _ => {
            let mut numbers = columns[0].as_primitive::<Float64Type>().values().to_vec();
            replace_parsed(&mut numbers, answers)?;
            Arc::new(Float64Array::from(numbers))
        }
    };
    batch.draw_first(vec![column], 1);
    Ok(())
}

fn replace_parsed<T: FromStr>(values: &mut [T], answers: Vec<(usize, LedgerAnswer)>) -> Result<()> {
    for (row, answer) in answers {
        values[row] = match &answer {
            LedgerAnswer::Text(text) => text.parse().map_err(|_| unreadable())?,
            LedgerAnswer::Code(_) => return Err(unreadable()),
        };
    }
    Ok(())
}

fn unreadable() -> Error {
    Error::input("the ledger keeps an earlier answer of another type or range than this mechanism releases")
        .hint(Sentence::new().verb(VERIFY))
}

impl ToSql for LedgerAnswer {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            LedgerAnswer::Code(code) => code.to_sql(),
            LedgerAnswer::Text(text) => text.to_sql(),
        }
    }
}

impl FromSql for LedgerAnswer {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        match value {
            ValueRef::Integer(code) => {
                u32::try_from(code).map(LedgerAnswer::Code).map_err(|_| FromSqlError::OutOfRange(code))
            }
            ValueRef::Text(_) => value.as_str().map(|text| LedgerAnswer::Text(text.to_owned())),
            _ => Err(FromSqlError::InvalidType),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(column: ArrayRef) -> Batch {
        let mut batch = Batch::default();
        batch.values.resize(column.len(), 0);
        batch.replace_kept(vec![column]);
        batch
    }

    proptest! {
        /// What is kept is what was released, to the last bit.
        #[test]
        fn answers_come_back_as_they_were(numbers in prop::collection::vec(prop::num::f64::NORMAL | prop::num::f64::ZERO, 1..9)) {
            let batch = of(Arc::new(Float64Array::from(numbers.clone())));
            let drawn = |row| (row, LedgerAnswer::drawn(&batch, &[], true, row).unwrap());
            let mut again = of(Arc::new(Float64Array::from(vec![0.5; numbers.len()])));
            replace(&mut again, &mut [], None, (0..numbers.len()).map(drawn).collect()).unwrap();
            let bits = |batch: &Batch| batch.arrays()[0].as_primitive::<Float64Type>().values().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(&again), bits(&batch));
        }
    }

    #[test]
    fn texts_whole_numbers_and_codes_are_replaced_by_row() {
        let text = |text: &str| LedgerAnswer::Text(text.to_owned());
        let mut batch = of(Arc::new(StringArray::from(vec!["a", "b"])));
        replace(&mut batch, &mut [], None, vec![(1, text("c"))]).unwrap();
        assert_eq!(LedgerAnswer::drawn(&batch, &[], true, 1).unwrap(), text("c"));
        assert_eq!(LedgerAnswer::drawn(&batch, &[], true, 0).unwrap(), text("a"));

        let mut batch = of(Arc::new(Int64Array::from(vec![7, -8])));
        replace(&mut batch, &mut [], None, vec![(0, text("-9"))]).unwrap();
        assert_eq!(LedgerAnswer::drawn(&batch, &[], true, 0).unwrap(), text("-9"));
        replace(&mut batch, &mut [], None, vec![(0, text("x"))]).unwrap_err();

        let mut outputs = [1, 2];
        replace(&mut batch, &mut outputs, Some(6), vec![(0, LedgerAnswer::Code(5))]).unwrap();
        assert_eq!(outputs, [5, 2]);
        replace(&mut batch, &mut outputs, Some(5), vec![(0, LedgerAnswer::Code(5))]).unwrap_err();
        replace(&mut batch, &mut outputs, Some(6), vec![(0, text("5"))]).unwrap_err();
    }
}
