//! `lookalike estimate`.

mod prediction;
mod text;

pub use lookalike_io::Readback;
pub use text::text;

use crate::Answer;
use crate::certify::proved;
use crate::formats::InputFormat;
use crate::streams::length;
use crate::terminal::Terminal;
use lookalike::estimate::{Confidence, Estimator, SupportEstimator};
use lookalike_io::{AnyMechanism, Comparison, Error, Reports, Result, estimates_json};
use std::path::PathBuf;

/// Read statistics back from privatized records, with intervals
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike estimate m.json private.csv --value load
  lookalike estimate m.json private.parquet --value load --by day --confidence 0.99 --simultaneous
  lookalike estimate m.json --predict 10000     # the error to expect, before anything is collected

The records are the output of `privatize`, reports of an oracle (`lookalike local`) as well. A column for --by must be public: kept in clear when they were released.
Intervals trust the profiles of an aware mechanism, and from few reports they may cover less often than asked: docs/estimate.md.")]
pub struct EstimateVerb {
    /// The mechanism file
    mechanism: PathBuf,
    /// The privatized records: CSV, Parquet or Arrow; - for standard input
    #[arg(required_unless_present = "predict")]
    data: Option<PathBuf>,
    /// The privatized column
    #[arg(long, value_name = "COLUMN", default_value = "value")]
    value: String,
    /// A public column: an estimate for each of its values
    #[arg(long, value_name = "COLUMN")]
    by: Option<String>,
    /// How often an interval is to cover the truth
    #[arg(long, value_name = "P", default_value_t = 0.95)]
    confidence: f64,
    /// Intervals that are to cover the truth all at once with that probability
    #[arg(long)]
    simultaneous: bool,
    /// The error to expect from so many reports, beside that of local DP
    #[arg(long, value_name = "N", conflicts_with_all = ["data", "by", "simultaneous"])]
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
                let estimator = Estimator::new(certified.mechanism());
                let estimator = estimator.map_err(|error| Error::from(error).in_file(&self.mechanism))?;
                self.answer(&Readback::Channels(certified.mechanism(), &estimator), terminal)
            }
            AnyMechanism::Oracle(file) => {
                let Some(certified) = proved(file.mechanism, REFUSAL, terminal)? else { return Ok(Answer::No) };
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
        if let Some(reports) = self.predict {
            let prediction = Comparison::new(readback, reports, None)?;
            terminal.answer(prediction.json(readback.names()), || prediction::text(&prediction, readback.names()))?;
            return Ok(Answer::Yes);
        }
        let data = self.data.as_deref().expect("clap asks for it");
        let confidence = Confidence { level: self.confidence, simultaneous: self.simultaneous };
        let (format, csv) = (self.format.format(data), self.format.csv_options(data));
        let reports = Reports { data, format, csv: &csv, value: &self.value, by: self.by.as_deref() };
        let bar = terminal.bytes(length(data));
        let cohorts = reports.estimate(readback, confidence, &mut |bytes| bar.set_position(bytes))?;
        bar.finish_and_clear();
        terminal.answer(estimates_json(readback.names(), &cohorts), || text(readback, &cohorts))?;
        Ok(Answer::Yes)
    }
}
