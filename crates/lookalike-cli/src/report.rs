//! `lookalike report`.

use crate::Answer;
use crate::certify::proved;
use crate::design::stage;
use crate::interrupt::Interrupt;
use crate::streams::is_stdout;
use crate::terminal::{Terminal, print};
use indicatif::ProgressBar;
use lookalike::design::{Progress, Watch};
use lookalike::exact::{Rational, parse_rational};
use lookalike_engine::ledger::Ledger;
use lookalike_engine::{
    Cohort, EstimateNames, ReadFile, all_reports, read_audit, read_estimates, secrets_of, write_atomically,
};
use lookalike_formats::{AnyMechanism, Error, Result, largest_epsilon};
use lookalike_report::{About, noise_page, oracle_page, planar_page, solved_problem, usual_priors};
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
  lookalike report m.json --ledger account.ledger

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
    /// Also show what the releases of this ledger add up to
    #[arg(long, value_name = "FILE")]
    ledger: Option<PathBuf>,
    /// The file of the ledger's key; by default its name with .key added
    #[arg(long, value_name = "FILE", requires = "ledger")]
    key: Option<PathBuf>,
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

impl Report {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let to_stdout = is_stdout(&self.output);
        if terminal.json() && to_stdout {
            return Err(Error::input("--json and -o -: both would go to standard output, expected -o FILE"));
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
    fn page(&self, terminal: &Terminal, bar: &ProgressBar) -> Result<Option<String>> {
        const REFUSAL: &str = "no report";
        let file = AnyMechanism::read(&self.mechanism)?;
        bar.set_message("certifying");
        let file = match file {
            AnyMechanism::Finite(file) => *file,
            AnyMechanism::Oracle(file) => {
                self.refuse("--audit", self.audit.is_some(), "an oracle")?;
                self.refuse("--ledger", self.ledger.is_some(), "an oracle")?;
                self.refuse("--prior", self.prior.is_some(), "an oracle")?;
                let Some(certified) = proved(file.mechanism, REFUSAL, terminal)? else { return Ok(None) };
                let estimates = self.estimates(certified.mechanism())?;
                return Ok(Some(oracle_page(&certified, file.name.as_deref(), &estimates)));
            }
            AnyMechanism::Noise(file) => {
                self.refuse("--audit", self.audit.is_some(), "noise")?;
                self.refuse("--ledger", self.ledger.is_some(), "noise")?;
                self.refuse("--prior", self.prior.is_some(), "noise")?;
                self.refuse("--estimate", self.estimate.is_some(), "noise")?;
                return Ok(proved(file.mechanism, REFUSAL, terminal)?.map(|certified| noise_page(&certified)));
            }
            AnyMechanism::Planar(file) => {
                self.refuse("--audit", self.audit.is_some(), "noise on places")?;
                self.refuse("--ledger", self.ledger.is_some(), "noise on places")?;
                self.refuse("--prior", self.prior.is_some(), "noise on places")?;
                self.refuse("--estimate", self.estimate.is_some(), "noise on places")?;
                return Ok(proved(file.mechanism, REFUSAL, terminal)?.map(|certified| planar_page(&certified)));
            }
        };
        let Some(certified) = proved(file.mechanism.clone(), REFUSAL, terminal)? else {
            return Ok(None);
        };
        let (problem, estimates) = (solved_problem(&file)?, self.estimates(&file.mechanism)?);
        let audit = self.audit.as_ref().map(|path| read_audit(path, &file.mechanism)).transpose()?;
        let open = |path: &PathBuf| Ledger::open(path, self.key.as_deref())?.status();
        let account = self.ledger.as_ref().map(open).transpose()?;
        let reports = estimates.iter().map(|(_, estimate)| estimate.reports).sum();
        let epsilon = largest_epsilon(&file.mechanism);
        let repeated = all_reports(reports, secrets_of(&file.mechanism), epsilon);
        let spent = account.as_ref().and_then(|account| account.spent.first());
        let spent =
            spent.map(|(worst, _)| format!("Up to epsilon {} spent about one subject of the ledger.", worst.epsilon));
        repeated.iter().chain(&spent).for_each(|line| bar.suspend(|| terminal.note(line)));
        let priors = self.prior.clone().unwrap_or_else(usual_priors);
        let about = About {
            file: &file,
            certified: &certified,
            problem: &problem,
            estimates: &estimates,
            audit: audit.as_ref(),
            account: account.as_ref(),
            priors: &priors,
            sweep: !self.no_sweep,
        };
        let progress = |progress: Progress| bar.set_message(stage(progress));
        let html = about.html(Watch::default().on_progress(&progress), &|text| bar.suspend(|| terminal.note(text)))?;
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
