//! What files and `--json` say about a design and its proof: each fact is a field here, with one name.
//!
//! Doubles that bound something are rounded outward; those that have no such meaning are the nearest.

use super::impossible_values::ImpossibleValuesFacts;
use lookalike::certify::{Achieved, Certificate};
use lookalike::design::Design;
use lookalike::estimate::LimitsBasis;
use lookalike::exact::{Direction, Epsilon, Interval, to_f64};
use lookalike::model::Mechanism;
use serde::Serialize;
use serde_json::Value;

/// The facts of something as a JSON value, keys in the order of the fields.
///
/// # Panics
/// Never for facts: they are texts, numbers, lists and objects of these.
pub fn json_of(facts: &impl Serialize) -> Value {
    serde_json::to_value(facts).expect("facts are texts, numbers, lists and objects of these")
}

/// An ε that is claimed, and what is true.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EpsilonFacts {
    /// The claim.
    pub claimed: f64,
    /// The claim as exact text.
    pub claimed_text: String,
    /// The true ε is at least this; `None` where it is infinite, or where the proof shows an upper bound only.
    pub lower: Option<f64>,
    /// The true ε is at most this; `None` where it is infinite.
    pub upper: Option<f64>,
}

impl EpsilonFacts {
    /// A claim with an enclosure of the truth; `None` for infinite.
    pub fn new(claimed: &Epsilon, achieved: Option<&Interval>) -> Self {
        EpsilonFacts {
            claimed: claimed.to_f64(),
            claimed_text: claimed.to_string(),
            lower: achieved.map(|interval| to_f64(&interval.lower().to_rational(), Direction::Down).max(0.0)),
            upper: achieved.map(|interval| to_f64(&interval.upper().to_rational(), Direction::Up)),
        }
    }

    /// The same for the worst of all pairs.
    pub fn of_worst(claimed: &Epsilon, achieved: &Achieved) -> Self {
        match achieved {
            Achieved::Infinite => EpsilonFacts::new(claimed, None),
            Achieved::Within(interval) => EpsilonFacts::new(claimed, Some(interval)),
        }
    }
}

/// What limits of profiles rest on: a statement, on which nothing else rests.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LimitsBasisFacts {
    /// The probability over the fit that they hold, as exact text.
    pub confidence: String,
    /// For whom: `each pair` that is named beforehand, or `all pairs` at once.
    pub holds_for: &'static str,
}

impl LimitsBasisFacts {
    /// Those of a statement.
    pub fn of(basis: &LimitsBasis) -> Self {
        LimitsBasisFacts { confidence: basis.confidence().to_string(), holds_for: basis.holds_for().name() }
    }
}

/// Two secrets, and an output that tells them apart.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WorstFacts {
    /// The secrets; the first has the output with the larger probability.
    pub edge: [String; 2],
    /// The output.
    pub output: String,
}

impl WorstFacts {
    /// With the names that a mechanism has.
    pub fn new(mechanism: &Mechanism, secrets: [u32; 2], output: u32) -> Self {
        WorstFacts {
            edge: secrets.map(|secret| mechanism.graph().names().name(secret).to_owned()),
            output: mechanism.outputs().names().name(output).to_owned(),
        }
    }
}

/// The facts of a proof, of whichever kind of mechanism: a kind leaves out what it has not.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProofFacts {
    /// What ε is about, in a word.
    pub secrets: &'static str,
    /// The claim and the truth: of the worst pair for channels, of any two neighbours otherwise.
    pub epsilon: EpsilonFacts,
    /// For channels: the pair closest to its claim, and the output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst: Option<WorstFacts>,
    /// For channels: how many pairs were proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edges: Option<u64>,
    /// What ε is multiplied with, where it is not for a whole pair: `metre`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per: Option<&'static str>,
    /// How it was proved, where that is not by the exact laws of channels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<String>,
    /// For noise on numbers: the most steps of the grid between neighbours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<String>,
    /// For noise on numbers: what each step costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decay: Option<String>,
    /// For noise on places: how many metres in the plane a metre on the ground is at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stretch: Option<f64>,
    /// For noise on places: the metres that rounding to the grid adds at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution: Option<f64>,
}

impl ProofFacts {
    /// Those that every kind has.
    pub(super) fn new(secrets: &'static str, epsilon: EpsilonFacts) -> Self {
        ProofFacts {
            secrets,
            epsilon,
            worst: None,
            edges: None,
            per: None,
            proof: None,
            steps: None,
            decay: None,
            stretch: None,
            resolution: None,
        }
    }

    /// Those of channels.
    pub fn of_channels(mechanism: &Mechanism, certificate: &Certificate) -> Self {
        let worst = certificate.worst();
        let epsilon = EpsilonFacts::of_worst(worst.claimed(), &worst.achieved());
        ProofFacts {
            worst: Some(WorstFacts::new(mechanism, worst.secrets(), worst.output())),
            edges: Some(certificate.pairs()),
            ..ProofFacts::new(mechanism.secrets().word(), epsilon)
        }
    }
}

/// What shows that the claim of channels is false.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WitnessFacts {
    /// Where.
    #[serde(flatten)]
    pub worst: WorstFacts,
    /// How many times as likely the output is for the first; `None` for infinite.
    pub ratio: Option<String>,
}

/// The objective of a design.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ObjectiveFacts {
    /// What was kept small.
    pub name: &'static str,
    /// What it is.
    pub value: f64,
    /// No mechanism is below this.
    pub lower_bound: f64,
    /// Their difference.
    pub gap: f64,
    /// What chose among equally good mechanisms; `None` where there is one only.
    pub tie_break: Option<&'static str>,
}

impl ObjectiveFacts {
    /// That of a design.
    pub fn of(design: &Design) -> Self {
        let objective = &design.objective;
        ObjectiveFacts {
            name: objective.name,
            value: objective.value,
            lower_bound: objective.lower_bound,
            gap: objective.gap(),
            tie_break: design.solution.tie_break,
        }
    }
}

/// What set the optimum.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BindingFacts {
    /// The secrets by name, in order along a path.
    pub profiles: Vec<String>,
    /// The output at which they bind.
    pub output: Option<String>,
}

/// How a design was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SolutionFacts {
    /// The algorithm.
    pub algorithm: &'static str,
    /// How many rounds it took.
    pub rounds: u32,
    /// How many components were solved apart.
    pub components: usize,
    /// What set the optimum.
    pub binding: BindingFacts,
    /// The share of every row that was given up for exactness.
    pub repair_cost: f64,
    /// A lower bound over mechanisms of the same family only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub family_bound: Option<f64>,
    /// Values that their profiles never have, and that are not hidden should they occur.
    pub impossible_values: Option<ImpossibleValuesFacts>,
}

impl SolutionFacts {
    /// That of a design.
    pub fn of(design: &Design) -> Self {
        let (solution, mechanism) = (&design.solution, &design.mechanism);
        let name = |secret: &u32| mechanism.graph().names().name(*secret).to_owned();
        SolutionFacts {
            algorithm: solution.algorithm.name(),
            rounds: solution.rounds,
            components: solution.components,
            binding: BindingFacts {
                profiles: solution.binding.iter().map(name).collect(),
                output: solution.binding_output.map(|output| mechanism.outputs().names().name(output).to_owned()),
            },
            repair_cost: solution.repair_cost,
            family_bound: solution.family_bound,
            impossible_values: ImpossibleValuesFacts::of(mechanism),
        }
    }
}
