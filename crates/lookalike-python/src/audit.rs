//! Attacks on mechanisms by their draws.

use crate::claim::claim_of;
use crate::error::{Answer, Failure};
use crate::numbers::{epsilon, rational};
use crate::progress::{Link, watched};
use lookalike::audit::{Collect, Run, Schedule, Source, Text};
use lookalike::design::Progress;
use lookalike_engine::Facts;
use lookalike_engine::audit::{AuditOutcome, AuditRequest, AuditSource, AuditWatch, Question};
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// How to audit.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct AuditArguments {
    epsilon: Option<String>,
    delta_at: Option<String>,
    delta: Option<String>,
    pairs: Vec<String>,
    draws: u64,
    confidence: f64,
    seed: Option<u64>,
}

/// Audits a mechanism of ours.
#[pyfunction]
pub fn audit_mechanism(
    py: Python<'_>,
    mechanism: &Bound<'_, PyAny>,
    arguments: AuditArguments,
    progress: Option<Py<PyAny>>,
) -> Answer<Found> {
    let subject = claim_of(mechanism)?.subject()?;
    let at = arguments.delta_at.as_deref().map(|text| epsilon(text, "delta_at")).transpose()?;
    let question = Question::of_subject(&subject, at.as_ref(), &arguments.pairs)?;
    watched(py, progress.as_ref(), false, |link| {
        arguments.watched(link, |request, watch| Ok(found(&request.of_subject(question, &subject, watch)?)))
    })
}

/// Audits a function of Python.
#[pyfunction]
pub fn audit_callable(
    py: Python<'_>,
    function: Py<PyAny>,
    secrets: Vec<(String, Py<PyAny>)>,
    batch: bool,
    arguments: AuditArguments,
    progress: Option<Py<PyAny>>,
) -> Answer<Found> {
    let (names, objects): (Vec<String>, Vec<Py<PyAny>>) = secrets.into_iter().unzip();
    let claimed = arguments.epsilon.as_deref().map(|text| epsilon(text, "epsilon")).transpose()?;
    let at = arguments.delta_at.as_deref().map(|text| epsilon(text, "delta_at")).transpose()?;
    let delta = arguments.delta.as_deref().map(|text| rational(text, "delta")).transpose()?;
    let question = Question::of_secrets(&names, claimed.as_ref(), at.as_ref(), delta.as_ref(), &arguments.pairs)?;
    watched(py, progress.as_ref(), false, |link| {
        let callable = Callable { function, secrets: objects, batch, link, raised: Mutex::new(None) };
        let outcome = arguments
            .watched(link, |request, watch| Ok(request.of_source(question, &callable, AuditSource::Program, watch)?));
        if let Some(raised) = callable.raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(Failure::Python(raised));
        }
        Ok(found(&outcome?))
    })
}

/// What was found, as JSON; whether it is evidence; and which test speaks for the whole.
type Found = (String, bool, usize);

fn found(outcome: &AuditOutcome) -> Found {
    (outcome.facts().json().to_string(), outcome.is_evidence(), outcome.worst)
}

impl AuditArguments {
    /// Hands on what is asked, with what tells Python of it.
    fn watched<T>(&self, link: &Link, work: impl FnOnce(&AuditRequest, AuditWatch<'_>) -> Answer<T>) -> Answer<T> {
        let done = AtomicU64::new(0);
        let told = |draws| {
            let done = done.fetch_add(draws, Ordering::Relaxed) + draws;
            link.report(Progress { stage: "drawing", done, total: Some(self.draws) });
        };
        let request = AuditRequest { draws: self.draws, confidence: self.confidence, seed: self.seed };
        work(&request, AuditWatch { progress: &told, stop: &|| link.is_stopped() })
    }
}

fn stop(link: &Link) -> lookalike::Result<()> {
    if link.is_stopped() { Err(lookalike::Error::stopped()) } else { Ok(()) }
}

/// A function that takes one secret, or a list of them, and returns outputs.
struct Callable<'a> {
    function: Py<PyAny>,
    secrets: Vec<Py<PyAny>>,
    batch: bool,
    link: &'a Link,
    raised: Mutex<Option<PyErr>>,
}

/// Draws between two looks at the clock.
const PART: u64 = 1 << 12;

impl Callable<'_> {
    /// The texts of what is released for these secrets.
    fn outputs(&self, py: Python<'_>, secrets: &[u32]) -> PyResult<Vec<Text>> {
        let text = |output: &Bound<'_, PyAny>| PyResult::Ok(Text::new(&output.str()?.to_cow()?));
        let objects = secrets.iter().map(|&secret| self.secrets[secret as usize].bind(py));
        if !self.batch {
            return objects.map(|secret| text(self.function.bind(py).call1((secret,))?.as_any())).collect();
        }
        let released = self.function.bind(py).call1((PyList::new(py, objects)?,))?;
        let texts = released.try_iter()?.map(|output| text(&output?)).collect::<PyResult<Vec<_>>>()?;
        if texts.len() != secrets.len() {
            let (found, expected) = (texts.len(), secrets.len());
            let message = format!("the function returned {found} outputs, expected {expected}, one for each secret");
            return Err(Failure::input(message).into());
        }
        Ok(texts)
    }
}

impl Source for Callable<'_> {
    type Output = Text;

    fn run<C: Collect<Text>>(&self, _: Run, schedule: &Schedule, new: &(dyn Fn() -> C + Sync)) -> lookalike::Result<C> {
        let (mut collector, mut secrets) = (new(), Vec::new());
        for first in (0..schedule.len()).step_by(PART as usize) {
            stop(self.link)?;
            secrets.resize(PART.min(schedule.len() - first) as usize, 0);
            schedule.fill(first, &mut secrets);
            let outputs = Python::attach(|py| self.outputs(py, &secrets)).map_err(|raised| {
                *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(raised);
                lookalike::Error::failed("the function raised an exception")
            })?;
            collector.see_stretch(first, &secrets, &outputs);
            collector.progress(secrets.len() as u64);
        }
        Ok(collector)
    }
}
