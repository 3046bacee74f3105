//! What `lookalike-experiments` does.

use lookalike_engine::AtomicFile;
use lookalike_experiments::{
    Data, DataSet, EXPERIMENTS, Experiment, Finding, Outcome, chosen, files, outcomes_json, page_name, write_files,
};
use lookalike_formats::Result;
use lookalike_terminal::terminal::{count, whole_table};
use lookalike_terminal::{Answer, Interrupt, Terminal};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Which experiments, on which data, and where to.
#[derive(clap::Args)]
pub struct Experiments {
    /// The experiment; all of them if not given
    name: Option<String>,
    /// The folder for tables (CSV), plots (SVG) and the page (HTML)
    #[arg(long, short, value_name = "FOLDER", default_value = "experiments")]
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
    /// The position fixes of trips, go_track_trackspoints.csv (UCI data set 354); adds the experiments places-planar and places-grid
    #[arg(long, value_name = "FILE")]
    tracks: Option<PathBuf>,
    /// Only list the experiments
    #[arg(long, conflicts_with_all = ["name", "output", "adult", "activity", "electricity", "ordonez", "tracks"])]
    list: bool,
}

impl Experiments {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        if self.list {
            list(terminal)?;
            return Ok(Answer::Yes);
        }
        let given: Vec<DataSet> = self.files().map(|(set, _)| set).collect();
        let experiments = chosen(self.name.as_deref(), &given)?;
        // What cannot be written is better known before the work than after it.
        let page = page_name(self.name.as_deref());
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
        write_files(&files, &self.output, terminal.force())?;
        let place = self.output.join(&page);
        let mut object = json!({
            "folder": self.output.display().to_string(),
            "files": files.iter().map(|file| &file.name).collect::<Vec<_>>(),
        });
        object["experiments"] = outcomes_json(&outcomes);
        terminal.answer(object, || {
            let body = match &self.name {
                Some(_) => outcomes.iter().map(|(experiment, outcome)| one(experiment, outcome)).collect(),
                None => overview(&outcomes),
            };
            let without = if self.name.is_none() { left_out(&given) } else { String::new() };
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
            DataSet::Tracks => self.tracks.as_deref(),
        };
        DataSet::ALL.into_iter().filter_map(move |set| Some((set, path(set)?)))
    }
}

/// What a run of all experiments leaves out.
fn left_out(given: &[DataSet]) -> String {
    let line = |experiment: Experiment| {
        if experiment.is_long() {
            return Some(format!("Left out: {}, which takes minutes (done by its name).\n", experiment.name));
        }
        let set = experiment.needs().filter(|set| !given.contains(set))?;
        Some(format!("Left out: {}, which needs {} (--{} FILE).\n", experiment.name, set.title(), set.name()))
    };
    EXPERIMENTS.into_iter().filter_map(line).collect()
}

fn list(terminal: &Terminal) -> Result<()> {
    let needs = |experiment: &Experiment| experiment.needs().map(DataSet::name);
    let item = |experiment: Experiment| json!({ "name": experiment.name, "title": experiment.title, "needs": needs(&experiment) });
    let object = json!({ "experiments": EXPERIMENTS.map(item) });
    let line = |experiment: Experiment| {
        let option = match needs(&experiment) {
            Some(name) => format!(" (needs --{name} FILE)"),
            None if experiment.is_long() => " (takes minutes, done by its name)".to_owned(),
            None => String::new(),
        };
        described(&experiment) + &option + "\n"
    };
    terminal.answer(object, || EXPERIMENTS.map(line).concat())
}

/// The name and the title, titles one below the other.
fn described(experiment: &Experiment) -> String {
    let width = EXPERIMENTS.iter().map(|experiment| experiment.name.len()).max().unwrap_or(0);
    format!("{:width$}  {}", experiment.name, experiment.title)
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
