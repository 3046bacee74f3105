//! Certifies noise, by the closed form of its law.

use super::{Certified, Inside, Provable, Violation};
use crate::chain::loss;
use crate::exact::{Direction, Rational, decimal};
use crate::model::{Epsilon, Noise, NoisyMax, Secrets};
use num_bigint::BigInt;
use num_traits::One;
use std::fmt;

/// What a closed form proves: that a neighbour costs at most `decay · steps`; and, where the claim is about the moments
/// of a chain, what one moment loses by that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosedForm {
    decay: Epsilon,
    steps: BigInt,
    claimed: Epsilon,
    secrets: Secrets,
    /// An upper bound of what a moment loses, where the proof of the claim shows one.
    lost: Option<Rational>,
}

impl ClosedForm {
    /// By how much ln P falls with each step away from zero.
    pub fn decay(&self) -> &Epsilon {
        &self.decay
    }

    /// The most steps between neighbours; for a chain, between sequences that differ in one moment.
    pub fn steps(&self) -> &BigInt {
        &self.steps
    }

    /// The ε that was claimed.
    pub fn claimed(&self) -> &Epsilon {
        &self.claimed
    }

    /// What it was claimed about.
    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// The loss about a number, `decay · steps`; `None` above 100,000, where nothing is protected.
    pub fn rate(&self) -> Option<Epsilon> {
        self.decay.scale(&Rational::from_integer(self.steps.clone())).ok()
    }

    /// The same as a fraction: itself where it is one, and else one above it.
    pub fn rate_at_most(&self) -> Option<Rational> {
        let one = Epsilon::rational(Rational::one()).expect("1 is an epsilon");
        let rate = self.rate()?;
        Some(rate.ratio(&one).unwrap_or_else(|| rate.enclose(RATE_BITS).upper().to_rational()))
    }

    /// The loss about the secrets of the claim: for numbers the true ε, for moments of a chain an upper bound of it; `None`
    /// above 100,000, or where nothing is shown.
    pub fn achieved(&self) -> Option<Epsilon> {
        match &self.secrets {
            Secrets::Moments { .. } => self.lost.clone().and_then(|lost| Epsilon::rational(lost).ok()),
            _ => self.rate(),
        }
    }

    fn certified<M: Provable<Certificate = Self>>(self, mechanism: M) -> Result<Certified<M>, Violation<Self>> {
        // Whether `decay · steps ≤ ε`, decided exactly. No claim is above 100,000.
        if self.rate().is_some_and(|rate| rate <= self.claimed) {
            return Ok(Certified::new(mechanism, self));
        }
        let text = format!("{} steps of decay {} exceed epsilon {}", self.steps, self.decay, self.claimed);
        Err(Violation::new(self, text))
    }

    /// The proof about the moments of a chain: their loss at the rate `decay · steps` for each moment that changes.
    fn about_moments(mut self, noise: Noise) -> Result<Certified<Noise>, Violation<Self>> {
        let moments = noise.moments().expect("the claim is about moments");
        let Some(rate) = self.rate_at_most() else {
            let text = format!("a loss of more than 100,000 with each moment exceeds epsilon {}", self.claimed);
            return Err(Violation::new(self, text));
        };
        let text = match loss::hides(moments, &rate, &self.claimed) {
            Ok((holds, lost)) => {
                self.lost = lost;
                if holds {
                    return Ok(Certified::new(noise, self));
                }
                let lost = self
                    .lost
                    .as_ref()
                    .map_or("without limit".to_owned(), |lost| format!("up to {}", decimal(lost, 6, Direction::Up)));
                format!("a moment of the chain may lose {lost}, which exceeds epsilon {}", self.claimed)
            }
            Err(error) => format!("no proof about the moments of the chain: {error}"),
        };
        Err(Violation::new(self, text))
    }
}

/// Bits of a rate that is no fraction.
const RATE_BITS: u64 = 128;

impl fmt::Display for ClosedForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ClosedForm { decay, steps, claimed, secrets, .. } = self;
        write!(
            f,
            "closed form: neighbours are at most {steps} steps apart, decay {decay} a step, epsilon {claimed} for {secrets}"
        )
    }
}

/// Proves the claim of noise on a grid, or says by how much it fails.
///
/// # Guarantee
/// `Ok` exactly when `decay · steps ≤ ε`, with the steps of [`Noise::steps`]. Then for values a, b at most Δ apart, which
/// are steps i, j after rounding, and every output z: `P(z − i)/P(z − j) = e^(decay·(|z − j| − |z − i|)) ≤
/// e^(decay·|i − j|) ≤ e^ε`. For z = i and |i − j| = steps the first is an equality: no smaller ε would do.
///
/// Where the claim is about the moments of a chain: `Ok` exactly when the proof that it carries, evaluated anew, bounds the
/// loss about every moment by ε at the rate `decay · steps` for each moment that changes. Sums of n changed moments move
/// the rounded value by at most n·steps, so the rate is right for each number of moments. The bound is an upper one.
///
/// # Errors
/// A [`Violation`] with the numbers.
///
/// # Example
/// ```
/// use lookalike_core::{certify::certify, exact::parse_rational, model::Noise};
/// let (epsilon, two) = ("ln(3)".parse()?, parse_rational("2")?);
/// let certified = certify(Noise::for_epsilon(epsilon, two.clone(), 0)?)?;
/// assert_eq!(certified.certificate().achieved().unwrap().to_string(), "ln(3)");
/// let false_claim = Noise::new("1.098".parse()?, "1/2*ln(3)".parse()?, two, 0)?;
/// assert_eq!(certify(false_claim).unwrap_err().to_string(), "2 steps of decay 1/2*ln(3) exceed epsilon 549/500");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Provable for Noise {
    type Certificate = ClosedForm;

    fn proved(self, _: Inside) -> Result<Certified<Self>, Violation<ClosedForm>> {
        let (decay, steps, claimed) = (self.decay().clone(), self.steps().into(), self.epsilon().clone());
        let form = ClosedForm { decay, steps, claimed, secrets: self.secrets(), lost: None };
        if self.moments().is_none() { form.certified(self) } else { form.about_moments(self) }
    }
}

/// Proves the claim of report noisy max, or says by how much it fails.
///
/// # Guarantee
/// `Ok` exactly when `decay · steps ≤ ε`, with the steps and the proof of [`NoisyMax::steps`].
///
/// # Errors
/// A [`Violation`] with the numbers.
impl Provable for NoisyMax {
    type Certificate = ClosedForm;

    fn proved(self, _: Inside) -> Result<Certified<Self>, Violation<ClosedForm>> {
        let (decay, steps, claimed) = (self.decay().clone(), self.steps().into(), self.epsilon().clone());
        let secrets = Secrets::Numbers { apart: Rational::from_integer(self.sensitivity().into()) };
        ClosedForm { decay, steps, claimed, secrets, lost: None }.certified(self)
    }
}

#[cfg(test)]
#[path = "noise_tests.rs"]
mod tests;
