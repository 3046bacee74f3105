//! Designs.

use crate::claim::Claim;
use crate::error::Answer;
use crate::graph::{Problem, at};
use crate::mechanism::Mechanism;
use crate::numbers::epsilon;
use crate::progress::watched;
use crate::spelling::InPython;
use lookalike::certify::Certified;
use lookalike::design::{Algorithm, Design, Flips, Grid, MechanismName};
use lookalike_engine::{
    ChannelScope, CheckRequest, DesignChoices, DesignOverrides, DesignRequest, DesignWarning, EpsilonTarget,
    SweepRequest, SweptDesign,
};
use lookalike_formats::{MaxGap, MechanismFile, json_of};
use pyo3::prelude::*;

/// What is asked of a design beside the problem, in words.
#[derive(Debug, Clone, FromPyObject)]
#[pyo3(from_item_all)]
pub struct DesignWords {
    epsilon: Option<String>,
    channel: Option<String>,
    objective: Option<String>,
    mechanism: Option<String>,
    algorithm: Option<String>,
    flips: Option<String>,
}

impl DesignWords {
    fn overrides(&self) -> Answer<DesignOverrides> {
        let epsilon = self.epsilon.as_deref().map(|text| epsilon(text, "epsilon")).transpose()?;
        let channel = self.channel.as_deref().map(str::parse::<ChannelScope>).transpose()?;
        Ok(DesignOverrides { channel, objective: self.objective.clone(), epsilon })
    }

    fn choices(&self) -> Answer<DesignChoices> {
        let mechanism = self.mechanism.as_deref().map(str::parse::<MechanismName>).transpose();
        let algorithm = self.algorithm.as_deref().map(str::parse::<Algorithm>).transpose();
        let flips = self.flips.as_deref().map(str::parse::<Flips>).transpose().map_err(at("flips"))?;
        Ok(DesignChoices {
            mechanism: mechanism.map_err(at("mechanism"))?,
            algorithm: algorithm.map_err(at("algorithm"))?,
            flips: flips.unwrap_or_default(),
        })
    }
}

/// A warning: what it is about, and the text.
type Warning = (&'static str, String);

/// The design of a problem, proved, its facts as JSON, and what its owner should know; `target` is what ε is looked for, from how
/// many reports and at which confidence; `max_gap` refuses a design that may be further from the least.
#[pyfunction]
pub fn design(
    py: Python<'_>,
    problem: &Problem,
    words: DesignWords,
    target: Option<(String, Option<u64>, f64)>,
    max_gap: Option<&str>,
    progress: Option<Py<PyAny>>,
) -> Answer<(Mechanism, String, Vec<Warning>)> {
    let max_gap = max_gap.map(|text| text.parse::<MaxGap>().map_err(|error| error.at("max_gap"))).transpose()?;
    let epsilon_for = target.map(|(text, reports, confidence)| EpsilonTarget { text, reports, confidence });
    let (overrides, choices) = (words.overrides()?, words.choices()?);
    let request = DesignRequest { spec: problem.spec.clone(), overrides, choices, epsilon_for, max_gap };
    watched(py, progress.as_ref(), false, |link| {
        let outcome = link.watch(|watch| request.run(watch))?;
        let facts = json_of(&outcome.facts(None)).to_string();
        let told = |warning: &DesignWarning| (warning.name(), warning.sentence().spelled(&InPython).to_string());
        let warnings = outcome.warnings.iter().map(told).collect();
        Ok((Mechanism::new(Claim::new(outcome.file()).with_proof(outcome.certified)), facts, warnings))
    })
}

/// What a design would do, as JSON.
#[pyfunction]
pub fn check(problem: &Problem, words: DesignWords) -> Answer<String> {
    let (overrides, choices) = (words.overrides()?, words.choices()?);
    let request = CheckRequest { spec: problem.spec.clone(), overrides, mechanism: choices.mechanism };
    Ok(json_of(&request.run()?.facts()).to_string())
}

/// The trade-off: a design, proved, and its facts as JSON for every ε.
#[pyfunction]
pub fn sweep(
    py: Python<'_>,
    problem: &Problem,
    words: DesignWords,
    grid: &str,
    progress: Option<Py<PyAny>>,
) -> Answer<Vec<(Mechanism, String)>> {
    let epsilons: Grid = grid.parse().map_err(at("epsilons"))?;
    let (overrides, choices) = (words.overrides()?, words.choices()?);
    let request = SweepRequest { spec: problem.spec.clone(), overrides, choices, epsilons };
    let kept = |point: SweptDesign| {
        let facts = json_of(&point.facts()).to_string();
        (Mechanism::new(Claim::new(point.file()).with_proof(point.certified)), facts)
    };
    watched(py, progress.as_ref(), false, |link| Ok(link.watch(|watch| request.run(watch, kept))?))
}

/// The mechanism of a design, with the file that the command line writes.
pub fn mechanism(design: Design, certified: Certified<lookalike::model::Mechanism>) -> Mechanism {
    Mechanism::new(Claim::new(MechanismFile::new(design, &certified)).with_proof(certified))
}
