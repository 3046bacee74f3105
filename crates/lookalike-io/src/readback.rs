//! How reports of each kind are counted and read back.

use crate::records::{
    Columns, CsvOptions, Encoder, Format, GrowingLabels, Input, RecordSource, open_columns, open_source,
};
use crate::{Cohort, Error, EstimateNames, Outputs, Result, at_input, count_reports, count_supports};
use lookalike::estimate::{Confidence, Estimate, Estimator, SupportEstimator};
use lookalike::model::{Mechanism, Oracle};
use std::path::Path;

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

impl Counts {
    /// What was reported where each report is an output: how often each was.
    pub fn of_outputs(counts: Vec<u64>) -> Self {
        Counts { reports: counts.iter().sum(), counts }
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

    /// The columns to read: the reports, and the cohort if there is one.
    pub fn columns(&self, value: &str, by: Option<&str>) -> Columns {
        let (profile, column) = (by.map(Into::into), vec![value.to_owned()]);
        match self {
            Readback::Channels(..) => Columns { profile, values: column, keep: Vec::new() },
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

    /// Counts all reports, for each cohort by its code.
    ///
    /// # Errors
    /// Those of the source, by row and column.
    pub fn count(&self, source: &mut dyn RecordSource, progress: &mut dyn FnMut(u64)) -> Result<Vec<Counts>> {
        Ok(match self {
            Readback::Channels(mechanism, _) => {
                let counts = count_reports(source, mechanism.outputs().len(), progress)?;
                counts.into_iter().map(Counts::of_outputs).collect()
            }
            Readback::Support(oracle, _) => {
                let tallies = count_supports(source, oracle, progress)?;
                tallies.iter().map(|tally| Counts { reports: tally.reports(), counts: tally.counts() }).collect()
            }
        })
    }

    /// The shares behind the counts of each cohort that reported, in the order of their names. All at once, where that is
    /// asked for, is over all cohorts.
    ///
    /// # Errors
    /// A confidence that is not between 0 and 1.
    pub fn cohorts(&self, reported: Vec<(Option<String>, Counts)>, confidence: Confidence) -> Result<Vec<Cohort>> {
        // A name without a report can come from the dictionary of a Parquet file.
        let reported: Vec<_> = reported.into_iter().filter(|(_, counts)| counts.reports > 0).collect();
        let split = if confidence.simultaneous { reported.len() as f64 } else { 1.0 };
        let each = Confidence { level: 1.0 - (1.0 - confidence.level) / split, ..confidence };
        let one = |(name, counts): (Option<String>, Counts)| {
            let estimate = self.estimate(&counts, if confidence.is_valid() { each } else { confidence })?;
            Ok((name, Estimate { confidence: confidence.level, ..estimate }))
        };
        let mut cohorts: Vec<Cohort> = reported.into_iter().map(one).collect::<Result<_>>()?;
        cohorts.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(cohorts)
    }

    /// The shares behind the counts.
    fn estimate(&self, counts: &Counts, confidence: Confidence) -> Result<Estimate> {
        Ok(match self {
            Readback::Channels(_, estimator) => estimator.estimate(&counts.counts, confidence),
            Readback::Support(_, estimator) => estimator.estimate(&counts.counts, counts.reports, confidence),
        }?)
    }
}

/// Where privatized records are.
#[derive(Debug, Clone, Copy)]
pub struct Reports<'a> {
    /// The file; `-` is standard input.
    pub data: &'a Path,
    /// Its format.
    pub format: Format,
    /// How CSV is read.
    pub csv: &'a CsvOptions,
    /// The privatized column.
    pub value: &'a str,
    /// A public column: an estimate for each of its values.
    pub by: Option<&'a str>,
}

impl Reports<'_> {
    /// An estimate for all, or one for each value of the public column, in the order of their names.
    ///
    /// # Errors
    /// Those of the file, by row and column, no report, or a confidence that is not between 0 and 1.
    pub fn estimate(
        &self,
        readback: &Readback<'_>,
        confidence: Confidence,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Vec<Cohort>> {
        let counted = self.counted(readback, progress).map_err(|error| at_input(error, self.data))?;
        readback.cohorts(counted, confidence)
    }

    /// What was reported in each cohort, by name where there are several.
    fn counted(&self, readback: &Readback<'_>, progress: &mut dyn FnMut(u64)) -> Result<Vec<(Option<String>, Counts)>> {
        let found = GrowingLabels::default();
        let cohort: Option<Encoder> = self.by.map(|_| -> Encoder { Box::new(found.clone()) });
        let columns = readback.columns(self.value, self.by);
        let input = Input { path: self.data, format: self.format, csv: self.csv, columns: &columns, charging: None };
        let mut source = readback.open(&input, cohort)?;
        let counts = readback.count(&mut *source, progress)?;
        if counts.is_empty() {
            return Err(Error::input("no reports, expected at least one"));
        }
        let names: Vec<Option<String>> = match self.by {
            Some(_) => found.names().into_iter().map(Some).collect(),
            None => vec![None],
        };
        Ok(names.into_iter().zip(counts).collect())
    }
}
