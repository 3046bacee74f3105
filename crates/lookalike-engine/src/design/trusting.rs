//! What limits of profiles cost: the same design for profiles that are trusted.

use super::design_request::DesignOutcome;
use lookalike::design::{Design, Objective, Options, Watch, design};
use lookalike::model::Limits;
use lookalike_formats::Result;
use serde::Serialize;

/// The best mechanism whose promise is about the profiles alone. It stands beside a design for all laws within limits, to show what
/// they cost; nothing is released by it.
#[derive(Debug, Clone)]
pub struct Trusting {
    /// The design.
    pub design: Design,
    /// How often its output differs from the value, averaged over the secrets by the prior.
    pub expected_error: f64,
}

/// What is said of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TrustingFacts {
    /// The objective.
    pub value: f64,
    /// How often the output differs from the value, averaged over the secrets by the prior.
    pub expected_error: f64,
}

impl Trusting {
    /// That of a design for profiles within limits; `None` where there are none.
    ///
    /// # Errors
    /// A design that was stopped.
    pub fn of(designed: &DesignOutcome, watch: Watch<'_>) -> Result<Option<Self>> {
        let problem = &designed.problem;
        if problem.limits().is_empty() {
            return Ok(None);
        }
        let points = problem.profile_laws().iter().map(Limits::of_law).collect();
        let problem = problem.clone().within(points)?;
        let design = design(&problem, &Options { watch, ..Options::default() })?;
        let expected_error = Objective::ExpectedError.value(&problem, &design.mechanism);
        Ok(Some(Trusting { design, expected_error }))
    }

    /// What is said of it.
    pub fn facts(&self) -> TrustingFacts {
        TrustingFacts { value: self.design.objective.value, expected_error: self.expected_error }
    }
}
