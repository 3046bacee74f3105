//! `lookalike estimate`.

mod prediction;

use crate::Answer;
use crate::certify::proved;
use crate::formats::InputFormat;
use crate::streams::{NamedSource, at_input, length};
use crate::terminal::{Terminal, count, figure, table};
use lookalike::estimate::{Confidence, Estimate, Estimator, Figure};
use lookalike::model::{Kind, Mechanism, Names};
use lookalike_io::records::{Columns, Encoder, GrowingLabels, Input, open_source};
use lookalike_io::{Cohort, Error, MechanismFile, Outputs, Result, count_reports, estimates_json};
use std::path::{Path, PathBuf};

/// Read statistics back from privatized records, with intervals
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike estimate m.json private.csv --value load
  lookalike estimate m.json private.parquet --value load --by day --confidence 0.99 --simultaneous
  lookalike estimate m.json --predict 10000     # the error to expect, before anything is collected

The records are the output of `privatize`. A column for --by must be public: kept in clear when they were released.")]
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
    /// Intervals that all cover the truth at once with that probability
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
        let file = MechanismFile::read(&self.mechanism)?;
        let Some(certified) = proved(file.mechanism, "nothing estimated", terminal)? else {
            return Ok(Answer::No);
        };
        let mechanism = certified.mechanism();
        let estimator = Estimator::new(mechanism).map_err(|error| Error::from(error).in_file(&self.mechanism))?;
        if let Some(reports) = self.predict {
            let prediction = prediction::Comparison::new(mechanism, &estimator, reports)?;
            terminal.answer(prediction.json(mechanism), || prediction.text(mechanism))?;
            return Ok(Answer::Yes);
        }
        let data = self.data.as_deref().expect("clap asks for it");
        let confidence = Confidence { level: self.confidence, simultaneous: self.simultaneous };
        let reports = Reports { data, value: &self.value, by: self.by.as_deref(), format: &self.format };
        let cohorts = reports.estimate(mechanism, &estimator, confidence, terminal)?;
        terminal.answer(estimates_json(mechanism, &cohorts), || text(mechanism, &estimator, &cohorts))?;
        Ok(Answer::Yes)
    }
}

/// Where privatized records are.
pub struct Reports<'a> {
    pub data: &'a Path,
    pub value: &'a str,
    pub by: Option<&'a str>,
    pub format: &'a InputFormat,
}

impl Reports<'_> {
    /// An estimate for all, or one for each value of the public column, in the order of their names.
    pub fn estimate(
        &self,
        mechanism: &Mechanism,
        estimator: &Estimator,
        confidence: Confidence,
        terminal: &Terminal,
    ) -> Result<Vec<Cohort>> {
        let outputs = Outputs::of(mechanism)?;
        let found = GrowingLabels::default();
        let cohort: Option<Encoder> = self.by.map(|_| -> Encoder { Box::new(found.clone()) });
        let columns = Columns { profile: self.by.map(Into::into), values: vec![self.value.into()], keep: Vec::new() };
        let csv = self.format.csv_options(self.data);
        let input = Input { path: self.data, format: self.format.format(self.data), csv: &csv, columns: &columns };
        let mut source =
            open_source(&input, cohort, Box::new(outputs), None).map_err(|error| at_input(error, self.data))?;
        let bar = terminal.bytes(length(self.data));
        let mut named = NamedSource { source: &mut *source, path: self.data };
        let counts = count_reports(&mut named, mechanism.outputs().len(), &mut |bytes| bar.set_position(bytes))?;
        bar.finish_and_clear();
        let names: Vec<Option<String>> = match self.by {
            Some(_) => found.names().into_iter().map(Some).collect(),
            None => vec![None],
        };
        if counts.is_empty() {
            return Err(at_input(Error::input("no reports, expected at least one"), self.data));
        }
        // A name without a report can come from the dictionary of a Parquet file.
        let reported = names.into_iter().zip(&counts).filter(|(_, counts)| counts.iter().any(|&count| count > 0));
        let reported: Vec<_> = reported.collect();
        // All at once is over all cohorts.
        let split = if confidence.simultaneous { reported.len() as f64 } else { 1.0 };
        let each = Confidence { level: 1.0 - (1.0 - confidence.level) / split, ..confidence };
        let one = |(name, counts): (Option<String>, &Vec<u64>)| {
            let estimate = estimator.estimate(counts, if confidence.is_valid() { each } else { confidence })?;
            Ok((name, Estimate { confidence: confidence.level, ..estimate }))
        };
        let mut cohorts: Vec<Cohort> = reported.into_iter().map(one).collect::<Result<_>>()?;
        cohorts.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(cohorts)
    }
}

/// Cohorts shown one by one.
const MOST_COHORTS: usize = 20;

/// For people.
pub fn text(mechanism: &Mechanism, estimator: &Estimator, cohorts: &[Cohort]) -> String {
    let mut text = String::new();
    for (name, estimate) in cohorts.iter().take(MOST_COHORTS) {
        let of = name.as_ref().map_or_else(String::new, |name| format!(" of {name:?}"));
        let kind = if estimate.simultaneous { "all at once" } else { "each by itself" };
        let level = (1e6 * estimate.confidence).round() / 1e4;
        text += &format!("{}{of}; {level} % intervals, {kind}.\n", count(estimate.reports, "report"));
        text += &figures(&estimate.histogram, "category", mechanism.inputs().names());
        if estimate.mix.len() > 1 {
            text += &figures(&estimate.mix, "profile", mechanism.graph().names());
        }
        text += &remarks(estimate);
    }
    if cohorts.len() > MOST_COHORTS {
        text += &format!("… and {} more cohorts; --json has them all.\n", cohorts.len() - MOST_COHORTS);
    }
    if mechanism.kind() == Kind::Aware {
        text +=
            "The reports do not name their profiles: these figures hold if the profiles of the mechanism are right.\n";
    }
    if estimator.is_crowded() {
        text += "Too many profiles for shares of their own.\n";
    }
    text
}

fn figures(figures: &[Figure], what: &str, names: &Names) -> String {
    let row = |shown: &Figure| {
        let members: Vec<&str> = shown.members.iter().map(|&member| names.name(member)).collect();
        let numbers = [shown.unbiased, shown.lower, shown.upper, shown.likelihood].map(figure);
        std::iter::once(members.join(" + ")).chain(numbers).collect()
    };
    table(&[what, "share", "at least", "at most", "most likely"], figures.iter().map(row))
}

/// What a reader of the table must know.
fn remarks(estimate: &Estimate) -> String {
    let figures = || estimate.histogram.iter().chain(&estimate.mix);
    let mut text = String::new();
    let cut = figures().filter(|figure| figure.cut).count();
    if cut > 0 {
        text += &format!("{} cut at 0 or 1; a share may lie beyond.\n", count(cut as u64, "interval"));
    }
    let open: Vec<f64> = figures().map(|figure| figure.bias).filter(|&bias| bias > 0.0).collect();
    if let Some(largest) = open.iter().copied().reduce(f64::max) {
        text += &format!(
            "However many reports there are, {} stay open by up to {}; the intervals have room for that.\n",
            count(open.len() as u64, "share"),
            figure(largest)
        );
    }
    if estimate.mix.len() == 1 {
        text += "There are more profiles than the reports can tell apart, so no shares of profiles.\n";
    } else if figures().any(|figure| figure.members.len() > 1) {
        text += "Joined by +: the reports do not tell these apart, only their total is known.\n";
    }
    text
}
