//! Whole plans.

use crate::claim::Claim;
use crate::error::Answer;
use crate::mechanism::Mechanism;
use crate::progress::{Link, watched};
use crate::spelling::InPython;
use lookalike::Sentence;
use lookalike::design::Progress;
use lookalike_engine::{EstimateFacts, Listener, Ran, Run, no_value_changed, repeated_reports, secrets_of};
use lookalike_formats::{MechanismFile, largest_epsilon};
use lookalike_report::run_page;
use pyo3::prelude::*;
use serde_json::json;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Runs a plan; the mechanism, and what was done as JSON.
#[pyfunction]
pub fn run_plan(
    py: Python<'_>,
    path: PathBuf,
    output: Option<PathBuf>,
    overwrite: bool,
    progress: Option<Py<PyAny>>,
) -> Answer<(Mechanism, String)> {
    watched(py, progress.as_ref(), false, |link| {
        let heard = Heard { link, warnings: Mutex::default(), notes: Mutex::default(), unprotected: Mutex::default() };
        let run = Run { path: &path, output: output.as_deref(), replace: overwrite, page: &run_page };
        let Ran { plan, design, certified, done, cohorts, files, .. } = run.run(&heard)?;
        let taken = |said: Mutex<Vec<String>>| said.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mechanism = certified.mechanism();
        let repeated = repeated_reports(&done, secrets_of(mechanism), largest_epsilon(mechanism));
        let said = [no_value_changed(&done, mechanism), repeated].into_iter().flatten();
        let notes: Vec<String> = said.chain(taken(heard.notes)).collect();
        let report = json!({
            "rows": done.rows,
            "seeded": plan.seed.is_some(),
            "released_in_clear": plan.data.keep,
            "estimate": EstimateFacts::of(certified.mechanism(), &cohorts),
            "files": files.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(),
            "released": plan.released,
            "warnings": taken(heard.warnings),
            "notes": notes,
            "unprotected": taken(heard.unprotected),
        });
        let claim = Claim::new(MechanismFile::new(design, &certified)).with_proof(certified);
        Ok((Mechanism::new(claim), report.to_string()))
    })
}

/// What a run says, until Python hears it.
struct Heard<'a> {
    link: &'a Link,
    warnings: Mutex<Vec<String>>,
    notes: Mutex<Vec<String>>,
    unprotected: Mutex<Vec<String>>,
}

fn push(said: &Mutex<Vec<String>>, message: String) {
    said.lock().unwrap_or_else(PoisonError::into_inner).push(message);
}

impl Listener for Heard<'_> {
    fn warn(&self, message: &Sentence) {
        push(&self.warnings, message.spelled(&InPython).to_string());
    }

    fn note(&self, message: &str) {
        push(&self.notes, message.to_owned());
    }

    fn unprotected(&self, names: &[String]) {
        self.unprotected.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(names);
    }

    fn progress(&self, progress: Progress) {
        self.link.report(progress);
    }

    fn is_stopped(&self) -> bool {
        self.link.is_stopped()
    }
}
