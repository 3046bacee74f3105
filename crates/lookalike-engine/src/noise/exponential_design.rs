//! The exponential mechanism over a finite set.

use crate::design::prove_design;
use crate::facts::nearest;
use lookalike::Sentence;
use lookalike::certify::Certified;
use lookalike::design::exponential;
use lookalike::exact::Rational;
use lookalike::model::{Categories, Mechanism, Movement, SecretGraph};
use lookalike_formats::{MechanismFile, Result, certificate_json, largest_epsilon};
use serde::Serialize;
use serde_json::Value;

/// What is chosen among, and how good it is.
pub struct ExponentialDesign {
    /// What there may be.
    pub inputs: Categories,
    /// What may be released.
    pub outputs: Categories,
    /// Which inputs must look alike.
    pub graph: SecretGraph,
    /// How good each output is for each input.
    pub scores: Vec<Vec<Rational>>,
    /// The most by which the score of an output differs between neighbours.
    pub sensitivity: Rational,
    /// Whether between neighbours all scores rise or all fall.
    pub together: bool,
}

/// How far the score of the released output falls short of the best, exactly.
#[derive(Debug, Clone)]
pub struct ScoreShortfall {
    /// Over inputs.
    pub mean: Rational,
    /// For the worst input.
    pub worst: Rational,
    /// That input.
    pub at: u32,
}

/// The mechanism with its proof.
pub struct ExponentialDesigned {
    /// The mechanism.
    pub certified: Certified<Mechanism>,
    /// How far its scores fall short of the best.
    pub shortfall: ScoreShortfall,
    /// What rounding to weights cost.
    pub repair_cost: f64,
    /// The most by which the score of an output differs between neighbours.
    pub sensitivity: Rational,
    /// Whether between neighbours all scores rise or all fall.
    pub together: bool,
    /// Inputs that nothing protects.
    pub warnings: Vec<Sentence>,
}

/// What is said of the mechanism.
#[derive(Debug, Clone, Serialize)]
pub struct ExponentialFacts {
    /// Its name.
    pub mechanism: &'static str,
    /// How many inputs there are.
    pub inputs: usize,
    /// How many outputs there are.
    pub outputs: usize,
    /// The largest ε of a pair.
    pub epsilon: f64,
    /// The same as exact text.
    pub epsilon_text: String,
    /// The most by which the score of an output differs between neighbours.
    pub sensitivity: String,
    /// Whether between neighbours all scores rise or all fall.
    pub together: bool,
    /// How far the score of the released output falls short of the best.
    pub shortfall: ScoreShortfallFacts,
    /// What rounding to weights cost.
    pub repair_cost: f64,
    /// The proof.
    pub certificate: Value,
}

/// How far scores fall short of the best.
#[derive(Debug, Clone, Serialize)]
pub struct ScoreShortfallFacts {
    /// Over inputs.
    pub mean: f64,
    /// For the worst input.
    pub worst: f64,
    /// That input.
    pub input: String,
}

impl ExponentialDesign {
    /// The mechanism with its proof.
    ///
    /// # Errors
    /// Scores that differ by more than the sensitivity; what else the library refuses.
    pub fn run(self) -> Result<ExponentialDesigned> {
        let ExponentialDesign { inputs, outputs, graph, scores, sensitivity, together } = self;
        let (components, names) = (graph.components(), graph.names());
        let alone = components.iter().filter(|component| component.len() == 1).map(|component| component[0]);
        let warning = |input| Sentence::from(format!("input {:?} has no edge and is not protected", names.name(input)));
        let warnings = alone.map(warning).collect();
        let movement = if together { Movement::Together } else { Movement::Anyhow };
        let repaired = exponential(inputs, outputs, graph, &scores, &sensitivity, movement)?;
        let certified = prove_design(repaired.mechanism)?;
        let shortfall = ScoreShortfall::of(certified.mechanism(), &scores);
        Ok(ExponentialDesigned { certified, shortfall, repair_cost: repaired.cost, sensitivity, together, warnings })
    }
}

impl ExponentialDesigned {
    /// The mechanism file.
    pub fn file(&self) -> MechanismFile {
        MechanismFile::of_certified("exponential", &self.certified)
    }

    /// What is said of it.
    pub fn facts(&self) -> ExponentialFacts {
        let mechanism = self.certified.mechanism();
        let epsilon = largest_epsilon(mechanism);
        ExponentialFacts {
            mechanism: "exponential",
            inputs: mechanism.inputs().len(),
            outputs: mechanism.outputs().len(),
            epsilon: epsilon.to_f64(),
            epsilon_text: epsilon.to_string(),
            sensitivity: self.sensitivity.to_string(),
            together: self.together,
            shortfall: ScoreShortfallFacts {
                mean: nearest(&self.shortfall.mean),
                worst: nearest(&self.shortfall.worst),
                input: mechanism.inputs().names().name(self.shortfall.at).to_owned(),
            },
            repair_cost: self.repair_cost,
            certificate: certificate_json(mechanism, self.certified.certificate()),
        }
    }
}

impl ScoreShortfall {
    fn of(mechanism: &Mechanism, scores: &[Vec<Rational>]) -> Self {
        let channel = &mechanism.channels()[0];
        let of_input = |(x, row): (usize, &Vec<Rational>)| {
            let best = row.iter().max().expect("a table has an output");
            row.iter().enumerate().map(|(y, score)| (best - score) * channel.probability(x, y)).sum::<Rational>()
        };
        let all: Vec<Rational> = scores.iter().enumerate().map(of_input).collect();
        let mean = all.iter().sum::<Rational>() / Rational::from_integer(all.len().into());
        // The first of equals.
        let at = (0..all.len()).reduce(|worst, at| if all[at] > all[worst] { at } else { worst }).unwrap_or(0);
        ScoreShortfall { mean, worst: all[at].clone(), at: at as u32 }
    }
}
