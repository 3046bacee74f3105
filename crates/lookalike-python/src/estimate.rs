//! Statistics read back from reports.

use crate::claim::claim_of;
use crate::data::Column;
use crate::error::{Answer, Failure};
use crate::progress::watched;
use crate::spelling::InPython;
use lookalike::Sentence;
use lookalike::design::Progress;
use lookalike::estimate::{Confidence, Misfit, Trust};
use lookalike_engine::records::{Batch, MemoryColumn};
use lookalike_engine::{
    Comparison, Counts, EstimateOutcome, EstimateRequest, Facts, ReportReader, ReportRecords, misfit_text,
};
use pyo3::prelude::*;

/// What is asked of reports: what to trust, or what is usual, how many of them stand in for others, how often an interval is to cover the truth,
/// and whether all are to do so at once.
#[derive(FromPyObject)]
pub struct Asked(Option<String>, u64, f64, bool);

impl Asked {
    fn confidence(&self) -> Confidence {
        Confidence { level: self.2, simultaneous: self.3 }
    }
}

/// What the outputs of a mechanism or the reports of an oracle tell, as JSON; for each name in `by` where there is such
/// a column.
#[pyfunction]
pub fn estimate(
    py: Python<'_>,
    mechanism: &Bound<'_, PyAny>,
    outputs: &Bound<'_, PyAny>,
    by: Option<&Bound<'_, PyAny>>,
    asked: Asked,
    progress: Option<Py<PyAny>>,
) -> Answer<String> {
    let outputs = Column::of(outputs, OUTPUTS)?;
    let by = by.map(|by| Column::of(by, BY)).transpose()?;
    let mut columns: Vec<(&str, Box<dyn MemoryColumn + '_>)> = vec![(OUTPUTS, outputs.memory())];
    columns.extend(by.as_ref().map(|by| (BY, by.memory())));
    let rows = columns[0].1.rows() as u64;
    let request = EstimateRequest {
        records: ReportRecords::Memory(columns),
        value: OUTPUTS,
        by: by.as_ref().map(|_| BY),
        count: None,
        stand_ins: asked.1,
        notes: &[],
        confidence: asked.confidence(),
    };
    with_reader(py, mechanism, &asked, by.is_some(), |reader| {
        watched(py, progress.as_ref(), rows < Batch::MAX_ROWS as u64, move |link| {
            let mut told = |_, done| link.report(Progress { stage: "counting", done, total: Some(rows) });
            Ok(request.run(reader, &mut told)?.facts().json().to_string())
        })
    })
}

/// How often each output occurs, by its label; a null is no output.
type Counted = Vec<(Option<String>, u64)>;

/// What counts of outputs tell, as JSON; for each cohort by name, or for all. `column` is what they are called in an error.
#[pyfunction]
pub fn estimate_counts(
    py: Python<'_>,
    mechanism: &Bound<'_, PyAny>,
    column: &str,
    counts: Vec<(Option<String>, Counted)>,
    asked: Asked,
) -> Answer<String> {
    let in_cohorts = counts.iter().any(|(name, _)| name.is_some());
    with_reader(py, mechanism, &asked, in_cohorts, |reader| {
        let Some(outputs) = reader.encoder()? else {
            return Err(Failure::input(format!(
                "{column}: counts, expected the reports themselves: each report of an oracle tells of several categories"
            )));
        };
        py.detach(|| {
            let places = |counted: &Counted| by_place(column, &*outputs, counted);
            let named = counts.iter().map(|(name, counted)| Ok((name.clone(), Counts::of_outputs(places(counted)?)?)));
            let named: Vec<(Option<String>, Counts)> = named.collect::<Answer<_>>()?;
            if named.iter().all(|(_, counts)| counts.reports == 0) {
                return Err(no_reports());
            }
            let cohorts = reader.cohorts(named, asked.1, asked.confidence())?;
            Ok(EstimateOutcome { reader, cohorts }.facts().json().to_string())
        })
    })
}

/// The counts in the order of the outputs. What is none of them is counted in the error, and not shown.
fn by_place(column: &str, outputs: &dyn lookalike_engine::records::Encode, counted: &Counted) -> Answer<Vec<u64>> {
    let mut counts = vec![0; outputs.count()];
    let (mut strange, mut all) = (0, 0u64);
    for (label, count) in counted {
        let sum = all.checked_add(*count).filter(|sum| *sum < 1 << 63);
        all = sum.ok_or_else(|| Failure::input(format!("column {column:?}: 2^63 rows or more, expected fewer")))?;
        match label.as_deref().and_then(|label| outputs.encode(label)) {
            Some(place) => counts[place as usize] += count,
            None => strange += count,
        }
    }
    if strange > 0 {
        let (total, hint) = (outputs.count(), outputs.hint());
        let message = format!("column {column:?}: {strange} rows are none of the {total} outputs");
        return Err(Failure::input(Sentence::from(message).then(hint)));
    }
    Ok(counts)
}

/// That reports do not fit, with the evidence and the way out.
#[pyfunction]
pub fn misfit(output: &str, reported: f64, fitted: f64, probability: f64, trust: &str) -> Answer<String> {
    // The name is given beside it.
    let misfit = Misfit { output: 0, reported, fitted, probability };
    Ok(misfit_text(output, &misfit, trust.parse()?).spelled(&InPython).to_string())
}

/// Hands on the way back from the reports of a mechanism or an oracle that keeps its claim.
fn with_reader<T>(
    py: Python<'_>,
    mechanism: &Bound<'_, PyAny>,
    asked: &Asked,
    in_cohorts: bool,
    hand_on: impl FnOnce(&ReportReader<'_>) -> Answer<T>,
) -> Answer<T> {
    let trust = asked.0.as_deref().map(str::parse::<Trust>).transpose()?;
    let claim = claim_of(mechanism)?;
    let reader = py.detach(|| claim.reader(trust, in_cohorts))?;
    hand_on(&reader)
}

fn no_reports() -> Failure {
    Failure::input("no reports, expected at least one")
}

const OUTPUTS: &str = "outputs";
const BY: &str = "by";

/// The intervals to expect from a number of reports, beside those of local DP, as JSON; `shares` of secrets, or all equally
/// frequent.
#[pyfunction]
pub fn predict(
    py: Python<'_>,
    mechanism: &Bound<'_, PyAny>,
    reports: u64,
    shares: Option<Vec<f64>>,
    asked: Asked,
) -> Answer<String> {
    with_reader(py, mechanism, &asked, false, |reader| {
        py.detach(|| {
            let comparison = Comparison::new(reader, reports, shares.as_deref(), asked.confidence())?;
            Ok(comparison.facts(reader.names()).json().to_string())
        })
    })
}
