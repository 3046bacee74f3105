//! What is asked of a mechanism over the counts of a group, and the mechanisms by name.

use crate::facts::{down, nearest, up};
use lookalike::counts::{
    Alpha, CountLoss, Method, Properties, closed_form_tie_break, explicit_fair, geometric, optimal, score, uniform,
    weakly_honest,
};
use lookalike::design::Watch;
use lookalike::exact::Rational;
use lookalike::model::{Mechanism, Prior};
use lookalike_formats::Result;
use serde::Serialize;

/// A mechanism over counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountMechanism {
    /// Truncated geometric noise: the least L_0 without demands.
    Geometric,
    /// Explicit fair: the least L_0 among fair mechanisms.
    ExplicitFair,
    /// Weakly honest: the least L_0 among those that beat a guess.
    WeaklyHonest,
    /// Every count equally often.
    Uniform,
    /// The best for the properties, loss and prior asked for.
    Optimal,
}

/// What is asked of a mechanism, and what the best one keeps small.
#[derive(Debug, Clone)]
pub struct CountQuestion {
    /// How many people a group has.
    pub n: usize,
    /// The least factor between probabilities of neighbouring counts.
    pub alpha: Alpha,
    /// What the optimum must have.
    pub properties: Properties,
    /// What the optimum minimizes.
    pub loss: CountLoss,
    /// How frequent the counts are.
    pub prior: Prior,
}

/// A mechanism and how it was found.
#[derive(Debug, Clone)]
pub struct CountSolution {
    /// Which one.
    pub kind: CountMechanism,
    /// The mechanism.
    pub mechanism: Mechanism,
    /// Its score L_p for the loss and the prior asked for.
    pub score: Rational,
    /// No mechanism with the properties has a lower score, where that is proved by a program.
    pub bound: Option<Rational>,
    /// `None` for a mechanism that was asked for by name.
    pub method: Option<Method>,
}

/// The score, what it is of, and how it was found.
#[derive(Debug, Clone, Serialize)]
pub struct CountObjectiveFacts {
    /// The loss.
    pub name: String,
    /// The score.
    pub value: f64,
    /// No mechanism with the properties has a lower score, where that is proved by a program.
    pub lower_bound: Option<f64>,
    /// How far apart these are at most.
    pub gap: Option<f64>,
    /// Which one is taken among equally good ones.
    pub tie_break: Option<&'static str>,
}

impl CountMechanism {
    /// Those with a closed form.
    pub const NAMED: [CountMechanism; 4] = [
        CountMechanism::Geometric,
        CountMechanism::ExplicitFair,
        CountMechanism::WeaklyHonest,
        CountMechanism::Uniform,
    ];

    /// For people: `GM`, `optimum`.
    pub fn title(self) -> &'static str {
        match self {
            CountMechanism::Geometric => "GM",
            CountMechanism::ExplicitFair => "EM",
            CountMechanism::WeaklyHonest => "WM",
            CountMechanism::Uniform => "UM",
            CountMechanism::Optimal => "optimum",
        }
    }

    /// For files: `counts-gm`.
    pub fn name(self) -> &'static str {
        match self {
            CountMechanism::Geometric => "counts-gm",
            CountMechanism::ExplicitFair => "counts-em",
            CountMechanism::WeaklyHonest => "counts-wm",
            CountMechanism::Uniform => "counts-um",
            CountMechanism::Optimal => "counts-optimal",
        }
    }
}

impl CountQuestion {
    /// The mechanism for this question.
    ///
    /// # Errors
    /// Those of the library: a bad n, an α next to 1, a prior over another number of counts.
    pub fn solution(&self, kind: CountMechanism, watch: &Watch<'_>) -> Result<CountSolution> {
        let (n, alpha) = (self.n, &self.alpha);
        let mechanism = match kind {
            CountMechanism::Geometric => geometric(n, alpha),
            CountMechanism::ExplicitFair => explicit_fair(n, alpha),
            CountMechanism::WeaklyHonest => weakly_honest(n, alpha),
            CountMechanism::Uniform => uniform(n, alpha),
            CountMechanism::Optimal => {
                let best = optimal(n, alpha, self.properties, (&self.prior, self.loss), watch)?;
                let (mechanism, score, bound) = (best.mechanism, best.score, best.bound);
                return Ok(CountSolution { kind, mechanism, score, bound, method: Some(best.method) });
            }
        }?;
        let score = score(&mechanism, &self.prior, self.loss)?;
        Ok(CountSolution { kind, mechanism, score, bound: None, method: None })
    }
}

impl CountSolution {
    /// The score for a loss, and how it was found.
    pub fn objective(&self, loss: CountLoss) -> CountObjectiveFacts {
        let bound = self.bound.as_ref();
        CountObjectiveFacts {
            name: loss.to_string(),
            value: nearest(&self.score),
            lower_bound: bound.map(down),
            gap: bound.map(|bound| up(&(&self.score - bound))),
            tie_break: self.method.map(Method::tie_break).or_else(|| closed_form_tie_break(self.kind.title())),
        }
    }
}
