//! Designs with their proof, and the exact figures that are read off them.

use lookalike::certify::{Certified, certify};
use lookalike::design::{Design, MechanismName, ObjectiveValue, Options, Problem, Solution, design};
use lookalike::exact::{Direction, Rational, to_f64};
use lookalike::model::{Mechanism, Utility};
use lookalike_formats::{Error, Result};

/// A design whose claim has been proved.
#[derive(Debug, Clone)]
pub struct Proved {
    /// The mechanism with its proof.
    pub certified: Certified<Mechanism>,
    /// What it reaches, and what nothing can go below.
    pub objective: ObjectiveValue,
    /// How it was found, and what chose among optima.
    pub solution: Solution,
}

impl Proved {
    /// The mechanism.
    pub fn mechanism(&self) -> &Mechanism {
        self.certified.mechanism()
    }

    /// The largest probability of any one wrong output, exactly.
    pub fn largest_flip(&self) -> Rational {
        largest_flip(self.mechanism())
    }
}

/// The design of this name for a problem, certified.
///
/// # Errors
/// Those of [`design`].
pub fn designed(problem: &Problem, name: MechanismName) -> Result<Proved> {
    let Design { mechanism, objective, solution, .. } = design(problem, &Options::named(name))?;
    Ok(Proved { certified: certified(mechanism)?, objective, solution })
}

/// The mechanism with its proof.
///
/// # Errors
/// A mechanism that is not private; the error has the witness.
pub fn certified(mechanism: Mechanism) -> Result<Certified<Mechanism>> {
    certify(mechanism).map_err(|violation| {
        Error::input(format!("a mechanism of an experiment does not certify, which is a bug to report: {violation}"))
    })
}

/// The largest probability of any one wrong output over all profiles of a mechanism, exactly.
pub fn largest_flip(mechanism: &Mechanism) -> Rational {
    let flip = |secret: u32| Utility::of(&mechanism.input_law(secret), mechanism.channel(secret)).max_flip;
    (0..mechanism.graph().names().len() as u32).map(flip).max().expect("a graph has secrets")
}

/// The nearest double, for plots.
pub(crate) fn float(value: &Rational) -> f64 {
    to_f64(value, Direction::Nearest)
}

/// |a − b|.
pub(crate) fn distance(a: &Rational, b: &Rational) -> Rational {
    if a > b { a - b } else { b - a }
}
