//! Whole plans.

use crate::claim::Claim;
use crate::error::Answer;
use crate::mechanism::Mechanism;
use crate::progress::{Link, watched};
use crate::spelling::InPython;
use lookalike::Sentence;
use lookalike::design::Progress;
use lookalike_engine::{Facts, Listener, Run};
use lookalike_report::run_page;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Runs a plan; the mechanism, what was done as JSON, and what was said.
#[pyfunction]
pub fn run_plan(
    py: Python<'_>,
    path: PathBuf,
    output: Option<PathBuf>,
    overwrite: bool,
    progress: Option<Py<PyAny>>,
) -> Answer<(Mechanism, String, Said)> {
    watched(py, progress.as_ref(), false, |link| {
        let heard = Heard { link, warnings: Mutex::default(), notes: Mutex::default(), unprotected: Mutex::default() };
        let run = Run { path: &path, output: output.as_deref(), replace: overwrite, page: &run_page };
        let ran = run.run(&heard)?;
        let taken = |said: Mutex<Vec<String>>| said.into_inner().unwrap_or_else(PoisonError::into_inner);
        let facts = ran.facts().json().to_string();
        let said = Said {
            released: ran.plan.released.clone(),
            warnings: taken(heard.warnings),
            notes: [ran.unchanged(), ran.repeated()].into_iter().flatten().chain(taken(heard.notes)).collect(),
            unprotected: taken(heard.unprotected),
        };
        let claim = Claim::new(ran.designed.file()).with_proof(ran.designed.certified);
        Ok((Mechanism::new(claim), facts, said))
    })
}

/// What a run says beside its facts.
#[derive(IntoPyObject)]
pub struct Said {
    /// The name of the released file.
    released: String,
    warnings: Vec<String>,
    notes: Vec<String>,
    unprotected: Vec<String>,
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
