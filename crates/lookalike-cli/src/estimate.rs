//! `lookalike estimate`.

mod prediction;
mod text;

pub use lookalike_engine::ReportReader;
pub use text::text;

use crate::Answer;
use crate::certify::proved;
use crate::formats::{Formulas, InputFormat};
use crate::streams::length;
use crate::terminal::Terminal;
use lookalike::estimate::{Confidence, Trust};
use lookalike_engine::records::{CsvOptions, RecordFile};
use lookalike_engine::{
    Comparison, EstimateOutcome, EstimateRequest, Facts, FigureChoice, FigureOrder, ReadBack, ReadFile, ReleaseNote,
    ReportRecords, check_estimate_file, write_estimates,
};
use lookalike_formats::{AnyMechanism, Error, Result, of_kind};
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
Intervals hold however few reports there are. What they rest on is said in the last line: docs/estimate.md.
Exit code 1: the reports do not fit the profiles, or the limits, that were to be trusted.")]
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
    /// What the figures rest on: `nothing` (those who reported, whatever the profiles are), `limits` (values are drawn from laws
    /// within the limits of the profiles) or `profiles` (from the profiles themselves), in every cohort too; by default `limits`
    /// where the mechanism has such, without --by, and otherwise `nothing`
    #[arg(long, value_name = "nothing|limits|profiles")]
    trust: Option<Trust>,
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
        let mechanism = AnyMechanism::read(&self.mechanism)?;
        let here = |error: Error| error.in_file(&self.mechanism);
        of_kind!(mechanism, file => {
            file.mechanism.check_shares().map_err(here)?;
            match proved(file.mechanism, REFUSAL, terminal)? {
                Some(certified) => {
                    let reader = certified.mechanism().reader(self.trust, self.by.is_some());
                    self.answer(&reader.map_err(here)?, terminal)
                }
                None => Ok(Answer::No),
            }
        })
    }

    fn answer(&self, reader: &ReportReader<'_>, terminal: &Terminal) -> Result<Answer> {
        let confidence = Confidence { level: self.confidence, simultaneous: self.simultaneous };
        if let Some(reports) = self.predict {
            let (prediction, names) = (Comparison::new(reader, reports, None, confidence)?, reader.names());
            terminal.answer(prediction.facts(names).json(), || prediction::text(&prediction, names))?;
            return Ok(Answer::Yes);
        }
        let is_escaped = self.formulas.escape;
        if is_escaped && self.output.is_none() {
            return Err(Error::input("--escape-formulas is about the CSV of -o FILE"));
        }
        self.output.iter().try_for_each(|path| check_estimate_file(path, is_escaped))?;
        let chosen = FigureChoice { order: self.sort, top: self.top };
        let outcome = self.read(reader, confidence, terminal)?;
        if let Some(path) = &self.output {
            write_estimates(path, terminal.force(), is_escaped, reader.names(), &outcome.cohorts, chosen)?;
        }
        terminal.answer(outcome.facts().json(), || text(reader, &outcome.cohorts, chosen))?;
        Ok(if outcome.is_refuted() { Answer::No } else { Answer::Yes })
    }

    /// What the files tell.
    fn read<'r>(
        &self,
        reader: &'r ReportReader<'r>,
        confidence: Confidence,
        terminal: &Terminal,
    ) -> Result<EstimateOutcome<'r>> {
        let notes = self.note.iter().map(|path| ReleaseNote::read(path)).collect::<Result<Vec<_>>>()?;
        let options: Vec<CsvOptions> = self.data.iter().map(|path| self.format.csv_options(path)).collect();
        let file = |(path, csv)| RecordFile { path, format: self.format.format(path), csv };
        let files: Vec<RecordFile<'_>> = self.data.iter().map(PathBuf::as_path).zip(&options).map(file).collect();
        let request = EstimateRequest {
            records: ReportRecords::Files(&files),
            value: &self.value,
            by: self.by.as_deref(),
            count: self.count.as_deref(),
            stand_ins: self.stand_ins,
            notes: &notes,
            confidence,
        };
        let bar = terminal.bytes(self.data.iter().map(|path| length(path)).sum());
        let mut read = vec![0; files.len()];
        let outcome = request.run(reader, &mut |file, bytes| {
            read[file] = bytes;
            bar.set_position(read.iter().sum());
        });
        bar.finish_and_clear();
        outcome
    }
}

fn order(text: &str) -> std::result::Result<FigureOrder, String> {
    text.parse().map_err(|error: Error| error.to_string())
}
