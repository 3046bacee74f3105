//! `lookalike report`.

use crate::Answer;
use crate::certify::proved;
use crate::interrupt::Interrupt;
use crate::streams::is_stdout;
use crate::terminal::{Terminal, print};
use indicatif::ProgressBar;
use lookalike::certify::Certified;
use lookalike::counts::CountLoss;
use lookalike::design::{
    Grid, MechanismName, Objective, Options, Problem, Progress, SweepPoint, Watch, randomized_response, sweep,
};
use lookalike::exact::{Rational, parse_rational};
use lookalike::model::{Kind, Mechanism};
use lookalike_io::report::{Page, TradeOffPoint, noise_page, oracle_page, usual_priors};
use lookalike_io::{
    AnyMechanism, AuditFigures, Cohort, Error, EstimateNames, MechanismFile, Result, largest_epsilon, read_audit,
    read_estimates, write_atomically,
};
use serde_json::json;
use std::path::PathBuf;

/// Make a page about a mechanism: the promise, the proof, the cost and how to check it
///
/// One HTML file that needs nothing else: no network, no script. It can be mailed, printed and read on a phone.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike report m.json
  lookalike report m.json -o page.html --no-sweep
  lookalike report m.json --estimate estimate.json
  lookalike report m.json --audit audit.json

Exit code 1 with a witness, and no page, when the mechanism is not private.")]
pub struct Report {
    /// The mechanism file
    mechanism: PathBuf,
    /// The page to write; - for standard output
    #[arg(long, short, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,
    /// Leave out the curve over other epsilons, which designs a mechanism for each
    #[arg(long)]
    no_sweep: bool,
    /// Also show these estimates: what `lookalike estimate --json` printed
    #[arg(long, value_name = "FILE")]
    estimate: Option<PathBuf>,
    /// Also show this attack, its lower bound beside the certified one: what `lookalike audit --json` printed
    #[arg(long, value_name = "FILE")]
    audit: Option<PathBuf>,
    /// Beliefs before the release, from which an adversary learns: 1/2,1/10 unless you say others
    #[arg(long, value_name = "P,…", value_delimiter = ',', value_parser = belief)]
    prior: Option<Vec<Rational>>,
}

fn belief(text: &str) -> Result<Rational> {
    let belief = parse_rational(text)?;
    match Rational::default() <= belief && belief <= Rational::from_integer(1.into()) {
        true => Ok(belief),
        false => Err(Error::input(format!("a belief of {belief}, expected a number from 0 to 1"))),
    }
}

/// Profiles and edges, times categories: more than so many take too long to design nine times for a curve.
const MOST_SWEPT: usize = 2_000;

impl Report {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let to_stdout = is_stdout(&self.output);
        if terminal.json() && to_stdout {
            return Err(Error::input("--json and -o -: both would go to standard output"));
        }
        let bar = terminal.spinner("reading");
        let interrupt = Interrupt::new(&bar);
        let Some(html) = self.page(terminal, &bar)? else {
            return Ok(Answer::No);
        };
        interrupt.writing();
        if to_stdout {
            print(&html)?;
            return Ok(Answer::Yes);
        }
        write_atomically(&self.output, terminal.force(), html.as_bytes())?;
        let object = json!({ "file": self.output.display().to_string(), "bytes": html.len() });
        terminal.answer(object, || format!("Wrote {} ({} bytes).\n", self.output.display(), html.len()))?;
        Ok(Answer::Yes)
    }

    /// The page; `None` with a warning when the mechanism is not private.
    pub fn page(&self, terminal: &Terminal, bar: &ProgressBar) -> Result<Option<String>> {
        const REFUSAL: &str = "no report";
        let file = AnyMechanism::read(&self.mechanism)?;
        bar.set_message("certifying");
        let file = match file {
            AnyMechanism::Finite(file) => *file,
            AnyMechanism::Oracle(file) => {
                self.refuse("--audit", self.audit.is_some(), "an oracle")?;
                self.refuse("--prior", self.prior.is_some(), "an oracle")?;
                let Some(certified) = proved(file.mechanism, REFUSAL, terminal)? else { return Ok(None) };
                let estimates = self.estimates(certified.mechanism())?;
                return Ok(Some(oracle_page(&certified, file.name.as_deref(), &estimates)));
            }
            AnyMechanism::Noise(file) => {
                self.refuse("--audit", self.audit.is_some(), "noise")?;
                self.refuse("--prior", self.prior.is_some(), "noise")?;
                self.refuse("--estimate", self.estimate.is_some(), "noise")?;
                return Ok(proved(file.mechanism, REFUSAL, terminal)?.map(|certified| noise_page(&certified)));
            }
        };
        let Some(certified) = proved(file.mechanism.clone(), REFUSAL, terminal)? else {
            return Ok(None);
        };
        let (problem, estimates) = (problem(&file)?, self.estimates(&file.mechanism)?);
        let audit = self.audit.as_ref().map(|path| read_audit(path, &file.mechanism)).transpose()?;
        let priors = self.prior.clone().unwrap_or_else(usual_priors);
        let about = About {
            file: &file,
            certified: &certified,
            problem: &problem,
            estimates: &estimates,
            audit: audit.as_ref(),
            priors: &priors,
            sweep: !self.no_sweep,
        };
        let html = about.html(terminal, bar)?;
        bar.finish_and_clear();
        Ok(Some(html))
    }

    fn refuse(&self, option: &str, is_given: bool, what: &str) -> Result<()> {
        match is_given {
            false => Ok(()),
            true => {
                Err(Error::input(format!("{option} is shown for channels between categories, and this file is {what}"))
                    .in_file(&self.mechanism))
            }
        }
    }

    /// What was estimated from privatized records, by cohort.
    fn estimates<'a>(&self, names: impl Into<EstimateNames<'a>>) -> Result<Vec<Cohort>> {
        let read = |path: &PathBuf| read_estimates(path, names);
        self.estimate.as_ref().map_or_else(|| Ok(Vec::new()), read)
    }
}

