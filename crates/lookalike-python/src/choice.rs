//! Choices among counts or scores.

use crate::claim::Claim;
use crate::error::{Answer, Failure};
use crate::graph::Problem;
use crate::mechanism::Mechanism;
use crate::numbers::{epsilon, rational};
use crate::release::key;
use lookalike::certify::{certify, certify_noisy_max};
use lookalike::design::exponential as designed;
use lookalike::model::{Categories, Movement, NoisyMax};
use lookalike::sample::NoisyMaxSampler;
use lookalike_formats::MechanismFile;
use pyo3::prelude::*;

fn movement(together: bool) -> Movement {
    if together { Movement::Together } else { Movement::Anyhow }
}

/// The place of the largest count after noise.
#[pyfunction]
pub fn noisy_max(counts: Vec<i64>, at: &str, sensitivity: u64, together: bool, seed: Option<u64>) -> Answer<usize> {
    let max = NoisyMax::for_epsilon(epsilon(at, "epsilon")?, sensitivity, movement(together))?;
    let facts = String::from("{}");
    let certified = certify_noisy_max(max).map_err(|violation| Failure::Privacy(violation.to_string(), facts))?;
    Ok(NoisyMaxSampler::new(&certified).select(&key(seed)?, 0, &counts)?)
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
    let (inputs, graph) = (problem.spec.problem.categories().clone(), problem.spec.problem.graph().clone());
    let outputs = Categories::new(outputs)?;
    let row = |row: &Vec<String>| row.iter().map(|score| rational(score, "scores")).collect::<Answer<Vec<_>>>();
    let scores = scores.iter().map(row).collect::<Answer<Vec<_>>>()?;
    let sensitivity = rational(sensitivity, "sensitivity")?;
    py.detach(|| {
        let repaired = designed(inputs, outputs, graph, &scores, &sensitivity, movement(together))?;
        let certified = certify(repaired.mechanism).map_err(|violation| {
            Failure::input(format!("the mechanism does not certify, which is a bug to report: {violation}"))
        })?;
        Ok(Mechanism::new(Claim::new(MechanismFile::of_certified("exponential", &certified)).with_proof(certified)))
    })
}
