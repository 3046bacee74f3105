//! Noise for numbers, with its proof.

use super::claim::{NoiseClaim, scale};
use super::level::Level;
use super::width::Width;
use crate::facts::nearest;
use crate::mechanism::{Attempt, prove_claim as proved};
use crate::release::NoiseInterval;
use lookalike::Sentence;
use lookalike::certify::Certified;
use lookalike::model::Noise;
use lookalike_formats::{MechanismFile, Result};
use serde::Serialize;
use serde_json::Value;

/// The noise that is asked for.
pub struct NoiseDesign {
    /// In the words of a question.
    pub claim: NoiseClaim,
    /// A level at which is said how far a release may be, beside 95 %.
    pub confidence: Option<Level>,
}

/// The noise with its proof.
pub struct NoiseDesigned {
    /// The noise.
    pub certified: Certified<Noise>,
    /// How far it takes a number, at each level.
    pub widths: Vec<Width>,
    /// Where the question wastes some.
    pub warnings: Vec<Sentence>,
}

/// What is said of noise.
#[derive(Debug, Clone, Serialize)]
pub struct NoiseDesignFacts {
    /// Its name.
    pub mechanism: Option<String>,
    /// ε.
    pub epsilon: f64,
    /// The same as exact text.
    pub epsilon_text: String,
    /// The most by which a value differs between neighbours.
    pub sensitivity: String,
    /// What is released are multiples of this.
    pub grid: String,
    /// Values are brought between these first.
    pub clamp: Option<[String; 2]>,
    /// How many grid steps neighbours are apart at most, after rounding.
    pub steps: String,
    /// The decay a grid step.
    pub decay: String,
    /// The scale, in the unit of the values.
    pub scale: f64,
    /// How far a release may be from its value, at each level.
    pub intervals: Vec<NoiseInterval>,
    /// The proof.
    pub certificate: Option<Value>,
}

impl NoiseDesign {
    /// The noise with its proof, or the witness against it.
    ///
    /// # Errors
    /// Those of [`NoiseClaim::noise`]; an interval of 2^64 steps or more.
    pub fn run(self) -> Attempt<NoiseDesigned> {
        let noise = self.claim.noise()?;
        let warnings = NoiseClaim::warnings(&noise);
        let mut levels = vec![Level::usual()];
        levels.extend(self.confidence.filter(|level| *level != Level::usual()));
        let widths = levels.iter().map(|level| Width::of(&noise, level)).collect::<Result<Vec<_>>>()?;
        Ok(proved(noise).map(|certified| NoiseDesigned { certified, widths, warnings }))
    }
}

impl NoiseDesigned {
    /// The mechanism file.
    pub fn file(&self) -> MechanismFile<Noise> {
        MechanismFile::of_certified("discrete-laplace", &self.certified)
    }

    /// What is said of it.
    pub fn facts(&self) -> NoiseDesignFacts {
        let (file, noise) = (self.file(), self.certified.mechanism());
        NoiseDesignFacts {
            mechanism: file.name,
            epsilon: noise.epsilon().to_f64(),
            epsilon_text: noise.epsilon().to_string(),
            sensitivity: noise.sensitivity().to_string(),
            grid: noise.grid().to_string(),
            clamp: noise.clamp().map(|bounds| bounds.each_ref().map(ToString::to_string)),
            steps: noise.steps().to_string(),
            decay: noise.decay().to_string(),
            scale: nearest(&scale(noise)),
            intervals: self.widths.iter().map(Width::facts).collect(),
            certificate: file.certificate,
        }
    }
}
