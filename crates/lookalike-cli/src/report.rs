//! `lookalike report`.

use crate::Answer;
use crate::certify::{in_file_if_nowhere, proved};
use crate::design::{check_output, stage};
use crate::interrupt::Interrupt;
use crate::streams::write_page;
use crate::terminal::Terminal;
use indicatif::ProgressBar;
use lookalike::design::{Progress, Watch};
use lookalike::exact::Rational;
use lookalike_engine::{LedgerAt, ReadFile};
use lookalike_formats::{AnyMechanism, MechanismFile, Result, of_kind};
use lookalike_report::{Curve, HasPage, PageEstimates, PageOutcome, PageRequest, parse_prior};
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
    #[arg(long, value_name = "P,…", value_delimiter = ',', value_parser = parse_prior)]
    prior: Option<Vec<Rational>>,
}

impl Report {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        check_output(Some(&self.output), terminal)?;
        let bar = terminal.spinner("reading");
        let interrupt = Interrupt::new(&bar);
        let file = AnyMechanism::read(&self.mechanism)?;
        bar.set_message("certifying");
        let page = of_kind!(file, file => self.page(&file, terminal, &bar)?);
        bar.finish_and_clear();
        let Some(page) = page else { return Ok(Answer::No) };
        page.notes.iter().for_each(|line| terminal.note(line));
        interrupt.writing();
        write_page(&page.html, &self.output, terminal)?;
        Ok(Answer::Yes)
    }

    /// The page; `None` with a warning when the mechanism is not private.
    fn page<M: HasPage>(
        &self,
        file: &MechanismFile<M>,
        terminal: &Terminal,
        bar: &ProgressBar,
    ) -> Result<Option<PageOutcome>> {
        let Some(certified) = proved(file.mechanism.clone(), "no report", terminal)? else { return Ok(None) };
        let request = PageRequest {
            estimates: self.estimate.clone().map(PageEstimates::File),
            audit: self.audit.clone(),
            ledger: self.ledger.clone().map(|path| LedgerAt { path, key: self.key.clone() }),
            priors: self.prior.clone(),
            curve: if self.no_sweep { Curve::None } else { Curve::Designed },
        };
        let progress = |progress: Progress| bar.set_message(stage(progress));
        let page = M::page(file, &certified, &request, Watch::default().on_progress(&progress));
        page.map(Some).map_err(|error| in_file_if_nowhere(error, &self.mechanism))
    }
}
