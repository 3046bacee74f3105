//! `lookalike local compare`.

use super::candidates;
use super::domain::Domain;
use crate::Answer;
use crate::terminal::{Terminal, count};
use lookalike::exact::Epsilon;
use lookalike::local::Auto;
use lookalike_engine::Facts;
use lookalike_engine::local::OracleComparison;
use lookalike_formats::Result;

/// Compare the oracles: how exact the shares will be, and how long a report is
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lookalike local compare --size 1000 --epsilon 1
  lookalike local compare --categories red,green,blue --epsilon 0.5,1,'ln(9)' --reports 50000

n·Var is the variance of the estimated share of a rare category, times the number of reports. Bits are those of the
shortest form of a report; files hold a text. `local design` takes the oracle marked auto unless told otherwise.")]
pub struct Compare {
    #[command(flatten)]
    domain: Domain,
    /// The budget of a report, like 1 or ln(3); several with commas between
    #[arg(long, value_name = "E", value_delimiter = ',', required = true, allow_negative_numbers = true)]
    epsilon: Vec<Epsilon>,
    /// How many reports there will be, for the standard error
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    reports: u64,
}

impl Compare {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let (categories, epsilons, reports) = (self.domain.categories()?, self.epsilon, self.reports);
        let compared = OracleComparison { categories, epsilons, reports }.run()?;
        let text = |(epsilon, auto): &(Epsilon, Auto)| {
            let (size, of_reports) = (compared.categories, count(reports, "report"));
            let table = candidates::table(auto, "auto", auto.protocol, Some(reports));
            format!("{size} categories at epsilon {epsilon}; the standard error is that of {of_reports}.\n{table}")
        };
        terminal.answer(compared.facts().json(), || compared.compared.iter().map(text).collect())?;
        Ok(Answer::Yes)
    }
}
