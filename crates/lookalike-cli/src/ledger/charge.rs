//! The options with which a verb charges what it releases.

use super::clock_behind;
use super::entries::entries_in;
use super::epsilon_sum;
use crate::terminal::{Terminal, count};
use lookalike::account::{Declared, Secrets};
use lookalike::exact::EpsilonSum;
use lookalike_engine::ledger::{ChargeRequest, Charging, IdColumns, Ledger, LedgerRelease, OverBudget, check_apart};
use lookalike_engine::sum_of;
use lookalike_formats::{AnyMechanism, Error, Result};
use serde_json::{Value, json};
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

    /// The charging of the records of a file that go through a mechanism on columns; `None` where no ledger is given.
    pub fn charging(
        &self,
        mechanism: &AnyMechanism,
        columns: &[String],
        profile: &str,
        data: &Path,
        output: &Path,
        terminal: &Terminal,
    ) -> Result<Option<Arc<Charging>>> {
        let (Some(path), Some(subject)) = (&self.ledger, &self.subject) else {
            return Ok(None);
        };
        self.check_output(path, output)?;
        if columns.contains(subject) {
            return Err(Error::input(format!("--subject {subject}: this is the private column, which names nobody")));
        }
        // Answers would be looked up by value, and rows that share one be seen to be equal.
        if let Some(observation) = self.observation.as_ref().filter(|name| columns.contains(name) || *name == profile) {
            return Err(Error::input(format!(
                "--observation {observation}: this column is private, expected one that names the observation and tells nothing of it"
            )));
        }
        let ledger = Ledger::open(path, self.key.as_deref())?;
        if let Some(said) = clock_behind(&ledger)?.filter(|_| ledger.budgets().periodic.is_some()) {
            terminal.warn(&format!("the {said}"));
        }
        let release = LedgerRelease::of(mechanism, columns)?;
        let is_law = release.guarantee().secrets() == Secrets::Laws;
        if is_law && self.independent_observations && self.observation.is_none() {
            terminal.warn(
                "rows are known by the bytes of their file: the same observation in another file counts as a new one, which no \
                 theorem covers (--observation COLUMN names each)",
            );
        }
        let ids = IdColumns::of_file(subject.clone(), self.observation.clone(), &ledger, data)?;
        let declared = Declared { independent_observations: self.independent_observations, ..Declared::default() };
        let request = ChargeRequest { release, declared, budget: self.budget.clone(), over: self.over_budget };
        Ok(Some(Charging::new(ledger, ids, request)))
    }

    /// Refuses to put the output in the place of the ledger, its key, or a file that SQLite keeps beside it.
    fn check_output(&self, ledger: &Path, output: &Path) -> Result<()> {
        check_apart(ledger, self.key.as_deref(), output).map_err(|error| error.at(format!("-o {}", output.display())))
    }
}

/// What charging came to.
pub struct ChargeReport {
    object: Value,
    text: String,
    repeated: Option<String>,
    warnings: Vec<String>,
}

impl ChargeReport {
    pub fn of(charging: &Charging) -> Result<ChargeReport> {
        let totals = charging.totals();
        let (path, head, budgets) = charging.with_ledger(|ledger| {
            Ok((ledger.path().display().to_string(), ledger.head()?, ledger.budgets().clone()))
        })?;
        let object = json!({
            "file": path,
            "head": head.to_string(),
            "charged": totals.charged,
            "earlier_answers": totals.earlier,
            "constant": totals.constant,
            "withheld": totals.withheld,
            "entries": totals.entries,
        });
        let mut parts = vec![format!("{} charged", count(totals.charged, "row"))];
        let mut part = |number: u64, what: &str| {
            if number > 0 {
                parts.push(format!("{number} {what}"));
            }
        };
        part(totals.earlier, "given their earlier answer");
        part(totals.constant, "over the budget and drawn without a look at the value");
        part(totals.withheld, "over the budget and withheld");
        let entries = entries_in(&totals.entries);
        let text = format!("Ledger {path}: {}{entries}.\nLedger head: {head}\n", parts.join(", "));
        let mut warnings = Vec::new();
        if totals.withheld > 0 {
            warnings.push("rows were withheld, so that the number of rows is released too".to_owned());
        }
        let release = &charging.request().release;
        let budgets = budgets.at_most(charging.request().budget.as_ref());
        let least = budgets.total.iter().chain(budgets.periodic.as_ref().map(|(_, budget)| budget)).min();
        if let Some(budget) = least.filter(|budget| **budget < release.guarantee().epsilon().clone().into()) {
            let epsilon = release.guarantee().epsilon();
            warnings.push(format!(
                "one release costs epsilon {epsilon}, and the budget is {budget}: no row can be charged"
            ));
        }
        let epsilon = release.guarantee().epsilon();
        let repeated = (totals.most_of_a_subject > 1).then(|| {
            format!(
                "Up to {} releases by this mechanism about one subject: epsilon {} in sum.",
                totals.most_of_a_subject,
                sum_of(totals.most_of_a_subject, epsilon)
            )
        });
        Ok(ChargeReport { object, text, repeated, warnings })
    }

    /// What the releases about one subject add up to: for the terminal, since how many there are is private.
    pub fn repeated(&self) -> Option<&str> {
        self.repeated.as_deref()
    }

    pub fn json(&self) -> &Value {
        &self.object
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn warn(&self, terminal: &Terminal) {
        self.warnings.iter().for_each(|warning| terminal.warn(warning));
    }
}
