//! An estimate, from what is asked to what reports tell.

use super::estimate_facts::EstimateFacts;
use super::report_reader::{Counts, ReportReader};
use super::reports::Cohort;
use crate::release::ReleaseNote;
use lookalike::Sentence;
use lookalike::estimate::Confidence;
use lookalike_formats::{Error, Result};
use lookalike_records::{
    Encoder, GrowingLabels, MemoryColumn, MemorySource, RecordBytes, RecordFile, RecordSource, at_input, is_same_place,
};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// What reports tell of the true values.
pub struct EstimateRequest<'a> {
    /// Where the reports are.
    pub records: ReportRecords<'a>,
    /// The privatized column.
    pub value: &'a str,
    /// A public column: an estimate for each of its values.
    pub by: Option<&'a str>,
    /// A column that says how many reports a row stands for; one without it.
    pub count: Option<&'a str>,
    /// How many of the reports a ledger has drawn without a look at the value.
    pub stand_ins: u64,
    /// What was written beside the releases, which says how many there are and how many stand in.
    pub notes: &'a [ReleaseNote],
    /// How often an interval is to cover the truth.
    pub confidence: Confidence,
}

/// Where reports are.
pub enum ReportRecords<'a> {
    /// In files, whose reports add up.
    Files(&'a [RecordFile<'a>]),
    /// In memory, as a file would have them.
    Bytes(RecordBytes<'a>),
    /// In columns with these names.
    Memory(Vec<(&'a str, Box<dyn MemoryColumn + 'a>)>),
}

/// What reports told.
pub struct EstimateOutcome<'a> {
    /// How they were read back.
    pub reader: &'a ReportReader<'a>,
    /// An estimate for all, or one for each value of a public column, in the order of their names.
    pub cohorts: Vec<Cohort>,
}

impl EstimateOutcome<'_> {
    /// What is said of it.
    pub fn facts(&self) -> EstimateFacts<'_> {
        EstimateFacts::of(self.reader.names(), &self.cohorts)
    }

    /// Whether the profiles, or their limits, were to be trusted and the reports do not fit them.
    pub fn is_refuted(&self) -> bool {
        let refuted = |(_, estimate): &Cohort| estimate.trust.is_about_population() && estimate.misfit.is_some();
        self.cohorts.iter().any(refuted)
    }
}

/// What is told of the way: how many bytes, or rows in memory, were read of which file.
type Told<'p> = &'p mut (dyn FnMut(usize, u64) + Send);

