//! Certifies noise on places, by the closed form of its law.

use super::{Certified, Inside, Provable, Violation};
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
/// use lookalike_core::{certify::certify, exact::parse_rational, model::{PlanarNoise, Region}};
/// let region = Region::new(parse_rational("0")?, parse_rational("179.9")?, parse_rational("20000")?)?;
/// let noise = PlanarNoise::for_epsilon("1/100".parse()?, region.clone(), -4)?;
/// assert_eq!(certify(noise)?.certificate().achieved().unwrap().to_string(), "1/100");
/// let false_claim = PlanarNoise::new("1/101".parse()?, "1/1600".parse()?, region, -4)?;
/// assert!(certify(false_claim).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Provable for PlanarNoise {
    type Certificate = PlanarForm;

    fn proved(self, _: Inside) -> Result<Certified<Self>, Violation<PlanarForm>> {
        let stretch = self.region().stretch().clone();
        let achieved = self.decay().scale(&(&stretch / self.grid())).ok();
        let form = PlanarForm { achieved, claimed: self.epsilon().clone(), stretch, resolution: self.resolution() };
        if form.achieved.as_ref().is_some_and(|achieved| *achieved <= form.claimed) {
            return Ok(Certified::new(self, form));
        }
        let text = format!(
            "a decay of {} a step of {} m, stretched by {}, exceeds epsilon {} a metre",
            self.decay(),
            self.grid(),
            form.stretch,
            form.claimed
        );
        Err(Violation::new(form, text))
    }
}

#[cfg(test)]
#[path = "planar_tests.rs"]
mod tests;
