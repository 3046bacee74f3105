//! `lookalike check`.

use crate::Answer;
use crate::terminal::{Terminal, count, unprotected};
use lookalike::model::Kind;
use lookalike_engine::{CheckRequest, DesignOverrides, ReadFile};
use lookalike_formats::{Result, Spec, json_of};
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
        let summary = CheckRequest { spec, overrides: DesignOverrides::default(), mechanism: None }.run()?;
        let facts = summary.facts();
        terminal.answer(json_of(&facts), || {
            let secrets = if summary.problem.kind() == Kind::Point { "value" } else { "profile" };
            let mut text = format!(
                "{} is valid.\n\
                 {} over {} categories; {} must look alike, in {}.\n\
                 epsilon {}; objective {}; a design would use {} ({}).\n",
                self.spec.display(),
                count(facts.secrets as u64, secrets),
                facts.categories,
                count(facts.edges, "pair"),
                count(facts.components, "component"),
                facts.epsilons.join(", "),
                facts.objective,
                facts.mechanism,
                facts.kind,
            );
            for line in unprotected(&facts.unprotected).into_iter().chain(summary.impossible_values()) {
                text += &format!("Warning: {line}.\n");
            }
            text
        })?;
        Ok(Answer::Yes)
    }
}
