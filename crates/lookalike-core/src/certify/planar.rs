//! Certifies noise on places, by the closed form of its law.

use super::{Certified, Provable, Violation};
use crate::exact::Rational;
use crate::model::{Epsilon, PlanarNoise};
use std::fmt;

/// What the closed form proves: that each metre on the ground costs at most `decay · stretch/grid`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanarForm {
    achieved: Option<Epsilon>,
    claimed: Epsilon,
    stretch: Rational,
    resolution: Rational,
}

impl PlanarForm {
    /// The true ε a metre, `decay · stretch/grid`; `None` above 100,000, where nothing is protected.
    pub fn achieved(&self) -> Option<&Epsilon> {
        self.achieved.as_ref()
    }

    /// The ε a metre that was claimed.
    pub fn claimed(&self) -> &Epsilon {
        &self.claimed
    }

    /// How much the projection stretches distances at most.
    pub fn stretch(&self) -> &Rational {
        &self.stretch
    }

    /// The metres that rounding adds to a distance at most.
    pub fn resolution(&self) -> &Rational {
        &self.resolution
    }
}

impl fmt::Display for PlanarForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PlanarForm { claimed, stretch, resolution, .. } = self;
        write!(
            f,
            "closed form: a metre is at most {stretch} metres in the plane, rounding adds at most {resolution}, epsilon \
             {claimed} a metre"
        )
    }
}

impl Provable for PlanarNoise {
    type Certificate = PlanarForm;
}

/// Proves the claim of noise on places, or says by how much it fails.
///
/// # Guarantee
/// `Ok` exactly when `decay · stretch ≤ ε · grid`. Then for places a, b of the region, d metres apart on the ground, which
/// are points i, j of the grid after rounding, and every point z: `P(z − i)/P(z − j) = e^(decay·(|z − j| − |z − i|)) ≤
/// e^(decay·|i − j|)`, by the triangle inequality, and `|i − j|·grid ≤ stretch·d + resolution`, by
/// [`crate::model::Region`] and [`PlanarNoise::resolution`]; so they are ε·(d + resolution)-alike, as stretch ≥ 1. The sum
/// over the infinite grid is the same for i and j, and what is done with z afterwards does not look at them.
///
/// # Errors
/// A [`Violation`] with the numbers.
///
/// # Example
/// ```
/// use lookalike_core::{certify::certify_planar, exact::parse_rational, model::{PlanarNoise, Region}};
/// let region = Region::new(parse_rational("0")?, parse_rational("179.9")?, parse_rational("20000")?)?;
/// let noise = PlanarNoise::for_epsilon("1/100".parse()?, region.clone(), -4)?;
/// assert_eq!(certify_planar(noise)?.certificate().achieved().unwrap().to_string(), "1/100");
/// let false_claim = PlanarNoise::new("1/101".parse()?, "1/1600".parse()?, region, -4)?;
/// assert!(certify_planar(false_claim).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn certify_planar(noise: PlanarNoise) -> Result<Certified<PlanarNoise>, Violation<PlanarForm>> {
    let stretch = noise.region().stretch().clone();
    let achieved = noise.decay().scale(&(&stretch / noise.grid())).ok();
    let form = PlanarForm { achieved, claimed: noise.epsilon().clone(), stretch, resolution: noise.resolution() };
    if form.achieved.as_ref().is_some_and(|achieved| *achieved <= form.claimed) {
        return Ok(Certified::new(noise, form));
    }
    let text = format!(
        "a decay of {} a step of {} m, stretched by {}, exceeds epsilon {} a metre",
        noise.decay(),
        noise.grid(),
        form.stretch,
        form.claimed
    );
    Err(Violation::new(form, text))
}

#[cfg(test)]
#[path = "planar_tests.rs"]
mod tests;
