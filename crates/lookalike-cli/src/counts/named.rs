//! The mechanisms by name.

use super::question::Question;
use lookalike::counts::{Alpha, CountLoss, Method, explicit_fair, geometric, optimal, score, uniform, weakly_honest};
use lookalike::design::Watch;
use lookalike::exact::Rational;
use lookalike::model::{Mechanism, Prior};
use lookalike_formats::Result;

/// A mechanism over counts, as it is called on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Named {
    /// Truncated geometric noise: the least L_0 without demands
    Gm,
    /// Explicit fair: the least L_0 among fair mechanisms; has all seven properties
    Em,
    /// Weakly honest: the least L_0 among those that beat a guess
    Wm,
    /// Uniform: every count equally often
    Um,
    /// The best for the properties, loss and prior asked for
    Optimal,
}

/// A mechanism and how it was found.
pub struct Found {
    pub mechanism: Mechanism,
    /// Its score L_p for the loss and the prior asked for.
    pub score: Rational,
    /// No mechanism with the properties has a lower score, where that is proved by a program.
    pub bound: Option<Rational>,
    /// `None` for a mechanism that was asked for by name.
    pub method: Option<Method>,
}

impl Named {
    /// For people: `GM`, `the optimum`.
    pub fn title(self) -> &'static str {
        match self {
            Named::Gm => "GM",
            Named::Em => "EM",
            Named::Wm => "WM",
            Named::Um => "UM",
            Named::Optimal => "optimum",
        }
    }

    /// For files: `counts-gm`.
    pub fn name(self) -> &'static str {
        match self {
            Named::Gm => "counts-gm",
            Named::Em => "counts-em",
            Named::Wm => "counts-wm",
            Named::Um => "counts-um",
            Named::Optimal => "counts-optimal",
        }
    }

    /// The mechanism for a group of n.
    ///
    /// # Errors
    /// Those of the library: a bad n, an α next to 1, a prior over another number of counts.
    pub fn find(self, n: usize, alpha: &Alpha, question: &Question, prior: &Prior, watch: &Watch<'_>) -> Result<Found> {
        let loss: CountLoss = question.loss;
        let mechanism = match self {
            Named::Gm => geometric(n, alpha),
            Named::Em => explicit_fair(n, alpha),
            Named::Wm => weakly_honest(n, alpha),
            Named::Um => uniform(n, alpha),
            Named::Optimal => {
                let best = optimal(n, alpha, question.properties, (prior, loss), watch)?;
                let method = Some(best.method);
                return Ok(Found { mechanism: best.mechanism, score: best.score, bound: best.bound, method });
            }
        }?;
        let score = score(&mechanism, prior, loss)?;
        Ok(Found { mechanism, score, bound: None, method: None })
    }
}
