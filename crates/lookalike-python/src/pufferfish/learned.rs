//! What an adversary learns from a release.

use super::framework::{Framework, places};
use crate::error::{Answer, Failure};
use crate::mechanism::Mechanism;
use crate::noise::Noise;
use crate::numbers::rational;
use lookalike::model::Names;
use lookalike::pufferfish::{Learned, learned, learned_from_noise, most_learned};
use lookalike_formats::one_of;
use pyo3::prelude::*;

/// The pair, the belief before, the most that is promised, and the most that is reached, as fractions.
type Facts = ([String; 2], String, Option<String>, String);

/// What a mechanism lets an adversary learn about a pair, or about the pair of which it tells the most.
#[pyfunction]
pub fn pufferfish_learned(
    py: Python<'_>,
    mechanism: &Mechanism,
    pair: Option<[String; 2]>,
    prior: &str,
) -> Answer<Facts> {
    let (inner, prior) = (mechanism.inner(), rational(prior, "prior")?);
    let names = inner.graph().names();
    let found = match pair {
        Some(pair) => {
            let pair = secrets(names, &pair)?;
            py.detach(|| learned(inner, pair, &prior))?
        }
        None => py.detach(|| most_learned(inner, &prior))?,
    };
    Ok(facts(&found, names))
}

/// The same of noise on the query of a framework, for an adversary of one law.
#[pyfunction]
pub fn pufferfish_learned_from_noise(
    py: Python<'_>,
    framework: &Framework,
    noise: &Noise,
    law: &str,
    pair: [String; 2],
    prior: &str,
) -> Answer<Facts> {
    let (inner, prior) = (&framework.inner, rational(prior, "prior")?);
    let names = inner.pairs().names();
    let theta = inner.class().iter().position(|theta| theta.name() == law).ok_or_else(|| {
        let known = one_of(inner.class().iter().map(|theta| theta.name()));
        Failure::input(format!("law: {law:?} is not known, expected {known}"))
    })?;
    let (pair, noise) = (secrets(names, &pair)?, noise.inner());
    Ok(facts(&py.detach(|| learned_from_noise(inner, theta, pair, noise, &prior))?, names))
}

fn secrets(names: &Names, pair: &[String; 2]) -> Answer<[u32; 2]> {
    let places = places(names, pair)?;
    Ok([places[0], places[1]])
}

fn facts(found: &Learned, names: &Names) -> Facts {
    let promised = found.promised.as_ref().map(ToString::to_string);
    let pair = found.secrets.map(|secret| names.name(secret).to_owned());
    (pair, found.prior.to_string(), promised, found.achieved.to_string())
}
