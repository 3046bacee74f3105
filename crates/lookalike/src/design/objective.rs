//! What counts as a good mechanism.

use super::Problem;
use crate::error::Result;
use crate::exact::{Direction, Rational, to_f64};
use crate::model::{Loss, Mechanism, Utility};
use num_traits::Zero;

/// The figure that a design keeps small. It touches utility only, never privacy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Objective {
    /// The largest probability of any one wrong output, over all secrets: the paper's objective.
    MaxFlip,
    /// Pr[output ≠ input], averaged over the secrets by the prior.
    ExpectedError,
    /// The expected number of places between output and input, averaged over the secrets by the prior.
    OrdinalError,
    /// The expected loss, averaged over the secrets by the prior.
    Loss(Loss),
}

impl Objective {
    /// The name used in files and on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            Objective::MaxFlip => "max-flip",
            Objective::ExpectedError => "expected-error",
            Objective::OrdinalError => "ordinal-error",
            Objective::Loss(_) => "loss",
        }
    }

    /// The loss that is averaged; `None` for a maximum.
    pub(super) fn loss(&self) -> Option<&Loss> {
        match self {
            Objective::MaxFlip => None,
            Objective::ExpectedError => Some(&Loss::ZeroOne),
            Objective::OrdinalError => Some(&Loss::Ordinal),
            Objective::Loss(loss) => Some(loss),
        }
    }

    /// The exact value that a mechanism for the problem has.
    pub(super) fn of(&self, problem: &Problem, mechanism: &Mechanism) -> Rational {
        let secrets = 0..mechanism.graph().names().len() as u32;
        match self.loss() {
            None => {
                let flip =
                    |&secret: &u32| Utility::max_flip_weight(&mechanism.input_law(secret), mechanism.channel(secret));
                let worst = secrets.max_by_key(flip);
                let utility = |secret| Utility::of(&mechanism.input_law(secret), mechanism.channel(secret));
                worst.map_or_else(Rational::zero, |secret| utility(secret).max_flip)
            }
            Some(loss) => {
                let cost = |secret: u32| {
                    let law = mechanism.input_law(secret);
                    let expected = Utility::expected_loss(&law, mechanism.channel(secret), loss);
                    problem.prior().weight(secret as usize) * expected
                };
                // Added as a balanced tree: a running sum would drag the longest denominator along.
                sum(&secrets.map(cost).collect::<Vec<_>>())
            }
        }
    }
}

fn sum(terms: &[Rational]) -> Rational {
    match terms {
        [] => Rational::zero(),
        [one] => one.clone(),
        _ => {
            let (left, right) = terms.split_at(terms.len() / 2);
            sum(left) + sum(right)
        }
    }
}

/// What a design reached and what no mechanism can go below.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectiveValue {
    /// The objective's name.
    pub name: &'static str,
    /// The mechanism's value, to the nearest double.
    pub value: f64,
    /// A proven lower bound over all mechanisms of the kind, rounded down.
    pub lower_bound: f64,
}

impl ObjectiveValue {
    pub(super) fn new(problem: &Problem, mechanism: &Mechanism) -> Result<Self> {
        let objective = problem.objective();
        let (value, bound) = (objective.of(problem, mechanism), super::bound::lower_bound(problem));
        debug_assert!(bound <= value, "a lower bound above a value that is reached");
        let (value, lower_bound) = (to_f64(&value, Direction::Nearest), to_f64(&bound, Direction::Down));
        // The bound may be tight to the last bit, and then rounding to nearest must not undercut it.
        Ok(ObjectiveValue { name: objective.name(), value, lower_bound: lower_bound.min(value) })
    }

    /// Takes a better lower bound.
    pub(super) fn raise_bound(&mut self, bound: &Rational) {
        self.lower_bound = self.lower_bound.max(to_f64(bound, Direction::Down)).min(self.value);
    }

    /// value − lower bound.
    pub fn gap(&self) -> f64 {
        self.value - self.lower_bound
    }
}
