//! Mechanisms from somebody's own matrices.

use crate::claim::Claim;
use crate::error::{Answer, Failure};
use crate::graph::Problem;
use crate::mechanism::Mechanism;
use crate::numbers::rational;
use lookalike::design::{Rounding, Secrets, channel_of, repair};
use lookalike::exact::Rational;
use lookalike::model::{Categories, Channel, Mechanism as Model};
use lookalike_formats::MechanismFile;
use pyo3::prelude::*;

/// The rows of a matrix as exact texts.
type Rows = Vec<Vec<String>>;

/// Noise beyond this is more than rounding asks for: then it is the claim that is wrong.
const MOST_REPAIR: f64 = 1.0 / (1u64 << 30) as f64;

/// The mechanism with the matrix of each profile, or with one for all, proved; whether it was rounded, and the share of
/// even noise that this took.
#[pyfunction]
pub fn mechanism_of_rows(
    py: Python<'_>,
    problem: &Problem,
    matrices: Vec<(Option<String>, Rows)>,
    outputs: Option<Vec<String>>,
    name: String,
    round: bool,
) -> Answer<(Mechanism, bool, f64)> {
    let outputs = outputs.map(Categories::new).transpose()?;
    py.detach(|| {
        let (given, exact) = model(problem, &matrices, outputs, round)?;
        let claim = |mechanism| Claim::new(MechanismFile { name: Some(name), ..MechanismFile::of(mechanism) });
        let (claim, cost) = if exact {
            (claim(given), 0.0)
        } else {
            let repaired = repair(given.clone())?;
            let keeps = repaired.cost <= MOST_REPAIR;
            (claim(if keeps { repaired.mechanism } else { given }), repaired.cost)
        };
        let certificate = serde_json::from_str(&claim.certificate()?).ok();
        Ok((Mechanism::new(claim.described(certificate)), !exact, cost))
    })
}

fn model(
    problem: &Problem,
    matrices: &[(Option<String>, Rows)],
    outputs: Option<Categories>,
    round: bool,
) -> Answer<(Model, bool)> {
    let (asked, mut exact) = (&problem.spec.problem, true);
    let (inputs, graph) = (asked.categories().clone(), asked.graph().clone());
    let mut channels = Vec::new();
    for (profile, rows) in matrices {
        let (channel, is_exact) = channel(rows, round).map_err(|failure| named(failure, profile.as_deref()))?;
        exact &= is_exact;
        channels.push(channel);
    }
    let outputs = match outputs {
        Some(outputs) => outputs,
        None if channels.iter().all(|channel| channel.outputs() == inputs.len()) => inputs.clone(),
        None => return Err(Failure::input("outputs are missing: expected a name for each column")),
    };
    let model = match (asked.secrets(), matrices) {
        (Secrets::Values, [(None, _)]) => Model::point(inputs, outputs, graph, channels.remove(0)),
        (Secrets::Profiles(profiles), [(None, _)]) => {
            Model::shared(inputs, outputs, graph, profiles.clone(), channels.remove(0))
        }
        (Secrets::Profiles(profiles), _) => {
            let place = |name: &str| {
                let found = matrices.iter().position(|(profile, _)| profile.as_deref() == Some(name));
                let missing = || Failure::input(format!("rows: no matrix for profile {name:?}, expected one for each"));
                found.map(|place| place as u32).ok_or_else(missing)
            };
            let assignment = graph.names().iter().map(place).collect::<Answer<Vec<_>>>()?;
            if assignment.len() != matrices.len() {
                return Err(Failure::input("rows: matrices for more profiles than the graph has"));
            }
            Model::aware(inputs, outputs, graph, profiles.clone(), channels, assignment)
        }
        (Secrets::Values, _) => {
            return Err(Failure::input("rows: a matrix for each profile, but values are the secrets"));
        }
    };
    Ok((model?, exact))
}

fn channel(rows: &Rows, round: bool) -> Answer<(Channel, bool)> {
    let row = |row: &Vec<String>| row.iter().map(|p| rational(p, "rows")).collect::<Answer<Vec<Rational>>>();
    let rows = rows.iter().map(row).collect::<Answer<Vec<_>>>()?;
    let rounding = if round { Rounding::Nearest } else { Rounding::Refused };
    channel_of(&rows, rounding).map_err(|error| {
        let is_between = !round && error.to_string().contains("2^-53");
        let error = error.at("rows");
        Failure::from(if is_between { error.hint("round=True takes the nearest") } else { error })
    })
}

/// An error about the matrix of a profile.
fn named(failure: Failure, profile: Option<&str>) -> Failure {
    match (failure, profile) {
        (Failure::Library(error), Some(profile)) => Failure::Library(error.at(format!("profile {profile:?}"))),
        (failure, _) => failure,
    }
}
