//! Statistics read back from reports.

use crate::data::Column;
use crate::error::{Answer, Failure};
use crate::mechanism::Mechanism;
use crate::progress::watched;
use lookalike::design::Progress;
use lookalike::estimate::{Confidence, Estimate, Estimator, PredictedError, Prediction};
use lookalike::model::{Kind, Names};
use lookalike_io::records::{Columns, Encoder, GrowingLabels, MemoryColumn, MemorySource};
use lookalike_io::{Cohort, Outputs, count_reports, estimates_json};
use pyo3::prelude::*;
use serde_json::{Value, json};

/// What the outputs of a mechanism tell, as JSON; for each name in `by` where there is such a column.
#[pyfunction]
pub fn estimate(
    py: Python<'_>,
    mechanism: &Mechanism,
    outputs: &Bound<'_, PyAny>,
    by: Option<&Bound<'_, PyAny>>,
    confidence: (f64, bool),
    progress: Option<Py<PyAny>>,
) -> Answer<String> {
    let inner = mechanism.inner();
    let confidence = Confidence { level: confidence.0, simultaneous: confidence.1 };
    let outputs = Column::of(outputs, "outputs")?;
    let by = by.map(|by| Column::of(by, "by")).transpose()?;
    let found = GrowingLabels::default();
    let cohort: Option<Encoder> = by.as_ref().map(|_| -> Encoder { Box::new(found.clone()) });
    let wanted =
        Columns { profile: by.as_ref().map(|_| "by".to_owned()), values: vec!["outputs".to_owned()], keep: vec![] };
    let mut columns: Vec<(&str, Box<dyn MemoryColumn + '_>)> = vec![("outputs", outputs.memory())];
    columns.extend(by.as_ref().map(|by| ("by", by.memory())));
    let rows = columns[0].1.rows() as u64;
    let mut source = MemorySource::open(columns, &wanted, cohort, Some(Box::new(Outputs::of(inner)?)), None)?;
    let named = by.is_some();
    watched(py, progress.as_ref(), rows < 65_536, move |link| {
        mechanism.claim.certified()?;
        let estimator = Estimator::new(inner)?;
        let mut told = |done| link.report(Progress { stage: "counting", done, total: Some(rows) });
        let counts = count_reports(&mut source, inner.outputs().len(), &mut told)?;
        if counts.is_empty() {
            return Err(Failure::input("no reports, expected at least one"));
        }
        let names: Vec<Option<String>> = if named { found.names().into_iter().map(Some).collect() } else { vec![None] };
        let reported: Vec<_> =
            names.into_iter().zip(&counts).filter(|(_, counts)| counts.iter().any(|&count| count > 0)).collect();
        // All at once is over all cohorts.
        let split = if confidence.simultaneous { reported.len() as f64 } else { 1.0 };
        let each = Confidence { level: 1.0 - (1.0 - confidence.level) / split, ..confidence };
        let one = |(name, counts): (Option<String>, &Vec<u64>)| {
            let estimate = estimator.estimate(counts, if confidence.is_valid() { each } else { confidence })?;
            Ok((name, Estimate { confidence: confidence.level, ..estimate }))
        };
        let mut cohorts: Vec<Cohort> = reported.into_iter().map(one).collect::<Answer<_>>()?;
        cohorts.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(estimates_json(inner, &cohorts).to_string())
    })
}

/// The error to expect from a number of reports, as JSON; `shares` of secrets, or all equally frequent.
#[pyfunction]
pub fn predict(py: Python<'_>, mechanism: &Mechanism, reports: u64, shares: Option<Vec<f64>>) -> Answer<String> {
    let inner = mechanism.inner();
    let size = if inner.kind() == Kind::Aware { inner.graph().names().len() } else { inner.inputs().len() };
    let shares = shares.unwrap_or_else(|| vec![1.0 / size as f64; size]);
    if shares.len() != size {
        return Err(Failure::input(format!("shares: {}, expected {size}, one for each secret", shares.len())));
    }
    let prediction = py.detach(|| Estimator::new(inner)?.predict(reports, &shares))?;
    Ok(prediction_json(&prediction, inner.inputs().names()).to_string())
}

/// `reports`, `root_mean_square` and the `histogram` of errors.
pub fn prediction_json(prediction: &Prediction, names: &Names) -> Value {
    let error = |error: &PredictedError| {
        let members: Vec<&str> = error.members.iter().map(|&member| names.name(member)).collect();
        json!({ "categories": members, "standard_error": error.deviation, "bias": error.bias })
    };
    json!({
        "reports": prediction.reports,
        "root_mean_square": prediction.root_mean_square(),
        "histogram": prediction.histogram.iter().map(error).collect::<Vec<_>>(),
    })
}
