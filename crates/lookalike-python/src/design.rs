//! Designs.

use crate::claim::Claim;
use crate::error::Answer;
use crate::graph::{Problem, at};
use crate::mechanism::Mechanism;
use crate::numbers::epsilon;
use crate::progress::watched;
use lookalike::certify::Certified;
use lookalike::design::{
    Algorithm, Design, Flips, Grid, MechanismName, Objective, Options, Watch, design as designed, randomized_response,
    sweep as swept,
};
use lookalike::estimate::Confidence;
use lookalike_engine::{Outlook, Wanted, prove_design};
use lookalike_formats::{MaxGap, MechanismFile, check_gap, gap_warning, objective_json, solution_json};
use pyo3::prelude::*;
use serde_json::{Value, json};

/// What is asked of a design beside the problem.
#[derive(Debug, Clone, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Wishes {
    epsilon: Option<String>,
    channel: Option<String>,
    objective: Option<String>,
    mechanism: Option<String>,
    algorithm: Option<String>,
    flips: Option<String>,
}

impl Wishes {
    /// The problem with what is asked for instead.
    fn asked(&self, problem: &Problem) -> Answer<lookalike::design::Problem> {
        let epsilon = self.epsilon.as_deref().map(|text| epsilon(text, "epsilon")).transpose()?;
        let (channel, objective) = (self.channel.as_deref(), self.objective.as_deref());
        let asked = lookalike_engine::Wishes { channel, objective, epsilon: epsilon.as_ref() };
        Ok(asked.applied(problem.spec.problem.clone())?)
    }

    fn options<'a>(&self, watch: Watch<'a>) -> Answer<Options<'a>> {
        let mechanism = self.mechanism.as_deref().map(str::parse::<MechanismName>).transpose();
        let algorithm = self.algorithm.as_deref().map(str::parse::<Algorithm>).transpose();
        let flips = self.flips.as_deref().map(str::parse::<Flips>).transpose().map_err(at("flips"))?;
        Ok(Options {
            mechanism: mechanism.map_err(at("mechanism"))?,
            algorithm: algorithm.map_err(at("algorithm"))?,
            flips: flips.unwrap_or_default(),
            watch,
        })
    }
}

/// The design of a problem, proved, and what it is compared with as JSON; `target` is what ε is looked for, from how many reports
/// and at which confidence; `max_gap` refuses a design that may be further from the least.
#[pyfunction]
pub fn design(
    py: Python<'_>,
    problem: &Problem,
    wishes: Wishes,
    target: Option<(String, Option<u64>, f64)>,
    max_gap: Option<&str>,
    progress: Option<Py<PyAny>>,
) -> Answer<(Mechanism, String)> {
    let asked = wishes.asked(problem)?;
    let max_gap = max_gap.map(|text| text.parse::<MaxGap>().map_err(|error| error.at("max_gap"))).transpose()?;
    watched(py, progress.as_ref(), false, |link| {
        link.watch(|watch| {
            let options = wishes.options(watch)?;
            let (problem, design, found) = match &target {
                None => (asked.clone(), designed(&asked, &options)?, Value::Null),
                Some((text, reports, level)) => {
                    let confidence = Confidence { level: *level, simultaneous: false };
                    let wanted = Wanted::parse(text, &asked, *reports, confidence);
                    let found = wanted.map_err(|error| error.at("epsilon_for"))?.smallest(&asked, &options)?;
                    let epsilon = json!(found.epsilon.to_string());
                    (found.problem, found.design, epsilon)
                }
            };
            max_gap.as_ref().map_or(Ok(()), |most| check_gap(&design.objective, most))?;
            let baseline = randomized_response(&problem)?.objective.value;
            let mut report = json!({
                "objective": objective_json(&design),
                "baseline": { "name": "k-rr", "value": baseline },
                "expected_error": Objective::ExpectedError.value(&problem, &design.mechanism),
                "epsilon_for": found,
                "gap_warning": gap_warning(&design),
            });
            if let Some(object) = report.as_object_mut() {
                object.extend(solution_json(&design));
            }
            let (design, certified) = proved(design)?;
            Ok((mechanism(design, certified), report.to_string()))
        })
    })
}

/// What a design would do, as JSON.
#[pyfunction]
pub fn check(problem: &Problem, wishes: Wishes) -> Answer<String> {
    let asked = wishes.asked(problem)?;
    let mut outlook = Outlook::of(&asked);
    let options = wishes.options(Watch::default())?;
    outlook.mechanism = options.mechanism.unwrap_or(outlook.mechanism);
    Ok(outlook.json(&asked, &problem.spec.unprotected).to_string())
}

/// The trade-off: a design, proved, and a row as JSON for every ε.
#[pyfunction]
pub fn sweep(
    py: Python<'_>,
    problem: &Problem,
    wishes: Wishes,
    grid: &str,
    progress: Option<Py<PyAny>>,
) -> Answer<Vec<(Mechanism, String)>> {
    let asked = wishes.asked(problem)?;
    let grid: Grid = grid.parse().map_err(at("epsilons"))?;
    watched(py, progress.as_ref(), false, |link| {
        link.watch(|watch| {
            let options = wishes.options(watch)?;
            let point = |point: lookalike::Result<lookalike::design::SweepPoint>| {
                let point = point?;
                let row = json!({
                    "epsilon": point.epsilon.to_f64(),
                    "epsilon_text": point.epsilon.to_string(),
                    "mechanism": point.design.name.name(),
                    "algorithm": point.design.solution.algorithm.name(),
                    "objective": objective_json(&point.design),
                    "baseline": { "name": "k-rr", "value": point.baseline },
                    "expected_error": point.expected_error,
                    "repair_cost": point.design.solution.repair_cost,
                });
                let (design, certified) = proved(point.design)?;
                Ok((mechanism(design, certified), row.to_string()))
            };
            swept(&asked, &grid, &options).map(point).collect()
        })
    })
}

/// A design with its proof; every design has one.
pub fn proved(design: Design) -> Answer<(Design, Certified<lookalike::model::Mechanism>)> {
    let certified = prove_design(design.mechanism.clone())?;
    Ok((design, certified))
}

/// The mechanism of a design, with the file that the command line writes.
pub fn mechanism(design: Design, certified: Certified<lookalike::model::Mechanism>) -> Mechanism {
    Mechanism::new(Claim::new(MechanismFile::new(design, &certified)).with_proof(certified))
}