impl EstimateRequest<'_> {
    /// Counts the reports and reads them back. Files are read on all cores.
    ///
    /// # Errors
    /// What would make intervals too narrow: a file that counts twice, or cohorts by what was released. Those of the files, by
    /// row and column; no report, or another number than the notes say; a confidence that is not between 0 and 1.
    pub fn run<'r>(self, reader: &'r ReportReader<'r>, progress: Told<'_>) -> Result<EstimateOutcome<'r>> {
        self.check()?;
        let stand_ins = self.stand_ins + self.notes.iter().map(|note| note.stand_ins).sum::<u64>();
        let expected = (!self.notes.is_empty()).then(|| self.notes.iter().map(|note| note.rows).sum::<u64>());
        let confidence = self.confidence;
        let counted = self.counted(reader, progress)?;
        let found: u64 = counted.values().map(|counts| counts.reports).sum();
        if let Some(expected) = expected.filter(|expected| *expected != found) {
            return Err(Error::input(format!(
                "{found} reports, expected {expected}: the notes are those of other releases"
            )));
        }
        Ok(EstimateOutcome { reader, cohorts: reader.cohorts(counted.into_iter().collect(), stand_ins, confidence)? })
    }

    fn check(&self) -> Result<()> {
        if let ReportRecords::Files(files) = &self.records {
            let twice = |&at: &usize| files[..at].iter().any(|earlier| is_same_place(earlier.path, files[at].path));
            if let Some(at) = (0..files.len()).find(twice) {
                let error = Error::input("given twice, so that its reports would count twice");
                return Err(error.in_file(files[at].path));
            }
        }
        let (by, count, value) = (self.by, self.count, Some(self.value));
        let pairs = [("by", by, "value", value), ("by", by, "count", count), ("count", count, "value", value)];
        match pairs.into_iter().find(|(_, column, _, other)| column.is_some() && column == other) {
            Some((option, Some(column), other, _)) => {
                let found = Sentence::from("this is the column of ").option(other).text(", expected another one");
                Err(Error::input(found).at_option(Sentence::new().option(option).word(column)))
            }
            _ => Ok(()),
        }
    }

    /// What was reported of each cohort, by name where there are several.
    fn counted(self, reader: &ReportReader<'_>, progress: Told<'_>) -> Result<BTreeMap<Option<String>, Counts>> {
        let way = Way { value: self.value, by: self.by, count: self.count, reader };
        match self.records {
            ReportRecords::Files(files) => way.of_files(files, progress),
            ReportRecords::Bytes(bytes) => {
                let wanted = reader.columns(way.value, way.by, way.count);
                let open = |cohort| match reader.encoder()? {
                    Some(outputs) => bytes.open_source(&wanted, cohort, outputs, None),
                    None => bytes.open_columns(&wanted, cohort),
                };
                Ok(way.counted(open, &mut |read| progress(0, read))?.into_iter().collect())
            }
            ReportRecords::Memory(columns) => {
                let wanted = reader.columns(way.value, way.by, way.count);
                let open = |cohort| -> Result<Box<dyn RecordSource + '_>> {
                    Ok(Box::new(MemorySource::open(columns, &wanted, cohort, reader.encoder()?, None)?))
                };
                Ok(way.counted(open, &mut |rows| progress(0, rows))?.into_iter().collect())
            }
        }
    }
}

/// How the columns of a source are counted.
struct Way<'w> {
    value: &'w str,
    by: Option<&'w str>,
    count: Option<&'w str>,
    reader: &'w ReportReader<'w>,
}

impl Way<'_> {
    fn of_files(&self, files: &[RecordFile<'_>], progress: Told<'_>) -> Result<BTreeMap<Option<String>, Counts>> {
        let progress = Mutex::new(progress);
        let counted = files.par_iter().enumerate().map(|(at, file)| {
            let mut told = |bytes| progress.lock().expect("nothing panics while it holds the lock")(at, bytes);
            let columns = self.reader.columns(self.value, self.by, self.count);
            let open = |cohort| self.reader.open(&file.input(&columns), cohort);
            self.counted(open, &mut told).map_err(|error| at_input(error, file.path))
        });
        let mut all: BTreeMap<Option<String>, Counts> = BTreeMap::new();
        // In the order of the files, so that it is the first error that is told.
        for (file, counted) in files.iter().zip(counted.collect::<Vec<_>>()) {
            for (name, counts) in counted? {
                match all.get_mut(&name) {
                    Some(sum) => sum.add(&counts).map_err(|error| at_input(error, file.path))?,
                    None => drop(all.insert(name, counts)),
                }
            }
        }
        Ok(all)
    }

    /// What one source reports.
    fn counted<'s>(
        &self,
        open: impl FnOnce(Option<Encoder>) -> Result<Box<dyn RecordSource + 's>>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Vec<(Option<String>, Counts)>> {
        let found = GrowingLabels::default();
        let cohort: Option<Encoder> = self.by.map(|_| -> Encoder { Box::new(found.clone()) });
        let mut source = open(cohort)?;
        let counts = self.reader.count(&mut *source, self.count, progress)?;
        if counts.iter().all(|counts| counts.reports == 0) {
            return Err(Error::input("no reports, expected at least one"));
        }
        let names: Vec<Option<String>> = match self.by {
            Some(_) => found.names().into_iter().map(Some).collect(),
            None => vec![None],
        };
        Ok(names.into_iter().zip(counts).collect())
    }
}
