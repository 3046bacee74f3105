//! How much noise hides every moment of a sequence.

use super::chains::Chains;
use super::up;
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
use lookalike_engine::pufferfish::{Asked, ChainClass, Found, How, Method, Query, Question};
use lookalike_formats::MechanismFile;
use pyo3::prelude::*;
use serde_json::{Value, json};

/// A method by its name in Python, which has no question for the noise to rest on.
fn method(name: &str) -> Answer<Method> {
    let known: Vec<Method> = Method::ALL.into_iter().filter(|method| *method != Method::Wasserstein).collect();
    known.iter().copied().find(|method| method.word() == name).ok_or_else(|| {
        let known = lookalike_formats::one_of(known.iter().map(|method| method.word()));
        Failure::input(format!("method: {name:?}, expected {known}"))
    })
}

/// A count of all moments stands for what is asked: the scale does not depend on it.
fn find(question: &Question<'_>, method: Method) -> lookalike_formats::Result<Found> {
    question.find(method, &Asked::new(&Query::Histogram, question.file)?)
}

/// What a scale is, for Python.
fn json(question: &Question<'_>, found: &Found) -> lookalike_formats::Result<Value> {
    let mut how = json!({ "method": found.method.word() });
    match &found.how {
        How::Quilt(basis, worst) => {
            how["chain"] = basis.chain.into();
            how["node"] = basis.node.into();
            how["quilt"] = json!([basis.quilt.left, basis.quilt.right]);
            how["card"] = basis.card.into();
            how["influence"] = up(&basis.influence).into();
            how["searched"] = basis.searched.into();
            if let Some(worst) = worst {
                how["leave"] = json!(worst.each_ref().map(Rational::to_string));
            }
        }
        How::Contraction(basis) => {
            how["chain"] = basis.chain.into();
            how["coefficient"] = up(&basis.coefficient).into();
            how["weight"] = up(&basis.weight).into();
        }
        How::InfluenceMatrix(basis) => {
            how["chain"] = basis.chain.into();
            how["norm"] = up(&basis.norm).into();
        }
        How::Distance(_) | How::Group | How::Entry => {}
    }
    how["scale"] = found.scale.to_string().into();
    how["sigma"] = up(&found.scale).into();
    how["group_scale"] = question.group()?.scale.to_string().into();
    how["epsilon"] = question.epsilon.to_f64().into();
    how["epsilon_text"] = question.epsilon.to_string().into();
    Ok(how)
}

/// The noise that hides every moment, by a method, as JSON.
#[pyfunction]
pub fn pufferfish_calibrate(
    py: Python<'_>,
    chains: &Chains,
    length: u64,
    at: &str,
    method: &str,
    progress: Option<Py<PyAny>>,
) -> Answer<String> {
    let method = self::method(method)?;
    let epsilon = epsilon(at, "epsilon")?;
    watched(py, progress.as_ref(), false, |link| {
        link.watch(|watch| {
            let question = Question { file: &chains.file, length, epsilon: &epsilon, watch };
            Ok(json(&question, &find(&question, method)?)?.to_string())
        })
    })
}

/// The same by every method; one that does not apply says why.
#[pyfunction]
pub fn pufferfish_compare(
    py: Python<'_>,
    chains: &Chains,
    length: u64,
    at: &str,
    progress: Option<Py<PyAny>>,
) -> Answer<String> {
    let epsilon = epsilon(at, "epsilon")?;
    watched(py, progress.as_ref(), false, |link| {
        link.watch(|watch| {
            let question = Question { file: &chains.file, length, epsilon: &epsilon, watch };
            let one = |method: Method| match find(&question, method) {
                Ok(found) => json(&question, &found),
                Err(error) if error.is_inapplicable() => {
                    Ok(json!({ "method": method.word(), "does_not_apply": error.spelled(&InPython) }))
                }
                Err(error) => Err(error),
            };
            let rows = Method::COMPARED.into_iter().map(one).collect::<lookalike_formats::Result<Vec<_>>>()?;
            Ok(Value::from(rows).to_string())
        })
    })
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
            let question = Question { file: &chains.file, length, epsilon: &any, watch };
            Ok(question.loss(&rate)?.to_string())
        })
    })
}

/// Whole-number noise for a query that one moment changes by at most `lipschitz`, with the claim about any one moment.
/// What is only drawn from may lack it where no file can carry its proof.
#[pyfunction]
pub fn pufferfish_noise(
    chains: &Chains,
    length: u64,
    at: &str,
    method: &str,
    scale: &str,
    query: (String, String),
    to_draw: bool,
) -> Answer<Noise> {
    let (lipschitz, grid) = query;
    let (scale, lipschitz) = (rational(scale, "scale")?, rational(&lipschitz, "lipschitz")?);
    let (method, epsilon) = (self::method(method)?, epsilon(at, "epsilon")?);
    let exponent = Model::exponent_of(&rational(&grid, "grid")?)?;
    let question = Question { file: &chains.file, length, epsilon: &epsilon, watch: Watch::default() };
    let alone = Model::for_epsilon(Epsilon::rational(scale.recip())?, lipschitz, exponent)?;
    let noise = match method {
        // It hides no moment of a chain, and claims nothing about one.
        Method::Entry => alone,
        // Quilts that differ from chain to chain of a box can be in no file. They hide every moment all the same, so noise that
        // is only drawn from, and shown to nobody, may do without.
        _ => match question.hiding(alone.clone(), &scale) {
            Err(error) if error.is_inapplicable() && to_draw => alone,
            claimed => claimed?,
        },
    };
    let claim = Claim::new(MechanismFile::of(noise));
    let certified = claim.certified()?.clone();
    Ok(Noise::new(Claim::of_certified(&format!("pufferfish {}", method.word()), certified)))
}

/// How far one state moves a sum, as JSON.
#[pyfunction]
pub fn pufferfish_sum_distance(py: Python<'_>, chains: &Chains, weights: Vec<String>, length: u64) -> Answer<String> {
    let ChainClass::Chains(class) = &chains.file.class else {
        return Err(Failure::input("theta: all chains within limits, expected one chain or a list of them"));
    };
    let weights = weights.iter().map(|weight| rational(weight, "weights")).collect::<Answer<Vec<_>>>()?;
    let found = watched(py, None, false, |_| Ok(sum_distance(class, &weights, length)?))?;
    let states = found.states.map(|state| chains.file.states.name(state));
    let (distance, chain, node) = (found.distance.to_string(), found.chain, found.node);
    Ok(json!({ "distance": distance, "chain": chain, "node": node, "states": states, "exact": found.exact })
        .to_string())
}
