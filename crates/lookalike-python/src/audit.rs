//! Attacks on mechanisms by their draws.

use crate::error::{Answer, Failure};
use crate::geo::planar::PlanarNoise;
use crate::mechanism::Mechanism;
use crate::noise::Noise;
use crate::numbers::{epsilon, rational};
use crate::oracle::Oracle;
use crate::progress::{Link, watched};
use crate::release::key;
use lookalike::audit::{Audit, Collect, Options, Run, Schedule, Source, Test, Text, audit as attack, draws};
use lookalike::design::Progress;
use lookalike::sample::{RandomKey, Rehearsal};
use lookalike_engine::audit::{Proofs, Question, Subject, Verdict};
use pyo3::prelude::*;
use pyo3::types::PyList;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// How to audit.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Wishes {
    epsilon: Option<String>,
    delta_at: Option<String>,
    delta: Option<String>,
    pairs: Vec<String>,
    draws: u64,
    confidence: f64,
    seed: Option<u64>,
}

/// Audits a mechanism of ours; the outcome as JSON.
#[pyfunction]
pub fn audit_mechanism(
    py: Python<'_>,
    mechanism: &Bound<'_, PyAny>,
    wishes: Wishes,
    progress: Option<Py<PyAny>>,
) -> Answer<String> {
    let subject = subject(mechanism)?;
    let at = wishes.delta_at.as_deref().map(|text| epsilon(text, "delta_at")).transpose()?;
    let question = match &subject {
        Subject::Channels(certified) => Question::of_mechanism(certified, at.as_ref(), &wishes.pairs)?,
        subject => {
            let claimed = at.is_none().then(|| subject.epsilon());
            Question::of_secrets(&subject.secrets(), claimed, at.as_ref(), None, &wishes.pairs)?
        }
    };
    let keys = keys(wishes.seed)?;
    watched(py, progress.as_ref(), false, |link| {
        let Subject::Channels(certified) = &subject else {
            let source = draws(&[], |run, first, secrets: &[u32], outputs: &mut [Text]| {
                stop(link)?;
                subject.draw(&keys[run as usize], first, secrets, outputs)
            });
            return Ok(json(&question, &wishes.run(&question, &source, link)?, None));
        };
        let labels: Vec<&str> = certified.mechanism().outputs().names().iter().collect();
        let rehearsal = Rehearsal::new(certified);
        let source = draws(&labels, |run, first, secrets: &[u32], outputs: &mut [u32]| {
            stop(link)?;
            rehearsal.draw(&keys[run as usize], first, secrets, outputs)
        });
        let outcome = wishes.run(&question, &source, link)?;
        let proofs = match at {
            None => Some(Proofs::new(certified.mechanism(), &outcome.tests)?),
            Some(_) => None,
        };
        Ok(json(&question, &outcome, proofs.as_ref()))
    })
}

/// Audits a function of Python; the outcome as JSON.
#[pyfunction]
pub fn audit_callable(
    py: Python<'_>,
    function: Py<PyAny>,
    secrets: Vec<(String, Py<PyAny>)>,
    batch: bool,
    wishes: Wishes,
    progress: Option<Py<PyAny>>,
) -> Answer<String> {
    let (names, objects): (Vec<String>, Vec<Py<PyAny>>) = secrets.into_iter().unzip();
    let claimed = wishes.epsilon.as_deref().map(|text| epsilon(text, "epsilon")).transpose()?;
    let at = wishes.delta_at.as_deref().map(|text| epsilon(text, "delta_at")).transpose()?;
    let delta = wishes.delta.as_deref().map(|text| rational(text, "delta")).transpose()?;
    let question = Question::of_secrets(&names, claimed.as_ref(), at.as_ref(), delta.as_ref(), &wishes.pairs)?;
    watched(py, progress.as_ref(), false, |link| {
        let callable = Callable { function, secrets: objects, batch, link, raised: Mutex::new(None) };
        let outcome = wishes.run(&question, &callable, link);
        if let Some(raised) = callable.raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(Failure::Python(raised));
        }
        Ok(json(&question, &outcome?, None))
    })
}

/// A mechanism of ours with its proof.
fn subject(mechanism: &Bound<'_, PyAny>) -> Answer<Subject> {
    if let Ok(mechanism) = mechanism.cast::<Mechanism>() {
        return Ok(Subject::channels(mechanism.get().claim.certified()?.clone()));
    }
    if let Ok(oracle) = mechanism.cast::<Oracle>() {
        return Ok(Subject::oracle(oracle.get().claim().certified()?.clone()));
    }
    if let Ok(noise) = mechanism.cast::<PlanarNoise>() {
        return Ok(Subject::planar(noise.get().claim().certified()?.clone()));
    }
    let noise = mechanism.cast::<Noise>().map_err(PyErr::from)?;
    Ok(Subject::noise(noise.get().claim().certified()?.clone()))
}

impl Wishes {
    fn run<S: Source>(&self, question: &Question, source: &S, link: &Link) -> Answer<Audit> {
        let done = AtomicU64::new(0);
        let told = |draws| {
            let done = done.fetch_add(draws, Ordering::Relaxed) + draws;
            link.report(Progress { stage: "drawing", done, total: Some(self.draws) });
        };
        let delta_at = question.delta_at().cloned();
        let (draws, confidence) = (self.draws, self.confidence);
        let options = Options { draws, confidence, delta_at, progress: Some(&told), ..Options::default() };
        Ok(attack(question.pairs(), source, &options)?)
    }
}

/// The keys of the two runs, as the command line has them.
fn keys(seed: Option<u64>) -> Answer<[RandomKey; 2]> {
    let one = |run: u8| match seed {
        None => key(None),
        Some(seed) => {
            let mut bytes = [0; 32];
            bytes[..8].copy_from_slice(&seed.to_le_bytes());
            bytes[8] = 1 + run;
            Ok(RandomKey::from_bytes(bytes))
        }
    };
    Ok([one(0)?, one(1)?])
}

fn stop(link: &Link) -> lookalike::Result<()> {
    if link.is_stopped() { Err(lookalike::Error::failed("stopped before it was done")) } else { Ok(()) }
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

/// All tests, and which of them says what.
fn json(question: &Question, audit: &Audit, proofs: Option<&Proofs>) -> String {
    let (verdict, speaks) = Verdict::of(audit, proofs);
    let name = |secret: u32| question.names().name(secret);
    let test = |test: &Test| {
        json!({
            "family": test.family.name(),
            "secrets": test.secrets.map(name),
            "event": test.event,
            "seen": test.seen.map(|seen| json!({ "hits": seen.hits, "draws": seen.draws })),
            "bound": test.bound,
            "claimed": test.claimed,
            "claimed_text": question.claim_of(test),
        })
    };
    let tests: Vec<Value> = audit.tests.iter().map(test).collect();
    json!({
        "verdict": verdict.name(),
        "evidence": verdict.is_evidence(),
        "worst": speaks,
        "tests": tests,
        "chosen_on": audit.chosen_on,
        "tested_on": audit.tested_on,
        "confidence": audit.confidence,
        "measure": if question.delta_at().is_some() { "delta" } else { "epsilon" },
    })
    .to_string()
}
