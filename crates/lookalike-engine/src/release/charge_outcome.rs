//! What a release was charged.

use super::repeated::sum_of;
use lookalike::Sentence;
use lookalike_formats::Result;
use lookalike_ledger::Charging;
use serde::Serialize;
use std::collections::BTreeSet;

/// What charging the rows of a release came to.
#[derive(Debug, Clone)]
pub struct ChargeOutcome {
    /// What may be published.
    pub facts: ChargeFacts,
    /// How many rows were over the budget and left out, which is public, and told only where it was asked for.
    pub warnings: Vec<Sentence>,
    /// What the releases about one subject add up to: for the terminal, since how many there are is private.
    pub repeated: Option<String>,
}

/// How many rows had which fate, and where it is written down.
#[derive(Debug, Clone, Serialize)]
pub struct ChargeFacts {
    /// The ledger.
    pub file: String,
    /// Its head afterwards, by which a later loss of entries is found.
    pub head: String,
    /// Rows that were charged and released.
    pub charged: u64,
    /// Rows that the ledger knew: the earlier answer was given again.
    pub earlier_answers: u64,
    /// Rows over the budget that were drawn without a look at the value.
    pub constant: u64,
    /// Rows over the budget that were left out.
    pub withheld: u64,
    /// The entries of the ledger that say so.
    pub entries: BTreeSet<u64>,
}

impl ChargeOutcome {
    /// What charging came to so far.
    ///
    /// # Errors
    /// A ledger that cannot be read.
    pub fn of(charging: &Charging) -> Result<ChargeOutcome> {
        let totals = charging.totals();
        let (file, head, budgets) = charging.with_ledger(|ledger| {
            Ok((ledger.path().display().to_string(), ledger.head()?.to_string(), ledger.budgets().clone()))
        })?;
        let mut warnings: Vec<Sentence> = Vec::new();
        if totals.withheld > 0 {
            warnings.push("rows were withheld, so that the number of rows is released too".into());
        }
        let epsilon = charging.request().release.guarantee().epsilon();
        let budgets = budgets.at_most(charging.request().budget.as_ref());
        let least = budgets.total.iter().chain(budgets.periodic.as_ref().map(|(_, budget)| budget)).min();
        if let Some(budget) = least.filter(|budget| **budget < epsilon.clone().into()) {
            let costs =
                format!("one release costs epsilon {epsilon}, and the budget is {budget}: no row can be charged");
            warnings.push(costs.into());
        }
        let most = totals.most_of_a_subject;
        let repeated = (most > 1).then(|| {
            let sum = sum_of(most, epsilon);
            format!("Up to {most} releases by this mechanism about one subject: epsilon {sum} in sum.")
        });
        let facts = ChargeFacts {
            file,
            head,
            charged: totals.charged,
            earlier_answers: totals.earlier,
            constant: totals.constant,
            withheld: totals.withheld,
            entries: totals.entries,
        };
        Ok(ChargeOutcome { facts, warnings, repeated })
    }
}
