//! Noise as wide as the secrets of a framework can move its query.

use crate::facts::{nearest, up};
use crate::mechanism::{Attempt, prove_claim as proved};
use crate::noise::{Level, NoiseClaim, Width};
use crate::release::NoiseInterval;
use lookalike::Sentence;
use lookalike::certify::Certified;
use lookalike::exact::Rational;
use lookalike::model::Noise;
use lookalike::pufferfish::{Framework, Learned, Wasserstein, learned_from_noise};
use lookalike_formats::MechanismFile;
use lookalike_formats::pufferfish::FrameworkFile;
use lookalike_formats::{Error, Result};
use serde::Serialize;
use serde_json::Value;
use std::path::Path;

/// What is to be hidden, and how finely.
pub struct FrameworkNoise<'a> {
    /// Secrets, pairs and laws.
    pub framework: &'a Framework,
    /// The file that they are from, where there is one: errors about them name it.
    pub framework_at: Option<&'a Path>,
    /// The noise is a multiple of 2^exponent.
    pub exponent: i32,
    /// What an adversary believes of a secret before the release.
    pub prior: Rational,
}

/// The noise with its proof; or nothing, where the query tells nothing about the secrets.
pub enum NoiseOfFramework<'a> {
    /// The query has the same law under both secrets of every pair.
    Needless {
        /// Why there is nothing to hide.
        reason: &'static str,
    },
    /// The noise.
    Noise(Box<FrameworkNoiseFound<'a>>),
}

/// Noise for a framework.
pub struct FrameworkNoiseFound<'a> {
    /// What is hidden.
    pub framework: &'a Framework,
    /// How far the secrets move the query.
    pub wasserstein: Wasserstein,
    /// The noise.
    pub certified: Certified<Noise>,
    /// What hides everything at once.
    pub group: Noise,
    /// What it tells about the farthest pair, in the direction in which it tells more.
    pub learned: Learned,
    /// How far it takes the answer.
    pub width: Width,
    /// What whoever asks should know.
    pub warnings: Vec<Sentence>,
}

/// What is said of the noise.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum FrameworkNoiseFacts {
    /// There is nothing to hide.
    Needless {
        /// 0.
        distance: &'static str,
        /// Why.
        reason: &'static str,
    },
    /// The noise.
    Noise(Box<FoundFacts>),
}

/// What is said of noise that hides something.
#[derive(Debug, Clone, Serialize)]
pub struct FoundFacts {
    /// How far the secrets move the query.
    #[serde(flatten)]
    pub wasserstein: WassersteinFacts,
    /// The name of the mechanism.
    pub mechanism: Option<String>,
    /// ε.
    pub epsilon: f64,
    /// The same as exact text.
    pub epsilon_text: String,
    /// What is released are multiples of this.
    pub grid: String,
    /// The decay a grid step.
    pub decay: String,
    /// The scale of the noise.
    pub scale: f64,
    /// What hides everything at once.
    pub group: GroupNoiseFacts,
    /// What an adversary learns.
    pub learned: LearnedFacts,
    /// How far the noise takes the answer.
    pub intervals: [NoiseInterval; 1],
    /// The proof.
    pub certificate: Option<Value>,
}

/// How far the secrets of a framework move its query.
#[derive(Debug, Clone, Serialize)]
pub struct WassersteinFacts {
    /// W, the largest distance over pairs and laws.
    pub distance: String,
    /// The pair that is moved so far.
    pub pair: [String; 2],
    /// The law under which it is.
    pub law: String,
    /// The largest distance among the pairs of each ε.
    pub by_epsilon: Vec<ByEpsilonFacts>,
}

/// The largest distance among the pairs of one ε.
#[derive(Debug, Clone, Serialize)]
pub struct ByEpsilonFacts {
    /// ε as exact text.
    pub epsilon_text: String,
    /// The distance.
    pub distance: String,
}

/// What group privacy would need.
#[derive(Debug, Clone, Serialize)]
pub struct GroupNoiseFacts {
    /// The distance between the least and the largest possible value.
    pub distance: String,
    /// The scale of its noise.
    pub scale: f64,
}

/// What an adversary learns about a pair.
#[derive(Debug, Clone, Serialize)]
pub struct LearnedFacts {
    /// Belief in the first rather than the second.
    pub pair: [String; 2],
    /// The belief before the release.
    pub prior: f64,
    /// The most that ε allows, rounded up.
    pub promised: Option<f64>,
    /// The most that the noise lets an adversary believe, rounded up.
    pub achieved: f64,
}

const NEEDLESS: &str =
    "the query has the same law under both secrets of every pair, tells nothing about them and needs no noise";

