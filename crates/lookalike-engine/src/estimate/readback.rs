//! How reports of each kind are counted and read back.

use super::reports::{Cohort, EstimateNames, Outputs, count_reports};
use super::supports::count_supports;
use lookalike::estimate::{Confidence, Estimate, Estimator, Reported, SupportEstimator};
use lookalike::model::{Mechanism, Oracle};
use lookalike_formats::records::Columns;
use lookalike_formats::{Error, Result};
use lookalike_records::{Encoder, GrowingLabels, Input, RecordFile, RecordSource, at_input, open_columns, open_source};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

/// A way from reports to shares.
pub enum Readback<'a> {
    /// A report is an output of the channels.
    Channels(&'a Mechanism, &'a Estimator),
    /// A report supports some of the oracle's categories.
    Support(&'a Oracle, SupportEstimator),
}

/// What was reported in a cohort.
pub struct Counts {
    /// How many reports there are.
    pub reports: u64,
    /// How many were each output, or support each category.
    counts: Vec<u64>,
}

const MOST_REPORTS: u64 = 1 << 53;
pub(crate) const TOO_MANY: &str = "more than 2^53 reports, expected fewer";

impl Counts {
    /// What was reported where each report is an output: how often each was.
    ///
    /// # Errors
    /// More reports than 2^53, which a double counts.
    pub fn of_outputs(counts: Vec<u64>) -> Result<Self> {
        let sum = counts.iter().try_fold(0u64, |sum, count| sum.checked_add(*count));
        let reports = sum.filter(|sum| *sum <= MOST_REPORTS).ok_or_else(|| Error::input(TOO_MANY))?;
        Ok(Counts { reports, counts })
    }

    /// Those of another batch beside these.
    fn add(&mut self, other: &Counts) -> Result<()> {
        self.reports += other.reports;
        self.counts.iter_mut().zip(&other.counts).for_each(|(count, more)| *count += more);
        if self.reports > MOST_REPORTS { Err(Error::input(TOO_MANY)) } else { Ok(()) }
    }
}

impl Readback<'_> {
    /// What the figures are about.
    pub fn names(&self) -> EstimateNames<'_> {
        match self {
            Readback::Channels(mechanism, _) => (*mechanism).into(),
            Readback::Support(oracle, _) => (*oracle).into(),
        }
    }

    /// The columns to read: the reports, and the cohort and how many reports a row stands for, if there are such.
    pub fn columns(&self, value: &str, by: Option<&str>, count: Option<&str>) -> Columns {
        let (profile, column) = (by.map(Into::into), vec![value.to_owned()]);
        match self {
            Readback::Channels(..) => {
                Columns { profile, values: column, keep: count.into_iter().map(Into::into).collect() }
            }
            Readback::Support(..) => Columns { profile, values: Vec::new(), keep: column },
        }
    }

    /// How the reports are matched; `None` where they are read as they are.
    ///
    /// # Errors
    /// None for a mechanism.
    pub fn encoder(&self) -> Result<Option<Encoder>> {
        match self {
            Readback::Channels(mechanism, _) => Ok(Some(Box::new(Outputs::of(mechanism)?))),
            Readback::Support(..) => Ok(None),
        }
    }

    /// The source of the reports in a file.
    ///
    /// # Errors
    /// As [`open_source`].
    pub fn open(&self, input: &Input<'_>, cohort: Option<Encoder>) -> Result<Box<dyn RecordSource>> {
        match self.encoder()? {
            Some(outputs) => open_source(input, cohort, outputs, None),
            None => open_columns(input, cohort),
        }
    }

    /// Counts all reports, for each cohort by its code; the `counted` column says how many of them a row stands for.
    ///
    /// # Errors
    /// Those of the source, by row and column; counted reports of an oracle.
    pub fn count(
        &self,
        source: &mut dyn RecordSource,
        counted: Option<&str>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Vec<Counts>> {
        Ok(match self {
            Readback::Channels(mechanism, _) => {
                let counts = count_reports(source, mechanism.outputs().len(), counted, progress)?;
                counts.into_iter().map(Counts::of_outputs).collect::<Result<_>>()?
            }
            Readback::Support(..) if counted.is_some() => {
                return Err(Error::input(
                    "a column of counts, but each report of an oracle is read by itself: expected a row each",
                ));
            }
            Readback::Support(oracle, _) => {
                let tallies = count_supports(source, oracle, progress)?;
                tallies.iter().map(|tally| Counts { reports: tally.reports(), counts: tally.counts() }).collect()
            }
        })
    }

    /// The shares behind the counts of each cohort that reported, in the order of their names; `stand_ins` of the reports were
    /// drawn by a ledger without a look at the value. All at once, where that is asked for, is over all cohorts.
    ///
    /// # Errors
    /// A confidence that is not between 0 and 1; as many stand-ins as reports, or stand-ins that lie in one of several cohorts.
    pub fn cohorts(
        &self,
        reported: Vec<(Option<String>, Counts)>,
        stand_ins: u64,
        confidence: Confidence,
    ) -> Result<Vec<Cohort>> {
        // A name without a report can come from the dictionary of a Parquet file.
        let reported = reported.into_iter().filter(|(_, counts)| counts.reports > 0);
        let (names, counts): (Vec<Option<String>>, Vec<Counts>) = reported.unzip();
        if stand_ins > 0 && counts.len() > 1 {
            return Err(Error::input(format!(
                "{stand_ins} reports stand in for others in {} cohorts, expected to know in which: estimate all together, or \
                 each cohort by itself",
                counts.len()
            )));
        }
        let estimates = self.estimates(counts, stand_ins, confidence)?;
        let mut cohorts: Vec<Cohort> = names.into_iter().zip(estimates).collect();
        cohorts.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(cohorts)
    }

    /// The shares behind the counts.
    fn estimates(&self, counts: Vec<Counts>, stand_ins: u64, confidence: Confidence) -> Result<Vec<Estimate>> {
        match self {
            Readback::Channels(_, estimator) => {
                let reported = |counts: Counts| Reported::new(counts.counts).with_stand_ins(stand_ins);
                let reported: Vec<Reported> = counts.into_iter().map(reported).collect::<lookalike::Result<_>>()?;
                Ok(estimator.estimate_cohorts(&reported, confidence)?)
            }
            Readback::Support(_, estimator) => {
                let supported: Vec<_> = counts.into_iter().map(|counts| (counts.counts, counts.reports)).collect();
                Ok(estimator.estimate_cohorts(&supported, stand_ins, confidence)?)
            }
        }
    }
}

