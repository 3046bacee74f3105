//! `lookalike design`.

mod report;
mod trade_off;

use crate::Answer;
use crate::interrupt::Interrupt;
use crate::streams::is_stdout;
use crate::terminal::{Terminal, print, unprotected};
use indicatif::ProgressBar;
use lookalike::certify::Certified;
use lookalike::design::{
    Algorithm, EpsilonFor, Flips, Grid, MechanismName, Options, Problem, Progress, Watch, design, randomized_response,
};
use lookalike::estimate::Confidence;
use lookalike::exact::Epsilon;
use lookalike::model::Mechanism;
pub use lookalike_engine::prove_design as prove;
use lookalike_engine::{AtomicFile, ReadFile, SaveFile, Wanted, Wishes, note_input};
use lookalike_formats::{
    Error, MaxGap, MechanismFile, Result, Spec, Stored, check_gap, gap_warning, impossible_values,
};
use report::Reached;
pub use report::{Report, nearest, utilities};
use std::path::{Path, PathBuf};

/// Design the mechanism of a spec, prove it, and write it to a file
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike design spec.toml -o m.json
  lookalike design spec.toml --mechanism k-rr -o baseline.json
  lookalike design spec.toml --json | jq .objective
  lookalike design spec.toml --sweep 0.05..3
  lookalike design spec.toml --epsilon-for expected-error=0.1 -o m.json
  lookalike design spec.toml --epsilon-for width=0.02 --reports 10000 -o m.json")]
pub struct Design {
    /// The spec, TOML or JSON
    spec: PathBuf,
    /// The mechanism file to write; - for standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// k-rr, two-profile, one-bit-cluster, cluster, smooth-one-bit or smooth-categorical; by default the best that
    /// applies
    #[arg(long, value_name = "NAME")]
    mechanism: Option<MechanismName>,
    /// For smooth-one-bit: symmetric flips as in the paper, or asymmetric ones, a probability for each bit
    #[arg(long, default_value_t)]
    flips: Flips,
    /// closed-form, lattice, linear-program or group; by default what the structure of the spec suggests
    #[arg(long, value_name = "NAME")]
    algorithm: Option<Algorithm>,
    /// One channel for each profile, or one for all; instead of the spec's
    #[arg(long, value_name = "KIND", value_parser = ["aware", "shared"])]
    channel: Option<String>,
    /// What to keep small, instead of the spec's; loss needs the spec's matrix
    #[arg(long, value_name = "NAME", value_parser = ["max-flip", "expected-error", "ordinal-error", "loss"])]
    objective: Option<String>,
    /// Scale the spec's budgets so that the largest is this; a single one is replaced
    #[arg(long, value_name = "E")]
    epsilon: Option<Epsilon>,
    /// Design at many epsilons and print the trade-off: 0.05..3, 0.05..3:12 for 12 points, or 0.1,0.5,ln(3)
    #[arg(long, value_name = "RANGE", conflicts_with_all = ["epsilon", "epsilon_for", "output"])]
    sweep: Option<Grid>,
    /// Design at the smallest epsilon that reaches this, such as expected-error=0.1, max-flip=1/20, or with --reports
    /// width=0.02, the widest interval of a share
    #[arg(long, value_name = "TARGET", conflicts_with_all = ["epsilon"])]
    epsilon_for: Option<String>,
    /// For --epsilon-for width=…: from how many reports
    #[arg(long, value_name = "N", requires = "epsilon_for")]
    reports: Option<u64>,
    /// For --epsilon-for width=…: how often an interval is to cover the truth
    #[arg(long, value_name = "P", default_value_t = 0.95, requires = "reports")]
    confidence: f64,
    /// Refuse a design that is not proved to be within this share of the least there is, such as 1e-6
    #[arg(long, value_name = "SHARE", conflicts_with = "sweep")]
    max_gap: Option<MaxGap>,
}

