//! Mechanisms over counts side by side.

use super::count_design::CountFound;
use super::count_figures::CountFiguresFacts;
use super::count_question::{CountMechanism, CountQuestion};
use lookalike::design::Watch;
use lookalike_formats::Result;
use serde::Serialize;

/// What is compared: mechanisms for one or several questions.
pub struct CountComparison {
    /// A group size and a factor each.
    pub questions: Vec<CountQuestion>,
    /// Which mechanisms; where properties are asked for, also the optimum with them.
    pub mechanisms: Vec<CountMechanism>,
}

/// The mechanisms, question by question.
pub struct CountsCompared(pub Vec<CountFound>);

/// What is said of them.
#[derive(Debug, Clone, Serialize)]
pub struct CountsComparedFacts {
    /// Question by question.
    pub mechanisms: Vec<ComparedCountFacts>,
}

/// What is said of one.
#[derive(Debug, Clone, Serialize)]
pub struct ComparedCountFacts {
    /// Its name in files.
    pub mechanism: &'static str,
    /// How many people a group has.
    pub n: usize,
    /// α.
    pub alpha: f64,
    /// The same, exactly.
    pub alpha_text: String,
    /// −ln α.
    pub epsilon: f64,
    /// The same as exact text.
    pub epsilon_text: String,
    /// Its properties and errors.
    #[serde(flatten)]
    pub figures: CountFiguresFacts,
}

impl CountComparison {
    /// The mechanisms, each with its proof.
    ///
    /// # Errors
    /// Those of [`CountQuestion::solution`].
    pub fn run(self, watch: &Watch<'_>) -> Result<CountsCompared> {
        let mut compared = Vec::new();
        for question in self.questions {
            let mut mechanisms = self.mechanisms.clone();
            if !question.properties.is_empty() && !mechanisms.contains(&CountMechanism::Optimal) {
                mechanisms.push(CountMechanism::Optimal);
            }
            for mechanism in mechanisms {
                compared.push(CountFound::of(question.clone(), question.solution(mechanism, watch)?)?);
            }
        }
        Ok(CountsCompared(compared))
    }
}

impl CountsCompared {
    /// What is said of them.
    pub fn facts(&self) -> CountsComparedFacts {
        let one = |found: &CountFound| {
            let CountQuestion { n, alpha, .. } = &found.question;
            ComparedCountFacts {
                mechanism: found.solution.kind.name(),
                n: *n,
                alpha: alpha.to_f64(),
                alpha_text: alpha.to_string(),
                epsilon: alpha.epsilon().to_f64(),
                epsilon_text: alpha.epsilon().to_string(),
                figures: found.figures.facts(),
            }
        };
        CountsComparedFacts { mechanisms: self.0.iter().map(one).collect() }
    }
}
