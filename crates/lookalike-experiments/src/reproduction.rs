//! Which experiments are done, and what becomes of their outcomes.

use crate::{Cell, DataSet, EXPERIMENTS, Experiment, Finding, Outcome, OutputFile, Table, named};
use lookalike_engine::AtomicFile;
use lookalike_formats::{Error, Result};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;

/// What is to be done: one experiment, or all that do not take minutes, and with data also what is about them.
///
/// # Errors
/// A name that is not known, or data for an experiment that is not about them.
pub fn chosen(name: Option<&str>, given: &[DataSet]) -> Result<Vec<Experiment>> {
    let has_data = |experiment: &Experiment| experiment.needs().is_none_or(|set| given.contains(&set));
    let Some(asked) = name.map(named).transpose()? else {
        return Ok(EXPERIMENTS
            .into_iter()
            .filter(|experiment| has_data(experiment) && !experiment.is_long())
            .collect());
    };
    // The slides show counts and their errors on people side by side.
    let beside = |experiment: &Experiment| asked.name == "counts" && experiment.name == "counts-adult";
    let is_meant = |experiment: &Experiment| experiment.name == asked.name || beside(experiment);
    for set in given {
        if !EXPERIMENTS.iter().any(|experiment| is_meant(experiment) && experiment.needs() == Some(*set)) {
            let takers = match set {
                DataSet::Adult => "counts, counts-adult and estimate-adult are".into(),
                DataSet::Tracks => "places-planar and places-grid are".into(),
                _ => format!("{} is", set.name()),
            };
            return Err(Error::input(format!("--{}: {} is not about these data; {takers}", set.name(), asked.name)));
        }
    }
    let is_done = |experiment: &Experiment| experiment.name == asked.name || beside(experiment) && has_data(experiment);
    Ok(EXPERIMENTS.into_iter().filter(is_done).collect())
}

/// The name of the page about one experiment, or about all of them.
pub fn page_name(name: Option<&str>) -> String {
    format!("{}.html", name.unwrap_or("index"))
}

/// Writes all files or, if one of them exists and may not be replaced, none.
///
/// # Errors
/// A folder or a file that cannot be written.
pub fn write_files(files: &[OutputFile], folder: &Path, force: bool) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|error| Error::system("cannot create", error).in_file(folder))?;
    let stage = |file: &OutputFile| {
        let path = folder.join(&file.name);
        let mut staged = AtomicFile::create(&path, force)?;
        let written = staged.write_all(file.text.as_bytes());
        written.map_err(|error| Error::system("cannot write", error).in_file(&path))?;
        Ok(staged)
    };
    let staged = files.iter().map(stage).collect::<Result<Vec<_>>>()?;
    staged.into_iter().try_for_each(AtomicFile::commit)
}

/// For each experiment its `name`, `title`, `findings`, what stays `open`, and the `table`.
pub fn outcomes_json(outcomes: &[(Experiment, Outcome)]) -> Value {
    let finding = |finding: &Finding| json!({ "statement": finding.statement, "holds": finding.holds, "evidence": finding.evidence });
    let experiment = |(experiment, outcome): &(Experiment, Outcome)| {
        json!({
            "name": experiment.name,
            "title": experiment.title,
            "findings": outcome.findings.iter().map(finding).collect::<Vec<_>>(),
            "open": outcome.open,
            "table": table(&outcome.table),
        })
    };
    outcomes.iter().map(experiment).collect()
}

/// The columns and the rows, numbers as they are printed.
fn table(table: &Table) -> Value {
    let cell = |cell: &Cell| match cell {
        Cell::Text(text) => json!(text),
        Cell::Number(_) => json!(cell.text().parse::<f64>().unwrap_or_default()),
    };
    let row = |row: &Vec<Cell>| row.iter().map(cell).collect::<Vec<_>>();
    json!({ "columns": table.columns(), "rows": table.rows().iter().map(row).collect::<Vec<_>>() })
}
