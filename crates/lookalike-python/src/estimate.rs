//! Statistics read back from reports.

use crate::data::Column;
use crate::error::{Answer, Failure};
use crate::mechanism::Mechanism;
use crate::oracle::Oracle;
use crate::progress::watched;
use lookalike::design::Progress;
use lookalike::estimate::{Confidence, Estimator, SupportEstimator};
use lookalike_io::records::{Batch, Encoder, GrowingLabels, MemoryColumn, MemorySource};
use lookalike_io::{Comparison, Counts, Readback, estimates_json};
use pyo3::prelude::*;

/// What the outputs of a mechanism or the reports of an oracle tell, as JSON; for each name in `by` where there is such
/// a column.
#[pyfunction]
pub fn estimate(
    py: Python<'_>,
    mechanism: &Bound<'_, PyAny>,
    outputs: &Bound<'_, PyAny>,
    by: Option<&Bound<'_, PyAny>>,
    confidence: (f64, bool),
    progress: Option<Py<PyAny>>,
) -> Answer<String> {
    let confidence = Confidence { level: confidence.0, simultaneous: confidence.1 };
    let outputs = Column::of(outputs, OUTPUTS)?;
    let by = by.map(|by| Column::of(by, BY)).transpose()?;
    let reports = Reports { outputs: &outputs, by: by.as_ref(), confidence, progress: progress.as_ref() };
    if let Ok(oracle) = mechanism.cast::<Oracle>() {
        let claim = oracle.get().claim();
        let oracle = py.detach(|| claim.certified())?.mechanism();
        return reports.read(py, &Readback::Support(oracle, SupportEstimator::new(oracle)));
    }
    let mechanism = mechanism.cast::<Mechanism>().map_err(PyErr::from)?.get();
    let estimator = py.detach(|| estimator(mechanism))?;
    reports.read(py, &Readback::Channels(mechanism.inner(), &estimator))
}

/// What the counts of each output tell, in the order of the outputs, as JSON; for each cohort by name, or for all.
#[pyfunction]
pub fn estimate_counts(
    py: Python<'_>,
    mechanism: &Mechanism,
    counts: Vec<(Option<String>, Vec<u64>)>,
    confidence: (f64, bool),
) -> Answer<String> {
    let confidence = Confidence { level: confidence.0, simultaneous: confidence.1 };
    if counts.iter().all(|(_, counts)| counts.iter().all(|&count| count == 0)) {
        return Err(no_reports());
    }
    let counts = counts.into_iter().map(|(name, counts)| (name, Counts::of_outputs(counts))).collect();
    py.detach(|| {
        let estimator = estimator(mechanism)?;
        let readback = Readback::Channels(mechanism.inner(), &estimator);
        Ok(estimates_json(readback.names(), &readback.cohorts(counts, confidence)?).to_string())
    })
}

/// The estimator of a mechanism that keeps its claim.
fn estimator(mechanism: &Mechanism) -> Answer<Estimator> {
    mechanism.claim.certified()?;
    Ok(Estimator::new(mechanism.inner())?)
}

fn no_reports() -> Failure {
    Failure::input("no reports, expected at least one")
}

const OUTPUTS: &str = "outputs";
const BY: &str = "by";

/// Reports in memory.
struct Reports<'a, 'py> {
    outputs: &'a Column<'py>,
    by: Option<&'a Column<'py>>,
    confidence: Confidence,
    progress: Option<&'a Py<PyAny>>,
}

impl Reports<'_, '_> {
    fn read(&self, py: Python<'_>, readback: &Readback<'_>) -> Answer<String> {
        let found = GrowingLabels::default();
        let cohort: Option<Encoder> = self.by.map(|_| -> Encoder { Box::new(found.clone()) });
        let mut columns: Vec<(&str, Box<dyn MemoryColumn + '_>)> = vec![(OUTPUTS, self.outputs.memory())];
        columns.extend(self.by.map(|by| (BY, by.memory())));
        let rows = columns[0].1.rows() as u64;
        let wanted = readback.columns(OUTPUTS, self.by.map(|_| BY));
        let mut source = MemorySource::open(columns, &wanted, cohort, readback.encoder()?, None)?;
        let (confidence, named) = (self.confidence, self.by.is_some());
        watched(py, self.progress, rows < Batch::MAX_ROWS as u64, move |link| {
            let mut told = |done| link.report(Progress { stage: "counting", done, total: Some(rows) });
            let counts = readback.count(&mut source, &mut told)?;
            if counts.is_empty() {
                return Err(no_reports());
            }
            let names: Vec<Option<String>> =
                if named { found.names().into_iter().map(Some).collect() } else { vec![None] };
            let cohorts = readback.cohorts(names.into_iter().zip(counts).collect(), confidence)?;
            Ok(estimates_json(readback.names(), &cohorts).to_string())
        })
    }
}

/// The error to expect from a number of reports, beside that of local DP, as JSON; `shares` of secrets, or all equally
/// frequent.
#[pyfunction]
pub fn predict(py: Python<'_>, mechanism: &Bound<'_, PyAny>, reports: u64, shares: Option<Vec<f64>>) -> Answer<String> {
    let predicted = |readback: &Readback<'_>| -> Answer<String> {
        let comparison = Comparison::new(readback, reports, shares.as_deref())?;
        let mut json = comparison.json(readback.names());
        json["local_name"] = comparison.local_name.into();
        json["times_as_many"] = comparison.times_as_many().into();
        Ok(json.to_string())
    };
    if let Ok(oracle) = mechanism.cast::<Oracle>() {
        let oracle = &oracle.get().claim().file.mechanism;
        return py.detach(|| predicted(&Readback::Support(oracle, SupportEstimator::new(oracle))));
    }
    let mechanism = mechanism.cast::<Mechanism>().map_err(PyErr::from)?.get();
    py.detach(|| predicted(&Readback::Channels(mechanism.inner(), &Estimator::new(mechanism.inner())?)))
}
