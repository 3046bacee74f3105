//! Noise on the places of a region, with its proof.

use super::moved::{Moved, MovedFacts};
use super::promise::Promise;
use crate::facts::{nearest, up};
use crate::mechanism::{Attempt, prove_claim as proved};
use lookalike::certify::Certified;
use lookalike::model::{PlanarNoise, Region};
use lookalike_formats::{MechanismFile, Result};
use serde::Serialize;
use serde_json::Value;

/// The noise that is asked for.
pub struct PlanarDesign {
    /// Where places may be.
    pub region: Region,
    /// How alike they must look.
    pub promise: Promise,
    /// The noise is a multiple of 2^grid metres; by default about a thousandth of the noise.
    pub grid: Option<i32>,
}

/// The noise with its proof.
pub struct PlanarDesigned {
    /// The noise.
    pub certified: Certified<PlanarNoise>,
    /// How far it moves places.
    pub moved: Moved,
}

/// What is said of noise on places.
#[derive(Debug, Clone, Serialize)]
pub struct PlanarDesignFacts {
    /// Its name.
    pub mechanism: Option<String>,
    /// ε for each metre.
    pub epsilon_per_metre: f64,
    /// The same as exact text.
    pub epsilon_text: String,
    /// Latitude and longitude of the middle.
    pub origin: [f64; 2],
    /// How far the region goes in each direction, in metres, exactly.
    pub half_width: String,
    /// The noise is a multiple of so many metres, exactly.
    pub grid: String,
    /// How much farther apart places may be after rounding, in metres.
    pub resolution: f64,
    /// How much longer a metre may be in the plane.
    pub stretch: f64,
    /// How far it moves places.
    pub moved: MovedFacts,
    /// The proof.
    pub certificate: Option<Value>,
}

impl PlanarDesign {
    /// The noise with its proof, or the witness against it.
    ///
    /// # Errors
    /// What the library refuses.
    pub fn run(self) -> Attempt<PlanarDesigned> {
        let noise = self.noise()?;
        let moved = Moved::of_noise(&noise)?;
        Ok(proved(noise).map(|certified| PlanarDesigned { certified, moved }))
    }

    fn noise(self) -> Result<PlanarNoise> {
        let grid = self.grid;
        let noise = match &self.promise {
            Promise::PerMetre(epsilon) => {
                let grid = grid.unwrap_or_else(|| PlanarNoise::default_exponent(epsilon));
                PlanarNoise::for_epsilon(epsilon.clone(), self.region, grid)
            }
            Promise::Radius { level, radius } | Promise::Pairs { level, radius } => {
                let about = level.scale(&radius.metres().recip())?;
                let grid = grid.unwrap_or_else(|| PlanarNoise::default_exponent(&about));
                PlanarNoise::for_radius(level, radius.metres(), self.region, grid)
            }
        };
        Ok(noise?)
    }
}

impl PlanarDesigned {
    /// The mechanism file.
    pub fn file(&self) -> MechanismFile<PlanarNoise> {
        MechanismFile::of_certified("planar-laplace", &self.certified)
    }

    /// What is said of it.
    pub fn facts(&self) -> PlanarDesignFacts {
        let (file, noise) = (self.file(), self.certified.mechanism());
        let region = noise.region();
        PlanarDesignFacts {
            mechanism: file.name,
            epsilon_per_metre: noise.epsilon().to_f64(),
            epsilon_text: noise.epsilon().to_string(),
            origin: [region.latitude(), region.longitude()].map(nearest),
            half_width: region.half_width().to_string(),
            grid: noise.grid().to_string(),
            resolution: up(&noise.resolution()),
            stretch: up(region.stretch()),
            moved: self.moved.facts(),
            certificate: file.certificate,
        }
    }
}
