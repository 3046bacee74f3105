//! What is said of a design: the answer of `design` for machines, and the report of a design in Python.

use super::design_request::Reached;
use super::wanted::Wanted;
use lookalike::design::EpsilonFor;
use lookalike::exact::{Direction, Rational, to_f64};
use lookalike_formats::{LimitsBasisFacts, ObjectiveFacts, ProofFacts, SolutionFacts};
use serde::Serialize;

/// A design.
#[derive(Debug, Clone, Serialize)]
pub struct DesignFacts {
    /// Which mechanism it is.
    pub mechanism: &'static str,
    /// `aware`, `shared` or `point`.
    pub kind: &'static str,
    /// The largest budget of any pair.
    pub epsilon: f64,
    /// The same as exact text.
    pub epsilon_text: String,
    /// What is promised of one report, in a sentence without its full stop.
    pub promised: String,
    /// What was kept small, and what no mechanism can go below.
    pub objective: ObjectiveFacts,
    /// What local DP would cost.
    pub baseline: BaselineFacts,
    /// How often the output differs from the value, averaged over the secrets by the prior.
    pub expected_error: f64,
    /// How much of each category is released unchanged, over all who have it; null for one that no profile has.
    pub kept: Vec<KeptFacts>,
    /// What it costs each secret.
    pub profiles: Vec<ProfileFacts>,
    /// What the limits of the profiles rest on, as the spec states it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits_basis: Option<LimitsBasisFacts>,
    /// The proof.
    pub certificate: ProofFacts,
    /// Secrets without an edge: they are released unchanged.
    pub unprotected: Vec<String>,
    /// The file that was written.
    pub file: Option<String>,
    /// How it was found.
    #[serde(flatten)]
    pub solution: SolutionFacts,
    /// What was wanted, where ε was looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epsilon_for: Option<EpsilonForFacts>,
}

/// How much of a category survives.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KeptFacts {
    /// The category.
    pub category: String,
    /// The probability that it is released unchanged.
    pub kept: Option<f64>,
}

/// Local DP beside a design.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BaselineFacts {
    /// Which mechanism that is.
    pub name: &'static str,
    /// The objective of it.
    pub value: f64,
}

/// What a mechanism costs one secret, and what is released of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProfileFacts {
    /// The secret.
    pub name: String,
    /// How often the value is released as it is.
    pub keep_probability: f64,
    /// How often it is not.
    pub expected_error: f64,
    /// The largest probability of any one wrong output.
    pub max_flip: f64,
    /// The law of the output.
    pub output: Vec<f64>,
}

/// What was wanted of the smallest ε.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EpsilonForFacts {
    /// What is measured: an objective, or `width`.
    pub objective: String,
    /// The most that it may be.
    pub at_most: f64,
    /// What it is.
    pub value: f64,
    /// ε is found up to this share of itself.
    pub relative_resolution: f64,
    /// What was measured one step lower, which is too much; `None` at the smallest ε that is tried.
    pub one_step_lower: Option<f64>,
    /// For a width: from how many reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reports: Option<u64>,
    /// For a width: how often an interval covers the truth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}

impl EpsilonForFacts {
    pub(super) fn of(reached: &Reached) -> Self {
        let (reports, confidence) = match &reached.wanted {
            Wanted::Utility(_) => (None, None),
            Wanted::Width { reports, confidence, .. } => (Some(*reports), Some(confidence.level)),
        };
        EpsilonForFacts {
            objective: reached.wanted.name().to_owned(),
            at_most: nearest(reached.wanted.most()),
            value: reached.value,
            relative_resolution: EpsilonFor::RESOLUTION,
            one_step_lower: reached.one_step_lower,
            reports,
            confidence,
        }
    }
}

/// The nearest double.
pub(super) fn nearest(value: &Rational) -> f64 {
    to_f64(value, Direction::Nearest)
}
