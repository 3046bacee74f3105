//! Frameworks: secrets, pairs that must look alike, and laws that the data may have come from.

use crate::claim::Claim;
use crate::error::{Answer, Failure};
use crate::graph::Problem;
use crate::noise::Noise;
use crate::numbers::rational;
use lookalike::exact::Rational;
use lookalike::model::{Categories, Distribution, Edge, Group, Names, Noise as Model};
use lookalike::pufferfish::{self, Theta, Values};
use lookalike_engine::Facts;
use lookalike_engine::pufferfish::{FrameworkNoise, NoiseOfFramework, WassersteinFacts};
use lookalike_formats::Error;
use pyo3::prelude::*;

/// A Pufferfish framework (S, Q, Θ) over a finite query.
#[pyclass(module = "lookalike._lookalike", frozen)]
pub struct Framework {
    pub inner: pufferfish::Framework,
}

type Edges = Vec<(String, String, String)>;
type Groups = Vec<(String, Vec<String>, String)>;

#[pymethods]
impl Framework {
    /// The pairs of a problem whose categories are the secrets, the values of the query, and for each law its name and
    /// what it says of the query given each secret; nothing for one that is impossible.
    #[new]
    fn new(
        problem: &Problem,
        values: Vec<String>,
        numbers: bool,
        laws: Vec<(String, Vec<Option<Vec<String>>>)>,
    ) -> Answer<Self> {
        let (pairs, values) = (problem.spec.problem.graph().clone(), query(&values, numbers)?);
        let theta = |(name, given): &(String, Vec<Option<Vec<String>>>)| {
            let of = |(secret, texts): (&str, &Option<Vec<String>>)| {
                let place = format!("laws: {name:?}: {secret:?}");
                texts.as_ref().map(|texts| law(texts, &place)).transpose()
            };
            let given = pairs.names().iter().zip(given).map(of).collect::<Answer<Vec<_>>>()?;
            Ok(Theta::new(name, given))
        };
        let class = laws.iter().map(theta).collect::<Answer<Vec<_>>>()?;
        Ok(Framework { inner: pufferfish::Framework::new(pairs, values, class)? })
    }

    /// The same from joint laws over points: which secrets are true of each, and the place of the query's value.
    #[staticmethod]
    fn from_joint(
        problem: &Problem,
        values: Vec<String>,
        numbers: bool,
        points: Vec<(Vec<String>, usize)>,
        laws: Vec<(String, Vec<String>)>,
    ) -> Answer<Self> {
        let (pairs, values) = (problem.spec.problem.graph().clone(), query(&values, numbers)?);
        let places = points.iter().map(|(secrets, _)| places(pairs.names(), secrets)).collect::<Answer<Vec<_>>>()?;
        let joint = |(name, texts): &(String, Vec<String>)| {
            let place = format!("laws: {name:?}");
            if texts.len() != points.len() {
                let (found, expected) = (texts.len(), points.len());
                return Err(Failure::input(format!(
                    "{place}: {found} probabilities, expected {expected}, one for each point"
                )));
            }
            law(texts, &place)
        };
        let joints = laws.iter().map(joint).collect::<Answer<Vec<_>>>()?;
        let class: Vec<(&str, Distribution)> = laws.iter().map(|(name, _)| name.as_str()).zip(joints).collect();
        let holds = |secret: usize, point: usize| places[point].contains(&(secret as u32));
        Ok(Framework {
            inner: pufferfish::Framework::from_joint(pairs, values, holds, |point| points[point].1, &class)?,
        })
    }

    /// The ordinary graph: profiles as fractions, edges and groups with their ε.
    fn graph(&self) -> (Vec<(String, Vec<String>)>, Edges, Groups) {
        let graph = self.inner.graph();
        let name = |secret: u32| graph.names().name(secret).to_owned();
        let texts = |law: &Distribution| law.probabilities().map(|p| p.to_string()).collect::<Vec<_>>();
        let profiles = graph.names().iter().map(str::to_owned).zip(self.inner.profiles().iter().map(texts));
        let edge = |edge: &Edge| (name(edge.ends()[0]), name(edge.ends()[1]), edge.epsilon().to_string());
        let group = |group: &Group| {
            let members = group.members().iter().map(|&member| name(member)).collect();
            (group.name().to_owned(), members, group.epsilon().to_string())
        };
        (profiles.collect(), graph.edges().iter().map(edge).collect(), graph.groups().iter().map(group).collect())
    }

    /// How far the secrets move the query, as JSON, and what group privacy would have to hide.
    fn wasserstein(&self) -> Answer<(String, String)> {
        let facts = WassersteinFacts::of(&self.inner, &self.inner.wasserstein()?);
        Ok((facts.json().to_string(), self.inner.span()?.to_string()))
    }

    /// The least noise on a grid that keeps every pair within its ε.
    fn noise(&self, grid: &str) -> Answer<Noise> {
        let exponent = Model::exponent_of(&rational(grid, "grid")?)?;
        let prior = Rational::new(1.into(), 2.into());
        let request = FrameworkNoise { framework: &self.inner, framework_at: None, exponent, prior };
        match request.run()?? {
            NoiseOfFramework::Noise(found) => Ok(Noise::new(Claim::of_certified("wasserstein", found.certified))),
            NoiseOfFramework::Needless { reason } => Err(Failure::input(reason)),
        }
    }
}

/// The domain of the query.
fn query(values: &[String], numbers: bool) -> Answer<Values> {
    if !numbers {
        return Ok(Values::named(Categories::new(values)?));
    }
    let numbers = values.iter().map(|value| rational(value, "values")).collect::<Answer<Vec<_>>>()?;
    Ok(Values::numbers(numbers).map_err(|error| Error::from(error).at("values"))?)
}

fn law(texts: &[String], place: &str) -> Answer<Distribution> {
    let numbers = texts.iter().map(|text| rational(text, place)).collect::<Answer<Vec<_>>>()?;
    Ok(Distribution::new(&numbers).map_err(|error| Error::from(error).at(place))?)
}

/// The places of secrets.
pub fn places(names: &Names, secrets: &[String]) -> Answer<Vec<u32>> {
    let place = |secret: &String| {
        let known = || lookalike_formats::one_of(names.iter());
        names.place(secret).ok_or_else(|| Failure::input(format!("{secret:?} is no secret, expected {}", known())))
    };
    secrets.iter().map(place).collect()
}
