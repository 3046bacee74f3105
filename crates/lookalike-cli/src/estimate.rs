//! `lookalike estimate`.

mod prediction;
mod text;

pub use lookalike_engine::Readback;
pub use text::text;

use crate::Answer;
use crate::certify::proved;
use crate::formats::{Formulas, InputFormat};
use crate::streams::length;
use crate::terminal::Terminal;
use lookalike::estimate::{Confidence, Estimator, SupportEstimator, Trust};
use lookalike_engine::records::{CsvOptions, RecordFile};
use lookalike_engine::{
    Cohort, Comparison, FigureChoice, FigureOrder, ReadFile, ReleaseNote, Reports, check_estimate_file, estimates_json,
    is_same_place, write_estimates,
};
use lookalike_formats::{AnyMechanism, Error, Result};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Read statistics back from privatized records, with intervals
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike estimate m.json private.csv --value load
  lookalike estimate m.json private.parquet --value load --by day --confidence 0.99 --simultaneous
  lookalike estimate m.json january.csv february.csv --value load --sort share --top 10
  lookalike estimate m.json counts.csv --value load --count n      # SELECT load, COUNT(*) AS n … GROUP BY load
  lookalike estimate m.json private.csv --value load -o estimate.parquet
  lookalike estimate m.json --predict 10000     # how wide the intervals will be, before anything is collected

The records are the output of `privatize`, reports of an oracle (`lookalike local`) as well. A column for --by must be public: kept in clear when they were released.
Intervals hold however few reports there are, and whatever the profiles are unless --trust profiles is given: docs/estimate.md.
Exit code 1: the reports do not fit the profiles that were to be trusted.")]
pub struct EstimateVerb {
    /// The mechanism file
    mechanism: PathBuf,
    /// The privatized records: CSV, Parquet or Arrow, several files are added up; - for standard input
    #[arg(required_unless_present = "predict")]
    data: Vec<PathBuf>,
    /// The privatized column
    #[arg(long, value_name = "COLUMN", default_value = "value")]
    value: String,
    /// A public column: an estimate for each of its values
    #[arg(long, value_name = "COLUMN")]
    by: Option<String>,
    /// A column that says how many reports a row stands for: the data are counts
    #[arg(long, value_name = "COLUMN")]
    count: Option<String>,
    /// Write the estimates too: a table as CSV, Parquet or Arrow, or all of them as JSON
    #[arg(long, short, value_name = "FILE", conflicts_with = "predict")]
    output: Option<PathBuf>,
    #[command(flatten)]
    formulas: Formulas,
    /// Show the largest shares only, so many for each cohort
    #[arg(long, value_name = "N", conflicts_with = "predict")]
    top: Option<usize>,
    /// The order of the table: mechanism, share (the largest first) or name
    #[arg(long, value_name = "ORDER", default_value = "mechanism", value_parser = order, conflicts_with = "predict")]
    sort: FigureOrder,
    /// How often an interval is to cover the truth
    #[arg(long, value_name = "P", default_value_t = 0.95)]
    confidence: f64,
    /// Intervals that are to cover the truth all at once with that probability
    #[arg(long)]
    simultaneous: bool,
    /// What the figures rest on: `nothing` (those who reported, whatever the profiles are) or `profiles` (values are drawn
    /// from the profiles of the mechanism, in every cohort too)
    #[arg(long, value_name = "nothing|profiles", default_value = "nothing")]
    trust: Trust,
    /// How many of the records a ledger replaced without a look at their value
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "predict")]
    stand_ins: u64,
    /// The note that `privatize --note` wrote beside the release, which says how many; one for each file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["predict", "stand_ins"])]
    note: Vec<PathBuf>,
    /// How wide the intervals from so many reports will be, beside those of local DP
    #[arg(long, value_name = "N", conflicts_with_all = ["data", "by", "count"])]
    predict: Option<u64>,
    #[command(flatten)]
    format: InputFormat,
}

