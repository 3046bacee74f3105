//! What a design of a problem would do, before it is done.

use super::overrides::DesignOverrides;
use lookalike::design::{MechanismName, Problem};
use lookalike_formats::{ImpossibleValuesFacts, Result, Spec, impossible_value_line};
use serde::Serialize;

/// Whether a spec is valid, and what a design of it would do.
#[derive(Debug, Clone)]
pub struct CheckRequest {
    /// The spec, which is valid since it was read.
    pub spec: Spec,
    /// What takes the place of the spec's own choices.
    pub overrides: DesignOverrides,
    /// The mechanism, or the best that applies.
    pub mechanism: Option<MechanismName>,
}

/// How many secrets, pairs and components a problem has, and which mechanism a design would use for it.
#[derive(Debug, Clone)]
pub struct ProblemSummary {
    /// The problem.
    pub problem: Problem,
    /// Its secrets without an edge.
    pub unprotected: Vec<String>,
    /// The mechanism that a design would use.
    pub mechanism: MechanismName,
}

/// What is said of a problem before a design.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckFacts {
    /// Always: what is not valid is an error.
    pub valid: bool,
    /// `aware`, `shared` or `point`.
    pub kind: &'static str,
    /// How many secrets there are.
    pub secrets: usize,
    /// How many values a record can have.
    pub categories: usize,
    /// How many pairs must look alike.
    pub edges: u64,
    /// How many groups there are.
    pub groups: usize,
    /// The components of more than one secret.
    pub components: u64,
    /// Every ε that a pair has, as exact text.
    pub epsilons: Vec<String>,
    /// What a design would keep small.
    pub objective: &'static str,
    /// The mechanism that it would use.
    pub mechanism: &'static str,
    /// Secrets without an edge: they are released unchanged.
    pub unprotected: Vec<String>,
    /// Values that their profiles never have, and that such a design may release nearly as they are.
    pub impossible_values: Option<ImpossibleValuesFacts>,
}

impl CheckRequest {
    /// What a design would do.
    ///
    /// # Errors
    /// Those of [`DesignOverrides::applied`].
    pub fn run(self) -> Result<ProblemSummary> {
        let problem = self.overrides.applied(self.spec.problem)?;
        let mechanism = self.mechanism.unwrap_or_else(|| MechanismName::best(&problem));
        Ok(ProblemSummary { problem, unprotected: self.spec.unprotected, mechanism })
    }
}

impl ProblemSummary {
    /// All that is said of it.
    pub fn facts(&self) -> CheckFacts {
        let (problem, graph) = (&self.problem, self.problem.graph());
        CheckFacts {
            valid: true,
            kind: problem.kind().name(),
            secrets: graph.names().len(),
            categories: problem.categories().len(),
            edges: graph.pairs(),
            groups: graph.groups().len(),
            components: graph.components().iter().filter(|component| component.len() > 1).count() as u64,
            epsilons: graph.epsilons().iter().map(ToString::to_string).collect(),
            objective: problem.objective().name(),
            mechanism: self.mechanism.name(),
            unprotected: self.unprotected.clone(),
            impossible_values: ImpossibleValuesFacts::expected(problem, self.mechanism),
        }
    }

    /// What such a design may do to values that their profiles never have, in one line, unless it releases them by the
    /// profile's output law.
    pub fn impossible_values(&self) -> Option<String> {
        impossible_value_line(&self.problem, self.mechanism)
    }
}
