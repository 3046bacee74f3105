//! `lookalike local compare`.

use super::candidates;
use super::domain::Domain;
use crate::Answer;
use crate::terminal::{Terminal, count};
use lookalike::exact::Epsilon;
use lookalike::local::{Auto, auto};
use lookalike_formats::Result;
use serde_json::{Value, json};

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
        let categories = self.domain.categories()?;
        let compared = self.epsilon.iter().map(|epsilon| Ok((epsilon, auto(&categories, epsilon)?)));
        let compared: Vec<(&Epsilon, Auto)> = compared.collect::<Result<_>>()?;
        let object = json!({
            "categories": categories.len(),
            "reports": self.reports,
            "comparisons": compared.iter().map(|(epsilon, auto)| self.json(epsilon, auto)).collect::<Vec<_>>(),
        });
        let text = |(epsilon, auto): &(&Epsilon, Auto)| {
            let (size, reports) = (categories.len(), count(self.reports, "report"));
            let table = candidates::table(auto, "auto", auto.protocol, Some(self.reports));
            format!("{size} categories at epsilon {epsilon}; the standard error is that of {reports}.\n{table}")
        };
        terminal.answer(object, || compared.iter().map(text).collect())?;
        Ok(Answer::Yes)
    }

    fn json(&self, epsilon: &Epsilon, auto: &Auto) -> Value {
        json!({
            "epsilon": epsilon.to_f64(),
            "epsilon_text": epsilon.to_string(),
            "auto": auto.protocol.name(),
            "candidates": candidates::json(auto, Some(self.reports)),
        })
    }
}
