//! What is asked of a design beside its spec.

use lookalike::certify::Certified;
use lookalike::design::{Algorithm, Flips, MechanismName, Objective, Options, Problem, Watch};
use lookalike::exact::Epsilon;
use lookalike_formats::{Error, MechanismKind, Result};
use std::str::FromStr;

/// Whom a channel is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChannelScope {
    /// Each profile has one of its own: `aware`.
    EachProfile,
    /// There is one for all: `shared`.
    Shared,
}

impl FromStr for ChannelScope {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "aware" => Ok(ChannelScope::EachProfile),
            "shared" => Ok(ChannelScope::Shared),
            other => Err(Error::input(format!("channel: {other:?}, expected aware or shared"))),
        }
    }
}

/// What takes the place of a problem's own choices.
#[derive(Debug, Clone, Default)]
pub struct DesignOverrides {
    /// Whom a channel is for.
    pub channel: Option<ChannelScope>,
    /// The name of an objective; `loss` is the one that the problem has.
    pub objective: Option<String>,
    /// The largest budget, to which all are scaled.
    pub epsilon: Option<Epsilon>,
}

impl DesignOverrides {
    /// The problem with what is asked for.
    ///
    /// # Errors
    /// A name that is not known, or something that the problem cannot have.
    pub fn applied(&self, mut problem: Problem) -> Result<Problem> {
        match self.channel {
            None => {}
            Some(ChannelScope::Shared) => problem = problem.shared()?,
            Some(ChannelScope::EachProfile) => problem = problem.aware()?,
        }
        if let Some(name) = &self.objective {
            let objective = Objective::named(name, &problem)?;
            problem = problem.with_objective(objective)?;
        }
        if let Some(epsilon) = &self.epsilon {
            problem = problem.with_epsilon(epsilon)?;
        }
        Ok(problem)
    }
}

/// By what a problem is to be solved, where that is not left to its structure.
#[derive(Debug, Clone, Copy, Default)]
pub struct DesignChoices {
    /// The mechanism, or the best that applies.
    pub mechanism: Option<MechanismName>,
    /// Which flips Smooth One Bit may use.
    pub flips: Flips,
    /// The algorithm, or the first that applies.
    pub algorithm: Option<Algorithm>,
}

impl DesignChoices {
    /// With somebody who watches.
    pub(super) fn options<'a>(&self, watch: Watch<'a>) -> Options<'a> {
        Options { mechanism: self.mechanism, flips: self.flips, algorithm: self.algorithm, watch }
    }
}

/// A designed mechanism with its proof.
///
/// # Errors
/// None but a bug: every design has a proof.
pub fn prove_design<M: MechanismKind>(mechanism: M) -> Result<Certified<M>> {
    mechanism.prove().map_err(|violation| {
        Error::input(format!("the designed mechanism does not certify, which is a bug to report: {violation}"))
    })
}
