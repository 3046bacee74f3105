//! `lookalike ledger init`.

use super::epsilon_sum;
use crate::Answer;
use crate::terminal::Terminal;
use lookalike::exact::EpsilonSum;
use lookalike_engine::ledger::{LedgerBudgets, Period, SubjectNames};
use lookalike_engine::{Facts, InitFacts, LedgerAt};
use lookalike_formats::Result;
use std::path::PathBuf;

/// Make a ledger and its key
#[derive(clap::Args)]
pub struct Init {
    /// The ledger to make
    ledger: PathBuf,
    /// The most that any one subject may lose in all: an epsilon, or a sum such as 1/2+ln(3)
    #[arg(long, value_name = "EPSILON", value_parser = epsilon_sum)]
    budget: Option<EpsilonSum>,
    /// The most that any one subject may lose in each period (--period)
    #[arg(long, value_name = "EPSILON", value_parser = epsilon_sum, requires = "period")]
    period_budget: Option<EpsilonSum>,
    /// The period: day, week (from Monday) or month, in Coordinated Universal Time
    #[arg(long, value_name = "PERIOD", requires = "period_budget")]
    period: Option<String>,
    /// Take names of subjects that differ in upper and lower case only for the same; blanks around names and forms of Unicode
    /// never tell them apart
    #[arg(long)]
    fold_case: bool,
    /// The file of the key; by default the ledger's name with .key added
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
}

impl Init {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let periodic = match (&self.period, &self.period_budget) {
            (Some(period), Some(budget)) => {
                Some((period.parse::<Period>().map_err(|error| error.at("--period"))?, budget.clone()))
            }
            _ => None,
        };
        let budgets = LedgerBudgets { total: self.budget.clone(), periodic };
        let names = if self.fold_case { SubjectNames::FoldedCase } else { SubjectNames::Normalized };
        let facts = LedgerAt { path: self.ledger, key: self.key }.init(&budgets, names)?;
        terminal.answer(facts.json(), || {
            let InitFacts { ledger, key, head } = &facts;
            format!(
                "Made the ledger {ledger} and its key {key}.\nKeep the key apart from the ledger, and keep both: without the \
                 key the ledger cannot be used, and whoever has it can test which names the ledger holds.\nLedger head: {head}\n"
            )
        })?;
        Ok(Answer::Yes)
    }
}
