//! `lookalike ledger init`.

use super::epsilon_sum;
use crate::Answer;
use crate::terminal::Terminal;
use lookalike::exact::EpsilonSum;
use lookalike_engine::ledger::{Ledger, LedgerBudgets, LedgerKey, Period, SubjectNames};
use lookalike_formats::{Error, Result};
use serde_json::json;
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
        if budgets == LedgerBudgets::default() {
            return Err(Error::input(
                "no budget: expected --budget EPSILON, or --period-budget EPSILON with --period, or both",
            ));
        }
        let key = self.key.unwrap_or_else(|| LedgerKey::path_beside(&self.ledger));
        let names = if self.fold_case { SubjectNames::FoldedCase } else { SubjectNames::Normalized };
        let head = Ledger::create(&self.ledger, &key, &budgets, names)?;
        let object = json!({
            "ledger": self.ledger.display().to_string(),
            "key": key.display().to_string(),
            "head": head.to_string(),
        });
        terminal.answer(object, || {
            format!(
                "Made the ledger {} and its key {}.\nKeep the key apart from the ledger, and keep both: without the key the \
                 ledger cannot be used, and with it names can be looked for.\nLedger head: {head}\n",
                self.ledger.display(),
                key.display()
            )
        })?;
        Ok(Answer::Yes)
    }
}
