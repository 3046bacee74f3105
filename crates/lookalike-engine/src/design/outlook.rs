//! What a design of a problem would do, before it is done.

use lookalike::design::{MechanismName, Problem};
use lookalike_formats::{expected_impossible_value, impossible_value_line};
use serde_json::{Value, json};

/// How many secrets, pairs and components a problem has, and which mechanism a design would use for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Outlook {
    /// The components of more than one secret.
    pub components: u64,
    /// Every ε that a pair has, as text.
    pub epsilons: Vec<String>,
    /// The mechanism that a design would use.
    pub mechanism: MechanismName,
}

impl Outlook {
    /// That of a problem.
    pub fn of(problem: &Problem) -> Self {
        let graph = problem.graph();
        Outlook {
            components: graph.components().iter().filter(|component| component.len() > 1).count() as u64,
            epsilons: graph.epsilons().iter().map(ToString::to_string).collect(),
            mechanism: MechanismName::best(problem),
        }
    }

    /// With all that is known of the problem and its secrets without an edge, as `lookalike check --json` prints it.
    pub fn json(&self, problem: &Problem, unprotected: &[String]) -> Value {
        let graph = problem.graph();
        json!({
            "valid": true,
            "kind": problem.kind().name(),
            "secrets": graph.names().len(),
            "categories": problem.categories().len(),
            "edges": graph.pairs(),
            "groups": graph.groups().len(),
            "components": self.components,
            "epsilons": self.epsilons,
            "objective": problem.objective().name(),
            "mechanism": self.mechanism.name(),
            "unprotected": unprotected,
            "impossible_values": expected_impossible_value(problem, self.mechanism).map(|(count, profile, value)| {
                json!({ "count": count, "profile": profile, "value": value })
            }),
        })
    }

    /// What such a design may do to values that their profiles never have, in one line, unless it releases them by the
    /// profile's output law.
    pub fn impossible_values(&self, problem: &Problem) -> Option<String> {
        impossible_value_line(problem, self.mechanism)
    }
}
