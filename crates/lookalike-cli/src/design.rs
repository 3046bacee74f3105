//! `lookalike design`.

mod report;
mod trade_off;

use crate::Answer;
use crate::interrupt::Interrupt;
use crate::outcome::answer;
use crate::streams::is_stdout;
use crate::terminal::{Terminal, print, spelled, unprotected};
use lookalike::design::{Algorithm, Flips, Grid, MechanismName, Objective, Progress, Watch};
use lookalike::exact::Epsilon;
use lookalike_engine::{
    AtomicFile, DesignChoices, DesignOverrides, DesignRequest, EpsilonTarget, ReadFile, SaveFile, SweepRequest,
    note_input,
};
use lookalike_formats::{AnyFile, Error, MaxGap, Result, Spec};
pub use report::{kept, nearest};
use std::path::{Path, PathBuf};
use trade_off::Row;

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
    #[arg(long, value_name = "NAME", value_parser = clap::builder::PossibleValuesParser::new(Objective::names()))]
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
        let spec = Spec::read(&self.spec)?;
        for line in unprotected(&spec.unprotected) {
            bar.suspend(|| terminal.warn(&line));
        }
        let progress = |progress: Progress| bar.set_message(stage(progress));
        let watch = Watch::default().on_progress(&progress);
        let in_spec = |error: Error| error.in_file(&self.spec);
        if let Some(epsilons) = self.sweep.clone() {
            let rows = self.swept(spec, epsilons, watch).map_err(in_spec)?;
            bar.finish_and_clear();
            interrupt.writing();
            trade_off::print(&rows, terminal)?;
            return Ok(Answer::Yes);
        }
        let outcome = self.request(spec).and_then(|request| request.run(watch)).map_err(in_spec)?;
        bar.finish_and_clear();
        interrupt.writing();
        for warning in &outcome.warnings {
            terminal.warn(&spelled(warning.sentence()));
        }
        let output = self.output.as_deref();
        if let Some(path) = output {
            write(&outcome.file(), path, terminal)?;
        }
        answer(&outcome.facts(output), output, || report::text(&outcome, output), terminal)?;
        Ok(Answer::Yes)
    }

    fn request(&self, spec: Spec) -> Result<DesignRequest> {
        let epsilon_for = self.epsilon_for.clone().map(|text| EpsilonTarget {
            text,
            reports: self.reports,
            confidence: self.confidence,
        });
        let (overrides, choices) = (self.overrides()?, self.choices());
        Ok(DesignRequest { spec, overrides, choices, epsilon_for, max_gap: self.max_gap.clone() })
    }

    fn swept(&self, spec: Spec, epsilons: Grid, watch: Watch<'_>) -> Result<Vec<Row>> {
        SweepRequest { spec, overrides: self.overrides()?, choices: self.choices(), epsilons }.run(watch, Row::of)
    }

    fn overrides(&self) -> Result<DesignOverrides> {
        let channel = self.channel.as_deref().map(str::parse).transpose()?;
        Ok(DesignOverrides { channel, objective: self.objective.clone(), epsilon: self.epsilon.clone() })
    }

    fn choices(&self) -> DesignChoices {
        DesignChoices { mechanism: self.mechanism, flips: self.flips, algorithm: self.algorithm }
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
pub fn write(file: &dyn AnyFile, path: &Path, terminal: &Terminal) -> Result<()> {
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
