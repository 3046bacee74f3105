//! Which experiments are done, and what becomes of their outcomes.

use crate::{Cell, EXPERIMENTS, Experiment, Finding, Outcome, OutputFile, Table, named};
use lookalike_io::{AtomicFile, Error, Result};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;

/// What is to be done: one experiment or all, and with data also what is about them.
///
/// # Errors
/// A name that is not known, or data for an experiment that is not about them.
pub fn chosen(name: Option<&str>, has_adult: bool) -> Result<Vec<Experiment>> {
    let asked = name.map(named).transpose()?;
    let about_data = || EXPERIMENTS.into_iter().filter(Experiment::needs_adult);
    match (asked, has_adult) {
        (None, false) => Ok(EXPERIMENTS.into_iter().filter(|experiment| !experiment.needs_adult()).collect()),
        (None, true) => Ok(EXPERIMENTS.to_vec()),
        (Some(asked), true) if asked.name == "counts" => Ok([asked].into_iter().chain(about_data()).collect()),
        (Some(asked), true) if !asked.needs_adult() => {
            let takers = ["counts"].into_iter().chain(about_data().map(|experiment| experiment.name));
            let takers = takers.collect::<Vec<_>>().join(" and ");
            Err(Error::input(format!("--adult: {} is not about these data; {takers} are", asked.name)))
        }
        (Some(asked), _) => Ok(vec![asked]),
    }
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