impl<'a> FrameworkNoise<'a> {
    /// The noise with its proof, or the witness against it.
    ///
    /// # Errors
    /// A query whose values are no numbers; what the library refuses.
    pub fn run(self) -> Attempt<NoiseOfFramework<'a>> {
        let framework = self.framework;
        let wasserstein = framework.wasserstein().map_err(|error| match self.framework_at {
            Some(path) => Error::from(error).in_file(path),
            None => error.into(),
        })?;
        if *wasserstein.distance() == Rational::default() {
            return Ok(Ok(NoiseOfFramework::Needless { reason: NEEDLESS }));
        }
        let noise = wasserstein.noise(self.exponent)?;
        let warnings = NoiseClaim::coarse_grid(&noise).into_iter().collect();
        let least = wasserstein.by_epsilon().keys().next().expect("a framework has a pair");
        let group = Noise::for_epsilon(least.clone(), framework.span()?, self.exponent)?;
        let learned = self.learned(&wasserstein, &noise)?;
        let width = Width::of(&noise, &Level::usual())?;
        Ok(proved(noise).map(|certified| {
            let found = FrameworkNoiseFound { framework, wasserstein, certified, group, learned, width, warnings };
            NoiseOfFramework::Noise(Box::new(found))
        }))
    }

    /// What the noise tells about the farthest pair, in the direction in which it tells more.
    fn learned(&self, wasserstein: &Wasserstein, noise: &Noise) -> Result<Learned> {
        let farthest = wasserstein.farthest();
        let [one, other] = farthest.secrets;
        let about = |secrets| learned_from_noise(self.framework, farthest.theta, secrets, noise, &self.prior);
        let (first, second) = (about([one, other])?, about([other, one])?);
        Ok(if second.achieved > first.achieved { second } else { first })
    }
}

impl FrameworkNoiseFound<'_> {
    /// The mechanism file.
    pub fn file(&self) -> MechanismFile<Noise> {
        MechanismFile::of_certified("wasserstein", &self.certified)
    }

    fn facts(&self) -> FoundFacts {
        let (noise, file) = (self.certified.mechanism(), self.file());
        FoundFacts {
            wasserstein: WassersteinFacts::of(self.framework, &self.wasserstein),
            mechanism: file.name,
            epsilon: noise.epsilon().to_f64(),
            epsilon_text: noise.epsilon().to_string(),
            grid: noise.grid().to_string(),
            decay: noise.decay().to_string(),
            scale: nearest(&crate::noise::scale(noise)),
            group: GroupNoiseFacts {
                distance: self.group.sensitivity().to_string(),
                scale: nearest(&crate::noise::scale(&self.group)),
            },
            learned: LearnedFacts {
                pair: names_of(self.framework, self.learned.secrets),
                prior: nearest(&self.learned.prior),
                promised: self.learned.promised.as_ref().map(up),
                achieved: up(&self.learned.achieved),
            },
            intervals: [self.width.facts()],
            certificate: file.certificate,
        }
    }
}

impl WassersteinFacts {
    /// What is said of a distance in a framework.
    pub fn of(framework: &Framework, wasserstein: &Wasserstein) -> Self {
        let farthest = wasserstein.farthest();
        let by_epsilon = wasserstein.by_epsilon().iter().map(|(epsilon, farthest)| ByEpsilonFacts {
            epsilon_text: epsilon.to_string(),
            distance: farthest.distance.to_string(),
        });
        WassersteinFacts {
            distance: farthest.distance.to_string(),
            pair: names_of(framework, farthest.secrets),
            law: framework.class()[farthest.theta].name().to_owned(),
            by_epsilon: by_epsilon.collect(),
        }
    }
}

fn names_of(framework: &Framework, pair: [u32; 2]) -> [String; 2] {
    pair.map(|secret| framework.pairs().names().name(secret).to_owned())
}

impl NoiseOfFramework<'_> {
    /// What is said of it.
    pub fn facts(&self) -> FrameworkNoiseFacts {
        match self {
            NoiseOfFramework::Needless { reason } => FrameworkNoiseFacts::Needless { distance: "0", reason },
            NoiseOfFramework::Noise(found) => FrameworkNoiseFacts::Noise(Box::new(found.facts())),
        }
    }
}

/// What is said of a framework as a spec.
#[derive(Debug, Clone, Serialize)]
pub struct SpecFacts {
    /// How many profiles there are: one for each secret and law under which it is possible.
    pub profiles: usize,
    /// How many pairs must look alike.
    pub pairs: u64,
    /// How many values the query has.
    pub values: usize,
    /// How many laws the data may have come from.
    pub laws: usize,
}

/// What is said of the spec of a framework.
pub fn spec_facts(file: &FrameworkFile) -> SpecFacts {
    let (framework, graph) = (&file.framework, file.framework.graph());
    SpecFacts {
        profiles: graph.names().len(),
        pairs: graph.pairs(),
        values: framework.values().len(),
        laws: framework.class().len(),
    }
}
