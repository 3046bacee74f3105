//! `lookalike reproduce`.

use crate::Answer;
use crate::interrupt::Interrupt;
use crate::terminal::{Terminal, count, whole_table};
use lookalike_experiments::{Adult, Cell, EXPERIMENTS, Experiment, Finding, Outcome, OutputFile, Table, files, named};
use lookalike_io::{AtomicFile, Error, Result};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Do published experiments again: tables, plots and one page
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike reproduce --list
  lookalike reproduce
  lookalike reproduce figure-3c -o chains
  lookalike reproduce counts --adult adult.data")]
pub struct Reproduce {
    /// The experiment; all of them if not given
    name: Option<String>,
    /// The folder for tables (CSV), plots (SVG) and the page (HTML)
    #[arg(long, short, value_name = "FOLDER", default_value = "reproduce")]
    output: PathBuf,
    /// The UCI Adult data, adult.data; adds the experiment counts-adult, which is about them
    #[arg(long, value_name = "FILE")]
    adult: Option<PathBuf>,
    /// Only list the experiments
    #[arg(long, conflicts_with_all = ["name", "output", "adult"])]
    list: bool,
}

impl Reproduce {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        if self.list {
            list(terminal)?;
            return Ok(Answer::Yes);
        }
        let experiments = self.experiments()?;
        let page = self.name.as_ref().map_or_else(|| "index.html".to_owned(), |name| format!("{name}.html"));
        // What cannot be written is better known before the work than after it.
        if self.output.exists() {
            drop(AtomicFile::create(&self.output.join(&page), terminal.force())?);
        }
        let adult = self.adult.as_deref().map(Adult::read).transpose()?;
        let bar = terminal.spinner("designing");
        let interrupt = Interrupt::new(&bar);
        let run = |experiment: Experiment| {
            bar.set_message(experiment.title);
            Ok((experiment, experiment.run(adult.as_ref())?))
        };
        let outcomes = experiments.into_iter().map(run).collect::<Result<Vec<_>>>()?;
        bar.finish_and_clear();
        interrupt.writing();
        let files = files(&outcomes, &page);
        write(&files, &self.output, terminal.force())?;
        let place = self.output.join(&page);
        terminal.answer(object(&outcomes, &files, &self.output), || {
            let body = match &self.name {
                Some(_) => outcomes.iter().map(|(experiment, outcome)| one(experiment, outcome)).collect(),
                None => overview(&outcomes),
            };
            let without = if self.name.is_none() && self.adult.is_none() { WITHOUT_DATA } else { "" };
            let wrote = count(files.len() as u64, "file");
            format!("{body}{without}Wrote {wrote} to {}; the page is {}.\n", self.output.display(), place.display())
        })?;
        Ok(Answer::Yes)
    }

    /// What is to be done: one experiment or all, and with data also what is about them.
    fn experiments(&self) -> Result<Vec<Experiment>> {
        let asked = self.name.as_deref().map(named).transpose()?;
        let about_data = || EXPERIMENTS.into_iter().filter(Experiment::needs_adult);
        match (asked, &self.adult) {
            (None, None) => Ok(EXPERIMENTS.into_iter().filter(|experiment| !experiment.needs_adult()).collect()),
            (None, Some(_)) => Ok(EXPERIMENTS.to_vec()),
            (Some(asked), Some(_)) if asked.name == "counts" => Ok([asked].into_iter().chain(about_data()).collect()),
            (Some(asked), Some(_)) if !asked.needs_adult() => {
                let takers = ["counts"].into_iter().chain(about_data().map(|experiment| experiment.name));
                let takers = takers.collect::<Vec<_>>().join(" and ");
                Err(Error::input(format!("--adult: {} is not about these data; {takers} are", asked.name)))
            }
            (Some(asked), _) => Ok(vec![asked]),
        }
    }
}

/// What a run of all experiments leaves out.
const WITHOUT_DATA: &str = "Left out: counts-adult, which needs the UCI Adult data (--adult FILE).\n";

fn list(terminal: &Terminal) -> Result<()> {
    let item = |experiment: Experiment| json!({ "name": experiment.name, "title": experiment.title, "needs_adult": experiment.needs_adult() });
    let object = json!({ "experiments": EXPERIMENTS.map(item) });
    let needs = |experiment: &Experiment| if experiment.needs_adult() { " (needs --adult FILE)" } else { "" };
    let line = |experiment: Experiment| described(&experiment) + needs(&experiment) + "\n";
    terminal.answer(object, || EXPERIMENTS.map(line).concat())
}

/// The name and the title, titles one below the other.
fn described(experiment: &Experiment) -> String {
    let width = EXPERIMENTS.iter().map(|experiment| experiment.name.len()).max().unwrap_or(0);
    format!("{:width$}  {}", experiment.name, experiment.title)
}

/// Writes all files or, if one of them exists and may not be replaced, none.
fn write(files: &[OutputFile], folder: &Path, force: bool) -> Result<()> {
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

/// All experiments in a line each, and the statements that do not hold.
fn overview(outcomes: &[(Experiment, Outcome)]) -> String {
    let row = |(experiment, outcome): &(Experiment, Outcome)| {
        let holding = outcome.findings.iter().filter(|finding| finding.holds).count();
        vec![described(experiment), format!("{holding} of {}", outcome.findings.len())]
    };
    let mut text = whole_table(&["experiment", "statements that hold"], outcomes.iter().map(row));
    for (experiment, outcome) in outcomes {
        for finding in outcome.findings.iter().filter(|finding| !finding.holds) {
            text += &format!("{}: {}", experiment.name, line(finding));
        }
    }
    text
}

/// The main numbers of one experiment, and what the source says of them.
fn one(experiment: &Experiment, outcome: &Outcome) -> String {
    let Outcome { highlights, findings, open, .. } = outcome;
    let header: Vec<&str> = highlights.columns().iter().map(String::as_str).collect();
    let mut text = format!("{}: {}\n", experiment.name, experiment.title) + &whole_table(&header, highlights.texts());
    findings.iter().for_each(|finding| text += &line(finding));
    open.iter().for_each(|open| text += &format!("Open: {open}\n"));
    text
}

/// `Holds: It grows with the difference. (114 of 114 steps)`
fn line(finding: &Finding) -> String {
    let verdict = if finding.holds { "Holds" } else { "Does not hold" };
    format!("{verdict}: {} ({})\n", finding.statement, finding.evidence)
}

fn object(outcomes: &[(Experiment, Outcome)], files: &[OutputFile], folder: &Path) -> Value {
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
    json!({
        "folder": folder.display().to_string(),
        "files": files.iter().map(|file| &file.name).collect::<Vec<_>>(),
        "experiments": outcomes.iter().map(experiment).collect::<Vec<_>>(),
    })
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
