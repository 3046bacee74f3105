//! How reports of each kind are counted and read back.

use crate::records::{Columns, Encoder, Input, RecordSource, open_columns, open_source};
use crate::{Cohort, EstimateNames, Outputs, Result, count_reports, count_supports};
use lookalike::estimate::{Confidence, Estimate, Estimator, SupportEstimator};
use lookalike::model::{Mechanism, Oracle};

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
                counts.into_iter().map(|counts| Counts { reports: counts.iter().sum(), counts }).collect()
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
