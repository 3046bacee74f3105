//! How reports of each kind are counted and read back.

use lookalike::estimate::{Confidence, Estimate, Estimator, SupportEstimator};
use lookalike::model::{Mechanism, Oracle};
use lookalike_io::records::{Columns, Encoder, Input, RecordSource, open_columns, open_source};
use lookalike_io::{EstimateNames, Outputs, Result, count_reports, count_supports};

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

    /// The source of the reports.
    pub fn open(&self, input: &Input<'_>, cohort: Option<Encoder>) -> Result<Box<dyn RecordSource>> {
        match self {
            Readback::Channels(mechanism, _) => open_source(input, cohort, Box::new(Outputs::of(mechanism)?), None),
            Readback::Support(..) => open_columns(input, cohort),
        }
    }

    /// Counts all reports, for each cohort by its code.
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

    /// The shares behind the counts.
    pub fn estimate(&self, counts: &Counts, confidence: Confidence) -> Result<Estimate> {
        Ok(match self {
            Readback::Channels(_, estimator) => estimator.estimate(&counts.counts, confidence),
            Readback::Support(_, estimator) => estimator.estimate(&counts.counts, counts.reports, confidence),
        }?)
    }
}
