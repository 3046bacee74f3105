//! Published experiments, done again.

use crate::error::{Answer, Failure};
use crate::progress::watched;
use lookalike::design::Progress;
use lookalike_experiments::{
    Data, DataSet, EXPERIMENTS, Experiment, chosen, files, outcomes_json, page_name, write_files,
};
use pyo3::prelude::*;
use serde_json::json;
use std::collections::HashMap;
use std::path::PathBuf;

/// Name and title of every experiment, and the data that it needs.
#[pyfunction]
pub fn experiments() -> Vec<(&'static str, &'static str, Option<&'static str>)> {
    let item = |experiment: Experiment| (experiment.name, experiment.title, experiment.needs().map(DataSet::name));
    EXPERIMENTS.into_iter().map(item).collect()
}

/// One experiment or all, as JSON; their tables, plots and page are written where there is a folder. Data are files by the
/// names of their sets.
#[pyfunction]
pub fn reproduce(
    py: Python<'_>,
    name: Option<&str>,
    folder: Option<PathBuf>,
    data: HashMap<String, PathBuf>,
    overwrite: bool,
    progress: Option<Py<PyAny>>,
) -> Answer<String> {
    let given: Vec<DataSet> = DataSet::ALL.into_iter().filter(|set| data.contains_key(set.name())).collect();
    let experiments = chosen(name, &given)?;
    let total = experiments.len() as u64;
    watched(py, progress.as_ref(), false, |link| {
        let mut read = Data::default();
        given.iter().try_for_each(|set| read.read(*set, &data[set.name()]))?;
        let run = |(done, experiment): (usize, Experiment)| {
            if link.is_stopped() {
                return Err(Failure::input("stopped before it was done"));
            }
            link.report(Progress { stage: experiment.title, done: done as u64, total: Some(total) });
            Ok((experiment, experiment.run(&read)?))
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
