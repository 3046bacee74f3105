//! The files of a run, as texts: nothing here touches a disk.

use crate::experiment::{Experiment, Outcome};
use crate::page::page;
use lookalike_report::plot::standalone;

/// A file to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputFile {
    /// Its name, without a folder.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// A table and the pictures for each experiment, and one page with all of them.
pub fn files(outcomes: &[(Experiment, Outcome)], page_name: &str) -> Vec<OutputFile> {
    let mut files = vec![OutputFile { name: page_name.to_owned(), text: page(outcomes) }];
    for (experiment, outcome) in outcomes {
        files.push(OutputFile { name: table_name(experiment), text: outcome.table.csv() });
        for chart in &outcome.charts {
            let dash = if chart.suffix.is_empty() { "" } else { "-" };
            let name = format!("{}{dash}{}.svg", experiment.name, chart.suffix);
            files.push(OutputFile { name, text: standalone(&chart.chart.svg()) });
        }
    }
    files
}

/// The name of an experiment's table.
pub(crate) fn table_name(experiment: &Experiment) -> String {
    format!("{}.csv", experiment.name)
}
