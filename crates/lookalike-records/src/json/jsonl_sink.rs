//! Privatized records to JSON lines.

use std::{collections::HashSet, io::Write};

use arrow_array::{Array, ArrayRef, cast::AsArray, types::*};
use arrow_schema::DataType;

use crate::arrow::KeptTexts;
use crate::columns::{Batch, Kind, RecordSchema, RecordSink, Token};
use crate::csv::TextOutput;
use lookalike_formats::{Error, Result};

/// Privatized records as JSON lines, plain or compressed with gzip: an object a line, the label first, then the kept columns.
///
/// Kept values of JSON lines are written as they were read. Those of arrays are numbers and booleans where they are, null, and
/// otherwise the texts that CSV has of them; those of CSV are texts.
pub struct JsonLinesSink<'a> {
    output: TextOutput<'a>,
    /// What a record of each code begins with: the first key and the label.
    labels: Vec<Vec<u8>>,
    /// What stands before each kept value: its key.
    keys: Vec<Vec<u8>>,
    names: Vec<String>,
}

impl<'a> JsonLinesSink<'a> {
    /// A sink that writes `labels[code]` for a code under the key `name`, followed by the kept columns; without labels only those.
    ///
    /// Labels are numbers where the value column had numbers and every label is one, booleans in the same way, and texts otherwise.
    /// `schema` is that of the source.
    ///
    /// # Errors
    /// A key that would be written twice.
    pub fn new(
        output: Box<dyn Write + Send + 'a>,
        name: &str,
        labels: &[String],
        schema: &RecordSchema,
        gzip: bool,
    ) -> Result<Self> {
        let names: Vec<String> = schema.kept.iter().map(|field| field.name().clone()).collect();
        let mut seen: HashSet<&str> = (!labels.is_empty()).then_some(name).into_iter().collect();
        if let Some(twice) = names.iter().find(|name| !seen.insert(name)) {
            return Err(Error::input(format!(
                "column {twice:?} would be written twice, expected each key of JSON once"
            )));
        }
        let is_raw = match value_type(&schema.value) {
            DataType::Boolean => labels.iter().all(|label| label == "true" || label == "false"),
            number if number.is_numeric() => {
                labels.iter().all(|label| Token::read(label).is_some_and(|token| token.kind() == Kind::Number))
            }
            _ => false,
        };
        let label = |label: &String| {
            let mut bytes = key(b'{', name);
            if is_raw {
                bytes.extend_from_slice(label.as_bytes())
            } else {
                append_text(label, &mut bytes)
            }
            bytes
        };
        let labels: Vec<Vec<u8>> = labels.iter().map(label).collect();
        let first = |at: usize| if at == 0 && labels.is_empty() { b'{' } else { b',' };
        let keys = names.iter().enumerate().map(|(at, name)| key(first(at), name)).collect();
        Ok(JsonLinesSink { output: TextOutput::new(output, gzip), labels, keys, names })
    }

    /// Ends the record with its kept texts, which stand behind `arrays` columns.
    #[inline]
    fn write_texts(&mut self, batch: &Batch, row: usize, arrays: usize) -> Result<()> {
        let buffer = &mut self.output.buffer;
        for (at, field) in batch.kept_raw(row).enumerate() {
            buffer.extend_from_slice(&self.keys[arrays + at]);
            if batch.is_json() {
                buffer.extend_from_slice(field);
                continue;
            }
            let text = std::str::from_utf8(field).map_err(|_| {
                let row = batch.first_row + row as u64 + 1;
                Error::input(format!("row {row}, column {:?}: not UTF-8 text", self.names[arrays + at]))
            })?;
            append_text(text, buffer);
        }
        buffer.extend_from_slice(b"}\n");
        self.output.record_is_complete()
    }

