//! What is said of the least δ at an ε.

use lookalike::certify::Delta;
use lookalike::exact::{Direction, Excess, to_f64};
use lookalike::model::Mechanism;
use serde::Serialize;

/// The least δ with which every pair is (ε, δ)-indistinguishable.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DeltaFacts {
    /// The ε at which δ was asked for.
    pub epsilon: f64,
    /// The same as exact text.
    pub epsilon_text: String,
    /// δ itself.
    #[serde(flatten)]
    pub value: DeltaEnds,
    /// The pair that needs it.
    pub edge: [String; 2],
    /// The outputs that are more than e^ε times as likely for the first as for the second.
    pub outputs: Vec<String>,
    /// The probabilities a and b of these outputs, with which δ is a − b·e^ε.
    pub probabilities: [String; 2],
}

/// A δ, by what it lies between.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DeltaEnds {
    /// It is at least this.
    pub lower: f64,
    /// It is at most this.
    pub upper: f64,
    /// It as a fraction; `None` when e^ε is irrational, or the fraction too long.
    pub exact: Option<String>,
}

impl DeltaEnds {
    pub(super) fn of(excess: &Excess) -> Self {
        let enclosure = excess.enclosure();
        DeltaEnds {
            lower: to_f64(&enclosure.lower().to_rational(), Direction::Down),
            upper: to_f64(&enclosure.upper().to_rational(), Direction::Up),
            exact: excess.exact().map(|delta| delta.to_string()),
        }
    }
}

impl DeltaFacts {
    /// With the names that a mechanism has.
    pub fn of(delta: &Delta, mechanism: &Mechanism) -> Self {
        let output = |output: &u32| mechanism.outputs().names().name(*output).to_owned();
        DeltaFacts {
            epsilon: delta.epsilon().to_f64(),
            epsilon_text: delta.epsilon().to_string(),
            value: DeltaEnds::of(delta.excess()),
            edge: delta.secrets().map(|secret| mechanism.graph().names().name(secret).to_owned()),
            outputs: delta.outputs().iter().map(output).collect(),
            probabilities: delta.probabilities().each_ref().map(ToString::to_string),
        }
    }
}
