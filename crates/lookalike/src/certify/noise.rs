//! Certifies noise, by the closed form of its law.

use super::{Certified, Provable, Violation};
use crate::exact::Rational;
use crate::model::{Epsilon, Noise, NoisyMax};
use num_bigint::BigInt;
use std::fmt;

/// What a closed form proves: that a neighbour costs at most `decay · steps`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosedForm {
    decay: Epsilon,
    steps: BigInt,
    claimed: Epsilon,
}

impl ClosedForm {
    /// By how much ln P falls with each step away from zero.
    pub fn decay(&self) -> &Epsilon {
        &self.decay
    }

    /// The most steps between neighbours.
    pub fn steps(&self) -> &BigInt {
        &self.steps
    }

    /// The ε that was claimed.
    pub fn claimed(&self) -> &Epsilon {
        &self.claimed
    }

    /// The true ε, `decay · steps`; `None` above 100,000, where nothing is protected.
    pub fn achieved(&self) -> Option<Epsilon> {
        self.decay.scale(&Rational::from_integer(self.steps.clone())).ok()
    }

    /// Whether `decay · steps ≤ ε`, decided exactly. No claim is above 100,000.
    fn holds(&self) -> bool {
        self.achieved().is_some_and(|achieved| achieved <= self.claimed)
    }

    fn certified<M: Provable<Certificate = Self>>(self, mechanism: M) -> Result<Certified<M>, Violation<Self>> {
        if self.holds() {
            return Ok(Certified::new(mechanism, self));
        }
        let text = format!("{} steps of decay {} exceed epsilon {}", self.steps, self.decay, self.claimed);
        Err(Violation::new(self, text))
    }
}

impl fmt::Display for ClosedForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ClosedForm { decay, steps, claimed } = self;
        write!(f, "closed form: neighbours are at most {steps} steps apart, decay {decay} a step, epsilon {claimed}")
    }
}

impl Provable for Noise {
    type Certificate = ClosedForm;
}

impl Provable for NoisyMax {
    type Certificate = ClosedForm;
}

/// Proves the claim of noise on a grid, or says by how much it fails.
///
/// # Guarantee
/// `Ok` exactly when `decay · steps ≤ ε`, with the steps of [`Noise::steps`]. Then for values a, b at most Δ apart, which
/// are steps i, j after rounding, and every output z: `P(z − i)/P(z − j) = e^(decay·(|z − j| − |z − i|)) ≤
/// e^(decay·|i − j|) ≤ e^ε`. For z = i and |i − j| = steps the first is an equality: no smaller ε would do.
///
/// # Errors
/// A [`Violation`] with the numbers.
///
/// # Example
/// ```
/// use lookalike::{certify::certify_noise, exact::parse_rational, model::Noise};
/// let (epsilon, two) = ("ln(3)".parse()?, parse_rational("2")?);
/// let certified = certify_noise(Noise::for_epsilon(epsilon, two.clone(), 0)?)?;
/// assert_eq!(certified.certificate().achieved().unwrap().to_string(), "ln(3)");
/// let false_claim = Noise::new("1.098".parse()?, "1/2*ln(3)".parse()?, two, 0)?;
/// assert_eq!(certify_noise(false_claim).unwrap_err().to_string(), "2 steps of decay 1/2*ln(3) exceed epsilon 549/500");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn certify_noise(noise: Noise) -> Result<Certified<Noise>, Violation<ClosedForm>> {
    let (decay, steps, claimed) = (noise.decay().clone(), noise.steps().into(), noise.epsilon().clone());
    ClosedForm { decay, steps, claimed }.certified(noise)
}

/// Proves the claim of report noisy max, or says by how much it fails.
///
/// # Guarantee
/// `Ok` exactly when `decay · steps ≤ ε`, with the steps and the proof of [`NoisyMax::steps`].
///
/// # Errors
/// A [`Violation`] with the numbers.
pub fn certify_noisy_max(max: NoisyMax) -> Result<Certified<NoisyMax>, Violation<ClosedForm>> {
    let (decay, steps, claimed) = (max.decay().clone(), max.steps().into(), max.epsilon().clone());
    ClosedForm { decay, steps, claimed }.certified(max)
}

#[cfg(test)]
#[path = "noise_tests.rs"]
mod tests;