    /// [`RecordSink::write_batch`] where columns are arrays.
    fn write_arrays(&mut self, batch: &Batch, outputs: &[u32]) -> Result<()> {
        let columns: Vec<_> = batch.arrays().iter().map(Column::of).collect();
        let texts = KeptTexts::of(batch.arrays())?;
        let mut text = String::new();
        for (row, &code) in outputs.iter().enumerate() {
            if let Some(label) = self.labels.get(code as usize) {
                self.output.buffer.extend_from_slice(label);
            }
            let mut at = 0;
            let mut wrong = None;
            texts.each(row, &mut text, |field| {
                self.output.buffer.extend_from_slice(&self.keys[at]);
                match columns[at].form(row) {
                    Form::Null => self.output.buffer.extend_from_slice(b"null"),
                    Form::Text => append_text(field, &mut self.output.buffer),
                    Form::Plain => self.output.buffer.extend_from_slice(field.as_bytes()),
                    Form::Infinite => wrong = Some(at),
                }
                at += 1;
            })?;
            if let Some(at) = wrong {
                let (row, name) = (batch.first_row + row as u64 + 1, &self.names[at]);
                return Err(Error::input(format!(
                    "row {row}, column {name:?}: an infinite number, which JSON has not"
                )));
            }
            self.write_texts(batch, row, batch.arrays().len())?;
        }
        Ok(())
    }
}

impl RecordSink for JsonLinesSink<'_> {
    fn write_batch(&mut self, batch: &Batch, outputs: &[u32]) -> Result<()> {
        assert_eq!(batch.len(), outputs.len(), "one output per record");
        if !batch.arrays().is_empty() {
            return self.write_arrays(batch, outputs);
        }
        for (row, &code) in outputs.iter().enumerate() {
            self.output.buffer.extend_from_slice(&self.labels[code as usize]);
            self.write_texts(batch, row, 0)?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<bool> {
        self.output.flush()
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.output.finish()
    }
}

fn key(before: u8, name: &str) -> Vec<u8> {
    let mut bytes = vec![before];
    append_text(name, &mut bytes);
    bytes.push(b':');
    bytes
}

#[inline]
fn append_text(text: &str, buffer: &mut Vec<u8>) {
    serde_json::to_writer(buffer, text).expect("a buffer takes every text");
}

/// The type of the values, also where they stand in a dictionary.
fn value_type(data_type: &DataType) -> &DataType {
    match data_type {
        DataType::Dictionary(_, value) => value,
        plain => plain,
    }
}

/// How a value is written.
enum Form {
    Null,
    /// In quotes.
    Text,
    /// As it is.
    Plain,
    Infinite,
}

/// A column of arrays.
struct Column<'a> {
    array: &'a ArrayRef,
    is_plain: bool,
}

impl<'a> Column<'a> {
    fn of(array: &'a ArrayRef) -> Self {
        let data_type = value_type(array.data_type());
        Column { array, is_plain: data_type.is_numeric() || *data_type == DataType::Boolean }
    }

    fn form(&self, row: usize) -> Form {
        let (mut array, mut row) = (self.array, row);
        if array.is_null(row) || *array.data_type() == DataType::Null {
            return Form::Null;
        }
        if let Some(dictionary) = array.as_any_dictionary_opt() {
            row = dictionary.normalized_keys()[row];
            array = dictionary.values();
            if array.is_null(row) {
                return Form::Null;
            }
        }
        let float = match array.data_type() {
            DataType::Float16 => array.as_primitive::<Float16Type>().value(row).to_f64(),
            DataType::Float32 => array.as_primitive::<Float32Type>().value(row).into(),
            DataType::Float64 => array.as_primitive::<Float64Type>().value(row),
            _ => return if self.is_plain { Form::Plain } else { Form::Text },
        };
        match float {
            // JSON has no other word for it.
            float if float.is_nan() => Form::Null,
            float if float.is_infinite() => Form::Infinite,
            _ => Form::Plain,
        }
    }
}

#[cfg(test)]
#[path = "jsonl_sink_tests.rs"]
mod tests;