/// Where privatized records are.
#[derive(Debug, Clone, Copy)]
pub struct Reports<'a> {
    /// The files, whose reports add up.
    pub files: &'a [RecordFile<'a>],
    /// The privatized column.
    pub value: &'a str,
    /// A public column: an estimate for each of its values.
    pub by: Option<&'a str>,
    /// A column that says how many reports a row stands for; one without it.
    pub count: Option<&'a str>,
    /// How many of the reports a ledger has drawn without a look at the value.
    pub stand_ins: u64,
    /// How many reports there must be, where notes beside the releases say so.
    pub expected: Option<u64>,
}

impl Reports<'_> {
    /// An estimate for all, or one for each value of the public column, in the order of their names.
    ///
    /// Files are read on all cores; `progress` is told how many bytes of which file were read.
    ///
    /// # Errors
    /// Those of the files, by row and column, no report or another number than expected, or a confidence that is not between 0 and
    /// 1.
    pub fn estimate(
        &self,
        readback: &Readback<'_>,
        confidence: Confidence,
        progress: &mut (dyn FnMut(&Path, u64) + Send),
    ) -> Result<Vec<Cohort>> {
        let progress = Mutex::new(progress);
        let counted = self.files.par_iter().map(|file| {
            let mut told = |bytes| progress.lock().expect("nothing panics while it holds the lock")(file.path, bytes);
            self.counted(file, readback, &mut told).map_err(|error| at_input(error, file.path))
        });
        let mut all: BTreeMap<Option<String>, Counts> = BTreeMap::new();
        // In the order of the files, so that it is the first error that is told.
        for (file, counted) in self.files.iter().zip(counted.collect::<Vec<_>>()) {
            for (name, counts) in counted? {
                match all.get_mut(&name) {
                    Some(sum) => sum.add(&counts).map_err(|error| at_input(error, file.path))?,
                    None => drop(all.insert(name, counts)),
                }
            }
        }
        let found: u64 = all.values().map(|counts| counts.reports).sum();
        if let Some(expected) = self.expected.filter(|expected| *expected != found) {
            return Err(Error::input(format!(
                "{found} reports, expected {expected}: the notes are those of other releases"
            )));
        }
        readback.cohorts(all.into_iter().collect(), self.stand_ins, confidence)
    }

    /// What one file reports of each cohort, by name where there are several.
    fn counted(
        &self,
        file: &RecordFile<'_>,
        readback: &Readback<'_>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Vec<(Option<String>, Counts)>> {
        let found = GrowingLabels::default();
        let cohort: Option<Encoder> = self.by.map(|_| -> Encoder { Box::new(found.clone()) });
        let columns = readback.columns(self.value, self.by, self.count);
        let input = file.input(&columns);
        let mut source = readback.open(&input, cohort)?;
        let counts = readback.count(&mut *source, self.count, progress)?;
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
