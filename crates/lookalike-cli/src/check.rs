//! `lookalike check`.

use crate::Answer;
use crate::terminal::{Terminal, count, unprotected};
use lookalike::model::Kind;
use lookalike_engine::{Outlook, ReadFile};
use lookalike_formats::{Result, Spec};
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
        let outlook = Outlook::of(problem);
        terminal.answer(outlook.json(problem, &spec.unprotected), || {
            let secrets = if problem.kind() == Kind::Point { "value" } else { "profile" };
            let mut text = format!(
                "{} is valid.\n\
                 {} over {} categories; {} must look alike, in {}.\n\
                 epsilon {}; objective {}; a design would use {} ({}).\n",
                self.spec.display(),
                count(graph.names().len() as u64, secrets),
                problem.categories().len(),
                count(graph.pairs(), "pair"),
                count(outlook.components, "component"),
                outlook.epsilons.join(", "),
                problem.objective().name(),
                outlook.mechanism,
                problem.kind(),
            );
            for line in unprotected(&spec.unprotected).into_iter().chain(outlook.impossible_values(problem)) {
                text += &format!("Warning: {line}.\n");
            }
            text
        })?;
        Ok(Answer::Yes)
    }
}