/// What a page is made from.
pub struct About<'a> {
    pub file: &'a MechanismFile,
    pub certified: &'a Certified<Mechanism>,
    /// The problem that the mechanism solves, for the baseline and the curve.
    pub problem: &'a Problem,
    pub estimates: &'a [Cohort],
    pub audit: Option<&'a AuditFigures>,
    /// What an adversary may believe before the release.
    pub priors: &'a [Rational],
    /// Whether to draw the curve over other ε, where it does not take too long.
    pub sweep: bool,
}

impl About<'_> {
    /// The page. What it leaves out is said in a note.
    pub fn html(&self, terminal: &Terminal, bar: &ProgressBar) -> Result<String> {
        let note = |text: &str| bar.suspend(|| terminal.note(text));
        let trade_off = match self.reason_not_to_sweep() {
            None => self.trade_off(bar, &note)?,
            Some(reason) => {
                note(&format!("no curve over epsilon: {reason}"));
                Vec::new()
            }
        };
        bar.set_message("drawing");
        let (file, certified, estimates, audit, priors) =
            (self.file, self.certified, self.estimates, self.audit, self.priors);
        let baseline = &randomized_response(self.problem)?.mechanism;
        Ok(Page { file, certified, baseline, trade_off: &trade_off, estimates, audit, priors }.html())
    }

    fn reason_not_to_sweep(&self) -> Option<String> {
        let mechanism = self.certified.mechanism();
        let rows = mechanism.graph().names().len() + mechanism.graph().constraints().count();
        let size = rows.saturating_mul(mechanism.inputs().len());
        if !self.sweep {
            Some("--no-sweep".into())
        } else if named_objective(self.file).is_some_and(|name| name.parse::<CountLoss>().is_ok()) {
            Some("the mechanism is one of counts, which have a section of their own".into())
        } else if objective_name(self.file).is_none() {
            Some(
                "the file does not say what its design kept small, or it is a loss matrix, which is not in the file"
                    .into(),
            )
        } else if mechanism.inputs() != mechanism.outputs() {
            Some("the released values are not the true ones".into())
        } else if size > MOST_SWEPT {
            Some(format!("profiles and edges times categories are {size}, more than {MOST_SWEPT}; it would take long"))
        } else {
            None
        }
    }

    /// The objective around the chosen ε, for mechanisms of the same name.
    fn trade_off(&self, bar: &ProgressBar, note: &dyn Fn(&str)) -> Result<Vec<TradeOffPoint>> {
        let progress = |progress: Progress| {
            let of = progress.total.map_or_else(String::new, |total| format!(" of {total}"));
            bar.set_message(format!("{}: {}{of}", progress.stage, progress.done));
        };
        let name: Option<MechanismName> = self.file.name.as_deref().and_then(|name| name.parse().ok());
        let watch = Watch::default().on_progress(&progress);
        let options = Options { mechanism: name, watch, ..Options::default() };
        let grid = around(self.certified.mechanism())?;
        let point = |point: lookalike::Result<SweepPoint>| match point {
            Ok(point) => Some(TradeOffPoint {
                epsilon: point.epsilon.to_f64(),
                value: point.design.objective.value,
                lower_bound: point.design.objective.lower_bound,
                baseline: point.baseline,
            }),
            // The page is about the mechanism of the file, which is proved; a point more or less is no reason to fail.
            Err(error) => {
                note(&format!("a point of the curve over epsilon is left out: {error}"));
                None
            }
        };
        Ok(sweep(self.problem, &grid, &options).filter_map(point).collect())
    }
}

/// The name of the objective where the file is enough to know it.
fn objective_name(file: &MechanismFile) -> Option<&str> {
    named_objective(file).filter(|name| ["max-flip", "expected-error", "ordinal-error"].contains(name))
}

/// The name of any objective.
fn named_objective(file: &MechanismFile) -> Option<&str> {
    file.objective.as_ref()?.get("name")?.as_str()
}

/// The problem that the mechanism solves: the file has all of it but the weights of the profiles, which are taken as
/// equal.
fn problem(file: &MechanismFile) -> Result<Problem> {
    let mechanism = &file.mechanism;
    let (categories, graph) = (mechanism.inputs().clone(), mechanism.graph().clone());
    let problem = match mechanism.kind() {
        Kind::Point => Problem::values(categories, graph)?,
        Kind::Shared => Problem::profiles(categories, graph, mechanism.profiles().to_vec())?.shared()?,
        _ => Problem::profiles(categories, graph, mechanism.profiles().to_vec())?,
    };
    match objective_name(file) {
        Some(name) => {
            let objective = Objective::named(name, &problem)?;
            Ok(problem.with_objective(objective)?)
        }
        None => Ok(problem),
    }
}

/// The chosen ε with some below and some above it.
fn around(mechanism: &Mechanism) -> Result<Grid> {
    const FACTORS: [(i64, i64); 9] = [(1, 8), (1, 4), (1, 2), (3, 4), (1, 1), (3, 2), (2, 1), (3, 1), (4, 1)];
    let chosen = largest_epsilon(mechanism);
    let scaled = FACTORS.iter().filter_map(|&(n, d)| chosen.scale(&Rational::new(n.into(), d.into())).ok());
    let list: Vec<String> = scaled.map(|epsilon| epsilon.to_string()).collect();
    Ok(list.join(",").parse()?)
}
