//! Choices among counts or scores.

use crate::claim::Claim;
use crate::error::Answer;
use crate::graph::Problem;
use crate::mechanism::Mechanism;
use crate::numbers::{epsilon, rational};
use crate::release::warn;
use lookalike::model::Categories;
use lookalike_engine::Level;
use lookalike_engine::noise::{ExponentialDesign, NoisyMaxRelease};
use pyo3::prelude::*;

/// The place of the largest count after noise. Counts without names stand in an order that says nothing of them.
#[pyfunction]
pub fn noisy_max(
    counts: Vec<i64>,
    names: Option<Vec<String>>,
    at: &str,
    sensitivity: u64,
    together: bool,
    seed: Option<u64>,
) -> Answer<usize> {
    let (epsilon, confidence) = (epsilon(at, "epsilon")?, Level::usual());
    Ok(NoisyMaxRelease { counts, names, epsilon, sensitivity, together, confidence, seed }.run()?.place)
}

/// The exponential mechanism over the values of a problem, proved.
#[pyfunction]
pub fn exponential(
    py: Python<'_>,
    problem: &Problem,
    outputs: Vec<String>,
    scores: Vec<Vec<String>>,
    sensitivity: &str,
    together: bool,
) -> Answer<Mechanism> {
    let row = |row: &Vec<String>| row.iter().map(|score| rational(score, "scores")).collect::<Answer<Vec<_>>>();
    let request = ExponentialDesign {
        inputs: problem.spec.problem.categories().clone(),
        outputs: Categories::new(outputs)?,
        graph: problem.spec.problem.graph().clone(),
        scores: scores.iter().map(row).collect::<Answer<Vec<_>>>()?,
        sensitivity: rational(sensitivity, "sensitivity")?,
        together,
    };
    let designed = py.detach(|| request.run())?;
    warn(py, &designed.warnings, 2)?;
    Ok(Mechanism::new(Claim::new(designed.file()).with_proof(designed.certified)))
}
