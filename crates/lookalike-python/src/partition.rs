//! The record batches of a task of an engine, such as Spark, that has the loop.

use crate::error::{Answer, Failure};
use crate::mechanism::Mechanism;
use crate::release::fresh_key;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{Field, Schema, SchemaRef};
use lookalike::sample::RandomKey;
use lookalike_engine::records::{Batch, Columns, LabelArrays, RecordBatches, profile_encoder, value_encoder};
use lookalike_engine::{BatchMechanism, RowWords, check_in_clear, unknown_code};
use pyo3::prelude::*;
use pyo3_arrow::{PyRecordBatch, PySchema};
use std::sync::{Arc, Mutex, PoisonError};

/// Releases the records of one task, batch by batch.
///
/// Without a key the words are those of a key of its own from the operating system. With one, a row's words follow from
/// the mechanism, the columns that are released and the row's name in `row_key`.
#[pyclass(module = "lookalike._lookalike", frozen)]
pub struct Partition {
    mechanism: Py<Mechanism>,
    schema: SchemaRef,
    task: Mutex<Task>,
}

struct Task {
    records: RecordBatches,
    labels: LabelArrays,
    words: Words,
    batch: Batch,
    outputs: Vec<u32>,
}

/// Where the randomness of a row comes from.
enum Words {
    Drawn(RandomKey),
    /// From the names in a column of the batches, with its place.
    Named(RowWords, String, usize),
}

#[pymethods]
impl Partition {
    /// A task over batches of this schema. The joint name of several columns of values is that of the command line.
    #[new]
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (mechanism, schema, profile, values, keep, unknown_as, key, row_key))]
    fn new(
        mechanism: Py<Mechanism>,
        schema: PySchema,
        profile: Option<String>,
        values: Vec<String>,
        keep: Vec<String>,
        unknown_as: Option<&str>,
        key: Option<[u8; 32]>,
        row_key: Option<String>,
    ) -> Answer<Self> {
        let (schema, model) = (schema.into_inner(), mechanism.get().inner());
        let name = values.join("|");
        let columns = Columns { profile, values, keep };
        check_in_clear(&columns, None)?;
        let words = words(&schema, &columns, model, key.zip(row_key))?;
        let (value, unknown) = value_encoder(model, unknown_code(unknown_as, model.inputs())?)?;
        let profile = profile_encoder(model)?;
        // As on the command line: the column of profiles is read where profiles have channels of their own.
        let read = Columns { profile: columns.profile.filter(|_| profile.is_some()), ..columns };
        let records = RecordBatches::new(&schema, &read, profile, Some(value), unknown)?;
        let labels: Vec<String> = model.outputs().names().iter().map(str::to_owned).collect();
        let labels = LabelArrays::new(&labels, &records.schema().value);
        let released = Arc::new(Field::new(name, labels.data_type(), false));
        let kept = records.schema().kept.iter().cloned();
        let schema = Schema::new(std::iter::once(released).chain(kept).collect::<Vec<_>>());
        let task = Task { records, labels, words, batch: Batch::default(), outputs: Vec::new() };
        Ok(Partition { mechanism, schema: Arc::new(schema), task: Mutex::new(task) })
    }

    /// The schema of what is released.
    #[getter]
    fn schema(&self) -> PySchema {
        PySchema::new(self.schema.clone())
    }

    /// The next batch of records, released.
    fn release(&self, py: Python<'_>, batch: PyRecordBatch) -> Answer<PyRecordBatch> {
        let records = batch.into_inner();
        let released = py.detach(|| {
            let mut task = self.task.lock().unwrap_or_else(PoisonError::into_inner);
            let columns = task.release(self.mechanism.get(), &records)?;
            RecordBatch::try_new(self.schema.clone(), columns)
                .map_err(|_| Failure::input("a batch whose columns differ in type from the others, expected one type"))
        });
        Ok(PyRecordBatch::new(released?))
    }
}

impl Task {
    /// The released column and those that are kept.
    fn release(&mut self, mechanism: &Mechanism, records: &RecordBatch) -> Answer<Vec<ArrayRef>> {
        let Task { records: reader, labels, words, batch, outputs } = self;
        reader.read(records, batch)?;
        outputs.clear();
        outputs.resize(batch.len(), 0);
        let sampler = mechanism.sampler()?;
        match words {
            Words::Drawn(key) => sampler.draw(key, batch, outputs)?,
            Words::Named(words, column, place) => {
                let names = records.column(*place);
                let words = words.of(names, column, batch.first_row, sampler.words_per_row())?;
                let profiles = (!batch.profiles.is_empty()).then_some(&batch.profiles[..]);
                sampler.privatize_with_words(&words, batch.first_row, profiles, &batch.values, outputs)?;
            }
        }
        let released = labels.array(outputs)?;
        Ok(std::iter::once(released).chain(batch.arrays().iter().cloned()).collect())
    }
}

/// Fresh words, or those of rows by a key and the column of their names.
fn words(
    schema: &Schema,
    columns: &Columns,
    mechanism: &lookalike::model::Mechanism,
    keyed: Option<([u8; 32], String)>,
) -> Answer<Words> {
    let Some((key, name)) = keyed else { return Ok(Words::Drawn(fresh_key()?)) };
    if columns.profile.as_ref() == Some(&name) || columns.values.contains(&name) {
        // Words that depend on what they are to hide hide nothing.
        return Err(Failure::input(format!(
            "row_key {name:?}: this column is private, expected one that names the observation whatever it is"
        )));
    }
    let place = schema.index_of(&name).map_err(|_| Failure::input(format!("row_key: no column is called {name:?}")))?;
    RowWords::check(&name, schema.field(place).data_type())?;
    Ok(Words::Named(RowWords::new(&key, mechanism, &columns.values), name, place))
}
