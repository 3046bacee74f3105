//! How reports of each kind are counted and read back.

use super::reports::{Cohort, EstimateNames, Outputs, count_reports};
use super::supports::count_supports;
use lookalike::Sentence;
use lookalike::estimate::{Confidence, Estimate, Estimator, Reported, SupportEstimator, Trust};
use lookalike::model::{Mechanism, Oracle};
use lookalike_formats::records::Columns;
use lookalike_formats::{Error, MechanismKind, Result};
use lookalike_records::{Encoder, Input, RecordSource, open_columns, open_source};

/// A kind of mechanism whose reports tell of shares, or not.
pub trait ReadBack: MechanismKind {
    /// Refuses a kind whose reports tell of no shares, before anything is proved.
    ///
    /// # Errors
    /// Noise.
    fn check_shares(&self) -> Result<()> {
        Ok(())
    }

    /// The way back from its reports: with this trust, or with what is usual for all reports together or in cohorts.
    ///
    /// # Errors
    /// Those of `check_shares`, and trust in profiles that cannot be had.
    fn reader(&self, trust: Option<Trust>, in_cohorts: bool) -> Result<ReportReader<'_>>;
}

/// A way from reports to shares.
pub enum ReportReader<'a> {
    /// A report is an output of the channels.
    Channels(&'a Mechanism, Box<Estimator>),
    /// A report supports some of the oracle's categories.
    Support(&'a Oracle, Box<SupportEstimator>),
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
    pub(super) fn add(&mut self, other: &Counts) -> Result<()> {
        self.reports += other.reports;
        self.counts.iter_mut().zip(&other.counts).for_each(|(count, more)| *count += more);
        if self.reports > MOST_REPORTS { Err(Error::input(TOO_MANY)) } else { Ok(()) }
    }
}

impl<'a> ReportReader<'a> {
    /// From the outputs of a mechanism; what is trusted where nobody says is what is [usual](Trust::usual) there.
    ///
    /// # Errors
    /// A mechanism with too many channels, or profiles or limits that cannot be trusted.
    pub fn channels(mechanism: &'a Mechanism, trust: Option<Trust>, in_cohorts: bool) -> Result<Self> {
        let trust = trust.unwrap_or_else(|| Trust::usual(mechanism, in_cohorts));
        Ok(ReportReader::Channels(mechanism, Box::new(Estimator::new(mechanism, trust)?)))
    }

    /// From the reports of an oracle.
    ///
    /// # Errors
    /// Trust in profiles or their limits, which an oracle has not.
    pub fn support(oracle: &'a Oracle, trust: Option<Trust>) -> Result<Self> {
        if let Some(trust) = trust.filter(|trust| *trust != Trust::Nothing) {
            let found = Sentence::new().option("trust").word(trust.name());
            return Err(Error::input(found.text(", but an oracle has no profiles to trust")));
        }
        Ok(ReportReader::Support(oracle, Box::new(SupportEstimator::new(oracle))))
    }

    /// What the figures are about.
    pub fn names(&self) -> EstimateNames<'_> {
        match self {
            ReportReader::Channels(mechanism, _) => (*mechanism).into(),
            ReportReader::Support(oracle, _) => (*oracle).into(),
        }
    }

    /// The columns to read: the reports, and the cohort and how many reports a row stands for, if there are such.
    pub fn columns(&self, value: &str, by: Option<&str>, count: Option<&str>) -> Columns {
        let (profile, column) = (by.map(Into::into), vec![value.to_owned()]);
        match self {
            ReportReader::Channels(..) => {
                Columns { profile, values: column, keep: count.into_iter().map(Into::into).collect() }
            }
            ReportReader::Support(..) => Columns { profile, values: Vec::new(), keep: column },
        }
    }

    /// How the reports are matched; `None` where they are read as they are.
    ///
    /// # Errors
    /// None for a mechanism.
    pub fn encoder(&self) -> Result<Option<Encoder>> {
        match self {
            ReportReader::Channels(mechanism, _) => Ok(Some(Box::new(Outputs::of(mechanism)?))),
            ReportReader::Support(..) => Ok(None),
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
            ReportReader::Channels(mechanism, _) => {
                let counts = count_reports(source, mechanism.outputs().len(), counted, progress)?;
                counts.into_iter().map(Counts::of_outputs).collect::<Result<_>>()?
            }
            ReportReader::Support(..) if counted.is_some() => {
                return Err(Error::input(
                    "a column of counts, but each report of an oracle is read by itself: expected a row each",
                ));
            }
            ReportReader::Support(oracle, _) => {
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
            ReportReader::Channels(_, estimator) => {
                let reported = |counts: Counts| Reported::new(counts.counts).with_stand_ins(stand_ins);
                let reported: Vec<Reported> = counts.into_iter().map(reported).collect::<lookalike::Result<_>>()?;
                Ok(estimator.estimate_cohorts(&reported, confidence)?)
            }
            ReportReader::Support(_, estimator) => {
                let supported: Vec<_> = counts.into_iter().map(|counts| (counts.counts, counts.reports)).collect();
                Ok(estimator.estimate_cohorts(&supported, stand_ins, confidence)?)
            }
        }
    }
}
