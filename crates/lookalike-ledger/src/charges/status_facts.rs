//! What a ledger adds up to, for machines.

use super::status::{LedgerStatus, SubjectStatus};
use crate::facts::time_text;
use lookalike::account::Worst;
use lookalike::exact::{Direction, EpsilonSum};
use serde::Serialize;

/// A sum of ε.
#[derive(Debug, Clone, Serialize)]
pub struct SumFacts {
    /// A double that is not below it.
    pub epsilon: f64,
    /// The sum itself.
    pub epsilon_text: String,
}

/// What a ledger holds.
#[derive(Debug, Clone, Serialize)]
pub struct LedgerFacts<'a> {
    /// What any one subject may lose.
    pub budgets: BudgetsFacts,
    /// What the secrets are, in words; null before the first release.
    pub secrets: Option<&'a str>,
    /// How many entries.
    pub entries: u64,
    /// When the last one was written, in UTC.
    pub last_entry: String,
    /// Its hash.
    pub head: String,
    /// How many subjects have a charge.
    pub subjects: u64,
    /// How many of them had a release that no theorem covers.
    pub uncovered_subjects: u64,
    /// How many charges belong to releases that were withdrawn.
    pub withdrawn_charges: u64,
    /// How many entries correct the clock.
    pub clock_corrections: u64,
    /// How names are compared.
    pub names: &'static str,
    /// The version of the file's format.
    pub version: u32,
    /// The releases, in the order in which they became known.
    pub releases: Vec<ReleaseChargesFacts<'a>>,
    /// How many subjects have lost how much, the most first.
    pub spent: Vec<SpentFacts>,
    /// The same within the period that has begun.
    pub spent_in_period: Vec<SpentFacts>,
}

/// What any one subject may lose.
#[derive(Debug, Clone, Serialize)]
pub struct BudgetsFacts {
    /// In each period.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub periodic: Option<PeriodicFacts>,
    /// In all; null for no limit.
    pub total: Option<SumFacts>,
}

/// What any one subject may lose in a period.
#[derive(Debug, Clone, Serialize)]
pub struct PeriodicFacts {
    /// How much.
    #[serde(flatten)]
    pub budget: SumFacts,
    /// The period.
    pub period: String,
}

/// A release, and how often it was charged.
#[derive(Debug, Clone, Serialize)]
pub struct ReleaseChargesFacts<'a> {
    /// Its largest ε.
    #[serde(flatten)]
    pub epsilon: SumFacts,
    /// What it is called.
    pub name: &'a str,
    /// How many charges.
    pub charges: u64,
}

/// What a number of subjects have lost.
#[derive(Debug, Clone, Serialize)]
pub struct SpentFacts {
    /// How much.
    #[serde(flatten)]
    pub spent: SumFacts,
    /// How many subjects.
    pub subjects: u64,
    /// Whether it is a bound, and not the sum itself.
    pub is_bound: bool,
}

/// What one subject has lost.
#[derive(Debug, Clone, Serialize)]
pub struct SubjectFacts<'a> {
    /// How often each release was charged, by the order in which they became known.
    pub charges: &'a [u64],
    /// By all releases; null where no theorem covers one.
    pub spent: Option<SubjectSpentFacts<'a>>,
    /// By those of the period that has begun.
    pub spent_in_period: Option<SubjectSpentFacts<'a>>,
}

/// How much one subject has lost, and about which secrets most.
#[derive(Debug, Clone, Serialize)]
pub struct SubjectSpentFacts<'a> {
    /// How much.
    #[serde(flatten)]
    pub spent: SumFacts,
    /// The two secrets; null where it is the same for all.
    pub pair: Option<[&'a str; 2]>,
}

impl SumFacts {
    fn of(sum: &EpsilonSum) -> Self {
        SumFacts { epsilon: sum.to_f64(Direction::Up), epsilon_text: sum.to_string() }
    }
}

impl LedgerStatus {
    /// What is said of it.
    pub fn facts(&self) -> LedgerFacts<'_> {
        let spent = |spent: &[(Worst, u64)]| {
            let one = |(worst, subjects): &(Worst, u64)| SpentFacts {
                spent: SumFacts::of(&worst.epsilon),
                subjects: *subjects,
                is_bound: worst.is_bound,
            };
            spent.iter().map(one).collect()
        };
        let releases = self.releases.iter().map(|release| ReleaseChargesFacts {
            epsilon: SumFacts::of(&release.epsilon),
            name: &release.name,
            charges: release.charges,
        });
        let periodic = self
            .budgets
            .periodic
            .as_ref()
            .map(|(period, budget)| PeriodicFacts { budget: SumFacts::of(budget), period: period.to_string() });
        LedgerFacts {
            budgets: BudgetsFacts { periodic, total: self.budgets.total.as_ref().map(SumFacts::of) },
            secrets: self.secrets.as_deref(),
            entries: self.entries,
            last_entry: time_text(self.time).replace(" UTC", "Z").replacen(' ', "T", 1),
            head: self.head.to_string(),
            subjects: self.subjects,
            uncovered_subjects: self.uncovered,
            withdrawn_charges: self.withdrawn,
            clock_corrections: self.corrections,
            names: self.names.written().unwrap_or("as written"),
            version: self.version,
            releases: releases.collect(),
            spent: spent(&self.spent),
            spent_in_period: spent(&self.spent_in_period),
        }
    }
}

impl SubjectStatus {
    /// What is said of it.
    pub fn facts(&self) -> SubjectFacts<'_> {
        SubjectFacts {
            charges: &self.charges,
            spent: self.spent.as_ref().map(subject_spent),
            spent_in_period: self.spent_in_period.as_ref().map(subject_spent),
        }
    }
}

fn subject_spent(worst: &Worst) -> SubjectSpentFacts<'_> {
    let pair = worst.pair.as_ref().map(|(one, other)| [one.as_str(), other.as_str()]);
    SubjectSpentFacts { spent: SumFacts::of(&worst.epsilon), pair }
}