impl Design {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        note_input(&self.spec);
        check_output(self.output.as_deref(), terminal)?;
        let bar = terminal.spinner("reading");
        let interrupt = Interrupt::new(&bar);
        let (problem, unprotected) = self.problem(terminal, &bar)?;
        if let Some(grid) = &self.sweep {
            let points = self.watched(&bar, |options| trade_off::points(&problem, grid, options))?;
            bar.finish_and_clear();
            interrupt.writing();
            trade_off::print(&points, problem.objective().name(), terminal)?;
            return Ok(Answer::Yes);
        }
        let designed = self.designed(problem, unprotected, &bar)?;
        bar.finish_and_clear();
        interrupt.writing();
        if let Some(most) = &self.max_gap {
            check_gap(&designed.design.objective, most).map_err(|error| error.in_file(&self.spec))?;
        }
        let lines = impossible_values(designed.certified.mechanism()).into_iter();
        for line in lines.chain(gap_warning(&designed.design)) {
            terminal.warn(&line);
        }
        let report = designed.report(self.output.as_deref());
        if let Some(path) = &self.output {
            write(&designed.file(), path, terminal)?;
        }
        if self.output.as_deref().is_some_and(is_stdout) {
            terminal.note(report.text().trim_end())
        } else {
            terminal.answer(report.json(), || report.text())?
        }
        Ok(Answer::Yes)
    }

    /// The problem that is asked for, and the profiles that it leaves unprotected; warns of these.
    fn problem(&self, terminal: &Terminal, bar: &ProgressBar) -> Result<(Problem, Vec<String>)> {
        let spec = Spec::read(&self.spec)?;
        for line in unprotected(&spec.unprotected) {
            bar.suspend(|| terminal.warn(&line));
        }
        let problem = self.asked(spec.problem).map_err(|error| error.in_file(&self.spec))?;
        Ok((problem, spec.unprotected))
    }

    /// The design of a problem with its proof and its baseline.
    fn designed(&self, problem: Problem, unprotected: Vec<String>, bar: &ProgressBar) -> Result<Designed> {
        let (problem, design, reached) = self.watched(bar, |options| self.proposal(problem, options))?;
        bar.set_message("certifying");
        let baseline = randomized_response(&problem)?;
        let certified = prove(design.mechanism.clone())?;
        Ok(Designed { problem, design, baseline, certified, reached, unprotected })
    }

    /// Something long, which shows its progress, and whose errors name the spec.
    fn watched<T>(&self, bar: &ProgressBar, work: impl FnOnce(&Options<'_>) -> Result<T>) -> Result<T> {
        let progress = |progress: Progress| bar.set_message(stage(progress));
        let watch = Watch::default().on_progress(&progress);
        let options = Options { mechanism: self.mechanism, flips: self.flips, algorithm: self.algorithm, watch };
        work(&options).map_err(|error| error.in_file(&self.spec))
    }

    /// The problem of the spec with what the command line says instead.
    fn asked(&self, problem: Problem) -> Result<Problem> {
        let Design { channel, objective, epsilon, .. } = self;
        let (channel, objective) = (channel.as_deref(), objective.as_deref());
        Wishes { channel, objective, epsilon: epsilon.as_ref() }.applied(problem)
    }

    /// The design, and its problem: at the budgets given, or at the smallest ε for the wanted utility.
    fn proposal(
        &self,
        problem: Problem,
        options: &Options<'_>,
    ) -> Result<(Problem, lookalike::design::Design, Option<Reached>)> {
        let Some(text) = &self.epsilon_for else {
            let proposal = design(&problem, options)?;
            return Ok((problem, proposal, None));
        };
        let confidence = Confidence { level: self.confidence, simultaneous: false };
        let wanted =
            Wanted::parse(text, &problem, self.reports, confidence).map_err(|error| error.at("--epsilon-for"))?;
        if let (Wanted::Utility(_), Some(_)) = (&wanted, &self.objective) {
            return Err(Error::input("--objective: that of --epsilon-for is what the design keeps small"));
        }
        let EpsilonFor { epsilon, problem, design, value, one_step_lower } = wanted.smallest(&problem, options)?;
        Ok((problem, design, Some(Reached { wanted, epsilon, value, one_step_lower })))
    }
}

/// A design with its proof and what it is compared with.
pub struct Designed {
    pub problem: Problem,
    pub design: lookalike::design::Design,
    /// Randomized response: what local DP would cost.
    pub baseline: lookalike::design::Design,
    pub certified: Certified<Mechanism>,
    pub reached: Option<Reached>,
    pub unprotected: Vec<String>,
}

impl Designed {
    /// What is said of it; the path is that of its file.
    pub fn report<'a>(&'a self, output: Option<&'a Path>) -> Report<'a> {
        Report {
            problem: &self.problem,
            design: &self.design,
            baseline: &self.baseline,
            certified: &self.certified,
            reached: self.reached.as_ref(),
            unprotected: &self.unprotected,
            output,
        }
    }

    /// The mechanism file.
    pub fn file(&self) -> MechanismFile {
        MechanismFile::new(self.design.clone(), &self.certified)
    }
}

/// Refuses an output that cannot be written: better known before a long design than after it.
pub fn check_output(output: Option<&Path>, terminal: &Terminal) -> Result<()> {
    let to_stdout = output.is_some_and(is_stdout);
    if terminal.json() && to_stdout {
        return Err(Error::input("--json and -o -: both would go to standard output, expected -o FILE"));
    }
    // A pipe opens only once.
    let is_special = |path: &Path| path.metadata().is_ok_and(|metadata| !metadata.is_file());
    if let Some(path) = output.filter(|path| !to_stdout && !is_special(path)) {
        drop(AtomicFile::create(path, terminal.force())?);
    }
    Ok(())
}

/// Writes a mechanism file, to standard output for `-`.
pub fn write<M: Stored>(file: &MechanismFile<M>, path: &Path, terminal: &Terminal) -> Result<()> {
    if is_stdout(path) { print(&file.to_json()) } else { file.save(path, terminal.force()) }
}

/// `shortest paths 3`, `designing at each epsilon 2/10`.
pub fn stage(progress: Progress) -> String {
    match (progress.done, progress.total) {
        (0, None) => progress.stage.to_owned(),
        (done, None) => format!("{} {done}", progress.stage),
        (done, Some(total)) => format!("{} {done}/{total}", progress.stage),
    }
}