impl EstimateVerb {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        const REFUSAL: &str = "nothing estimated";
        match AnyMechanism::read(&self.mechanism)? {
            AnyMechanism::Finite(file) => {
                let Some(certified) = proved(file.mechanism, REFUSAL, terminal)? else { return Ok(Answer::No) };
                let estimator = Estimator::new(certified.mechanism(), self.trust);
                let estimator = estimator.map_err(|error| Error::from(error).in_file(&self.mechanism))?;
                self.answer(&Readback::Channels(certified.mechanism(), &estimator), terminal)
            }
            AnyMechanism::Oracle(file) => {
                let Some(certified) = proved(file.mechanism, REFUSAL, terminal)? else { return Ok(Answer::No) };
                if self.trust == Trust::Profiles {
                    let error = Error::input("--trust profiles, but an oracle has no profiles to trust");
                    return Err(error.in_file(&self.mechanism));
                }
                let oracle = certified.mechanism();
                self.answer(&Readback::Support(oracle, SupportEstimator::new(oracle)), terminal)
            }
            AnyMechanism::Planar(_) => Err(Error::input(
                "noise on places: there are no shares to estimate; lookalike geo errors tells how far places move",
            )
            .in_file(&self.mechanism)),
            AnyMechanism::Noise(_) => Err(Error::input(
                "kind: \"noise\" releases numbers, of which there are no shares to estimate: each number has an interval \
                 of its own, which lookalike noise design prints",
            )
            .in_file(&self.mechanism)),
        }
    }

    fn answer(&self, readback: &Readback<'_>, terminal: &Terminal) -> Result<Answer> {
        let confidence = Confidence { level: self.confidence, simultaneous: self.simultaneous };
        if let Some(reports) = self.predict {
            let prediction = Comparison::new(readback, reports, None, confidence)?;
            terminal.answer(prediction.json(readback.names()), || prediction::text(&prediction, readback.names()))?;
            return Ok(Answer::Yes);
        }
        let is_escaped = self.formulas.escape;
        if is_escaped && self.output.is_none() {
            return Err(Error::input("--escape-formulas is about the CSV of -o FILE"));
        }
        self.output.iter().try_for_each(|path| check_estimate_file(path, is_escaped))?;
        let chosen = FigureChoice { order: self.sort, top: self.top };
        let cohorts = self.read(readback, confidence, terminal)?;
        if let Some(path) = &self.output {
            write_estimates(path, terminal.force(), is_escaped, readback.names(), &cohorts, chosen)?;
        }
        terminal.answer(estimates_json(readback.names(), &cohorts), || text(readback, &cohorts, chosen))?;
        let is_refuted = self.trust == Trust::Profiles && cohorts.iter().any(|(_, estimate)| estimate.misfit.is_some());
        Ok(if is_refuted { Answer::No } else { Answer::Yes })
    }

    /// Refuses what would make intervals too narrow without a word: a file that counts twice, cohorts by what was released.
    fn check_input(&self) -> Result<()> {
        let same = |(at, path): (usize, &PathBuf)| self.data[..at].iter().any(|earlier| is_same_place(earlier, path));
        if let Some((_, path)) = self.data.iter().enumerate().find(|&file| same(file)) {
            return Err(Error::input("given twice, so that its reports would count twice").in_file(path));
        }
        let (by, count, value) = (self.by.as_ref(), self.count.as_ref(), Some(&self.value));
        let pairs = [("by", by, "value", value), ("by", by, "count", count), ("count", count, "value", value)];
        match pairs.into_iter().find(|(_, column, _, other)| column.is_some() && column == other) {
            Some((option, Some(column), other, _)) => {
                Err(Error::input(format!("--{option} {column}: this is the column of --{other}, expected another one")))
            }
            _ => Ok(()),
        }
    }

    /// What the files tell.
    fn read(&self, readback: &Readback<'_>, confidence: Confidence, terminal: &Terminal) -> Result<Vec<Cohort>> {
        self.check_input()?;
        let notes = self.note.iter().map(|path| ReleaseNote::read(path)).collect::<Result<Vec<_>>>()?;
        let options: Vec<CsvOptions> = self.data.iter().map(|path| self.format.csv_options(path)).collect();
        let file = |(path, csv)| RecordFile { path, format: self.format.format(path), csv };
        let files: Vec<RecordFile<'_>> = self.data.iter().map(PathBuf::as_path).zip(&options).map(file).collect();
        let reports = Reports {
            files: &files,
            value: &self.value,
            by: self.by.as_deref(),
            count: self.count.as_deref(),
            stand_ins: self.stand_ins + notes.iter().map(|note| note.stand_ins).sum::<u64>(),
            expected: (!notes.is_empty()).then(|| notes.iter().map(|note| note.rows).sum()),
        };
        let bar = terminal.bytes(self.data.iter().map(|path| length(path)).sum());
        let mut read: BTreeMap<PathBuf, u64> = BTreeMap::new();
        let cohorts = reports.estimate(readback, confidence, &mut |path, bytes| {
            read.insert(path.to_owned(), bytes);
            bar.set_position(read.values().sum());
        });
        bar.finish_and_clear();
        cohorts
    }
}

fn order(text: &str) -> std::result::Result<FigureOrder, String> {
    text.parse().map_err(|error: Error| error.to_string())
}
