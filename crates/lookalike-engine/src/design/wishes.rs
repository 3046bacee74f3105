//! What is asked of a design beside its spec.

use lookalike::certify::Certified;
use lookalike::design::{Objective, Problem};
use lookalike::exact::Epsilon;
use lookalike_formats::{Error, Proof, Result};

/// What takes the place of a problem's own choices.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wishes<'a> {
    /// `aware` or `shared`.
    pub channel: Option<&'a str>,
    /// The name of an objective.
    pub objective: Option<&'a str>,
    /// The largest budget, to which all are scaled.
    pub epsilon: Option<&'a Epsilon>,
}

impl Wishes<'_> {
    /// The problem with what is asked for.
    ///
    /// # Errors
    /// Names that are not known, or a wish that the problem cannot have.
    pub fn applied(&self, mut problem: Problem) -> Result<Problem> {
        match self.channel {
            None => {}
            Some("shared") => problem = problem.shared()?,
            Some("aware") => problem = problem.aware()?,
            Some(other) => return Err(Error::input(format!("channel: {other:?}, expected aware or shared"))),
        }
        if let Some(name) = self.objective {
            let objective = Objective::named(name, &problem)?;
            problem = problem.with_objective(objective)?;
        }
        if let Some(epsilon) = self.epsilon {
            problem = problem.with_epsilon(epsilon)?;
        }
        Ok(problem)
    }
}

/// A designed mechanism with its proof.
///
/// # Errors
/// None but a bug: every design has a proof.
pub fn prove_design<M: Proof>(mechanism: M) -> Result<Certified<M>> {
    mechanism.prove().map_err(|violation| {
        Error::input(format!("the designed mechanism does not certify, which is a bug to report: {violation}"))
    })
}
