//! How much noise hides every moment of a sequence.

use super::chains::Chains;
use super::up;
use crate::claim::Claim;
use crate::error::{Answer, Failure};
use crate::noise::Noise;
use crate::numbers::{epsilon, rational};
use crate::progress::watched;
use lookalike::Result;
use lookalike::design::Watch;
use lookalike::exact::{Epsilon, Rational};
use lookalike::model::Noise as Model;
use lookalike::pufferfish::{
    Calibration, Chain, ExactOptions, approximate, contract, entry_scale, exact_loss, exact_with, gk16, group_scale,
    sum_distance,
};
use lookalike_io::MechanismFile;
use lookalike_io::pufferfish::ChainClass;
use pyo3::prelude::*;
use serde_json::{Value, json};

/// The ways that are compared.
const COMPARED: [&str; 6] = ["exact", "approximate", "contraction", "gk16", "group", "entry"];

/// What is to be hidden: every moment of a sequence of this length.
struct Question<'a> {
    class: &'a ChainClass,
    length: u64,
    epsilon: &'a Epsilon,
    watch: Watch<'a>,
}

/// A scale, and what it rests on as JSON.
type Found = (Rational, Value);

impl Question<'_> {
    fn find(&self, method: &str) -> Result<Found> {
        match method {
            "auto" => {
                let [quilts, contraction] = [self.exact()?, self.contraction()?];
                Ok(if contraction.0 < quilts.0 { contraction } else { quilts })
            }
            "exact" => self.exact(),
            "approximate" => {
                let found = match self.class {
                    ChainClass::Chains(chains) => approximate(chains, self.length, self.epsilon)?,
                    ChainClass::Box(limits) => limits.approximate(self.length, self.epsilon)?,
                };
                Ok(quilt(found, json!({ "method": "approximate" })))
            }
            "contraction" => self.contraction(),
            "gk16" => {
                let found = self.of_chains(|chains| gk16(chains, self.epsilon))?;
                Ok((found.scale, json!({ "method": "gk16", "chain": found.chain, "norm": up(&found.norm) })))
            }
            "entry" => Ok((entry_scale(self.epsilon), json!({ "method": "entry" }))),
            // The names are checked; what hides everything is never too little.
            _ => Ok((group_scale(self.length, self.epsilon)?, json!({ "method": "group" }))),
        }
    }

    fn options(&self) -> ExactOptions<'_> {
        ExactOptions { watch: self.watch, ..ExactOptions::default() }
    }

    fn exact(&self) -> Result<Found> {
        match self.class {
            ChainClass::Chains(chains) => {
                let found = exact_with(chains, self.length, self.epsilon, &self.options())?;
                Ok(quilt(found, json!({ "method": "exact" })))
            }
            ChainClass::Box(limits) => {
                let found = limits.exact(self.length, self.epsilon, &self.options())?;
                let worst = found.worst.each_ref().map(Rational::to_string);
                Ok(quilt(found.calibration, json!({ "method": "exact", "leave": worst })))
            }
        }
    }

    fn contraction(&self) -> Result<Found> {
        let found = self.of_chains(|chains| contract(chains, self.length, self.epsilon))?;
        let (coefficient, weight) = (up(&found.coefficient), up(&found.weight));
        let how = json!({
            "method": "contraction", "chain": found.chain, "coefficient": coefficient, "weight": weight,
        });
        Ok((found.scale, how))
    }

    /// Bounds that hold for all chains within limits as soon as they hold for the extreme ones.
    fn of_chains<T>(&self, bound: impl FnOnce(&[Chain]) -> Result<T>) -> Result<T> {
        match self.class {
            ChainClass::Chains(chains) => bound(chains),
            ChainClass::Box(limits) => bound(&limits.corners()),
        }
    }

    /// What a scale is, for Python.
    fn json(&self, (scale, mut how): Found) -> Answer<Value> {
        how["scale"] = scale.to_string().into();
        how["sigma"] = up(&scale).into();
        how["group_scale"] = group_scale(self.length, self.epsilon)?.to_string().into();
        how["epsilon"] = self.epsilon.to_f64().into();
        how["epsilon_text"] = self.epsilon.to_string().into();
        Ok(how)
    }

    /// What releases at this rate lose together: the least of what is known.
    fn together(&self, rate: &Rational) -> Result<Rational> {
        let exact = match self.class {
            ChainClass::Chains(chains) => exact_loss(chains, self.length, rate, &self.options())?,
            ChainClass::Box(limits) => limits.exact_loss(self.length, rate, &self.options())?,
        };
        let contraction = self.of_chains(|chains| contract(chains, self.length, self.epsilon))?;
        let all = Rational::from_integer(self.length.into()) * rate;
        Ok(exact.min(contraction.weight * rate).min(all))
    }
}

fn quilt(found: Calibration, mut how: Value) -> Found {
    how["chain"] = found.chain.into();
    how["node"] = found.node.into();
    how["quilt"] = json!([found.quilt.left, found.quilt.right]);
    how["card"] = found.card.into();
    how["influence"] = up(&found.influence).into();
    how["searched"] = found.searched.into();
    (found.scale, how)
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
    if method != "auto" && !COMPARED.contains(&method) {
        let known = lookalike_io::one_of(COMPARED.into_iter());
        return Err(Failure::input(format!("method: {method:?}, expected auto or {known}")));
    }
    let epsilon = epsilon(at, "epsilon")?;
    watched(py, progress.as_ref(), false, |link| {
        link.watch(|watch| {
            let question = Question { class: &chains.file.class, length, epsilon: &epsilon, watch };
            Ok(question.json(question.find(method)?)?.to_string())
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
            let question = Question { class: &chains.file.class, length, epsilon: &epsilon, watch };
            let one = |method: &str| match question.find(method) {
                Ok(found) => question.json(found),
                Err(error) if error.is_inapplicable() => {
                    Ok(json!({ "method": method, "does_not_apply": error.to_string() }))
                }
                Err(error) => Err(error.into()),
            };
            Ok(Value::from(COMPARED.into_iter().map(one).collect::<Answer<Vec<_>>>()?).to_string())
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
            let question = Question { class: &chains.file.class, length, epsilon: &any, watch };
            Ok(question.together(&rate)?.to_string())
        })
    })
}

/// Whole-number noise for a query that one moment changes by at most `lipschitz`.
#[pyfunction]
pub fn pufferfish_noise(name: &str, scale: &str, lipschitz: &str, grid: &str) -> Answer<Noise> {
    let (scale, lipschitz) = (rational(scale, "scale")?, rational(lipschitz, "lipschitz")?);
    let exponent = Model::exponent_of(&rational(grid, "grid")?)?;
    let mechanism = Model::for_epsilon(Epsilon::rational(scale.recip())?, lipschitz, exponent)?;
    let claim = Claim::new(MechanismFile { mechanism, name: None, objective: None, certificate: None });
    let certified = claim.certified()?.clone();
    Ok(Noise::new(Claim::of_certified(name, certified)))
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
