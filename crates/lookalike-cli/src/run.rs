//! `lookalike run`.

mod summary;

use crate::Answer;
use crate::design::stage;
use crate::interrupt::Interrupt;
use crate::terminal::{Terminal, spelled, unprotected};
use indicatif::ProgressBar;
use lookalike::{Sentence, design::Progress};
use lookalike_engine::{Facts, Listener, Unfinished};
use lookalike_formats::Result;
use lookalike_report::run_page;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Run a whole plan: fit or read profiles, design, certify, privatize, estimate, report
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike run plan.toml
  lookalike run plan.toml --output elsewhere --force

Each step is also a verb of its own with the same result: fit, design, certify, privatize, estimate, report.
Nothing is put in place before all is done, and then everything: what a run that was killed had begun, the next one to the
same folder completes or undoes.")]
pub struct Run {
    /// The plan: a spec with [data], [output] and more; see docs/run.md
    plan: PathBuf,
    /// The folder to write to, instead of the plan's
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

impl Run {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let (path, output) = (self.plan.as_path(), self.output.as_deref());
        let run = lookalike_engine::Run { path, output, replace: terminal.force(), page: &run_page };
        let listener = Shown { terminal, bar: terminal.spinner("reading"), interrupt: OnceLock::new() };
        let ran = run.run(&listener);
        listener.bar.finish_and_clear();
        let ran = ran?;
        terminal.answer(ran.facts().json(), || summary::Summary(&ran).text())?;
        Ok(Answer::Yes)
    }
}

/// A run on a terminal.
struct Shown<'a> {
    terminal: &'a Terminal,
    bar: ProgressBar,
    interrupt: OnceLock<Interrupt>,
}

impl Listener for Shown<'_> {
    fn warn(&self, message: &Sentence) {
        self.bar.suspend(|| self.terminal.warn(&spelled(message)));
    }

    fn note(&self, message: &str) {
        self.bar.suspend(|| self.terminal.note(message));
    }

    fn unprotected(&self, names: &[String]) {
        unprotected(names).into_iter().for_each(|line| self.warn(&line.into()));
    }

    fn progress(&self, progress: Progress) {
        self.bar.set_message(stage(progress));
    }

    fn staging(&self) {
        self.interrupt.get_or_init(|| Interrupt::new(&self.bar)).moving();
    }

    fn staged(&self, unfinished: &Unfinished) {
        self.interrupt.get().inspect(|interrupt| interrupt.removing(&self.bar, unfinished.clone()));
    }

    fn publishing(&self) {
        self.interrupt.get().inspect(|interrupt| interrupt.moving());
    }

    fn published(&self) {
        self.interrupt.get().inspect(|interrupt| interrupt.moved());
    }
}
