//! The options with which a verb charges what it releases.

use super::entries::entries_in;
use super::epsilon_sum;
use crate::terminal::{Terminal, count, spelled};
use lookalike::exact::EpsilonSum;
use lookalike_engine::ledger::{Charging, OverBudget};
use lookalike_engine::records::Columns;
use lookalike_engine::{ChargeFacts, ChargeOrder};
use lookalike_formats::{AnyMechanism, Result};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Which ledger is charged, and for whom.
#[derive(clap::Args)]
pub struct ChargeOptions {
    /// Charge each row to this ledger before it is released
    #[arg(long, value_name = "FILE", requires = "subject")]
    ledger: Option<PathBuf>,
    /// The file of the ledger's key; by default its name with .key added
    #[arg(long, value_name = "FILE", requires = "ledger")]
    key: Option<PathBuf>,
    /// The column that says whom a record is about
    #[arg(long, value_name = "COLUMN", requires = "ledger")]
    subject: Option<String>,
    /// The column that names the observation, so that it is known again; by default the file and the row do
    #[arg(long, value_name = "COLUMN", requires = "ledger")]
    observation: Option<String>,
    /// The most that any one subject may have lost after this, if less than the ledger allows
    #[arg(long, value_name = "EPSILON", value_parser = epsilon_sum, requires = "ledger")]
    budget: Option<EpsilonSum>,
    /// Declare that observations of a subject are independent draws from its law: without it, a second one is refused
    #[arg(long, requires = "ledger")]
    independent_observations: bool,
    /// What becomes of rows over the budget: constant, a row drawn without a look at the value; or withhold, no row, which
    /// releases how many there are
    #[arg(long, value_name = "constant|withhold", default_value = "constant", value_parser = over_budget, requires = "ledger")]
    over_budget: OverBudget,
}

fn over_budget(text: &str) -> std::result::Result<OverBudget, String> {
    match text {
        "constant" => Ok(OverBudget::Constant),
        "withhold" => Ok(OverBudget::Withhold),
        _ => Err("expected constant or withhold".to_owned()),
    }
}

impl ChargeOptions {
    /// Whether a ledger is charged.
    pub fn is_given(&self) -> bool {
        self.ledger.is_some()
    }

    /// The charging of the records of a file that go through a mechanism; `None` where no ledger is given.
    pub fn charging(
        &self,
        mechanism: &AnyMechanism,
        columns: &Columns,
        data: &Path,
        output: &Path,
        terminal: &Terminal,
    ) -> Result<Option<Arc<Charging>>> {
        let (Some(ledger), Some(subject)) = (self.ledger.clone(), self.subject.clone()) else {
            return Ok(None);
        };
        let order = ChargeOrder {
            ledger,
            key: self.key.clone(),
            subject,
            observation: self.observation.clone(),
            budget: self.budget.clone(),
            independent_observations: self.independent_observations,
            over_budget: self.over_budget,
        };
        let (charging, warnings) = order.open(mechanism, columns, data, output)?;
        warnings.iter().for_each(|warning| terminal.warn(&spelled(warning)));
        Ok(Some(charging))
    }
}

/// What charging came to, in words.
pub fn charged_text(charged: &ChargeFacts) -> String {
    let mut parts = vec![format!("{} charged", count(charged.charged, "row"))];
    let mut part = |number: u64, what: &str| {
        if number > 0 {
            parts.push(format!("{number} {what}"));
        }
    };
    part(charged.earlier_answers, "given their earlier answer");
    part(charged.constant, "over the budget and drawn without a look at the value");
    part(charged.withheld, "over the budget and withheld");
    let (parts, entries) = (parts.join(", "), entries_in(&charged.entries));
    format!("Ledger {}: {parts}{entries}.\nLedger head: {}\n", charged.file, charged.head)
}
