//! `lookalike check`.

use crate::Answer;
use crate::terminal::{Terminal, count, unprotected};
use lookalike::design::MechanismName;
use lookalike::model::Kind;
use lookalike_io::{Result, Spec};
use serde_json::json;
use std::path::PathBuf;

/// Validate a spec and say what a design would do
#[derive(clap::Args)]
#[command(after_help = "Example:\n  lookalike check spec.toml")]
pub struct Check {
    /// The spec, TOML or JSON
    spec: PathBuf,
}

impl Check {
    pub fn run(self, terminal: &Terminal) -> Result<Answer> {
        let spec = Spec::read(&self.spec)?;
        let (problem, graph) = (&spec.problem, spec.problem.graph());
        let components = graph.components();
        let joined = components.iter().filter(|component| component.len() > 1).count() as u64;
        let epsilons: Vec<String> = graph.epsilons().iter().map(ToString::to_string).collect();
        let mechanism = MechanismName::best(problem);
        let object = json!({
            "valid": true,
            "kind": problem.kind().name(),
            "secrets": graph.names().len(),
            "categories": problem.categories().len(),
            "edges": graph.pairs(),
            "groups": graph.groups().len(),
            "components": joined,
            "epsilons": epsilons,
            "objective": problem.objective().name(),
            "mechanism": mechanism.name(),
            "unprotected": spec.unprotected,
        });
        terminal.answer(object, || {
            let secrets = if problem.kind() == Kind::Point { "value" } else { "profile" };
            let mut text = format!(
                "{} is valid.\n\
                 {} over {} categories; {} must look alike, in {}.\n\
                 epsilon {}; objective {}; a design would use {} ({}).\n",
                self.spec.display(),
                count(graph.names().len() as u64, secrets),
                problem.categories().len(),
                count(graph.pairs(), "pair"),
                count(joined, "component"),
                epsilons.join(", "),
                problem.objective().name(),
                mechanism,
                problem.kind(),
            );
            for line in unprotected(&spec.unprotected) {
                text += &format!("Warning: {line}.\n");
            }
            text
        })?;
        Ok(Answer::Yes)
    }
}
