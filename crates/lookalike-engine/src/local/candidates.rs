//! The oracles that were compared.

use lookalike::exact::Epsilon;
use lookalike::local::{Auto, Candidate, auto};
use lookalike::model::Categories;
use lookalike_formats::Result;
use serde::Serialize;

/// What is said of one oracle.
#[derive(Debug, Clone, Serialize)]
pub struct CandidateFacts {
    /// Its name.
    pub oracle: &'static str,
    /// The variance of the estimated share of a rare category, times the number of reports.
    pub variance: f64,
    /// The bits of a report.
    pub bits: u64,
    /// The standard error of such a share, where the number of reports is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standard_error: Option<f64>,
}

/// What is compared: all oracles for some categories, at one or several budgets.
pub struct OracleComparison {
    /// What people report.
    pub categories: Categories,
    /// The budgets of a report.
    pub epsilons: Vec<Epsilon>,
    /// How many reports there will be.
    pub reports: u64,
}

/// The oracles, budget by budget.
pub struct OraclesCompared {
    /// How many categories there are.
    pub categories: usize,
    /// How many reports there will be.
    pub reports: u64,
    /// Budget by budget.
    pub compared: Vec<(Epsilon, Auto)>,
}

/// What is said of them.
#[derive(Debug, Clone, Serialize)]
pub struct OraclesComparedFacts {
    /// How many categories there are.
    pub categories: usize,
    /// How many reports there will be.
    pub reports: u64,
    /// Budget by budget.
    pub comparisons: Vec<OracleComparisonFacts>,
}

/// What is said of the oracles at one budget.
#[derive(Debug, Clone, Serialize)]
pub struct OracleComparisonFacts {
    /// ε of a report.
    pub epsilon: f64,
    /// The same as exact text.
    pub epsilon_text: String,
    /// The name of the one with the least variance.
    pub auto: &'static str,
    /// All that were compared.
    pub candidates: Vec<CandidateFacts>,
}

/// The standard error of a rare category's share in so many reports.
pub fn standard_error(candidate: &Candidate, reports: u64) -> f64 {
    (candidate.variance / reports as f64).sqrt()
}

/// What is said of each; with the standard error where the number of reports is known.
pub(super) fn candidate_facts(auto: &Auto, reports: Option<u64>) -> Vec<CandidateFacts> {
    let one = |candidate: &Candidate| CandidateFacts {
        oracle: candidate.protocol.name(),
        variance: candidate.variance,
        bits: candidate.bits,
        standard_error: reports.map(|reports| standard_error(candidate, reports)),
    };
    auto.candidates.iter().map(one).collect()
}

impl OracleComparison {
    /// The oracles, budget by budget.
    ///
    /// # Errors
    /// Those of the library.
    pub fn run(self) -> Result<OraclesCompared> {
        let OracleComparison { categories, epsilons, reports } = self;
        let compared = epsilons.into_iter().map(|epsilon| Ok((epsilon.clone(), auto(&categories, &epsilon)?)));
        Ok(OraclesCompared { categories: categories.len(), reports, compared: compared.collect::<Result<_>>()? })
    }
}

impl OraclesCompared {
    /// What is said of them.
    pub fn facts(&self) -> OraclesComparedFacts {
        let one = |(epsilon, auto): &(Epsilon, Auto)| OracleComparisonFacts {
            epsilon: epsilon.to_f64(),
            epsilon_text: epsilon.to_string(),
            auto: auto.protocol.name(),
            candidates: candidate_facts(auto, Some(self.reports)),
        };
        OraclesComparedFacts {
            categories: self.categories,
            reports: self.reports,
            comparisons: self.compared.iter().map(one).collect(),
        }
    }
}
