//! How much noise hides every moment of a sequence.

use super::chains::Chains;
use crate::claim::Claim;
use crate::error::{Answer, Failure};
use crate::noise::Noise;
use crate::numbers::{epsilon, rational};
use crate::progress::watched;
use crate::spelling::InPython;
use lookalike::design::Watch;
use lookalike::exact::{Epsilon, Rational};
use lookalike::model::Noise as Model;
use lookalike::pufferfish::sum_distance;
use lookalike_engine::Facts;
use lookalike_engine::pufferfish::{Basis, Calibrated, CalibrationProblem, ChainClass, LinearQuery, Method, Query};
use lookalike_formats::{MechanismFile, Result};
use lookalike_report::ChainPage;
use pyo3::prelude::*;

/// A scale: its facts as JSON, σ and that of group privacy as fractions, and for a box the chain that needs nearly as much.
pub type Scale = (String, String, String, Option<[String; 2]>);
/// A method, and its scale or why it does not apply.
type Compared = (&'static str, Option<Scale>, Option<String>);
/// A distance, the chain, the moment and its two states, and whether the distance is exact.
type Distance = (String, usize, u64, [String; 2], bool);

/// A method by its name.
pub fn method_of(name: &str, known: &[Method]) -> Answer<Method> {
    known.iter().copied().find(|method| method.word() == name).ok_or_else(|| {
        let known = lookalike_formats::one_of(known.iter().map(|method| method.word()));
        Failure::input(format!("method: {name:?}, expected {known}"))
    })
}

/// A method by which a scale is found without a question: by distance there is none.
fn method_without_question(name: &str) -> Answer<Method> {
    let known: Vec<Method> = Method::ALL.into_iter().filter(|method| *method != Method::Wasserstein).collect();
    method_of(name, &known)
}

/// A count of all moments stands for what is asked: the scale does not depend on it.
fn any_query(problem: &CalibrationProblem<'_>) -> Result<LinearQuery> {
    LinearQuery::new(&Query::Histogram, problem.file)
}

/// What Python gets of a scale beside that of group privacy.
pub fn scale_of(found: &Calibrated, group: &Calibrated) -> Scale {
    let worst = match &found.basis {
        Basis::Quilt(_, Some(worst)) => Some(worst.each_ref().map(Rational::to_string)),
        _ => None,
    };
    (found.facts().json().to_string(), found.scale.to_string(), group.scale.to_string(), worst)
}

/// The noise that hides every moment, by a method, and ε as a number and as text.
#[pyfunction]
pub fn pufferfish_calibrate(
    py: Python<'_>,
    chains: &Chains,
    length: u64,
    at: &str,
    method: &str,
    progress: Option<Py<PyAny>>,
) -> Answer<(Scale, f64, String)> {
    let method = method_without_question(method)?;
    let epsilon = epsilon(at, "epsilon")?;
    let scale = watched(py, progress.as_ref(), false, |link| {
        link.watch(|watch| {
            let problem = CalibrationProblem { file: &chains.file, length, epsilon: &epsilon, watch };
            Ok(scale_of(&problem.find(method, &any_query(&problem)?)?, &problem.group()?))
        })
    })?;
    Ok((scale, epsilon.to_f64(), epsilon.to_string()))
}

/// The same by every method; one that does not apply says why.
#[pyfunction]
pub fn pufferfish_compare(
    py: Python<'_>,
    chains: &Chains,
    length: u64,
    at: &str,
    progress: Option<Py<PyAny>>,
) -> Answer<(Vec<Compared>, f64, String)> {
    let epsilon = epsilon(at, "epsilon")?;
    let rows = watched(py, progress.as_ref(), false, |link| {
        link.watch(|watch| {
            let problem = CalibrationProblem { file: &chains.file, length, epsilon: &epsilon, watch };
            let group = problem.group()?;
            let row = |(method, found): (Method, Result<Calibrated>)| match found {
                Ok(found) => (method.word(), Some(scale_of(&found, &group)), None),
                Err(error) => (method.word(), None, Some(error.spelled(&InPython))),
            };
            Ok(problem.compare(Method::COMPARED, &any_query(&problem)?)?.into_iter().map(row).collect())
        })
    })?;
    Ok((rows, epsilon.to_f64(), epsilon.to_string()))
}

/// The page about the noise that hides every moment.
#[pyfunction]
pub fn pufferfish_page(
    py: Python<'_>,
    chains: &Chains,
    length: u64,
    at: &str,
    progress: Option<Py<PyAny>>,
) -> Answer<String> {
    let epsilon = epsilon(at, "epsilon")?;
    let page = ChainPage { file: &chains.file, length, epsilon: &epsilon };
    watched(py, progress.as_ref(), false, |link| Ok(link.watch(|watch| page.page(watch))?.html))
}

/// What releases with these scales lose together, as a fraction.
#[pyfunction]
pub fn pufferfish_compose(
    py: Python<'_>,
    chains: &Chains,
    length: u64,
    scales: Vec<String>,
    progress: Option<Py<PyAny>>,
) -> Answer<String> {
    let scales = scales.iter().map(|scale| rational(scale, "scales")).collect::<Answer<Vec<_>>>()?;
    let none = Rational::from_integer(0.into());
    if scales.is_empty() || scales.iter().any(|scale| *scale <= none) {
        return Err(Failure::input("scales: none, or one that is not above 0, expected the scale of each release"));
    }
    let rate: Rational = scales.iter().map(Rational::recip).sum();
    watched(py, progress.as_ref(), false, |link| {
        link.watch(|watch| {
            let any = Epsilon::rational(Rational::from_integer(1.into()))?;
            let problem = CalibrationProblem { file: &chains.file, length, epsilon: &any, watch };
            Ok(problem.loss(&rate)?.to_string())
        })
    })
}

/// Whole-number noise for a query that one moment changes by at most `lipschitz`, with the claim about any one moment.
#[pyfunction]
pub fn pufferfish_noise(
    chains: &Chains,
    length: u64,
    at: &str,
    method: &str,
    scale: &str,
    query: (String, String),
) -> Answer<Noise> {
    let (lipschitz, grid) = query;
    let (scale, lipschitz) = (rational(scale, "scale")?, rational(&lipschitz, "lipschitz")?);
    let (method, epsilon) = (method_without_question(method)?, epsilon(at, "epsilon")?);
    let exponent = Model::exponent_of(&rational(&grid, "grid")?)?;
    let problem = CalibrationProblem { file: &chains.file, length, epsilon: &epsilon, watch: Watch::default() };
    let claim = Claim::new(MechanismFile::of(problem.noise_of(method, &scale, lipschitz, exponent)?));
    let certified = claim.certified()?.clone();
    Ok(Noise::new(Claim::of_certified(&format!("pufferfish {}", method.word()), certified)))
}

/// How far one state moves a sum.
#[pyfunction]
pub fn pufferfish_sum_distance(py: Python<'_>, chains: &Chains, weights: Vec<String>, length: u64) -> Answer<Distance> {
    let ChainClass::Chains(class) = &chains.file.class else {
        return Err(Failure::input("theta: all chains within limits, expected one chain or a list of them"));
    };
    let weights = weights.iter().map(|weight| rational(weight, "weights")).collect::<Answer<Vec<_>>>()?;
    let found = watched(py, None, false, |_| Ok(sum_distance(class, &weights, length)?))?;
    let states = found.states.map(|state| chains.file.states.name(state).to_owned());
    Ok((found.distance.to_string(), found.chain, found.node, states, found.exact))
}
