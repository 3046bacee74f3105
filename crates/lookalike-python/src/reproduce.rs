//! Published experiments, done again.

use crate::error::{Answer, Failure};
use crate::progress::watched;
use lookalike::design::Progress;
use lookalike_experiments::{Adult, EXPERIMENTS, Experiment, chosen, files, outcomes_json, page_name, write_files};
use pyo3::prelude::*;
use serde_json::json;
use std::path::PathBuf;

/// Name and title of every experiment, and whether it needs the UCI Adult data.
#[pyfunction]
pub fn experiments() -> Vec<(&'static str, &'static str, bool)> {
    EXPERIMENTS.iter().map(|experiment| (experiment.name, experiment.title, experiment.needs_adult())).collect()
}

/// One experiment or all, as JSON; their tables, plots and page are written where there is a folder.
#[pyfunction]
pub fn reproduce(
    py: Python<'_>,
    name: Option<&str>,
    folder: Option<PathBuf>,
    adult: Option<PathBuf>,
    overwrite: bool,
    progress: Option<Py<PyAny>>,
) -> Answer<String> {
    let experiments = chosen(name, adult.is_some())?;
    let total = experiments.len() as u64;
    watched(py, progress.as_ref(), false, |link| {
        let adult = adult.as_deref().map(Adult::read).transpose()?;
        let run = |(done, experiment): (usize, Experiment)| {
            if link.is_stopped() {
                return Err(Failure::input("stopped before it was done"));
            }
            link.report(Progress { stage: experiment.title, done: done as u64, total: Some(total) });
            Ok((experiment, experiment.run(adult.as_ref())?))
        };
        let outcomes = experiments.into_iter().enumerate().map(run).collect::<Answer<Vec<_>>>()?;
        let (page, mut written) = (page_name(name), Vec::new());
        if let Some(folder) = &folder {
            let files = files(&outcomes, &page);
            write_files(&files, folder, overwrite)?;
            written = files.into_iter().map(|file| folder.join(file.name).display().to_string()).collect();
        }
        Ok(json!({ "experiments": outcomes_json(&outcomes), "files": written }).to_string())
    })
}
