//! `lookalike reproduce`.

use crate::Answer;
use crate::interrupt::Interrupt;
use crate::terminal::{Terminal, count, whole_table};
use lookalike_experiments::{
    Cell, Data, DataSet, EXPERIMENTS, Experiment, Finding, Outcome, OutputFile, Table, files, named,
};
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
  lookalike reproduce counts --adult adult.data
  lookalike reproduce electricity --electricity electricity_usage.csv")]
pub struct Reproduce {
    /// The experiment; all of them if not given
    name: Option<String>,
    /// The folder for tables (CSV), plots (SVG) and the page (HTML)
    #[arg(long, short, value_name = "FOLDER", default_value = "reproduce")]
    output: PathBuf,
    /// The UCI Adult data, adult.data; adds the experiment counts-adult, which is about them
    #[arg(long, value_name = "FILE")]
    adult: Option<PathBuf>,
    /// Activities of older people (UCI data set 427) as CSV with the columns room, trial, sex, seconds and activity; adds the
    /// experiment activity
    #[arg(long, value_name = "FILE")]
    activity: Option<PathBuf>,
    /// The hourly electricity use of a home, electricity_usage.csv of openmv.net; adds the experiment electricity
    #[arg(long, value_name = "FILE")]
    electricity: Option<PathBuf>,
    /// The days of one person, OrdonezA_ADLs.txt (UCI data set 271); adds the experiment ordonez
    #[arg(long, value_name = "FILE")]
    ordonez: Option<PathBuf>,
    /// Only list the experiments
    #[arg(long, conflicts_with_all = ["name", "output", "adult", "activity", "electricity", "ordonez"])]
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
        let mut data = Data::default();
        self.files().try_for_each(|(set, path)| data.read(set, path))?;
        let bar = terminal.spinner("designing");
        let interrupt = Interrupt::new(&bar);
        let run = |experiment: Experiment| {
            bar.set_message(experiment.title);
            Ok((experiment, experiment.run(&data)?))
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
            let without = if self.name.is_none() { left_out(&data) } else { String::new() };
            let wrote = count(files.len() as u64, "file");
            format!("{body}{without}Wrote {wrote} to {}; the page is {}.\n", self.output.display(), place.display())
        })?;
        Ok(Answer::Yes)
    }

    /// The data sets that are given, with their files.
    fn files(&self) -> impl Iterator<Item = (DataSet, &Path)> {
        let path = |set: DataSet| match set {
            DataSet::Adult => self.adult.as_deref(),
            DataSet::Activity => self.activity.as_deref(),
            DataSet::Electricity => self.electricity.as_deref(),
            DataSet::Ordonez => self.ordonez.as_deref(),
        };
        DataSet::ALL.into_iter().filter_map(move |set| Some((set, path(set)?)))
    }

    /// What is to be done: one experiment or all, and with data also what is about them.
    fn experiments(&self) -> Result<Vec<Experiment>> {
        let is_given = |set: DataSet| self.files().any(|(given, _)| given == set);
        let Some(name) = &self.name else {
            let is_possible = |experiment: &Experiment| experiment.needs().is_none_or(is_given);
            return Ok(EXPERIMENTS.into_iter().filter(is_possible).collect());
        };
        let asked = named(name)?;
        // The slides show counts and their errors on people side by side.
        let beside = |experiment: &Experiment| name == "counts" && experiment.needs() == Some(DataSet::Adult);
        let about = |experiment: &Experiment| experiment.name == asked.name || beside(experiment);
        for (set, _) in self.files() {
            if !EXPERIMENTS.iter().any(|experiment| about(experiment) && experiment.needs() == Some(set)) {
                return Err(Error::input(format!("--{}: {name} is not about these data; {}", set.name(), takers(set))));
            }
        }
        let is_meant = |experiment: &Experiment| {
            experiment.name == asked.name || beside(experiment) && experiment.needs().is_some_and(is_given)
        };
        Ok(EXPERIMENTS.into_iter().filter(is_meant).collect())
    }
}

/// `counts and counts-adult are`.
fn takers(set: DataSet) -> String {
    match set {
        DataSet::Adult => "counts and counts-adult are".into(),
        _ => format!("{} is", set.name()),
    }
}

/// What a run of all experiments leaves out.
fn left_out(data: &Data) -> String {
    let line = |experiment: Experiment| {
        let set = experiment.needs().filter(|set| !data.has(*set))?;
        Some(format!("Left out: {}, which needs {} (--{} FILE).\n", experiment.name, set.title(), set.name()))
    };
    EXPERIMENTS.into_iter().filter_map(line).collect()
}

fn list(terminal: &Terminal) -> Result<()> {
    let needs = |experiment: &Experiment| experiment.needs().map(DataSet::name);
    let item = |experiment: Experiment| json!({ "name": experiment.name, "title": experiment.title, "needs": needs(&experiment) });
    let object = json!({ "experiments": EXPERIMENTS.map(item) });
    let line = |experiment: Experiment| {
        let option = needs(&experiment).map_or_else(String::new, |name| format!(" (needs --{name} FILE)"));
        described(&experiment) + &option + "\n"
    };
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
