//! Whom records are about, read beside them.

use super::ledger_file::Ledger;
use crate::facts::{LedgerKey, SubjectNames};
use arrow_schema::FieldRef;
use lookalike::Sentence;
use lookalike_formats::{Error, Result};
use lookalike_records::{Batch, Id, NameRecords, RecordId, RecordSchema, RecordSource, Texts, kept_arrays};
use std::path::{Path, PathBuf};

/// Which columns say whom records are about, and which observation each one is.
#[derive(Debug, Clone)]
pub struct IdColumns {
    /// The column of subjects.
    pub subject: String,
    /// The column of observations; without one a record is known by its file and row.
    pub observation: Option<String>,
    key: LedgerKey,
    names: SubjectNames,
    /// The hash of the file, where rows are known by it.
    file: [u8; 32],
    /// The file that refusals name.
    path: Option<PathBuf>,
}

impl IdColumns {
    /// For the records of a file, of which every byte is read where no column names the observations.
    ///
    /// # Errors
    /// A file that cannot be read, and standard input without a column of observations.
    pub fn of_file(subject: String, observation: Option<String>, ledger: &Ledger, path: &Path) -> Result<IdColumns> {
        let mut hasher = blake3::Hasher::new();
        if observation.is_none() {
            let named = Sentence::new().option("observation").taking("COLUMN").text(" names each");
            if path == Path::new("-") {
                return Err(Error::input(
                    "standard input with a ledger: a record must be known again, and a stream has no name",
                )
                .hint(named));
            }
            if std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
                return Err(Error::input(
                    "a ledger knows these records by the bytes of their file, and this is no regular file",
                )
                .hint(named)
                .in_file(path));
            }
            let read = lookalike_records::open_input(path).and_then(|file| hasher.update_reader(file).map(|_| ()));
            read.map_err(|error| Error::system("cannot read", error).in_file(path))?;
        }
        Ok(IdColumns {
            subject,
            observation,
            key: ledger.key().clone(),
            names: ledger.names(),
            file: *hasher.finalize().as_bytes(),
            path: Some(path.to_owned()),
        })
    }

    /// For records in memory, each known by its observation.
    pub fn of_memory(subject: String, observation: String, ledger: &Ledger) -> IdColumns {
        let (key, names) = (ledger.key().clone(), ledger.names());
        IdColumns { subject, observation: Some(observation), key, names, file: [0; 32], path: None }
    }

    /// Names the file in front of a refusal of one of its rows.
    pub(crate) fn at_input(&self, error: Error) -> Error {
        match &self.path {
            Some(path) => lookalike_records::at_input(error, path),
            None => error,
        }
    }

    /// The columns to read so that these are among them.
    pub fn beside(&self, keep: &[String]) -> Vec<String> {
        let mut all = keep.to_vec();
        for name in std::iter::once(&self.subject).chain(&self.observation) {
            if !all.contains(name) {
                all.push(name.clone());
            }
        }
        all
    }
}

impl NameRecords for IdColumns {
    fn beside(&self, keep: &[String]) -> Vec<String> {
        IdColumns::beside(self, keep)
    }

    fn named<'a>(&self, source: Box<dyn RecordSource + 'a>, kept: usize, trim: bool) -> Box<dyn RecordSource + 'a> {
        Box::new(IdSource::new(source, self.clone(), kept, trim))
    }
}

/// A source that gives each record its name and passes on the kept columns without those that were read for it.
pub struct IdSource<'a> {
    source: Box<dyn RecordSource + 'a>,
    ids: IdColumns,
    fields: Vec<FieldRef>,
    /// How many of the kept columns are to be passed on: the first ones.
    kept: usize,
    trim: bool,
}

impl<'a> IdSource<'a> {
    /// Around a source that keeps [`IdColumns::beside`] of so many columns that are to be passed on.
    pub fn new(source: Box<dyn RecordSource + 'a>, ids: IdColumns, kept: usize, trim: bool) -> Self {
        let fields = source.schema().kept;
        IdSource { source, ids, fields, kept, trim }
    }

    fn identify(&self, batch: &Batch) -> Result<Vec<RecordId>> {
        let columns = kept_arrays(batch, &self.fields)?;
        let place = |name: &str| self.fields.iter().position(|field| field.name() == name).expect("read beside");
        let subjects = Texts::of(&columns[place(&self.ids.subject)]);
        let observations = self.ids.observation.as_ref().map(|name| (name, Texts::of(&columns[place(name)])));
        let (IdColumns { key, names, file, .. }, mut text) = (&self.ids, String::new());
        let mut read = |texts: &Texts<'_>, row: usize, known: &dyn Fn(&str) -> Option<Id>, column: &str, what: &str| {
            text.clear();
            let found = texts.append(row, &mut text);
            let name = if self.trim { text.trim() } else { &text };
            known(name).filter(|_| found).ok_or_else(|| {
                let row = batch.first_row + row as u64 + 1;
                Error::input(format!("row {row}, column {column:?}: empty, expected {what}"))
            })
        };
        let id = |row: usize| {
            let known = |name: &str| names.known_subject(key, name);
            let subject = read(&subjects, row, &known, &self.ids.subject, "whom the record is about")?;
            let record = match &observations {
                Some((column, texts)) => {
                    let known = |name: &str| names.known_observation(key, &subject, name);
                    read(texts, row, &known, column, "the name of the observation")?
                }
                None => key.row(&subject, file, batch.first_row + row as u64),
            };
            Ok(RecordId { subject, record })
        };
        (0..batch.len()).map(id).collect()
    }
}

impl RecordSource for IdSource<'_> {
    fn read_batch(&mut self, batch: &mut Batch) -> Result<bool> {
        if !self.source.read_batch(batch)? {
            return Ok(false);
        }
        batch.ids = self.identify(batch)?;
        batch.keep_only(self.kept);
        Ok(true)
    }

    fn schema(&self) -> RecordSchema {
        let mut schema = self.source.schema();
        schema.kept.truncate(self.kept);
        schema
    }

    fn bytes_read(&self) -> u64 {
        self.source.bytes_read()
    }

    fn may_wait(&self) -> bool {
        self.source.may_wait()
    }
}
